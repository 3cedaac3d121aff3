"""Makes a class to grade: several layouts, right and wrong answers of the kit, stubs, copies, and what ends badly."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.kit.kit import Kit
from grader.kit.names import names_of
from tests import answers, hostile
from tests.conftest import FLAGSHIP

FOLDER, ROSTER, TRUTH = "class", "roster.csv", "truth.json"
MIXED = ("plain", "clone", "nbgrader", "flat", "notebook")
"""Layouts that one class may have side by side: the others are of systems that write all names of a class."""
LAYOUTS = (*MIXED, "canvas", "moodle")
PROBLEMS = 6
"""How many problems a class answers, where none are named."""
HANDED_IN = 0.95
"""The chance that a student hands in an answer to a problem."""
KINDS = {"right": 50, "wrong": 24, "unexplained": 5, "stub": 8, "copy": 8, "hang": 2, "crash": 2, "hog": 1}
"""Shares in percent. A stub is as it was shipped; a copy is another student's answer; the last three never return."""
ATTACKS = 20
"""Among so many students, one answers the flagship with an attack, where the class answers it. All attacks are on it."""
SHARED = 2
"""So many unexplained mistakes of a problem are all that its class makes, so that several students share each."""
ENDS = {
    "hang": "    for _ in iter(int, 1):\n        pass\n",
    "crash": "    import os\n\n    os._exit(1)\n",
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
        kind: one of KINDS, "attack", or "earlier": an attempt that a later one replaces.
        source: where its text is from: a file of the kit, with the title of the answer; for a copy, the copied one's source.
        mistakes: what a wrong answer must be told; "?" is a mistake that nothing explains.
        read: whether it counts: a shipped stub in a clone and an earlier attempt do not.
        of: whose answer a copy is.
    """

    student: str
    problem: str
    path: str
    kind: str
    source: str
    mistakes: tuple[str, ...] = ()
    read: bool = True
    of: str = ""


@dataclass(frozen=True)
class _Answer:
    kind: str
    source: str
    text: str
    mistakes: tuple[str, ...] = ()
    of: str = ""


def chosen(kit: Kit, count: int, seed: int) -> list[str]:
    """So many problems of a kit, the same for the same seed; the flagship is one of them, because the attacks are on it."""
    others = [name for name in kit.names if name != FLAGSHIP]
    return sorted([FLAGSHIP, *random.Random(seed).sample(others, count - 1)])


def make(
    kit: Kit, students: int, seed: int, folder: Path, problems: Sequence[str] = (), layouts: Sequence[str] = MIXED
) -> list[Item]:
    """Write a class, its roster and its truth to a folder. The same seed gives the same bytes.

    Args:
        problems: those that the class answers; without any, `chosen` takes some.
        layouts: the students take them in turn.
    """
    made = _Made(kit, random.Random(seed), folder / FOLDER, layouts)
    dealt = made.dealt(students, list(problems) or chosen(kit, PROBLEMS, seed))
    rows = [made.student(number, kinds) for number, kinds in enumerate(dealt)]
    rows += [f"absent{number},,Absent {number},absent{number}@example.org" for number in range(2)]
    _write(folder / ROSTER, "\n".join(("id,identifier,name,email", *rows)) + "\n")
    _write(folder / TRUTH, json.dumps([asdict(item) for item in made.items], indent=1) + "\n")
    return made.items


class _Made:
    def __init__(self, kit: Kit, rng: random.Random, folder: Path, layouts: Sequence[str]) -> None:
        self.kit, self.rng, self.folder, self.layouts = kit, rng, folder, layouts
        self.items: list[Item] = []
        self.sources: dict[str, list[tuple[str, _Answer]]] = {}  # what may be copied
        self.attacks = [one for one in hostile.read() if _fits(one)]
        self.shared: dict[str, list[answers.Written]] = {}  # the unexplained mistakes of each problem

    def dealt(self, students: int, problems: Sequence[str]) -> list[dict[str, str]]:
        """For each student, the kind of answer to each problem that is handed in, by the shares of the kinds.

        A copy where there is nothing to copy yet becomes a right answer.
        """
        handed_in = [
            [name for name in problems if self.rng.random() < HANDED_IN] or [problems[0]] for _ in range(students)
        ]
        total = sum(map(len, handed_in))
        deck = [kind for kind, share in KINDS.items() if kind != "right" for _ in range(round(share * total / 100))]
        deck += ["right"] * (total - len(deck))
        self.rng.shuffle(deck)
        dealt = [{name: deck.pop() for name in names} for names in handed_in]
        # A notebook holds what can be taken out of it, and many attacks cannot.
        open_to = [
            number
            for number, kinds in enumerate(dealt)
            if kinds.get(FLAGSHIP) in ("right", "wrong") and self._layout(number) != "notebook"
        ]
        for number in self.rng.sample(open_to, min(len(open_to), students // ATTACKS)):
            dealt[number][FLAGSHIP] = "attack"
        return dealt

    def _layout(self, number: int) -> str:
        return self.layouts[number % len(self.layouts)]

    def student(self, number: int, kinds: Mapping[str, str]) -> str:
        """Write what a student handed in, and return the student's row of the roster."""
        layout = self._layout(number)
        first, last = self.rng.choice(FIRST), self.rng.choice(LAST)
        name, ids = f"{first} {last}", 10_000 + number
        student = {"canvas": str(ids), "moodle": f"{name}_{ids}"}.get(layout, f"student_{number}")
        handed_in = {problem: self._answer(student, problem, kind) for problem, kind in kinds.items()}
        if layout == "notebook":
            self._notebooks(student, handed_in)
        else:
            self._files(layout, student, re.sub(r"\W", "", f"{last}{first}").lower(), handed_in, number)
        for problem, answer in handed_in.items():
            if answer.kind in ("right", "wrong", "unexplained"):
                self.sources.setdefault(problem, []).append((student, answer))
        moodle = layout == "moodle"
        return f"{f'm{ids}' if moodle else student},{f'Participant {ids}' if moodle else ''},{name},s{ids}@example.org"

    def _answer(self, student: str, problem: str, kind: str) -> _Answer:
        stub = self.kit.stub(problem)
        if kind == "copy" and problem in self.sources:
            of, source = self.rng.choice(self.sources[problem])
            return replace(source, kind="copy", text=f"# my own work\n{source.text}", of=of)
        if kind == "attack":
            attack = self.rng.choice(self.attacks)
            return _Answer(kind, f"tests/hostile/{attack.name}.py", attack.text)
        if kind == "stub" or kind in ENDS:
            text = stub.read_text(encoding="utf-8")
            body = ENDS.get(kind, "    raise NotImplementedError\n")
            return _Answer(kind, self.kit.shown(stub), text.replace("    raise NotImplementedError\n", body))
        if kind in ("wrong", "unexplained"):
            wrong = self.rng.choice(self._wrong(problem, kind))
            # The same numbers from different texts: who shares a mistake is to be found by what it gives.
            head = f"# {student}\n" if kind == "unexplained" else ""
            return _Answer(kind, _titled(problem, "wrong", wrong), head + wrong.text, wrong.mistakes)
        worked = self.kit.answer(problem)
        written = self.rng.choice([None, *answers.read(problem, "right")])
        if written is None:
            return _Answer("right", self.kit.shown(worked), worked.read_text(encoding="utf-8"))
        return _Answer("right", _titled(problem, "right", written), written.text)

    def _wrong(self, problem: str, kind: str) -> list[answers.Written]:
        """The answers that one of the kind may be: those that are explained, or few of the others."""
        written = answers.read(problem, "wrong")
        if kind == "wrong":
            return [one for one in written if one.explained]
        if problem not in self.shared:
            others = [one for one in written if not one.explained]
            self.shared[problem] = self.rng.sample(others, min(SHARED, len(others)))
        return self.shared[problem]

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
                    Item(student, problem, before, "earlier", self.kit.shown(self.kit.stub(problem)), read=False),
                    self.kit.stub(problem).read_text(encoding="utf-8"),
                )
            item = _item(student, problem, path, answer)
            self._add(replace(item, read=layout != "clone" or answer.kind != "stub"), answer.text)

    def _notebooks(self, student: str, handed_in: dict[str, _Answer]) -> None:
        """One notebook for all answers that do not define each other's names, and one more for each of the others.

        A setting of JAX holds for a whole notebook, so an answer that changes one has its own.
        """
        together: list[str] = []
        taken: set[str] = set(self.kit.names)
        for problem, answer in handed_in.items():
            item = _item(student, problem, f"{student}/homework.ipynb", answer)
            defined = set(_defined(answer.text))
            if problem in defined and not (defined - {problem}) & taken and "config.update" not in answer.text:
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


def _item(student: str, problem: str, path: str, answer: _Answer) -> Item:
    return Item(student, problem, path, answer.kind, answer.source, answer.mistakes, of=answer.of)


def _titled(problem: str, kind: str, written: answers.Written) -> str:
    return f"tests/answers/{problem}/{kind}.txt: {written.title}"


def _fits(attack: hostile.Attack) -> bool:
    """Whether an attack can be handed in as it stands: without words that a test fills in, and as a text that is read."""
    return "\0" not in attack.text and not re.search(r"@[A-Z]+@", attack.text)


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
