"""Each system's rule reads its own examples, and no other system's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

from grader.classroom.layouts import LAYOUTS, METADATA, SYSTEMS, TIMESTAMP, Layout
from grader.classroom.recognition import ReadAs, recognised
from grader.classroom.submission import UploadNumber
from grader.classroom.tree import OnDisk, Whose
from tests.classroom.system_names import EXAMPLES
from tests.conftest import ROOT

PROBLEMS = ("mha_rope", "rope")

HELD = {
    METADATA: """---
submission_456:
  :submitters:
  - :name: Ana One
    :sid: 'S001'
    :email: ana@example.edu
  :created_at: 2026-03-01 12:00:00.000000000 Z
submission_457:
  :submitters:
  - :name: Bo Two
    :sid: 'S002'
  - :name: Cy Three
    :sid: 'S003'
  :created_at: 2026-03-01 13:00:00.000000000 +01:00
""",
    TIMESTAMP: "2026-03-01 12:00:00.123456 UTC",
    "Week 1_student_2_attempt_2026-03-01-10-00-00.txt": "Name: Bo Two (student_2)\nAssignment: Week 1\n",
}
"""The texts of files that systems write. All other files of an example are answers."""


ALONE = {
    "gradescope": [METADATA],
    "nbgrader": [f"student-1/week1/{TIMESTAMP}"],
    "blackboard": ["Week 1_student_2_attempt_2026-03-01-10-00-00.txt"],
}
"""What the system writes beside each of its examples."""


def put(folder: Path, paths: Iterable[str], held: Mapping[str, str] = HELD) -> Path:
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(held.get(file.name, "def rope(x):\n    return x\n"))
    return folder


def example(layout: Layout, folder: Path) -> Path:
    """A class of the examples of a layout, with what else its system writes."""
    beside = [METADATA] if layout.name == "gradescope" else []
    return put(folder, [*EXAMPLES[layout.name], *beside])


def read(folder: Path) -> tuple[str, dict[str, list[Whose]], list[str]]:
    """The layout that is found, whose each entry is, without what the student called it, and the doubts."""
    found = recognised(OnDisk.of(folder), PROBLEMS, ReadAs(zone=UTC))
    whose = {name: [replace(one, file="", problem="") for one in several] for name, several in found.whose.items()}
    return found.layout.name, whose, [one.why for one in found.doubts]


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_examples_of_a_layout_are_read_as_they_say(name: str, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    found, whose, doubts = read(example(layout, tmp_path / "class"))
    assert (found, doubts) == (name, [])
    expected = {
        path.rpartition("/")[2]
        if name == "github" and not path.count("/")
        else path.split("/")[-2 if "/" in path else 0]: people
        for path, people in EXAMPLES[layout.name].items()
        if people
    }
    if name == "nbgrader":
        expected = {"student-1": [Whose("student-1")]}
    if name in ("plain", "ilias", "aplus"):
        expected = {path.partition("/")[0]: people for path, people in EXAMPLES[layout.name].items() if people}
    assert {entry: list(people) for entry, people in whose.items()} == {
        entry: list(people) for entry, people in expected.items()
    }


@pytest.mark.parametrize("name", [one.name for one in SYSTEMS])
def test_each_example_alone_is_read_by_its_own_layout(name: str, tmp_path: Path) -> None:
    """A class of one student is no exception. A team of Moodle with a number is not to be told from a person, nor one folder
    of ILIAS from any other.
    """
    for number, (path, people) in enumerate(EXAMPLES[name].items()):
        if people and name != "ilias" and not (name == "moodle-teams" and "_4711_" in path):
            beside = ALONE.get(name, [])
            found, whose, doubts = read(put(tmp_path / f"{number}", [path, *beside]))
            assert (found, doubts) == (name, []), path
            assert [list(one) for one in whose.values()] == [list(people)], path


@pytest.mark.parametrize("name", [one.name for one in SYSTEMS])
def test_a_layout_that_the_user_names_is_read(name: str, tmp_path: Path) -> None:
    folder = example(LAYOUTS[name], tmp_path / "class")
    found = recognised(OnDisk.of(folder), PROBLEMS, ReadAs(LAYOUTS[name], UTC))
    assert (found.layout.name, found.doubts) == (name, [])
    assert found.whose


def test_an_attempt_is_later_where_both_numbers_say_so() -> None:
    assert UploadNumber(2, 9).later_than(UploadNumber(0, 5))
    assert UploadNumber(0, 9).later_than(UploadNumber(0, 5))
    assert UploadNumber(None, 9).later_than(UploadNumber(3, 5))
    assert not UploadNumber(2, 5).later_than(UploadNumber(0, 9))
    assert not UploadNumber(0, 9).later_than(UploadNumber(2, 5))


def test_an_attempt_of_blackboard_is_the_user_s_whom_its_text_names(tmp_path: Path) -> None:
    """Names of assignments and of users both hold underscores: the name of a file alone does not tell them apart."""
    head = "Week_1_student_2_attempt_2026-03-01-10-00-00"
    folder = put(tmp_path / "a", [f"{head}.txt", f"{head}_rope.py"], {f"{head}.txt": "Nom : Bo (2) (student_2)\n"})
    assert [one[0].student for one in read(folder)[1].values()] == ["student_2"]
    for name, held in (("b", {f"{head}.txt": "Name: Bo (another)\n"}), ("c", {})):
        folder = put(tmp_path / name, [f"{head}_rope.py", *held], held)
        assert read(folder)[2] == [LAYOUTS["blackboard"].untold]


def test_a_submission_of_gradescope_that_its_file_does_not_name_is_nobody_s(tmp_path: Path) -> None:
    folder = put(tmp_path / "assignment_1_export", [METADATA, "submission_456/rope.py", "submission_999/rope.py"])
    found, whose, doubts = read(folder)
    assert (found, doubts) == ("gradescope", [LAYOUTS["gradescope"].untold])
    assert [one.student for one in whose["submission_456"]] == ["S001"]


@pytest.mark.parametrize("text", ["", "- 1", "submission_456: [", "submission_456:\n  :submitters: 3\n", "a: &a [*a]"])
def test_a_damaged_file_of_gradescope_names_nobody(text: str, tmp_path: Path) -> None:
    folder = put(tmp_path / "x", [METADATA, "submission_456/rope.py"], {METADATA: text})
    assert read(folder)[2] == [LAYOUTS["gradescope"].untold]


def test_an_attempt_of_brightspace_with_a_time_in_another_language_has_no_time(tmp_path: Path) -> None:
    folder = put(tmp_path / "x", ["397063-2557369 - Ana One - 24 sept. 2026 21h26/rope.py"])
    assert read(folder)[1] == {
        "397063-2557369 - Ana One - 24 sept. 2026 21h26": [Whose("397063", "Ana One", assignment="2557369")]
    }


def test_the_guide_shows_every_layout() -> None:
    lines = (ROOT / "grader" / "guides" / "classes.md").read_text().splitlines()
    assert [line.split("`")[1] for line in lines if re.match("- `[a-z-]+` [(]", line)] == list(LAYOUTS)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_example_that_a_message_shows_is_one(name: str) -> None:
    assert LAYOUTS[name].example in {path.partition("/")[0] for path in EXAMPLES[name]}
