"""Which stubs are the learner's own: what came filled in with a kit of others is a program, and is not run unasked.

What the learner said is kept in a folder of the user, not in the kit: the maker of the kit could have put it there. A
random id in `.grader/` tells this kit from another one that is put in its place later.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grader.kit import state
from grader.kit.files import PRIVATE, private_folder, text_if_readable, write_atomically
from grader.kit.kit import CHECKOUT, Kit, KitError, is_bare
from grader.kit.shipped_stub import untouched
from grader.kit.state import SECONDS_BEFORE_A_WRITE, NotSaved, decoded_text, locked, read_or_set_aside
from grader.locale.language import gettext, ngettext
from grader.values.decode import from_json
from grader.values.places import parsed

LARGEST_RECORD = 1 << 20
"""The most bytes of what is kept of a kit."""

_CALLS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.comprehension, ast.Lambda, ast.JoinedStr)

MOST_NAMED = 5
"""The most stubs that a message names."""


@dataclass(frozen=True)
class Doubt:
    """A stub that nobody has called their own. `link` is where it leads out of the kit; empty where it came filled in."""

    name: str
    link: str = ""


@dataclass
class _Record:
    """What is known of a kit.

    Attributes:
        id: that of the kit.
        own: the stubs that are the learner's own.
        shipped: the digest of each stub that was not filled in when the grader first saw it: another text was written here.
        links: the files that links may lead to.
    """

    id: str = ""
    own: list[str] = field(default_factory=list[str])
    shipped: dict[str, str] = field(default_factory=dict[str, str])
    links: dict[str, str] = field(default_factory=dict[str, str])


def note_bare(kit: Kit) -> None:
    """Note the stubs that are not filled in: what is filled in later was written here.

    It is done at the first command in a kit. Only problems without a worked answer count: a worked answer is a program too,
    and grading runs it.
    """
    alone = [] if kit.root == CHECKOUT else _alone(kit, kit.names)
    record = _load(kit) if alone else _Record()
    new = [name for name in alone if name not in {*record.own, *record.shipped} and not _out(kit, name)]
    texts = {name: text for name in new if (text := text_if_readable(kit.stub(name))) is not None}
    shipped = {name: _digest(text) for name, text in texts.items() if _only_stub(text, name)}
    if shipped:
        with contextlib.suppress(
            KitError
        ):  # where nothing can be kept, these stubs are asked about once they are filled in
            _keep(kit, lambda record: record.shipped.update(shipped))


def doubts(kit: Kit, names: Iterable[str], *, runs: bool, moves: bool = False) -> list[Doubt]:
    """The stubs, of those named, that nobody has called their own.

    Args:
        runs: whether they are about to run without confinement, and not only to be read or written.
        moves: whether a link in the place of a stub is moved away and not followed, so that only its folder counts.
    """
    if kit.root == CHECKOUT:
        return []
    names = list(names)
    links = [(name, link) for name in names if (link := _out(kit, name, moves=moves))]
    filled = _alone(kit, names) if runs else []
    if not links and not filled:
        return []
    record = _load(kit)
    found = [Doubt(name, link) for name, link in links if record.links.get(name) != link]
    linked = {name for name, _ in links}
    unknown = [name for name in filled if name not in {*record.own, *linked} and _may_run(kit, name, record)]
    return found + [Doubt(name) for name in unknown]


def own(kit: Kit, what: Sequence[Doubt]) -> None:
    """Keep that these stubs are the learner's own. Raises KitError where that cannot be kept."""

    def change(record: _Record) -> None:
        record.own = sorted({*record.own, *(doubt.name for doubt in what if not doubt.link)})
        record.links |= {doubt.name: doubt.link for doubt in what if doubt.link}

    if what:
        _keep(kit, change)


def _keep(kit: Kit, change: Callable[[_Record], None]) -> None:
    try:
        path = _path(kit)
        private_folder(path.parent)
        with locked(path.with_suffix(".lock"), SECONDS_BEFORE_A_WRITE):
            record = _load(kit)
            record.id = record.id or _new_id(kit)
            change(record)
            write_atomically(path, json.dumps(asdict(record)).encode(), mode=PRIVATE)
    except (OSError, NotSaved) as error:
        why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        said = gettext(
            "That these stubs are yours cannot be kept ({why}). Set `XDG_STATE_HOME` to a folder of your own, or grade with "
            "--confine."
        )
        raise KitError(said.format(why=why)) from None


def saved(kit: Kit, name: str) -> None:
    """Note that a stub was saved here: it is the learner's own. Raises KitError where that cannot be kept."""
    own(kit, [doubt for doubt in doubts(kit, [name], runs=True) if not doubt.link])


def allow(kit: Kit, names: Iterable[str], *, runs: bool, moves: bool = False) -> None:
    """Refuse stubs that nobody has called their own (see `doubts`).

    Raises:
        KitError: the message says which, and what to do.
    """
    if found := doubts(kit, names, runs=runs, moves=moves):
        raise KitError(" ".join([doubts_in_words(kit, found), _then(kit, found)]))


def began_practice(kit: Kit, name: str) -> None:
    """Note that an exercise was begun here: its file is the learner's own. Raises KitError where that cannot be kept."""
    if kit.root != CHECKOUT and _alone(kit, [name]) and not _practises(kit, name):
        _keep(kit, lambda record: record.own.append(_exercise(name)))


def allow_practice(kit: Kit, name: str) -> None:
    """Refuse the file of an exercise that was not begun here, or that a link leads to: it is a program, and runs as you.

    Raises:
        KitError: the message says what to do.
    """
    path = kit.practice(name)
    if kit.outside(path):
        said = gettext("{file} is a link that leads out of the kit, or lies behind one: remove it.")
        raise KitError(said.format(file=kit.opened(path)))
    if kit.root != CHECKOUT and _alone(kit, [name]) and not _practises(kit, name):
        said = gettext(
            "{file} came with this kit, and nobody here has begun an exercise on it: read it, and remove it."
        )
        raise KitError(said.format(file=kit.opened(path)))


def _practises(kit: Kit, name: str) -> bool:
    return _exercise(name) in _load(kit).own


def _exercise(name: str) -> str:
    """What stands for the exercises on a problem among what is the learner's own."""
    return f"{name}/practice"


def doubts_in_words(kit: Kit, found: Sequence[Doubt]) -> str:
    """What is the matter with stubs that nobody has called their own, in one sentence or two."""
    if found[0].link:
        said = gettext(
            "{stub} is a link that leads out of the kit, to {link}. What lies there would be read, written and run."
        )
        return said.format(stub=kit.opened(kit.stub(found[0].name)), link=found[0].link)
    names = ", ".join(kit.opened(kit.stub(doubt.name)) for doubt in found[:MOST_NAMED])
    said = ngettext(
        "{stubs} is filled in, and the grader does not know by whom. A stub is a program, and runs as you.",
        "{stubs} are filled in, and the grader does not know by whom. A stub is a program, and runs as you.",
        len(found),
    )
    return said.format(stubs=names + (" …" if len(found) > MOST_NAMED else ""))


def _then(kit: Kit, found: Sequence[Doubt]) -> str:
    names = [doubt.name for doubt in found if bool(doubt.link) == bool(found[0].link)]
    if found[0].link:
        said = gettext("Is the link yours? Say so once: {command}. Else remove it.")
    else:
        said = ngettext(
            "Did you write it? Say so once: {command}. Else grade with --confine, or read it first.",
            "Did you write them? Say so once: {command}. Else grade with --confine, or read them first.",
            len(names),
        )
    return said.format(command=kit.command("trust", *names))


def _alone(kit: Kit, names: Iterable[str]) -> list[str]:
    """Problems with a key and no worked answer, which are graded without running anything else of the kit."""
    return [name for name in names if os.path.lexists(kit.key(name)) and not kit.answer(name).is_file()]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _only_stub(text: str, name: str) -> bool:
    """Whether a text is a stub that is not filled in, and that calls nothing as it is loaded."""
    return is_bare(text, name) and all(map(_only_defines, parsed(text).body))


def _may_run(kit: Kit, name: str, record: _Record) -> bool:
    """Whether a stub would run, and nobody here has written it. What grading takes for not filled in does not run."""
    text = text_if_readable(kit.stub(name))
    if text is None or (name in record.shipped and _digest(text) != record.shipped[name]):
        return False
    return not untouched(kit, name, text)


def _only_defines(statement: ast.stmt) -> bool:
    """Whether a statement at the top of a file calls nothing: imports, constants, and functions without decorators.

    A class is none of these: Python calls methods of a base, of a metaclass and of annotations as it makes one.
    """
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
            return True
        case ast.FunctionDef(decorator_list=[]):
            return not any(
                isinstance(node, _CALLS)
                for part in (statement.args, statement.returns)
                if part
                for node in ast.walk(part)
            )
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
            return not any(isinstance(node, _CALLS) for node in ast.walk(statement))
        case ast.Expr(ast.Call(ast.Attribute(ast.Attribute(ast.Name("jax"), "config"), "update"), arguments)):
            return all(isinstance(argument, ast.Constant) for argument in arguments)
        case _:
            return False


def _out(kit: Kit, name: str, *, moves: bool = False) -> str:
    """Where a stub leads, by a link in its place or on its path, if that is outside of the kit's problems; else empty."""
    stub = kit.stub(name)
    folder = kit.outside(stub.parent)
    return (f"{folder}{os.sep}{stub.name}" if folder else "") if moves else kit.outside(stub)


def _path(kit: Kit) -> Path:
    return state.folder_of_kit(kit.root) / "own.json"


def _load(kit: Kit) -> _Record:
    """What is kept of this kit; nothing if another kit was in its place."""
    try:
        found = read_or_set_aside(_path(kit), LARGEST_RECORD, lambda data: from_json(_Record, data))
    except OSError:
        return _Record()
    return found if found is not None and found.id == _id(kit) else _Record()


def _id(kit: Kit) -> str:
    """The id of a kit; empty where it has none."""
    return read_or_set_aside(_id_path(kit), 64, decoded_text) or ""


def _id_path(kit: Kit) -> Path:
    """Each user gives a kit an id of their own: several may work in one kit."""
    user = hashlib.sha256(os.fsencode(state.state_folder())).hexdigest()[:8]
    return kit.state / f"id-{user}"


def _new_id(kit: Kit) -> str:
    """Give a kit a new id. One that cannot be written has none: the folder of the kit stands for it."""
    new = secrets.token_hex(16)
    try:
        write_atomically(_id_path(kit), new.encode())
    except OSError:
        return _id(kit)
    return new
