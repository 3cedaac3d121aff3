"""What a file answers: the problem that it is called after, else each problem whose function it defines. Nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from grader.classroom.file_names import NOTEBOOK, some
from grader.kit.cells import Cell, cell_of, cells_of
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit
from grader.kit.notebook import FILE, Notebook
from grader.kit.notebook_verdict import CellOrigin

ALIKE, ALIKE_WITH_PARAMETERS = 0.8, 0.4
"""How like the name of a problem that of a function is that may be meant for it: by its name alone, and if it has the
parameters of the problem's function too. 1 is the same name."""


@dataclass(frozen=True)
class AnswerInFile:
    """What a file holds for one problem.

    Attributes:
        problem: empty where nothing tells what the file was meant for.
        text: None where there is no answer that can be read.
        why: why there is none, and what to do.
        origin: of a notebook, the cells of the text's lines.
        guessed: whether it is only likely that the file was meant for the problem, or for any if that is empty. It spoils no
            other answer.
        none: whether nothing looks like an answer in the file.
        beside: whether the file is of Python, and answers other problems too: a function in it may be a help for another.
    """

    problem: str
    text: str | None
    why: str = ""
    origin: CellOrigin | None = None
    guessed: bool = False
    none: bool = False
    beside: bool = False


@dataclass(frozen=True)
class Answers:
    """Finds the answers in files.

    Args:
        problems: those that are asked for: what is likely to be meant for another is not told.
    """

    kit: Kit
    problems: Collection[str]
    _parameters: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"], init=False)

    def of(self, text: str, suffix: str, problem: str, to_do: str) -> list[AnswerInFile]:
        """The answers in a file, and why there are none: never an empty list.

        Args:
            problem: that the name or the place of the file says; empty where they say none.
            to_do: what to do with a file of Python that answers nothing.
        """
        try:
            return self._notebook(text, problem) if suffix == NOTEBOOK else self._python(text, problem, to_do)
        except Unreadable as error:
            return [AnswerInFile(problem, None, str(error))]

    def _python(self, text: str, problem: str, to_do: str) -> list[AnswerInFile]:
        cells = [cell_of(1, text)]
        if problem in {function.name for function in _functions(cells)}:  # most are so, and need no more
            return [AnswerInFile(problem, text)]
        defined = Notebook(cells, FILE).answered(self.kit.names)
        if problem and (problem in defined or not defined):
            return [AnswerInFile(problem, text)]  # without its function too: the verdict says that it lacks it
        if problem:
            why = (
                f"it should answer {problem}, by its name or its folder, and has the function of {' and '.join(defined)} "
                "instead: give the file the name of the problem that it answers."
            )
            return [AnswerInFile(problem, None, why)]
        found = [AnswerInFile(name, text, beside=len(defined) > 1) for name in defined]
        found += self._misnamed(cells, defined)
        why = f"its name is that of no problem of this kit, and it defines the function of none: {to_do}"
        return found or [AnswerInFile("", None, why, none=all(cell.body is not None for cell in cells))]

    def _notebook(self, text: str, problem: str) -> list[AnswerInFile]:
        cells = cells_of(text)
        book = Notebook(cells)
        defined = [problem] if problem else book.answered(self.kit.names)
        found: list[AnswerInFile] = []
        for name in defined:
            try:
                extract = book.answer(name)
                found.append(AnswerInFile(name, extract.text, "", extract.origin))
            except Unreadable as error:
                found.append(AnswerInFile(name, None, str(error)))
        found += [] if problem else self._misnamed(cells, defined)
        why = "no cell defines the function of a problem of this kit: name the function as the problem."
        return found or [AnswerInFile("", None, why, none=all(cell.body is not None for cell in cells))]

    def _misnamed(self, cells: Sequence[Cell], defined: Collection[str]) -> Iterator[AnswerInFile]:
        """The problems that a file does not answer, and that a function in it with another name is likely meant for."""
        told = {*defined}
        for function in _functions(cells):
            open_ = [name for name in self.problems if name not in told]
            if function.name in self.kit.names or not open_:
                continue
            takes = _parameters(function)
            with_them = [name for name in open_ if len(takes) > 1 and self._takes(name) == takes]
            near = (
                get_close_matches(function.name, open_, 1, ALIKE)
                or get_close_matches(function.name, with_them, 1, ALIKE_WITH_PARAMETERS)
                or (with_them if len(with_them) == 1 else [])
            )
            for problem in near:
                told.add(problem)
                why = f"no function in it is called {problem}, and {function.name} may be meant for it: name it so."
                yield AnswerInFile(problem, None, why, guessed=True)
            if with_them and not near and not defined:
                why = f"{function.name} takes what {some(with_them)} take: if it is meant for one of these, name it so."
                yield AnswerInFile("", None, why, guessed=True)

    def _takes(self, problem: str) -> tuple[str, ...]:
        """The parameters of a problem's function, as the stub of the kit has them; none if it has no such function."""
        if problem not in self._parameters:
            try:
                text = read_text(self.kit.stub(problem))
            except Unreadable:
                text = ""
            found = [function for function in _functions([cell_of(1, text)]) if function.name == problem]
            self._parameters[problem] = _parameters(found[0]) if found else ()
        return self._parameters[problem]


def _functions(cells: Sequence[Cell]) -> Iterator[ast.FunctionDef]:
    for cell in cells:
        yield from (statement for statement in cell.body or () if isinstance(statement, ast.FunctionDef))


def _parameters(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(argument.arg for argument in function.args.args)
