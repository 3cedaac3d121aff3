"""Makes a class to grade: mixed layouts, right and wrong answers of the kit, stubs, copies, and what ends badly."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.kit.kit import Kit
from grader.kit.names import names_of
from tests import answers

FOLDER, ROSTER, TRUTH = "class", "roster.csv", "truth.json"
LAYOUTS = ("plain", "clone", "nbgrader", "flat", "canvas", "moodle", "notebook")
KINDS = {"right": 52, "wrong": 27, "stub": 8, "copy": 8, "hang": 2, "crash": 2, "hog": 1}
"""Shares in percent. A stub is as it was shipped; a copy is another student's answer; the last three never return."""
ENDS = {
    "hang": "    while True:\n        pass\n",
    "crash": "    import os\n\n    os.abort()\n",
    "hog": "    held = []\n    while True:\n        held.append(b'x' * (1 << 28))\n",
}
FIRST = ("Ana", "Ben", "Chloé", "Dmitri", "Emeka", "Fatima", "Gus", "Hana", "Iris", "José", "Kim", "Lena")
LAST = ("Abe", "Berg", "Costa", "Diallo", "Ek", "Fox", "García", "Hu", "Ito", "Jansen", "Khan", "O'Neil")
STARTED = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Item:
    """One thing that a student handed in.

    Attributes:
        path: below the folder of the class.
        kind: one of KINDS, or "earlier": an attempt that a later one replaces.
        mistakes: what a wrong answer must be told; "?" is a mistake that nothing explains.
        read: whether it counts: a shipped stub in a clone and an earlier attempt do not.
        of: whose answer a copy is.
    """

    student: str
    problem: str
    path: str
    kind: str
    mistakes: tuple[str, ...] = ()
    read: bool = True
    of: str = ""


@dataclass(frozen=True)
class _Answer:
    kind: str
    text: str
    mistakes: tuple[str, ...] = ()
    of: str = ""


def make(kit: Kit, students: int, seed: int, folder: Path) -> list[Item]:
    """Write a class, its roster and its truth to a folder. The same seed gives the same bytes."""
    made = _Made(kit, random.Random(seed), folder / FOLDER)
    rows = [made.student(number) for number in range(students)]
    rows += [f"absent{number},,Absent {number},absent{number}@example.org" for number in range(2)]
    _write(folder / ROSTER, "\n".join(("id,identifier,name,email", *rows)) + "\n")
    _write(folder / TRUTH, json.dumps([asdict(item) for item in made.items], indent=1) + "\n")
    return made.items


class _Made:
    def __init__(self, kit: Kit, rng: random.Random, folder: Path) -> None:
        self.kit, self.rng, self.folder = kit, rng, folder
        self.items: list[Item] = []
        self.sources: dict[str, list[tuple[str, _Answer]]] = {}  # what may be copied

    def student(self, number: int) -> str:
        """Write what a student handed in, and return the student's row of the roster."""
        layout = LAYOUTS[number % len(LAYOUTS)]
        first, last = self.rng.choice(FIRST), self.rng.choice(LAST)
        name, ids = f"{first} {last}", 10_000 + number
        student = {"canvas": str(ids), "moodle": f"{name}_{ids}"}.get(layout, f"student_{number}")
        problems = sorted(self.rng.sample(self.kit.names, min(len(self.kit.names), self.rng.randint(3, 8))))
        handed_in = {problem: self._answer(problem) for problem in problems}
        if layout == "notebook":
            self._notebooks(student, handed_in)
        else:
            self._files(layout, student, f"{last}{first}".lower(), handed_in, number)
        for problem, answer in handed_in.items():
            if answer.kind in ("right", "wrong"):
                self.sources.setdefault(problem, []).append((student, answer))
        moodle = layout == "moodle"
        return f"{f'm{ids}' if moodle else student},{f'Participant {ids}' if moodle else ''},{name},s{ids}@example.org"

    def _answer(self, problem: str) -> _Answer:
        kind = self.rng.choices(list(KINDS), list(KINDS.values()))[0]
        stub = self.kit.stub(problem).read_text(encoding="utf-8")
        if kind == "copy" and problem in self.sources:
            of, source = self.rng.choice(self.sources[problem])
            return replace(source, kind="copy", text=f"# my own work\n{source.text}", of=of)
        if kind == "stub":
            return _Answer(kind, stub)
        if kind in ENDS:
            return _Answer(kind, stub.replace("    raise NotImplementedError\n", ENDS[kind]))
        if kind == "wrong":
            wrong = self.rng.choice(answers.read(problem, "wrong"))
            return _Answer(kind, wrong.text, wrong.mistakes)
        worked = self.kit.answer(problem).read_text(encoding="utf-8")
        return _Answer("right", self.rng.choice([worked, *(one.text for one in answers.read(problem, "right"))]))

    def _files(self, layout: str, student: str, sortable: str, handed_in: dict[str, _Answer], number: int) -> None:
        moodle = f"{student}_assignsubmission_file_"
        if layout == "nbgrader":
            time = STARTED + timedelta(minutes=number)
            _write(self.folder / student / "week_1" / "timestamp.txt", f"{time:%Y-%m-%d %H:%M:%S.%f} UTC")
        for count, (problem, answer) in enumerate(handed_in.items()):
            late = "_LATE" if self.rng.random() < 0.1 else ""
            upload = 500_000 + 100 * number + 2 * count
            again = layout == "canvas" and self.rng.random() < 0.2
            path = {
                "plain": f"{student}/{problem}.py",
                "clone": f"{student}/problems/{problem}/stub.py",
                "nbgrader": f"{student}/week_1/{problem}.py",
                "flat": f"{student}_{problem}.py",
                "canvas": f"{sortable}{late}_{student}_{upload + again}_{problem}{'-1' if again else ''}.py",
                "moodle": f"{moodle}/{problem}.py",
            }[layout]
            if again:
                before = f"{sortable}_{student}_{upload}_{problem}.py"
                self._add(
                    Item(student, problem, before, "earlier", read=False), self.kit.stub(problem).read_text("utf-8")
                )
            item = Item(student, problem, path, answer.kind, answer.mistakes, of=answer.of)
            self._add(replace(item, read=layout != "clone" or answer.kind != "stub"), answer.text)

    def _notebooks(self, student: str, handed_in: dict[str, _Answer]) -> None:
        """One notebook for all answers that do not define each other's names, and one more for each of the others."""
        together: list[str] = []
        taken: set[str] = set(self.kit.names)
        for problem, answer in handed_in.items():
            item = Item(student, problem, f"{student}/homework.ipynb", answer.kind, answer.mistakes, of=answer.of)
            defined = set(_defined(answer.text))
            if problem in defined and not (defined - {problem}) & taken:
                taken |= defined
                together.append(answer.text)
            else:
                item = replace(item, path=f"{student}/{problem}.ipynb")
                _write(self.folder / item.path, _notebook([answer.text]))
            self.items.append(item)
        if together:
            _write(self.folder / student / "homework.ipynb", _notebook(together))

    def _add(self, item: Item, text: str) -> None:
        _write(self.folder / item.path, text)
        self.items.append(item)


def _defined(text: str) -> Iterator[str]:
    """The names that an answer defines at its top, but for imports; none where it is no Python."""
    try:
        statements = ast.parse(text).body
    except SyntaxError:
        return
    for statement in statements:
        found = names_of(statement)
        yield from found.binds - found.imported


def _notebook(texts: list[str]) -> str:
    sources = ["%matplotlib inline\n!pip list", *texts, "%time 1 + 1"]
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Homework"]},
        *(
            {
                "cell_type": "code",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": text.splitlines(True),
            }
            for text in sources
        ),
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
