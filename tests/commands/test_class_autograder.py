"""`class autograder`: what cannot be made is refused in one line, before any key is made; nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import cli
from grader.classroom.autograder.trial import AutograderTrial
from grader.classroom.commands import autograder
from tests.conftest import FLAGSHIP, copy_kit

REFUSED = {
    "is there already": ["gradescope", "--out", "kit"],
    "There is no problem": ["gradescope", "--out", "new.zip", "nothing"],
    "there is no such outcome": ["gradescope", "--out", "new.zip", "--points", "rihgt=1"],
    "takes whole points only": ["classroom50", "--out", "new", "--points", "correct=0.5"],
    "points.toml has late, which an autograder cannot use": [
        "gradescope",
        "--out",
        "new.zip",
        "--points",
        "points.toml",
    ],
    "students.toml has grace, attempt, bonus, extensions, excused, by_hand, which": [
        *("gradescope", "--out", "new.zip", "--points", "students.toml")
    ],
    "is filled in": ["gradescope", "--out", "new.zip"],
}


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.toml").write_text('late = "20%"\n', encoding="utf-8")
    (tmp_path / "students.toml").write_text(
        'grace = "1 hour"\nattempt = "best"\nbonus = ["rope"]\n[extensions]\na = 2026-01-01T00:00:00Z\n'
        "[excused]\nb = true\n[by_hand.c]\nrope = 1\n",
        encoding="utf-8",
    )
    (copy_kit(tmp_path / "kit", FLAGSHIP) / "problems" / FLAGSHIP / "stub.py").write_text("x = 1\n", encoding="utf-8")
    return tmp_path / "kit"


@pytest.mark.parametrize(("why", "words"), REFUSED.items())
def test_what_cannot_be_made_is_one_line(
    why: str, words: list[str], kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["class", "autograder", *words, "--kit", "kit"]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert len(said.splitlines()) == 1
    assert not list(kit.parent.glob("new*"))


@pytest.mark.parametrize(
    ("peak", "said"), [(300 << 20, "the usual 768 MB is enough"), (916 << 20, "Gradescope: 1.5 GB or more")]
)
def test_the_memory_to_set_follows_from_the_trial(
    peak: int, said: str, kit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(autograder.bundle, "make_kit", lambda *_, **__: None)
    monkeypatch.setattr(autograder.trial, "try_out", lambda *_: AutograderTrial(peak, 5.0, "B"))
    assert cli.run(["class", "autograder", "gradescope", "--out", "new.zip", "--kit", "kit", "--cpu-limit", "3m"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert said in printed
    assert "confinement: tier B" in printed
    assert "a run takes 15 min, and Gradescope gives 10" in printed
    assert (kit.parent / "new.zip").is_file()


@pytest.mark.parametrize("more", [[], ["--without-places"]])
def test_what_gets_published_is_told_with_the_steps_of_worked_answers_where_they_are_in_it(
    more: list[str], kit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(autograder.bundle, "make_kit", lambda *_, places: asked.append(places))
    monkeypatch.setattr(autograder.trial, "try_out", lambda *_: AutograderTrial(1, 5.0, "B"))
    words = ["classroom50", "--out", "new", "--kit", "kit", "--points", "correct=1", *more]
    assert cli.run(["class", "autograder", *words]) == 0
    assert asked == [not more]
    printed = " ".join(capsys.readouterr().out.split())
    steps = ", and the steps of the worked answers, which --without-places leaves out"
    assert f"the keys hold the expected values of the cases{'' if more else steps}." in printed
