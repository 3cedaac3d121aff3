"""Walks the folder of a class: whatever lies in it is an answer, or is named with a line that says why it is none."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from grader.classroom.attempts import Candidate, latest
from grader.classroom.layouts import (
    NOTEBOOK,
    SHIPPED,
    SUFFIXES,
    TIMESTAMP,
    Named,
    at_the_top,
    ignored,
    in_folder,
    shown_path,
    student_of,
    time_of,
)
from grader.classroom.submission import Submission, Unread
from grader.classroom.wrapper import unwrapped
from grader.kit.cells import cells_of
from grader.kit.files import LARGEST_ANSWER, Unreadable, read_text
from grader.kit.kit import Kit, KitError
from grader.kit.notebook import LARGEST_NOTEBOOK, Notebook
from grader.kit.placed import Origin
from grader.kit.shipped_stub import untouched

DEPTH = 2
"""How many folders may lie between the class and an answer: of the student, and of the assignment or of a clone."""

MOST_ENTRIES = 500
"""The most files and folders in one folder of a student."""

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")


def read_class(folder: Path, kit: Kit, problems: Sequence[str]) -> tuple[list[Submission], list[Unread]]:
    """What students handed in to some problems, and what could not be read.

    Left out of both are answers to other problems of the kit, hidden files, what Python and Jupyter save, and the shipped
    files in a student's clone of the kit. No link is followed.
    """
    walk = _Walk(folder, kit, problems)
    wrapped = unwrapped(folder, kit.names)
    if wrapped.doubt:
        return [], [Unread(shown_path(wrapped.folder.name), wrapped.doubt)]
    walk.the_class(wrapped.folder)
    counted, unread = latest(walk.candidates)
    return counted, sorted((*walk.unread, *unread), key=lambda one: (one.path, one.why))


def read_one(folder: Path, kit: Kit, problems: Sequence[str]) -> tuple[list[Submission], list[Unread]]:
    """What one student handed in to some problems, and what could not be read: the folder is that of the student."""
    walk = _Walk(folder, kit, problems)
    walk.one_student()
    counted, unread = latest(walk.candidates)
    return counted, sorted((*walk.unread, *unread), key=lambda one: (one.path, one.why))


class _Walk:
    def __init__(self, folder: Path, kit: Kit, problems: Collection[str]) -> None:
        self.folder, self.kit, self.problems = folder, kit, problems
        self.candidates: list[Candidate] = []
        self.unread: list[Unread] = []
        self.others = 0  # answers to problems that are not asked for
        self.known: dict[tuple[str, str], bool] = {}
        self.top = folder

    def the_class(self, top: Path) -> None:
        self.top = top
        for path in self._inside(top):
            if path.is_dir():
                before = self._seen()
                self._guarded(path, partial(self._folder_of, student_of(path.name), path, DEPTH - 1))
                if self._seen() == before:
                    self._skip(
                        path, "nothing in this folder is to be graded: no answer was handed in, or only shipped stubs."
                    )
            elif self._may_be_an_answer(path):
                self._guarded(path, partial(self._at_the_top, path))

    def one_student(self) -> None:
        self._guarded(self.folder, partial(self._folder_of, "student", self.folder, DEPTH - 1))

    def _guarded(self, path: Path, read: Callable[[], None]) -> None:
        """Read a file or a folder of one student. Whatever goes wrong there is a line, and the others are read."""
        try:
            read()
        except KitError:
            raise
        except OSError as error:
            self._skip(path, f"cannot be read: {error.strerror or error}.")
        except Exception as error:  # whatever it is, it is of this student alone
            self._skip(path, f"cannot be read ({type(error).__name__}): look at what is unusual in it.")

    def _at_the_top(self, path: Path) -> None:
        named = at_the_top(path.name, self.kit.names)
        if named.student and (named.problem or path.suffix == NOTEBOOK):
            self._answer(path, named, "")
        elif named.student:
            self._skip(path, f"its name ends with that of no problem of this kit: let it end like …_{self._like()}.py.")
        else:
            self._skip(
                path,
                f"its name does not say whose it is and what it answers: name it STUDENT_{self._like()}{path.suffix}.",
            )

    def _folder_of(self, student: str, folder: Path, depth: int, submitted: str = "") -> None:
        """Read a folder of a student, and `depth` levels of folders in it."""
        submitted = self._time(folder / TIMESTAMP) or submitted
        clone = (folder / "problems").is_dir() and not (folder / "problems").is_symlink()
        for path in self._inside(folder):
            if clone and path.name == "problems":
                self._stubs(student, path, submitted)
            elif path.name == TIMESTAMP or (clone and self._shipped(path, folder)):
                pass
            elif path.is_dir() and depth:
                self._folder_of(student, path, depth - 1, submitted)
            elif path.is_dir():
                self._skip(
                    path, f"no answers are looked for in a folder so deep: move those in it to {self._shown(folder)}."
                )
            elif path.name == "stub.py" and folder.name in self.kit.names:
                self._answer(path, Named(student, folder.name), submitted)
            elif self._may_be_an_answer(path):
                self._in_folder(student, path, submitted)

    def _in_folder(self, student: str, path: Path, submitted: str) -> None:
        named = in_folder(path.name, self.kit.names)
        if named.problem or path.suffix == NOTEBOOK:
            self._answer(path, Named(student, named.problem), submitted)
        else:
            self._skip(
                path,
                f"its name is that of no problem of this kit: name it as the problem, for example {self._like()}.py.",
            )

    def _stubs(self, student: str, problems: Path, submitted: str) -> None:
        """Read `problems/` of a clone: the stubs that the student has filled in."""
        for folder in self._inside(problems):
            if folder.name not in self.kit.names or not folder.is_dir():
                self._skip(folder, "this is no problem of this kit: remove it, or add the problem to the kit.")
                continue
            for path in self._inside(folder):
                if path.name == "stub.py":
                    self._answer(path, Named(student, folder.name), submitted, shipped=True)
                elif not self._shipped(path, problems.parent):
                    self._skip(
                        path, "of a problem's folder stub.py alone is graded: if this is the answer, name it so."
                    )

    def _shipped(self, path: Path, clone: Path) -> bool:
        inner = path.relative_to(clone)
        return inner.parts[0] in SHIPPED - {"problems"} or os.path.lexists(self.kit.root / inner)

    def _answer(self, path: Path, named: Named, submitted: str, *, shipped: bool = False) -> None:
        """Read the answers in a file; `shipped` says that a shipped stub in this place is none."""
        if path.suffix == NOTEBOOK:
            return self._notebook(path, named, submitted)
        if named.problem not in self.problems:
            self.others += 1
            return None
        text, why = self._text(path)
        if text is None or not (shipped and self._untouched(named.problem, text)):
            self._add(path, named, text, why, submitted)
        return None

    def _notebook(self, path: Path, named: Named, submitted: str) -> None:
        if named.problem and named.problem not in self.problems:
            self.others += 1
            return
        text, why = self._text(path, LARGEST_NOTEBOOK)
        try:
            notebook = None if text is None else Notebook(cells_of(text))
        except Unreadable as error:
            notebook, why = None, str(error)
        if notebook is None and named.problem:
            self._add(path, named, None, why, submitted)
        elif notebook is None:
            self._skip(path, why)
        else:
            self._cells(path, named, notebook, submitted)

    def _cells(self, path: Path, named: Named, notebook: Notebook, submitted: str) -> None:
        """Take the answers of a notebook: to the problem that names it alone, where one does."""
        answered = [named.problem] if named.problem else notebook.answered(self.kit.names)
        if not answered:
            self._skip(path, "no cell defines the function of a problem of this kit: name the function as the problem.")
        for problem in answered:
            if problem not in self.problems:
                self.others += 1
                continue
            one = Named(named.student, problem, named.attempt)
            try:
                extract = notebook.answer(problem)
                self._add(path, one, extract.text, "", submitted, extract.origin)
            except Unreadable as error:
                self._add(path, one, None, str(error), submitted)

    def _add(
        self, path: Path, named: Named, text: str | None, why: str, submitted: str, origin: Origin | None = None
    ) -> None:
        if text is not None and not text.strip():
            text, why = None, "an empty file: nothing was handed in."
        shown = self._shown(path)
        self.candidates.append(
            Candidate(named.student, named.problem, shown, text, why, submitted, named.attempt, origin)
        )

    def _text(self, path: Path, limit: int = LARGEST_ANSWER) -> tuple[str | None, str]:
        try:
            return read_text(path, below=self.folder, limit=limit), ""
        except Unreadable as error:
            return None, str(error)

    def _time(self, path: Path) -> str:
        if not os.path.lexists(path):
            return ""
        text, why = self._text(path)
        if time := time_of(text or ""):
            return time
        self._skip(
            path,
            why or "no time as nbgrader writes it (2026-11-23 12:00:00 UTC): these answers count as without a time.",
        )
        return ""

    def _inside(self, folder: Path) -> list[Path]:
        """What lies in a folder and may be read, in order."""
        try:
            paths = sorted(path for path in folder.iterdir() if not ignored(path.name))
        except OSError as error:
            self._skip(folder, f"cannot be read: {error.strerror}.")
            return []
        if folder != self.top and len(paths) > MOST_ENTRIES:
            self._skip(
                folder, f"{len(paths)} files and folders are in it, and {MOST_ENTRIES} at most are read in one folder."
            )
            return []
        for path in paths:
            if path.is_symlink():
                self._skip(path, "a link: put what it leads to in its place.")
        return [path for path in paths if not path.is_symlink()]

    def _may_be_an_answer(self, path: Path) -> bool:
        if path.suffix.lower() in ARCHIVES:
            self._skip(path, "an archive: unpack it in its place.")
        elif path.suffix not in SUFFIXES:
            self._skip(path, "neither Python nor a notebook: only .py and .ipynb are graded.")
        return path.suffix in SUFFIXES

    def _untouched(self, problem: str, text: str) -> bool:
        # It runs git, and most of a class hands in most stubs as they were shipped.
        if (problem, text) not in self.known:
            self.known[problem, text] = untouched(self.kit, problem, text)
        return self.known[problem, text]

    def _like(self) -> str:
        return next(iter(self.problems), "rope")

    def _seen(self) -> int:
        return len(self.candidates) + len(self.unread) + self.others

    def _skip(self, path: Path, why: str) -> None:
        self.unread.append(Unread(self._shown(path), why))

    def _shown(self, path: Path) -> str:
        return shown_path(str(path.relative_to(self.folder))) or "."
