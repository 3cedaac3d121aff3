"""`show`, `hint`, `solution` and `reset`: what a learner reads, and a stub put back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grader.commands import lesson
from grader.kit.kit import Kit
from grader.kit.shipped_stub import save_shipped
from grader.kit.solution import bare
from grader.options import Options
from tests.conftest import PROBLEMS, ROOT, Command, clean_environment

NAME = "sinusoidal_pos"
RIGHT = (ROOT / f"solutions/{NAME}/answer.py").read_text()


def test_show_renders_the_statement_without_its_hints(grader: Command) -> None:
    shown = grader("show", NAME).stdout
    assert "Why it matters" in shown
    assert "p / 10000^(2i/d)" in shown
    assert "Hint" not in shown
    written = (ROOT / f"problems/{NAME}/README.md").read_text().splitlines()
    assert all(len(line) <= 80 or line in written for line in shown.splitlines())  # code is not wrapped


def test_without_a_name_the_current_problem_is_meant(own_kit: Command) -> None:
    for command in ("show", "hint", "reset", "trace", "picture", "solution"):
        done = own_kit(command)
        assert "The current problem is sinusoidal_pos." in done.stderr
        assert done.returncode == (0 if command in ("show", "hint", "reset") else 1)


def test_a_stub_can_be_reset_after_any_first_command(own_kit: Command) -> None:
    own_kit("list")
    stub = own_kit.kit / f"problems/{NAME}/stub.py"
    shipped = stub.read_text()
    stub.write_text(RIGHT)
    assert own_kit("reset").returncode == 0
    assert stub.read_text() == shipped


def test_reset_as_the_first_command_in_a_fresh_kit_puts_the_stub_back(tmp_path: Path) -> None:
    Command(tmp_path)("init", "mine")
    stub = tmp_path / f"mine/problems/{NAME}/stub.py"
    shipped = stub.read_text()
    stub.write_text(RIGHT)
    done = Command(tmp_path / "mine")("reset", NAME)
    assert (done.returncode, done.stderr) == (0, "")
    assert stub.read_text() == shipped
    assert RIGHT in [path.read_text() for path in stub.parent.glob("stub.2*.py")]


def test_init_makes_a_kit_whose_first_page_fits_in_24_lines(tmp_path: Path) -> None:
    done = Command(tmp_path)("init", "mine")
    assert (done.returncode, f"{len(PROBLEMS)} problems" in done.stdout) == (0, True)
    page = Command(tmp_path / "mine")().stdout
    assert len(page.splitlines()) < 24
    assert page.split()[:3] == ["1", "First", "steps"]
    assert "Next: python -m grader show first_arrays" in page
    one_track = Command(tmp_path / "mine")("list", "--track", "3").stdout
    assert ("mini_gpt" in one_track, "rope_scores" in one_track) == (True, False)


def test_hint_gives_one_more_each_time_and_all_at_once_when_asked(own_kit: Command) -> None:
    counts = [own_kit("hint", NAME).stdout.count(" of 3.") for _ in range(4)]
    assert counts == [1, 2, 3, 3]
    assert own_kit("hint", NAME, "--all").stdout.count(" of 3.") == 3


def test_the_solution_is_shown_once_the_problem_is_solved(own_kit: Command) -> None:
    refused = own_kit("solution", NAME)
    assert (refused.returncode, "jnp.stack" in refused.stdout) == (1, False)
    (own_kit.kit / f"problems/{NAME}/stub.py").write_text(RIGHT)
    own_kit(NAME)
    shown = own_kit("solution", NAME)
    assert (shown.returncode, "jnp.stack" in shown.stdout) == (0, True)


def test_with_spoil_the_solution_is_shown_and_a_pipe_gets_its_text_without_the_mistakes(own_kit: Command) -> None:
    answer = own_kit.kit / f"solutions/{NAME}/answer.py"
    text = f"{bare(RIGHT)}\n# é {'x' * 200}\n"
    answer.write_text(
        f"from grader import Problem\n{text}#: m: 1 -> 2\n\nproblem = Problem(cases=[])\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "grader", "solution", NAME, "--spoil"]
    done = subprocess.run(command, cwd=own_kit.kit, env=clean_environment(), capture_output=True, check=True)
    assert done.stdout.decode() == text


def test_reset_puts_the_stub_back_and_keeps_the_learners_text(own_kit: Command) -> None:
    own_kit()
    stub = own_kit.kit / f"problems/{NAME}/stub.py"
    shipped = stub.read_text()
    stub.write_text(RIGHT)
    done = own_kit("reset", NAME)
    assert done.returncode == 0
    assert stub.read_text() == shipped
    (kept,) = stub.parent.glob("stub.2*.py")
    assert kept.read_text() == RIGHT
    assert kept.name in done.stdout


def test_reset_says_whether_a_stub_is_back_and_what_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kit = Kit(tmp_path)
    stub, shipped = kit.stub("toy"), "def toy(seed):\n    raise NotImplementedError\n"
    stub.parent.mkdir(parents=True)
    stub.write_text(shipped)
    save_shipped(kit)

    def said() -> str:
        assert lesson.restore_stub(Options(kit), "toy") == 0
        assert stub.read_text() == shipped
        return " ".join(capsys.readouterr().out.split())

    assert said() == "problems/toy/stub.py was as shipped already: nothing is changed."
    stub.unlink()
    assert said() == "problems/toy/stub.py is back."
    stub.unlink()
    stub.mkdir()
    (stub / "mine.py").touch()
    assert said().startswith("problems/toy/stub.py is as shipped again. What was there is kept in problems/toy/stub.")
    assert len(list(stub.parent.glob("stub.2*.py/mine.py"))) == 1
    stub.write_text("mine")
    assert "is as shipped again. Your text is kept in problems/toy/stub." in said()
