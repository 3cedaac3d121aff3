"""`pitfall`: a file to complete, and nothing of the instructor's is touched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader import cli
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


def test_the_command_of_the_report_writes_a_file_beside_the_reference(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kit = Kit(place.parent)
    before, fingerprint = files(kit.root), fingerprint_of_problem(kit, FLAGSHIP, "cpu")
    assert cli.run(["class", "report", "--no-color"]) == 0
    (command, *_) = re.findall(r"python -m grader (pitfall .*)", capsys.readouterr().out)
    assert cli.run(command.split()) == 0
    out = capsys.readouterr().out
    assert f"Then prove it: python -m grader audit {FLAGSHIP}" in out
    after = files(kit.root)
    (new,) = after.keys() - before.keys()
    assert str(new.relative_to(kit.root)) in out
    assert {path: after[path] for path in before} == before
    assert "2 answers go wrong like this" in after[new].decode()
    # Nothing is graded again until the reference itself is changed.
    assert fingerprint_of_problem(kit, FLAGSHIP, "cpu") == fingerprint
    after[new] = b"mine"
    new.write_bytes(b"mine")
    assert cli.run(command.split()) == 2
    assert "is there already: go on in it, or remove it." in capsys.readouterr().err
    assert files(kit.root) == after


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([FLAGSHIP, "--from", "nobody"], "No answer here is called 'nobody'"),
        ([FLAGSHIP, "--from", "dan", "--gradebook", "none.gradebook"], "there is no such gradebook"),
        (["sinusoidal_poss", "--from", "ben"], "Did you mean sinusoidal_pos"),
        ([FLAGSHIP], "Missing option '--from'"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], said: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["pitfall", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_a_kit_without_solutions_has_no_place_for_it(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Kit(place.parent).reference(FLAGSHIP).unlink()
    assert cli.run(["pitfall", FLAGSHIP, "--from", "ben"]) == 2
    assert "handed out without solutions" in capsys.readouterr().err


def test_an_answer_to_another_problem_is_not_taken(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place.unlink()
    fill(place, "rope")
    assert cli.run(["pitfall", FLAGSHIP, "--from", "ben"]) == 2
    assert f"week1.gradebook holds no answer to {FLAGSHIP}" in capsys.readouterr().err
