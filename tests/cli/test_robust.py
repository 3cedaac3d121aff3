"""Broken answers, interrupts and upgrades: the command ends with a clear message, and leaves no process or partial file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.oracle.store import LARGEST_ORACLE
from grader.values import frames
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import Command, clean_environment

NOT_AN_ANSWER = {
    "def sinusoidal_pos(seed, T, d_model)\n    return 1\n": "expected ':'",
    "def sinusoidal_poss(seed, T, d_model):\n    return 1\n": "no function 'sinusoidal_pos'.*it has sinusoidal_poss",
    "sinusoidal_pos = 3\n": "is not a function: its type is int",
    "def sinusoidal_pos(T, d_model):\n    return 1\n": r"as sinusoidal_pos\(seed, T, d_model\).*: too many",
    "import torch_or_so\n": "No module named 'torch_or_so'",
    "from solutions.sinusoidal_pos.answer import sinusoidal_pos\n": "'solutions.*An answer is one file",
    "from problems.sinusoidal_freqs.stub import sinusoidal_freqs\n": "'problems.*An answer is one file",
    "\0": "NUL",
}


@pytest.mark.slow
def test_a_file_that_cannot_be_an_answer_is_one_clear_error(grader: Command) -> None:
    for text, verdict in grader.verdicts({text: text for text in NOT_AN_ANSWER}).items():
        assert verdict["status"] == "error"
        raised = verdict["raised"] or {"message": "", "advice": ""}
        shown = f"{verdict['message']} {raised['message']} {raised['advice']}"
        assert re.search(NOT_AN_ANSWER[text], shown), shown


@pytest.mark.slow
def test_a_missing_file_and_a_file_that_is_not_text_are_reported_and_the_rest_is_graded(
    grader: Command, tmp_path: Path
) -> None:
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "good.py").write_text(RIGHT)
    names = ["missing.py", "bytes.py", "good.py", "."]
    options = [part for name in names for part in ("--answer", str(tmp_path / name))]
    verdicts = grader.json("check", "sinusoidal_pos", *options)["verdicts"]
    assert [verdict["status"] for verdict in verdicts] == ["error", "error", "correct", "error"]
    for verdict, message in zip(verdicts, ("no such file", "not UTF-8", "", "a folder"), strict=True):
        assert message in verdict["message"]


# tests/marking/test_known_errors.py tries every advice.
ERRORS = {
    "    pe = jnp.zeros((T, d_model))\n    pe[:, 0] = 1\n    return pe": ("pe[:, 0] = 1", "cannot be changed in place"),
    "    return jax.jit(lambda x: float(x))(jnp.float32(T))": (
        "return jax.jit(lambda x: float(x))(jnp.float32(T))",
        "float(), int() and bool() need a Python value",
    ),
}


def test_a_common_error_shows_the_learners_line_and_one_sentence_of_advice(grader: Command) -> None:
    head = "import jax\nimport jax.numpy as jnp\n\ndef sinusoidal_pos(seed, T, d_model):\n"
    for body, verdict in grader.verdicts({body: f"{head}{body}\n" for body in ERRORS}).items():
        line, advice = ERRORS[body]
        assert verdict["status"] == "error"
        assert advice in verdict["raised"]["advice"]
        assert verdict["raised"]["frames"][-1]["text"] == line
        assert "site-packages" not in str(verdict["raised"])


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.8, 2.5, 0.05, 0.3, 1.5])
def test_ctrl_c_at_any_moment_leaves_no_process_and_no_half_written_file(
    delay: float, own_kit: Command, nothing_left: None
) -> None:
    stub = own_kit.kit / "problems/sinusoidal_pos/stub.py"
    stub.write_text(HALF.replace("    positions =", "    while T > 4: T += 1\n    positions ="))
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "sinusoidal_pos"], cwd=own_kit.kit, env=clean_environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(delay)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    # Python itself may be interrupted before any line of the grader runs.
    starting = delay < 0.5 and "Traceback" in errors and "__main__.py" not in errors
    assert process.returncode in (130, -signal.SIGINT) or starting
    assert "Traceback" not in errors or starting, errors
    assert [path.name for path in (own_kit.kit / ".grader").rglob(".*")] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "number"),
    [
        ("fork", signal.SIGKILL),
        ("spawn", signal.SIGKILL),
        ("spawn", signal.SIGTERM),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in [("fork", signal.SIGTERM), ("spawn", signal.SIGHUP)]),
    ],
)
def test_ending_the_grader_leaves_no_process(
    start: str, number: signal.Signals, own_kit: Command, nothing_left: None
) -> None:
    stub = own_kit.kit / "problems/sinusoidal_pos/stub.py"
    runs = own_kit.kit / "runs"
    # It keeps the lock of its interpreter.
    stub.write_text(f"def sinusoidal_pos(seed, T, d_model):\n    open({str(runs)!r}, 'w')\n    max(iter(int, 1))\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "sinusoidal_pos"],
        cwd=own_kit.kit,
        env={**clean_environment(), "GRADER_START": start},
    )
    while not runs.exists():
        time.sleep(0.1)
    process.send_signal(number)
    assert process.wait() == (-number if number is signal.SIGKILL else 128 + number)


@pytest.mark.slow
def test_an_upgrade_leaves_no_stale_numbers(own_kit: Command) -> None:
    """Expected values that another version of a library made are computed again, and no answer is compared with them."""
    stub = own_kit.kit / "problems/sinusoidal_pos/stub.py"
    stub.write_text(RIGHT)
    assert own_kit("sinusoidal_pos").returncode == 0
    (saved,) = (own_kit.kit / ".grader/oracles").glob("*.oracle")
    header, (values, *rest) = frames.unpack(saved.read_bytes(), LARGEST_ORACLE)
    for distribution, status in ((None, 1), ("numpy", 0)):
        if distribution is not None:
            header["origin"]["distributions"][distribution] = "0.0.1"
        saved.write_bytes(frames.pack(header, [values + 1.0, *rest]))
        assert own_kit("sinusoidal_pos").returncode == status
