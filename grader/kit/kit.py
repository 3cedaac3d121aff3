"""A kit on disk: where its problems are, and in which order a learner meets them."""

from __future__ import annotations

import ast
import difflib
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from grader.kit.names import sets_option
from grader.kit.problem_error import ProblemError
from grader.locale.language import N_, alternatives, gettext

SECTIONS = {
    N_("Learn"): (
        "init",
        "list",
        "show",
        "check",
        "watch",
        "serve",
        "lsp",
        "mcp",
        "hint",
        "solution",
        "practice",
        "reset",
        "trust",
    ),
    N_("Look"): ("run", "trace", "picture", "guide", "doctor", "report"),
    N_("Write problems"): ("new", "audit", "release", "site", "notebook"),
    N_("Teach a class"): ("class",),
}
"""The commands, as `--help` lists them under these headings."""

COMMANDS = tuple(name for names in SECTIONS.values() for name in names)
"""Words that a mistyped problem may mean instead."""

PRACTICE = "practice.py"
"""The file of an exercise in a problem's folder. Nobody hands it in or out."""

CHECKOUT = Path(__file__).resolve().parents[2]
"""The folder around this package: in a checkout, a kit. It came with the grader, which runs anyway."""

SHARE = "share/grader"
"""Where the kit lies below the folder that Python is installed in. It is not in the package: every confined answer may read
that, and would find the solutions."""


EDITOR_TASKS = ".vscode/tasks.json"
"""The task of VS Code that runs `watch` and marks what it finds. `init` copies that of the grader."""


class KitError(Exception):
    """An error of usage: no kit here, or no such problem. The message is one line that says how to fix it."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows of it, in place of a traceback through the grader."""
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True)
class Kit:
    """A folder with `problems/`, and with `solutions/` unless the kit was handed out without solutions.

    `option` is the value of `--kit` that named it; None if the current folder or the environment did. `named` says whether
    `--kit` or GRADER_KIT did: the current folder may be a stranger's.
    """

    root: Path
    option: Path | None = field(default=None, compare=False)
    named: bool = field(default=False, compare=False)

    def command(self, *words: str) -> str:
        """A command on this kit, as the user can type it (see `command`)."""
        return command(*words, kit=self.option)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all problems, sorted."""
        folders = (self.root / "problems").iterdir()
        return tuple(sorted(f.name for f in folders if f.is_dir() and not f.name.startswith((".", "_"))))

    def statement(self, name: str) -> Path:
        return self.root / "problems" / name / "README.md"

    def stub(self, name: str) -> Path:
        return self.root / "problems" / name / "stub.py"

    def practice(self, name: str) -> Path:
        """The learner's answer with a mistake in it (see `practice/exercise.py`)."""
        return self.root / "problems" / name / PRACTICE

    def key(self, name: str) -> Path:
        return self.root / "problems" / name / "key.bin"

    def figure(self, name: str) -> Path:
        return self.root / "problems" / name / "figure.py"

    def answer(self, name: str) -> Path:
        return self.root / "solutions" / name / "answer.py"

    def words(self, name: str) -> Path:
        return self.root / "solutions" / name / "mistakes.md"

    def words_in_all_languages(self, name: str) -> list[Path]:
        """The files with what is said of the mistakes of a problem."""
        english = self.words(name)
        return [english, *sorted(english.parent.glob(f"{english.stem}.*{english.suffix}"))]

    def outside(self, path: Path) -> str:
        """Where a path in `problems/` leads by a link, if that is outside of it; else empty."""
        real = os.path.realpath(path)
        return "" if Path(real).is_relative_to(Path(os.path.realpath(self.root), "problems")) else real

    @property
    def state(self) -> Path:
        """The folder where the grader saves oracles, progress and shipped stubs.

        Raises:
            KitError: if the folder, or something in it, is a link to a folder: a stranger who made the kit could have files
                written there. Other links are set aside where they are read.
        """
        folder = self.root / ".grader"
        try:
            inside = [*folder.iterdir()]
        except OSError:  # there is none, or it cannot be read: what is tried there says so
            inside = []
        for entry in (folder, *inside):
            if entry.is_symlink() and entry.is_dir():
                said = gettext("{path} is a link, and the grader follows none there: remove it.")
                raise KitError(said.format(path=entry))
        return folder

    def shown(self, path: Path) -> str:
        """A path as verdicts and documents hold it: relative to the kit's root if it lies inside."""
        return os.path.relpath(path, self.root) if path.is_relative_to(self.root) else str(path)

    def opened(self, path: Path) -> str:
        """A path as people can open it from the current folder."""
        here = Path.cwd()
        if not path.is_relative_to(self.root) or path.drive != here.drive:
            return str(path)
        return min(os.path.relpath(path, here), str(path), key=len)

    def located(self, text: str) -> str:
        """A message in which the paths of this kit's files are as people can open them."""
        relative = text.replace(f"{self.root}{os.sep}", "")
        folder = self.opened(self.root / "problems").removesuffix("problems")
        return re.sub(r"(?<![\w./\\-])(?=(problems|solutions)/\w)", lambda _: folder, relative)

    def resolve(self, name: str) -> str:
        """The name of a problem, from its name or from a path to its folder or stub.

        Raises:
            KitError: where there is no such problem; the message names the nearest ones.
        """
        if name in self.names:
            return name
        path = Path(os.path.realpath(name))  # unlike `Path.resolve`, it accepts a link to itself
        for part in (path, path.parent):
            if part.parent == self.root / "problems" and part.name in self.names:
                return part.name
        near = difflib.get_close_matches(name, [*self.names, *COMMANDS], n=3, cutoff=0.5)
        said = gettext("There is no problem {name}.")
        if any(word in COMMANDS for word in near):
            said = gettext("There is no problem or command {name}.")
        if near:
            then = gettext("Did you mean {names}?").format(names=alternatives(near))
        else:
            then = gettext("`{command}` shows them all.").format(command=self.command("list"))
        raise KitError(" ".join([said.format(name=repr(name)), then]))


def _chosen(option: Path | None) -> Path | None:
    return option or (Path(os.environ["GRADER_KIT"]) if os.environ.get("GRADER_KIT") else None)


def find(option: Path | None) -> Kit:
    """The kit of a command: `--kit`, else GRADER_KIT, else the nearest folder upwards that holds `problems/`.

    Args:
        option: the value of `--kit`, if it was given.

    Raises:
        KitError: where there is no kit.
    """
    if (chosen := _chosen(option)) is not None:
        source = "--kit" if option else "GRADER_KIT"
        if not (chosen / "problems").is_dir():
            said = gettext("{source} is {folder}, and there is no folder problems/ in it.")
            raise KitError(said.format(source=source, folder=repr(str(chosen))))
        return Kit(chosen.resolve(), option, named=True)
    try:
        here = Path.cwd()
    except FileNotFoundError:
        said = gettext("The current folder was removed: go to another one, and run the command there.")
        raise KitError(said) from None
    for folder in (here, *here.parents):
        if (folder / "problems").is_dir():
            return Kit(folder)
    said = gettext(
        "No kit here: neither {folder} nor a folder above it holds problems/. "
        "Go to one, give --kit DIR, or make one: {command}"
    )
    raise KitError(said.format(folder=here, command=command("init", "DIR")))


def kit_of_grader() -> Kit:
    """The kit that comes with the grader: in the checkout around the package, else where it was installed.

    Raises:
        KitError: where this grader was installed without a kit.
    """
    for folder in (CHECKOUT, *installed_folders()):
        if (folder / "problems").is_dir() and (folder / "solutions").is_dir():
            return Kit(folder)
    said = gettext(
        "This grader was installed without a kit of problems: copy a kit from elsewhere, and give --kit DIR."
    )
    raise KitError(said)


def installed_folders() -> list[Path]:
    """The folders that an installed kit may lie in: below the environment of Python, or below the user's own packages."""
    import site
    import sysconfig

    return [Path(base) / SHARE for base in (sysconfig.get_path("data"), site.getuserbase())]


def refuse_around(kit: Kit, handed_in: Iterable[Path]) -> None:
    """Refuse a kit that nobody named, and that holds what nobody trusts: its references are programs, and would run.

    Args:
        handed_in: files and folders of others.

    Raises:
        KitError: if one of them lies in the kit.
    """
    if kit.named:
        return
    for path in handed_in:
        for real in (Path(os.path.abspath(path)), Path(os.path.realpath(path))):
            if real.is_relative_to(kit.root):
                said = gettext(
                    "The nearest kit, {kit}, holds {path}. So the kit may be a stranger's, and its references are "
                    "programs. If it is yours, name it: {option}"
                )
                option = f"--kit {shlex.quote(os.path.relpath(kit.root))}"
                raise KitError(said.format(kit=kit.root, path=path, option=option))


def for_new(option: Path | None) -> Kit:
    """The kit of the command `new`: `--kit` or GRADER_KIT may name a folder that is not a kit yet; else the same as `find`.

    Raises:
        KitError: where that folder does not exist.
    """
    if (chosen := _chosen(option)) is None:
        return find(None)
    if not chosen.is_dir():
        raise KitError(f"{str(chosen)!r} is no folder: make it first.")
    (chosen / "problems").mkdir(exist_ok=True)
    return Kit(chosen.resolve(), option)


def command(*words: str, kit: Path | None = None) -> str:
    """A command line of the grader for a shell, to be printed in messages.

    Args:
        words: the command and its arguments.
        kit: the value of `--kit`, if the user has to give it.
    """
    option = ["--kit", str(kit)] if kit else []
    # `class` itself takes no option: its commands do.
    said = [*words, *option] if words[:1] == ("class",) else [*option, *words]
    return shlex.join(["python", "-m", "grader", *said])


def order_faults(after: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The errors in `after`: a message for each problem that names an unknown problem, or is part of a cycle.

    Args:
        after: for each problem, the problems to solve before it.
    """
    faults: dict[str, str] = {}
    for name, before in after.items():
        if unknown := [earlier for earlier in before if earlier not in after]:
            faults[name] = f"problems/{name}/README.md: `after` names {unknown[0]!r}, which is no problem here"
    while True:
        left = {
            name: [earlier for earlier in before if earlier not in faults]
            for name, before in after.items()
            if name not in faults
        }
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1][::-1]
            text = " -> ".join(circle)
            faults.update(
                {name: f"problems/{name}/README.md: `after` goes round in a circle: {text}" for name in circle}
            )
        else:
            return faults


def in_order(after: Mapping[str, Sequence[str]], tracks: Mapping[str, str]) -> list[str]:
    """Problems in the order in which a learner meets them: by track, then by how many come before it, then by name.

    How many come before it is the length of the longest chain of problems that end with it. A problem of a later track that
    another one builds on comes just before that one.

    Args:
        after: for each problem, the problems to solve before it.
        tracks: for each problem, its track.

    Raises:
        ProblemError: where `after` names an unknown problem, or contains a cycle.
    """
    for fault in order_faults(after).values():
        raise ProblemError(fault)
    depths: dict[str, int] = {}
    for name in TopologicalSorter(after).static_order():
        depths[name] = 1 + max((depths[before] for before in after[name]), default=0)
    by_track = sorted(after, key=lambda name: (tracks[name], depths[name], name))
    # Each one follows all that it builds on, and what is placed already keeps its place.
    order: dict[str, None] = {}
    for wanted in by_track:
        waiting = [wanted]
        while waiting:
            missing = [name for name in by_track if name in after[waiting[-1]] and name not in order]
            if missing:
                waiting.append(missing[0])
            else:
                order[waiting.pop()] = None
    return list(order)


def is_bare(text: str, name: str) -> bool:
    """Whether a text looks like a stub that is not filled in.

    Its function ends by raising NotImplementedError and returns nothing before, and nothing beside definitions, imports,
    assignments and settings of JAX stands at the top of the file.
    """
    from grader.values.places import parsed  # what starts JAX early waits for the imports at the top

    try:
        module = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if not all(isinstance(node, _AT_THE_TOP) or _is_text(node) or sets_option(node) for node in module.body):
        return False
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            if any(isinstance(inner, ast.Return) for inner in _statements(node.body)):
                return False
            last = node.body[-1]
            raised = last.exc if isinstance(last, ast.Raise) else None
            called = raised.func if isinstance(raised, ast.Call) else raised
            return isinstance(called, ast.Name) and called.id == "NotImplementedError"
    return False


_AT_THE_TOP = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function's body without those of functions and classes inside it."""
    waiting = [*body]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield node
            waiting += ast.iter_child_nodes(node)
