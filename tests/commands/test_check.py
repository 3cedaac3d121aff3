"""`check` and `list`: verdicts, tables, exit statuses, and kits with something broken in them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.commands import check, learner
from grader.commands.learner import ListedProblem
from grader.kit import progress as progress_file
from grader.kit.kit import Kit
from grader.kit.progress import KeptVerdict, Progress
from grader.marking.verdict import Status, Verdict
from grader.options import Options, Policy
from grader.values.message import NO_MESSAGE, verbatim
from tests.conftest import FLAGSHIP, Command, clean_environment

RIGHT = '''"""Sinusoidal position encoding, as a good learner would write it."""

import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    positions = jnp.arange(T)[:, None]
    pairs = jnp.arange(d_model // 2)
    angles = positions * 10000.0 ** (-2 * pairs / d_model)
    # Sine and cosine of one pair side by side: (T, d_model / 2, 2), read row by row.
    return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(-1)
'''
HALF = RIGHT.replace("-2 * pairs", "-pairs")
HALF_AND_STACKED = HALF.replace(
    "jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1)", "jnp.hstack([jnp.sin(angles), jnp.cos(angles)])"
)


def fill_in(command: Command, text: str) -> None:
    (command.kit / "problems/sinusoidal_pos/stub.py").write_text(text)


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    return line


def test_a_report_on_a_wrong_answer_has_its_numbers_and_both_mistakes(own_kit: Command) -> None:
    fill_in(own_kit, HALF_AND_STACKED)
    done = own_kit("sinusoidal_pos")
    assert done.returncode == 1
    assert "Right on 1 of 8 cases. The smallest that fails is T=3, d_model=4." in done.stdout
    for text in ("position 0", "dim 2", "expected", "yours", "^^^^^^", "half-exponent", "stacked-layout", "Hint:"):
        assert text in done.stdout
    assert done.stdout.rstrip().endswith("Next: python -m grader hint sinusoidal_pos")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_a_right_answer_is_reported_with_exit_status_zero(own_kit: Command) -> None:
    fill_in(own_kit, RIGHT)
    done = own_kit("check", "sinusoidal_pos")
    assert done.returncode == 0
    assert "correct" in done.stdout
    assert "Right on all 8 cases." in done.stdout


@pytest.mark.slow
def test_without_names_only_changed_stubs_are_graded(own_kit: Command) -> None:
    first = own_kit()
    assert (first.returncode, "unattempted" in first.stdout, "Next:" in first.stdout) == (0, True, True)
    fill_in(own_kit, HALF)
    second = own_kit()
    assert second.returncode == 1
    assert "These are the numbers of" in second.stdout
    third = own_kit()
    assert third.returncode == 1
    assert "These are the numbers of" not in third.stdout
    assert "half-exponent" in third.stdout
    fill_in(own_kit, RIGHT)
    assert "1 of 1 solved" in own_kit().stdout


@pytest.mark.slow
def test_with_nothing_changed_jax_is_not_imported(own_kit: Command) -> None:
    fill_in(own_kit, RIGHT)
    own_kit()
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "grader"],
        cwd=own_kit.kit,
        capture_output=True,
        text=True,
        env=clean_environment(),
    )
    modules = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "grader.commands.check" in modules
    assert not modules & {"jax", "numpy", "grader.run.launch"}


@pytest.mark.slow
def test_several_files_get_a_table_in_their_order(grader: Command, tmp_path: Path) -> None:
    options: list[str] = []
    for name, text in {"one": RIGHT, "two": HALF, "three": "def sinusoidal_pos(a, b, c):\n    return 1 / 0\n"}.items():
        (tmp_path / f"{name}.py").write_text(text)
        options += ["--answer", str(tmp_path / f"{name}.py")]
    done = grader("check", "sinusoidal_pos", *options)
    assert done.returncode == 1
    rows = [line for line in done.stdout.splitlines() if "py" in line]
    assert ["correct" in rows[0], "half-exponent" in rows[1], "ZeroDivisionError" in rows[2]] == [True] * 3
    assert "1 of 3 correct" in done.stdout


@pytest.mark.slow
def test_a_filled_stub_is_not_touched_by_grading_other_files(own_kit: Command, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(RIGHT)
    own_kit("check", "sinusoidal_pos", "--answer", str(tmp_path / "a.py"))
    assert "0 of 1 solved" in own_kit("list").stdout


@pytest.mark.slow
def test_the_json_document_follows_its_schema(grader: Command) -> None:
    verdict = grader.verdict(HALF)
    assert verdict["status"] == "wrong"
    assert verdict["pitfalls"] == ["half-exponent"]
    assert verdict["alternatives"] == []
    (case,) = (one for one in verdict["cases"] if one["args"] == {"seed": 0, "T": 3, "d_model": 4})
    assert case["status"] == "fail"
    assert case["error"] > case["tolerance"] > 0
    document = grader.json("check", "sinusoidal_pos")
    assert document["schema"] == "grader/verdict/2"
    assert {"platform", "device", "confinement", "versions", "verdicts"} < set(document)
    assert set(document["versions"]) == {"grader", "jax", "flax", "python"}


@pytest.mark.slow
def test_infinite_errors_are_strings_in_json(grader: Command) -> None:
    verdict = grader.verdict(
        "import jax.numpy as jnp\ndef sinusoidal_pos(s, T, d):\n    return jnp.full(T * d, jnp.nan)\n"
    )
    assert verdict["pitfalls"] == ["not-finite"]
    assert verdict["cases"][0]["error"] == "inf"


@pytest.mark.nightly
@pytest.mark.slow
def test_a_report_shows_once_what_the_case_that_it_tells_of_printed(own_kit: Command) -> None:
    for text, call, message in (
        (RIGHT, "T=3, d_model=4", "Right on all 8"),
        (HALF, "T=3, d_model=4", "Right on 2 of 8"),
    ):
        loud = text.replace("\n\n\ndef", "\n\nprint('loaded')\n\n\ndef")
        fill_in(
            own_kit, loud.replace("    positions =", "    print('my T', T, jnp.ones(T, jnp.float64))\n    positions =")
        )
        done = own_kit("sinusoidal_pos")
        before, loading, calling = re.split(r"It printed:|it printed:", done.stdout)
        assert "sinusoidal_pos" in before
        assert loading.split("\n")[1:3] == ["   | loaded", ""]
        assert loading.rstrip().endswith(f"For {call},")
        assert (calling.count("my T"), "| my T 3 [1. 1. 1.]" in calling) == (1, True)
        warning = " ".join(calling.replace("|", " ").split())
        assert warning.count("line 9: UserWarning: Explicitly requested dtype") == 1
        assert "is not available, and will be truncated to dtype float32. To enable more dtypes" in warning
        assert "stub.py:" not in calling
        assert message in calling
    fill_in(own_kit, RIGHT.replace("    positions =", "    print('x\\n' * 500)\n    positions ="))
    assert "more lines)" in own_kit("sinusoidal_pos").stdout


@pytest.mark.slow
def test_an_answer_that_stops_in_a_case_shows_what_it_printed_there(own_kit: Command) -> None:
    loud = RIGHT.replace("    positions =", "    print('my T', T)\n    if T > 6:\n        1 / 0\n    positions =")
    fill_in(own_kit, loud)
    done = own_kit("sinusoidal_pos")
    assert "For T=9, d_model=2, it printed:\n   | my T 9\n\n It raises ZeroDivisionError at T=9" in done.stdout
    assert done.stdout.count("my T") == 1
    fill_in(own_kit, loud.replace("1 / 0", "import os; os.abort()"))
    done = own_kit("sinusoidal_pos")
    assert "For T=9, d_model=2, it printed:\n   | my T 9\n" in done.stdout
    assert "   | my T 3\n" not in done.stdout


@pytest.mark.slow
def test_without_unicode_the_report_is_plain_ascii(own_kit: Command) -> None:
    fill_in(own_kit, HALF)
    done = own_kit("sinusoidal_pos", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert "half-exponent" in done.stdout
    for command in ("list", "show sinusoidal_pos", "hint sinusoidal_pos", "doctor"):
        done = own_kit(*command.split(), PYTHONIOENCODING="ascii")
        assert (done.stdout.isascii(), done.returncode) == (True, 0), command


def test_a_missing_device_is_reported_in_one_line(grader: Command, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(RIGHT)
    assert "tpu" in one_line(grader("check", "sinusoidal_pos", "--answer", str(tmp_path / "a.py"), "--device", "tpu"))


@pytest.mark.slow
def test_a_broken_reference_is_a_fault_of_the_kit_and_other_problems_are_graded(own_kit: Command) -> None:
    for folder in ("problems", "solutions"):
        source, target = own_kit.kit / folder / "sinusoidal_pos", own_kit.kit / folder / "broken"
        target.mkdir()
        for file in source.glob("*.*"):
            (target / file.name).write_text(file.read_text().replace("sinusoidal_pos", "broken"))
    (own_kit.kit / "solutions/broken/answer.py").write_text("import grader\n\nx = 1 / 0\n")
    for name in ("broken", "sinusoidal_pos"):
        stub = own_kit.kit / "problems" / name / "stub.py"
        stub.write_text(RIGHT.replace("sinusoidal_pos", name))
    done = own_kit()
    assert done.returncode == 2
    assert "solutions/broken/answer.py:3: ZeroDivisionError" in done.stderr
    assert "correct" in done.stdout


def test_a_broken_statement_is_a_fault_of_the_kit(own_kit: Command) -> None:
    folder = own_kit.kit / "problems" / "odd"
    folder.mkdir()
    (folder / "README.md").write_text("no front matter\n")
    done = own_kit("list")
    assert done.returncode == 2
    assert "kit fault" in done.stdout
    assert "problems/odd/README.md" in done.stderr
    assert "sinusoidal_pos" in done.stdout


def test_a_missing_reference_is_reported_with_its_path(own_kit: Command) -> None:
    fill_in(own_kit, RIGHT)
    (own_kit.kit / "solutions/sinusoidal_pos/answer.py").unlink()
    done = own_kit("sinusoidal_pos")
    assert done.returncode == 2
    assert "solutions/sinusoidal_pos/answer.py: there is no such file" in done.stderr


@pytest.mark.slow
def test_a_damaged_oracle_is_computed_again(own_kit: Command) -> None:
    fill_in(own_kit, HALF)
    own_kit("sinusoidal_pos")
    (saved,) = (own_kit.kit / ".grader/oracles").glob("*.oracle")
    whole = saved.read_bytes()
    saved.write_bytes(whole[: len(whole) // 2])
    assert own_kit.json("sinusoidal_pos")["verdicts"][0]["pitfalls"] == ["half-exponent"]
    assert len(saved.read_bytes()) > len(whole) // 2


@pytest.mark.slow
def test_a_saved_oracle_is_used_again_as_it_is(own_kit: Command) -> None:
    fill_in(own_kit, HALF)
    own_kit("sinusoidal_pos")
    (saved,) = (own_kit.kit / ".grader/oracles").glob("*.oracle")
    stamp = saved.stat().st_mtime_ns
    assert own_kit.json("sinusoidal_pos")["verdicts"][0]["pitfalls"] == ["half-exponent"]
    assert saved.stat().st_mtime_ns == stamp


@pytest.mark.slow
def test_a_kit_that_cannot_be_written_is_graded_too(own_kit: Command) -> None:
    fill_in(own_kit, RIGHT)
    shutil.rmtree(own_kit.kit / ".grader")
    (own_kit.kit / ".grader").write_text("in the way")
    done = own_kit("sinusoidal_pos")
    assert done.returncode == 0
    assert "correct" in done.stdout
    assert "nothing is kept for next time" in done.stderr


@pytest.mark.slow
def test_without_fork_a_new_interpreter_grades(grader: Command, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HALF)
    done = grader("check", "sinusoidal_pos", "--answer", str(tmp_path / "a.py"), "--json", GRADER_START="spawn")
    assert json.loads(done.stdout)["verdicts"][0]["pitfalls"] == ["half-exponent"]


def test_list_shows_track_difficulty_and_status(grader: Command) -> None:
    (row,) = [line for line in grader("list").stdout.splitlines() if FLAGSHIP in line]
    assert "Position encoding" in row
    assert "medium" in row
    assert "unattempted" in row


def test_only_the_shipped_stub_or_the_run_itself_makes_an_answer_unattempted(own_kit: Command) -> None:
    left = "    raise NotImplementedError\n"
    stub = (own_kit.kit / "problems/sinusoidal_pos/stub.py").read_text()
    verdicts = own_kit.verdicts(
        {
            "finished": f"{RIGHT.rstrip()}\n{left}",
            "with a comment": stub.replace(left, f"    # later\n{left}"),
            "begun": stub.replace(left, f"    x = 1\n{left}"),
            "broken": f"1 / 0\n{stub}",
        }
    )
    assert {title: verdict["status"] for title, verdict in verdicts.items()} == {
        "finished": "correct",
        "with a comment": "unattempted",
        "begun": "unattempted",
        "broken": "error",
    }


@pytest.mark.parametrize("json_asked", [True, False])
def test_a_verdict_under_other_options_is_not_shown_where_the_kit_is_at_fault_now(
    json_asked: bool, own_kit: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_in(own_kit, HALF)
    kit = Kit(own_kit.kit)
    before = Options(kit)
    fingerprint = progress_file.fingerprint(kit, FLAGSHIP, "cpu")
    old = Verdict(FLAGSHIP, Status.WRONG, verbatim("An old message."))
    progress = Progress(
        kit.state / "progress.json", {FLAGSHIP: KeptVerdict(fingerprint, learner.ran_with(before), old)}
    )
    kit.state.mkdir(exist_ok=True)
    progress.save()
    monkeypatch.setattr(check, "grade_all", lambda *_: ([None], ["no fresh inputs can be drawn"]))
    assert check.check(Options(kit, policy=Policy(fresh=7), json=json_asked), [], []) == 2
    shown = capsys.readouterr()
    assert "no fresh inputs can be drawn" in shown.err
    if json_asked:
        assert json.loads(shown.out)["verdicts"] == []
    else:
        (row,) = [line for line in shown.out.splitlines() if line.split()[:1] == [FLAGSHIP]]
        assert "kit fault" in row
        assert "wrong" not in row


@pytest.mark.parametrize(
    ("statuses", "step"),
    [
        (("correct", "error", "wrong"), "change problems/b/stub.py, then python -m grader b"),
        (("correct", "unattempted", "correct"), "python -m grader show b, then fill in problems/b/stub.py"),
        (("correct", "correct", "correct"), "python -m grader show d, then fill in problems/d/stub.py"),
    ],
)
def test_after_several_reports_the_next_step_of_the_first_that_is_not_right_is_told_once(
    statuses: Sequence[str],
    step: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    kit = Kit(tmp_path)
    for name in "abcd":
        kit.stub(name).parent.mkdir(parents=True)
        kit.stub(name).write_text(f"def {name}(seed):\n    raise NotImplementedError\n")
    verdicts = [Verdict(name, Status(status), NO_MESSAGE) for name, status in zip("abc", statuses, strict=True)]
    monkeypatch.setattr(check, "grade_all", lambda *_: (verdicts, []))
    monkeypatch.setattr(check, "catalogue", lambda *_: [ListedProblem(name, "", "", "") for name in "abcd"])
    check.check(Options(kit), ["a", "b", "c"], [])
    shown = capsys.readouterr().out
    assert shown.rstrip().endswith(f"Next: {step}")
    assert shown.count("Next:") == 1


@pytest.mark.slow
def test_the_tier_and_the_seed_are_told_of_stubs_too(own_kit: Command) -> None:
    fill_in(own_kit, RIGHT)
    done = own_kit(FLAGSHIP, "--tier=C", "--seed", "7")
    assert done.stdout.rstrip().endswith("Confined: tier C. The same fresh inputs again: --seed 7")


def test_concise_is_one_line_for_each_finding_as_a_compiler_writes_it(own_kit: Command) -> None:
    fill_in(own_kit, HALF)
    done = own_kit("check", "sinusoidal_pos", "--format", "concise")
    file, line, column, *rest = done.stdout.split(":", 4)
    assert (done.returncode, done.stdout.count("\n"), file) == (1, 1, "problems/sinusoidal_pos/stub.py")
    assert rest[0] == " error"
    assert rest[1].startswith(" half-exponent: These are the numbers of ")
    assert HALF.splitlines()[int(line) - 1][int(column) - 1 :].startswith("-pairs / d_model")
    assert own_kit("--format", "concise").stdout == done.stdout  # it is kept
    assert own_kit("check", "sinusoidal_pos", "--format", "concise", "--feedback", "verdict").stdout == (
        "problems/sinusoidal_pos/stub.py:6:1: error: wrong: Wrong.\n"
    )


def test_concise_says_nothing_of_a_right_answer(own_kit: Command) -> None:
    fill_in(own_kit, RIGHT)
    done = own_kit("check", "sinusoidal_pos", "--format", "concise")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    fill_in(own_kit, RIGHT.replace("positions *", "position *"))
    done = own_kit("check", "sinusoidal_pos", "--format", "concise")
    assert (done.returncode, done.stdout) == (
        1,
        "problems/sinusoidal_pos/stub.py:9:14: error: NameError: name 'position' is not defined. "
        "Did you mean: 'positions'?\n",
    )


def test_json_and_concise_exclude_each_other(own_kit: Command) -> None:
    assert one_line(own_kit("check", "--json", "--format", "concise")).startswith("--json and --format concise")
