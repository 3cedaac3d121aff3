"""`list`, `show`, `hint`, `solution`, `reset`, `doctor`."""

from __future__ import annotations

import pytest

from grader.commands.doctor import doctor
from grader.kit import versions
from grader.options import Limits
from tests.conftest import ROOT, Command

NAME = "sinusoidal_pos"
RIGHT = (ROOT / f"solutions/{NAME}/answer.py").read_text()


def test_list_shows_track_difficulty_and_status(grader: Command) -> None:
    (row,) = [line for line in grader("list").stdout.splitlines() if NAME in line]
    assert "Position encoding" in row
    assert "medium" in row
    assert "unattempted" in row


def test_show_renders_the_statement_without_its_hints(grader: Command) -> None:
    shown = grader("show", NAME).stdout
    assert "Why it matters" in shown
    assert "p / 10000^(2i/d)" in shown
    assert "Hint" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_hint_gives_one_more_each_time_and_all_at_once_when_asked(own_kit: Command) -> None:
    counts = [own_kit("hint", NAME).stdout.count(" of 3.") for _ in range(4)]
    assert counts == [1, 2, 3, 3]
    assert own_kit("hint", NAME, "--all").stdout.count(" of 3.") == 3


def test_the_solution_is_shown_once_solved_or_to_be_spoilt(own_kit: Command) -> None:
    refused = own_kit("solution", NAME)
    assert (refused.returncode, "jnp.stack" in refused.stdout) == (1, False)
    assert "jnp.stack" in own_kit("solution", NAME, "--spoil").stdout
    (own_kit.kit / f"problems/{NAME}/stub.py").write_text(RIGHT)
    own_kit(NAME)
    shown = own_kit("solution", NAME)
    assert (shown.returncode, "jnp.stack" in shown.stdout) == (0, True)


def test_reset_puts_the_stub_back_and_keeps_what_was_written(own_kit: Command) -> None:
    own_kit()
    stub = own_kit.kit / f"problems/{NAME}/stub.py"
    shipped = stub.read_text()
    stub.write_text(RIGHT)
    done = own_kit("reset", NAME)
    assert done.returncode == 0
    assert stub.read_text() == shipped
    (kept,) = stub.parent.glob("stub.*.py")
    assert kept.read_text() == RIGHT
    assert kept.name in done.stdout


def test_doctor_says_what_is_in_force_and_that_nothing_is_missing(grader: Command) -> None:
    done = grader("doctor")
    assert done.returncode == 0
    for text in ("jax", "flax", "cpu", "fork", "60 s and 4 GB", "Nothing is missing."):
        assert text in done.stdout


def test_doctor_says_what_the_kit_was_proven_with_and_what_is_newer(
    grader: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = grader("doctor").stdout
    assert all(end in said for end in versions.proven())
    assert "newer here" not in said
    monkeypatch.setattr(versions, "NEWEST", {**versions.NEWEST, "jax": "0.9.9"})
    doctor(grader.kit, "cpu", Limits(), colour=False)
    assert (
        f"newer here   jax {versions.installed('jax')}: this kit is not proven with it yet" in capsys.readouterr().out
    )


def test_doctor_names_what_is_missing(grader: Command) -> None:
    done = grader("doctor", "--device", "tpu")
    assert done.returncode == 2
    assert "no tpu is seen by JAX" in done.stdout
