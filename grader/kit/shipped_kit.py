"""A copy of the kit that comes with the grader, and what a kit hands out of a problem. No link of a kit is followed."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

from grader.kit import markup
from grader.kit import statement as translation
from grader.kit.files import LARGEST_TEXT, Unreadable, read_handed_in, write_atomically
from grader.kit.kit import EDITOR_TASKS, Kit, KitError, kit_of_grader
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import shipped, translated
from grader.locale.language import ENGLISH, LANGUAGES, SETTINGS, gettext, language

IGNORED = (".grader/", "stub.*.py", "practice.py", "practice.*.py", "__pycache__/")
"""What git should ignore in a kit: the grader's own files, texts that `reset` moved, and exercises."""


def copy_kit(target: Path) -> Kit:
    """Copy the kit that comes with the grader into a folder, with stubs that are not filled in.

    The stubs are in the language that is spoken, where they are translated, and the kit's settings name the language.

    Raises:
        KitError: where the folder is not empty, or cannot be written.
    """
    kit = kit_of_grader()
    ignored = shutil.ignore_patterns(*(pattern.rstrip("/") for pattern in IGNORED))
    try:
        if target.exists() and any(target.iterdir()):
            raise KitError(gettext("{folder} is not empty: name a new folder.").format(folder=repr(str(target))))
        # Permissions are not copied: installed files may be read-only.
        for folder in ("solutions", "problems"):
            shutil.copytree(kit.root / folder, target / folder, ignore=ignored, copy_function=shutil.copyfile)
        made = Kit(target.resolve())
        for name in made.names:
            if text := translated(kit, name):
                write_atomically(made.stub(name), text.encode())
        (target / EDITOR_TASKS).parent.mkdir()
        shutil.copyfile(kit.root / EDITOR_TASKS, target / EDITOR_TASKS)
        if language() != ENGLISH:
            write_atomically(target / SETTINGS, f'lang = "{language()}"\n'.encode())
        write_atomically(target / ".gitignore", "".join(f"{pattern}\n" for pattern in IGNORED).encode())
    except OSError as error:
        said = gettext("{path} cannot be written ({why}).")
        raise KitError(said.format(path=error.filename or target, why=error.strerror or error)) from None
    return made


LARGEST_HANDED_OUT = 1 << 26
"""The most bytes of a file that a statement names."""


def read_handed_out(kit: Kit, path: Path, limit: int = LARGEST_TEXT) -> bytes:
    """The bytes of a file that is handed out. Raises ProblemError if it cannot be read, or a link is on its path."""
    try:
        return read_handed_in(path, limit, below=kit.root)
    except Unreadable as error:
        raise ProblemError(f"{kit.shown(path)} cannot be handed out: {error}") from None


def handed_out_stub(kit: Kit, name: str) -> bytes:
    """The shipped stub of a problem.

    Raises:
        KitError: if it is filled in, and the shipped one is not known.
        ProblemError: if a link stands in its place.
    """
    if os.path.lexists(kit.stub(name)):
        read_handed_out(kit, kit.stub(name))
    text = shipped(kit, name)
    if text is None:
        raise KitError(f"{kit.opened(kit.stub(name))} is filled in, and the shipped one is not known: clear it first.")
    return text.encode()


def handed_out_files(kit: Kit, name: str) -> dict[Path, bytes]:
    """All that is handed out of a problem beside its stub and its key.

    That is the statement, `figure.py`, the translations of statement and stub, and the files in the problem's folder that a
    statement has as a picture or links to.

    Raises:
        ProblemError: as `read`.
    """
    statement, own = kit.statement(name), (kit.stub(name), kit.key(name))
    foreign = [
        translation.translation_path(path, code)
        for path in (statement, own[0])
        for code in LANGUAGES
        if code != ENGLISH
    ]
    there = [path for path in (kit.figure(name), *foreign) if os.path.lexists(path)]
    found = {path: read_handed_out(kit, path) for path in (statement, *there)}
    for text in [data for path, data in found.items() if path.suffix == statement.suffix]:
        for _, target in markup.links(text.decode(errors="replace")):
            path = Path(os.path.normpath(statement.parent / unquote(re.split("[?#]", target)[0])))
            inside = ":" not in target and statement.parent in path.parents and path not in own
            if inside and os.path.lexists(path) and (path.is_symlink() or not path.is_dir()):
                found[path] = read_handed_out(kit, path, LARGEST_HANDED_OUT)
    return found
