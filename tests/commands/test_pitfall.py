"""`class pitfall`: a mistake is shown first, and written where it is accepted, and nothing of the instructor's is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader import cli
from grader.classroom.commands import pitfall
from grader.classroom.commands.pitfall import Suggestion
from grader.kit.kit import Kit
from grader.kit.progress import fingerprint_of_problem
from tests.classroom.reported import fill
from tests.conftest import FLAGSHIP, copy_kit


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(copy_kit(tmp_path, FLAGSHIP))
    return fill(tmp_path / "week1.gradebook", FLAGSHIP)


def files(kit: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (kit / "solutions").rglob("*") if path.is_file()}


def test_the_command_of_the_report_shows_and_writes_nothing_before_it_is_accepted(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kit = Kit(place.parent)
    before, fingerprint = files(kit.root), fingerprint_of_problem(kit, FLAGSHIP, "cpu")
    assert cli.run(["class", "report", "week1.gradebook", "--no-color"]) == 0
    (command, *_) = re.findall(r"python -m grader (class pitfall .*)", capsys.readouterr().out)
    assert cli.run(command.split()) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "2 answers go wrong like" in out
    assert files(kit.root) == before
    assert fingerprint_of_problem(kit, FLAGSHIP, "cpu") == fingerprint


def test_an_accepted_mistake_stands_in_the_worked_answer_with_words_to_fill_in(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = Kit(place.parent)
    worked, said = kit.answer(FLAGSHIP).read_text(), kit.words(FLAGSHIP).read_text()
    line = next(number for number, text in enumerate(worked.split("\n"), start=1) if "return" in text)
    found = Suggestion(line, "return x", 4, ("return 2 * table",), ())
    monkeypatch.setattr(pitfall, "suggested", lambda *_: [found])
    assert cli.run(["class", "pitfall", "week1.gradebook", FLAGSHIP, "ben", "--as", "told-twice"]) == 0
    assert f"python -m grader audit {FLAGSHIP}" in capsys.readouterr().out
    assert "    #: told-twice: return 2 * table" in kit.answer(FLAGSHIP).read_text().split("\n")
    assert kit.words(FLAGSHIP).read_text().startswith(said)
    assert "## told-twice" in kit.words(FLAGSHIP).read_text()
    kept = [text for text in kit.answer(FLAGSHIP).read_text().split("\n") if "told-twice" not in text]
    assert kept == worked.split("\n")


def test_a_name_that_names_no_mistake_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "pitfall", "week1.gradebook", FLAGSHIP, "ben", "--as", "Told Twice"]) == 2
    assert "write small letters, joined by hyphens" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["week1", FLAGSHIP, "nobody"], "No answer here is called 'nobody'"),
        (["none.gradebook", FLAGSHIP, "dan"], "there is no such gradebook"),
        (["week1", "sinusoidal_poss", "ben"], "Did you mean sinusoidal_pos"),
        (["week1", FLAGSHIP], "Missing argument 'ANSWER'"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], said: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["class", "pitfall", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_a_kit_without_solutions_has_no_place_for_it(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Kit(place.parent).answer(FLAGSHIP).unlink()
    assert cli.run(["class", "pitfall", "week1.gradebook", FLAGSHIP, "ben"]) == 2
    assert "handed out without solutions" in capsys.readouterr().err


def test_an_answer_to_another_problem_is_not_taken(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place.unlink()
    fill(place, "rope")
    assert cli.run(["class", "pitfall", "week1.gradebook", FLAGSHIP, "ben"]) == 2
    assert f"week1.gradebook holds no answer to {FLAGSHIP}" in capsys.readouterr().err
