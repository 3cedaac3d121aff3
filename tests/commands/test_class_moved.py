"""`class moved`: whose verdict moved and why, since the beginning or since an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.commands.gradebook import show_moved
from grader.classroom.journal import Journal
from grader.kit.kit import KitError
from tests.classroom.test_journal import RIGHT, WRONG, grade, handed_in, told


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Ana's answer became wrong as the problem changed, and then there was an export; then cy handed in another answer."""
    with Journal(tmp_path / "week1.gradebook", write=True) as journal:
        handed_in(journal, ("ana", RIGHT), ("cy", WRONG))
        journal.grades_with("toy", "print 1", "policy 1")
        grade(journal, told("correct"), told("wrong", "half"))
        journal.grades_with("toy", "print 2", "policy 1")
        grade(journal, told("wrong"), told("wrong", "half"))
        journal.note_export("csv", tmp_path / "first.csv", {"ana": "0", "cy": "0"})
        handed_in(journal, ("ana", RIGHT), ("cy", RIGHT + "# mine\n"))
        grade(journal, told("correct"))
    return journal.path


def shown(place: Path, capsys: pytest.CaptureFixture[str], since: str | None = None) -> str:
    assert show_moved(place, since, colour=False) == 0
    return " ".join(capsys.readouterr().out.split())


FIRST, SECOND = "ana toy correct wrong another problem 2", "cy toy wrong: half correct another answer 2"


def test_each_move_is_told_with_its_reason_and_the_exports(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves, _, exports = shown(place, capsys).partition("Exports, for --since:")
    assert moves.startswith(f"student problem before now why seen {FIRST}")
    assert SECOND in moves
    assert "csv" in exports
    assert exports.replace(" ", "").endswith(str(place.with_name("first.csv")))


@pytest.mark.parametrize("whole", [False, True])
def test_since_an_export_what_moved_before_is_left_out(
    whole: bool, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = shown(place, capsys, str(place.with_name("first.csv")) if whole else "first.csv")
    assert "first.csv was written (" in printed
    assert FIRST not in printed
    assert SECOND in printed


def test_of_a_score_that_no_verdict_explains_no_other_reason_is_guessed(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(place) as journal:
        journal.note_export("csv", place.with_name("second.csv"), {"ana": "0.5", "cy": "1"})
    assert shown(place, capsys, "first.csv").endswith(
        "Scores that are others in the last export of this format: student before now why "
        "ana 0 0.5 no verdict moved cy 0 1 a verdict moved"
    )
    assert shown(place, capsys, "second.csv").endswith("No verdict moved.")


def test_an_export_that_is_not_known_is_one_line_with_those_that_are(place: Path) -> None:
    with pytest.raises(
        KitError, match=r"--since other\.csv: the gradebook knows no such export\. It knows: first\.csv\."
    ):
        show_moved(place, "other.csv", colour=False)
