"""The answer in a notebook: the function, and what it needs from the other cells. Nothing is executed."""

from __future__ import annotations

import builtins
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.kit.cells import Cell, cells_of
from grader.kit.files import LARGEST_ANSWER, Unreadable, read_text, size_text
from grader.kit.names import Names, names_of, names_of_both
from grader.kit.notebook_verdict import CellOrigin
from grader.values.message import NO_MESSAGE, Message, message, plural_message, sentences

SUFFIX = ".ipynb"

LARGEST_NOTEBOOK = 16 << 20
"""The most bytes of a notebook: its pictures are in it."""


@dataclass(frozen=True)
class SourceWords:
    """How messages name what was read.

    Attributes:
        unknown: that nothing there makes the name `{name}`, and what to do then.
        taken: what is taken from there, and how to make a name that is needed in `{function}` then.
        once: whether a second definition of a function is worth a note. In a history it is mostly the same cell, run again.
    """

    unknown: Message
    taken: Message
    once: bool = True


OF_A_NOTEBOOK = message(
    "Of a notebook, the grader takes imports, functions, classes and simple assignments: make it inside `{function}`, or "
    "by a function or a simple assignment."
)

NOTEBOOK = SourceWords(
    message(
        "No Python in this notebook gives `{name}` a value that can be used here: define it in a cell, or correct the name."
    ),
    OF_A_NOTEBOOK,
)

HISTORY = SourceWords(
    message(
        "No cell that was run gives `{name}` a value that can be used here: run the cell that defines it, or correct the "
        "name."
    ),
    OF_A_NOTEBOOK,
    once=False,
)

FILE = SourceWords(
    message("Nothing in this file gives `{name}` a value that can be used here: define it there, or correct the name."),
    message(
        "Of this file, the grader takes imports, functions, classes and simple assignments: make it inside `{function}`, "
        "or by a function or a simple assignment."
    ),
)

_KNOWN = {*dir(builtins), "__name__", "__doc__", "__file__", "__builtins__"}


@dataclass(frozen=True)
class Extract:
    """An answer that was taken from a notebook.

    Attributes:
        text: it as Python.
        origin: the cells of its lines, and why a name that it needs is not in it.
    """

    text: str
    origin: CellOrigin


class NoAnswer(Unreadable):
    """The notebook is sound, and holds no such answer."""


def answer_in(notebook_text: str, name: str) -> Extract:
    """The answer to a problem.

    Args:
        notebook_text: the text of an `.ipynb` file.
        name: of the function. A cell with the tag `answer:NAME` wins, else the last cell that defines it, or that writes a
            file `NAME.py` which does.

    Raises:
        NoAnswer: where no cell defines the function.
        Unreadable: where it is no notebook that can be read.
    """
    return Notebook(cells_of(notebook_text)).answer(name)


def read_answer(path: Path, name: str, *, below: Path | None = None) -> tuple[str, CellOrigin | None]:
    """The text of an answer (see `read_text`); of a notebook that of the function, and where it was taken from.

    Raises:
        Unreadable: where there is none that can be read.
    """
    if path.suffix != SUFFIX:
        return read_text(path, below=below, limit=LARGEST_ANSWER), None
    extract = answer_in(read_text(path, below=below, limit=LARGEST_NOTEBOOK), name)
    return extract.text, extract.origin


@dataclass(frozen=True)
class _Unit:
    """Statements of one cell that share lines: mostly one statement. `last` is the number of its last line, both from 1."""

    cell: Cell
    first: int
    last: int
    names: Names

    def defines(self, name: str) -> bool:
        return name in self.names.binds - self.names.imported


class Notebook:
    """The cells of a notebook, in the order in which they run."""

    def __init__(self, cells: Sequence[Cell], words: SourceWords = NOTEBOOK) -> None:
        self.cells, self.words = cells, words
        self._units = [unit for cell in self.cells if not cell.writes for unit in _units(cell)]

    def answered(self, names: Collection[str]) -> list[str]:
        """Which of some functions this notebook answers: it defines them, or has their tag."""
        tags = {tag for cell in self.cells for tag in cell.tags}
        return [name for name in names if _tag(name) in tags or self._definitions(name)]

    def answer(self, name: str) -> Extract:
        """See `answer_in`."""
        tagged = [cell for cell in self.cells if _tag(name) in cell.tags]
        numbers = {cell.number for cell in tagged[-1:] or self.cells}
        found = [each for each in self._definitions(name) if each[0].number in numbers]
        if not found and tagged:
            said = (
                message("cell {cell} has the tag {tag}, and does not define {function}.")
                if tagged[-1].number
                else message("an empty cell has the tag {tag}, and does not define {function}.")
            )
            raise NoAnswer(said.with_fields(cell=tagged[-1].number, tag=_tag(name), function=name))
        if not found:
            raise NoAnswer(message("no cell defines {function}: name the function so.", function=name))
        cell, definition = found[-1]
        note = self._note(name, tagged, cell)
        if not isinstance(definition, int):
            lines = [(cell, number) for cell in definition for number in range(1, len(cell.lines) + 1)]
            return _extract(name, lines, {}, {}, note)
        if not (unit := self._units[definition]).names.simple:
            said = (
                message("cell {cell} defines {function} inside a loop or a block: define it at the top.")
                if unit.cell.number
                else message("line {line} defines {function} inside a loop or a block: define it at the top.")
            )
            raise NoAnswer(said.with_fields(cell=unit.cell.number, line=unit.first, function=name))
        return _NameSearch(self._units, name, definition, self).extract(note)

    def _definitions(self, name: str) -> list[tuple[Cell, int | list[Cell]]]:
        """What defines a function, the last one last: a unit by its index, or cells to take as they stand.

        These are cells that write a file, and one that is no Python, of which the grader says what is wrong. Each stands
        beside its last cell.
        """
        whole = [[cell] for cell in self.cells if _broken(cell, name)] + self._files(name)
        found: list[tuple[Cell, int | list[Cell]]] = [(cells[-1], cells) for cells in whole]
        found += [(unit.cell, index) for index, unit in enumerate(self._units) if unit.defines(name)]
        return sorted(found, key=lambda each: each[0].number)

    def _files(self, name: str) -> list[list[Cell]]:
        """The files `NAME.py` that cells write and that define the function, each by its cells."""
        files: list[list[Cell]] = []
        for cell in self.cells:
            if cell.writes == name and cell.adds and files:
                files[-1].append(cell)
            elif cell.writes == name:
                files.append([cell])
        return [file for file in files if any(_defines(cell, name) for cell in file)]

    def _note(self, name: str, tagged: Sequence[Cell], taken: Cell) -> Message:
        """Which cell was taken, if several define the function."""
        count = len({cell.number for cell, _ in self._definitions(name)})
        if count < 2 or not self.words.once:
            return NO_MESSAGE
        said = (
            plural_message(
                "{count} cell defines {function}: cell {cell} has the tag {tag}, and counts.",
                "{count} cells define {function}: cell {cell} has the tag {tag}, and counts.",
                count,
            )
            if tagged
            else plural_message(
                "{count} cell defines {function}: the last, cell {cell}, counts.",
                "{count} cells define {function}: the last, cell {cell}, counts.",
                count,
            )
        )
        return said.with_fields(function=name, cell=taken.number, tag=_tag(name))


class _NameSearch:
    """Walks from the definition of an answer to all that it needs."""

    def __init__(self, units: Sequence[_Unit], name: str, answer: int, book: Notebook) -> None:
        self.units, self.name, self.answer, self.book = units, name, answer, book
        self.needs: dict[int, set[int]] = {}  # of each unit taken, what has to stand before it
        self.missing: set[str] = set()
        self.binding: dict[str, list[int]] = {}
        for index, unit in enumerate(units):
            for bound in unit.names.binds:
                self.binding.setdefault(bound, []).append(index)

    def extract(self, note: Message) -> Extract:
        waiting = [self.answer, *(index for index, unit in enumerate(self.units) if unit.names.sets)]
        while waiting:
            index = waiting.pop()
            if index not in self.needs:
                before, after = self._needed(index)
                self.needs[index] = before
                waiting += [*before, *after]
        stars = [index for index, unit in enumerate(self.units) if unit.names.star and unit.names.simple]
        if self.missing and stars:  # any of them may give any name
            self.needs.update({index: set() for index in stars if index not in self.needs})
            self.missing.clear()
        lines = [
            (unit.cell, number)
            for unit in map(self.units.__getitem__, self._ordered())
            for number in range(unit.first, unit.last + 1)
        ]
        outside = {name: why for name in sorted(self.missing) if (why := self._outside(name))}
        unknown = {name: self._unknown(name) for name in sorted(self.missing - outside.keys())}
        return _extract(self.name, lines, outside, unknown, note)

    def _outside(self, name: str) -> Message:
        """Where a name is made if it cannot be taken from there, and what to do; empty if it is not made at all."""
        made = [unit for index in self.binding.get(name, ()) if not (unit := self.units[index]).names.simple]
        if not made:
            return NO_MESSAGE
        unit = made[-1]
        said = (
            message("`{name}` is made or changed outside the function, by {block} in cell {cell}.")
            if unit.cell.number
            else message("`{name}` is made or changed outside the function, by {block} in line {line}.")
        )
        where = said.with_fields(name=name, block=Message(unit.names.block), cell=unit.cell.number, line=unit.first)
        return sentences(where, self.book.words.taken.with_fields(function=self.name))

    def _unknown(self, name: str) -> Message:
        broken = [str(cell.number) for cell in self.book.cells if cell.body is None and not cell.writes]
        said = self.book.words.unknown.with_fields(name=name)
        if not broken:
            return said
        but = message("The grader cannot read cell {cell}: its Python has a syntax error.", cell=broken[-1])
        return sentences(said, but)

    def _needed(self, index: int) -> tuple[set[int], set[int]]:
        """What a unit needs before it, and what its functions need once they run."""
        names = self.units[index].names
        later = {name: self._giving(name, None) for name in names.later - {self.name}}
        now: dict[str, int | None] = {}
        waiting = [*names.now]
        while waiting:  # a function that runs now needs now what it needs once it runs
            if (name := waiting.pop()) not in now:
                now[name] = found = self._giving(name, index)
                waiting += [] if found is None else self.units[found].names.later - {self.name}
        self.missing |= {name for name, found in (*now.items(), *later.items()) if found is None and name not in _KNOWN}
        return (
            {found for found in now.values() if found is not None} - {index},
            {found for found in later.values() if found is not None} - {index},
        )

    def _giving(self, name: str, before: int | None) -> int | None:
        """The unit that gives a name: the last one before another, else the last of all; None where none can be taken."""
        binding = self.binding.get(name, [])
        at = len(binding) if before is None else bisect_left(binding, before)  # they are in order
        others = [index for index in (*binding[at - 1 : at], *binding[-1:]) if index != before]
        return others[0] if others and self.units[others[0]].names.simple else None

    def _ordered(self) -> Iterator[int]:
        """The units as they stand in the notebook, but for those that another needs before it."""
        done: set[int] = set()
        for top in sorted(self.needs):
            stack = [(top, iter(sorted(self.needs[top])))] if top not in done else []
            entered = {top}
            while stack:
                index, inner = stack[-1]
                following = next((needed for needed in inner if needed not in done and needed not in entered), None)
                if following is not None:
                    entered.add(following)
                    stack.append((following, iter(sorted(self.needs[following]))))
                else:
                    stack.pop()
                    done.add(index)
                    yield index


def _units(cell: Cell) -> Iterator[_Unit]:
    """The statements of a cell; those that share a line are one unit."""
    unit: _Unit | None = None
    for statement in cell.body or ():
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        last, names = statement.end_lineno or statement.lineno, names_of(statement)
        if unit is not None and first <= unit.last:
            unit = _Unit(cell, unit.first, max(last, unit.last), names_of_both(unit.names, names))
            continue
        if unit is not None:
            yield unit
        unit = _Unit(cell, first, last, names)
    if unit is not None:
        yield unit


def _defines(cell: Cell, name: str) -> bool:
    """Whether a cell that writes a file defines the function there, or seems to."""
    return any(unit.defines(name) for unit in _units(cell)) or (cell.body is None and _seems(cell, name))


def _broken(cell: Cell, name: str) -> bool:
    """Whether a cell that is no Python seems to define the function."""
    return cell.body is None and not cell.writes and _seems(cell, name)


def _seems(cell: Cell, name: str) -> bool:
    pattern = re.compile(rf"(?:async\s+)?def\s+{re.escape(name)}\s*\(")
    return any(map(pattern.match, cell.lines))


def _extract(
    name: str,
    lines: Sequence[tuple[Cell, int]],
    outside: dict[str, Message],
    unknown: dict[str, Message],
    note: Message,
) -> Extract:
    """Lines of cells, by their numbers, as one text, which is no larger than an answer may be."""
    text = "".join(f"{cell.lines[number - 1]}\n" for cell, number in lines)
    if len(text.encode()) > LARGEST_ANSWER:
        said = message("{function} and what it needs are larger than an answer may be: {size}.")
        raise Unreadable(said.with_fields(function=name, size=size_text(LARGEST_ANSWER)))
    return Extract(text, CellOrigin(tuple((cell.number, number) for cell, number in lines), outside, unknown, note))


def _tag(name: str) -> str:
    return f"answer:{name}"
