"""Reads the folder of a class: what each student handed in to which problem, and what could not be understood."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath

from grader.classroom.layouts import NOTEBOOK, PROBLEMS, STUB, Handed, handed
from grader.classroom.submission import Submission, Unread
from grader.kit import notebook
from grader.kit.files import Unreadable, read_regular, read_text
from grader.kit.kit import Kit
from grader.kit.shipped_stub import untouched

LARGEST_NOTEBOOK = 1 << 25
"""The most bytes of a notebook: the pictures in it count."""
TIMESTAMP = "timestamp.txt"
"""Where nbgrader keeps the time of a submission."""
_LEFT_OUT = frozenset(("__pycache__", "__MACOSX"))
"""Folders that programs make, and nobody hands in. Hidden files and folders are left out too."""


@dataclass(frozen=True)
class _Found:
    """A submission, and the number of the attempt where its path holds one."""

    submission: Submission
    attempt: int


def read_class(folder: Path, kit: Kit, problems: Sequence[str]) -> tuple[list[Submission], list[Unread]]:
    """What students handed in to some problems, each once, and what is not graded.

    It reads `STUDENT/PROBLEM.py`, `STUDENT/problems/PROBLEM/stub.py`, `STUDENT/ASSIGNMENT/PROBLEM.py`, `STUDENT_PROBLEM.py`,
    what Canvas and Moodle give, and notebooks in the place of any of these files. Links are not followed.
    """
    found: dict[tuple[str, str], list[_Found]] = defaultdict(list)
    unread: list[Unread] = []
    for path in _files(folder, unread):
        said = handed(path, kit.names)
        if isinstance(said, str):
            if path.name != TIMESTAMP:
                unread.append(Unread(str(path), said))
            continue
        try:
            for one in _submissions(folder, path, said, kit):
                if one.problem in problems:
                    found[one.student, one.problem].append(_Found(one, said.attempt))
        except (Unreadable, notebook.NotebookError) as error:
            unread.append(Unread(str(path), str(error)))
    counting = [one for (_, problem), listed in sorted(found.items()) for one in _last(kit, problem, listed, unread)]
    listed = [Unread(_in_unicode(one.path), _in_unicode(one.why)) for one in unread]
    return counting, sorted(listed, key=lambda one: one.path)


def _in_unicode(text: str) -> str:
    """A text with the name of a file, in which bytes that are not UTF-8 are escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def _files(folder: Path, unread: list[Unread]) -> Iterator[PurePath]:
    """All files below a folder, relative to it, in order. Of a clone of the kit, the stubs alone."""

    def failed(error: OSError) -> None:
        where = os.path.relpath(error.filename or folder, folder)
        unread.append(Unread(where, f"cannot be read: {error.strerror}."))

    for root, folders, files in os.walk(folder, onerror=failed):
        here = PurePath(os.path.relpath(root, folder))
        links = [name for name in folders if os.path.islink(os.path.join(root, name))]
        unread += [
            Unread(str(here / name), "a link to a folder: links are not followed. Put a copy there.") for name in links
        ]
        folders[:] = sorted(
            one for one in folders if one not in _LEFT_OUT and not one.startswith(".") and one not in links
        )
        is_clone = PROBLEMS in folders and here.parts
        if is_clone:
            folders[:] = [PROBLEMS]
        for name in sorted(files):
            of_the_kit = is_clone or (PROBLEMS in here.parts[1:] and name != STUB)
            if not name.startswith(".") and not of_the_kit:
                yield here / name


def _submissions(folder: Path, path: PurePath, said: Handed, kit: Kit) -> Iterator[Submission]:
    """The answers in one file.

    Raises:
        Unreadable: if it cannot be read.
        NotebookError: if it is a notebook without an answer.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise Unreadable("its name is not UTF-8: rename it.") from None
    when = _submitted(folder, path)
    if path.suffix != NOTEBOOK:
        text = read_text(folder / path, below=folder)
        if not text.strip():
            raise Unreadable("it is empty.")
        yield Submission(said.student, said.problem, str(path), text, when)
        return
    data = read_regular(folder / path, LARGEST_NOTEBOOK, below=folder)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8: save it again in Jupyter.") from None
    names = notebook.answers(text, kit.names)
    if not names:
        raise notebook.NotebookError("no cell of it defines a function that is called like a problem of this kit.")
    for name in names:
        answer = notebook.answer_in(text, name).text
        try:
            answer.encode()
        except UnicodeEncodeError:  # JSON can write half of a character
            raise Unreadable("a cell holds half of a character: write it again.") from None
        yield Submission(said.student, name, str(path), answer, when)


def _submitted(folder: Path, path: PurePath) -> str:
    """When it was handed in, as nbgrader keeps that beside it; empty where that is not known.

    The times of the files themselves say when they were copied.
    """
    try:
        text = read_text(folder / path.parent / TIMESTAMP, below=folder).strip()
        read = datetime.fromisoformat(text.replace(" UTC", "+00:00"))
    except (Unreadable, ValueError):
        return ""
    return read.replace(tzinfo=read.tzinfo or UTC).astimezone(UTC).isoformat()


def _last(kit: Kit, problem: str, listed: list[_Found], unread: list[Unread]) -> list[Submission]:
    """The submission that counts of those of one student to one problem; none if nobody can say which."""
    if len(listed) > 1:
        begun = [one for one in listed if not untouched(kit, problem, one.submission.text)]
        listed = begun or listed[:1]
    if len(listed) == 1:
        return [listed[0].submission]
    ordered = sorted(listed, key=lambda one: (one.submission.submitted, one.attempt))
    keys = [(one.submission.submitted, one.attempt) for one in ordered]
    known = len(set(keys)) == len(keys) and (all(when for when, _ in keys) or not any(when for when, _ in keys))
    paths = [one.submission.path for one in listed]
    if not known:
        for path in paths:
            others = ", ".join(one for one in paths if one != path)
            unread.append(Unread(path, f"a second answer to {problem}, beside {others}: leave the one that counts."))
        return []
    *earlier, last = ordered
    for one in earlier:
        unread.append(Unread(one.submission.path, f"an earlier attempt at {problem}: {last.submission.path} counts."))
    return [last.submission]
