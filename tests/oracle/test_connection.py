"""The process of a reference: it is started again if it was killed, and a fault of it is one line."""

from __future__ import annotations

import signal

import pytest

from grader.kit.problem_error import ProblemError
from grader.options import NoSuchDevice
from grader.oracle.oracle import Oracle
from grader.oracle.store import SavedOracle
from grader.run.child import TRIES
from tests.oracle.conftest import assert_same
from tests.oracle.fake_child import FakeLauncher


@pytest.mark.parametrize("lives", [0, 1, 2, 3])
def test_a_lost_child_is_started_again(
    lives: int,
    asking: Oracle,
    launcher: FakeLauncher,
    for_key: SavedOracle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    launcher.lives = [lives]
    assert asking.facts() == for_key.facts
    assert_same(list(asking.truth().expected), list(for_key.truth.expected))
    for size in (1, 2, 3):
        assert_same(list(asking.level(size)), for_key.levels[size])
    assert len(launcher.children) == 2


def test_a_question_before_the_facts_starts_one_child_and_not_two(
    asking: Oracle, launcher: FakeLauncher, for_key: SavedOracle
) -> None:
    asking.examine("module:function")
    assert asking.facts() == for_key.facts
    assert_same(list(asking.truth().expected), list(for_key.truth.expected))
    assert len(launcher.children) == 1


def test_a_child_that_is_lost_while_it_computes_the_truth_is_started_again(
    asking: Oracle, launcher: FakeLauncher, for_key: SavedOracle
) -> None:
    launcher.lives = [1]
    assert asking.facts() == for_key.facts
    assert_same(list(asking.truth().expected), list(for_key.truth.expected))
    assert len(launcher.children) == 2


@pytest.mark.parametrize("status", [None, -signal.SIGKILL])
def test_a_child_that_is_lost_again_and_again_is_a_fault(
    status: int | None, asking: Oracle, launcher: FakeLauncher
) -> None:
    asking.truth()
    asking.close()
    launcher.lives, launcher.status = [2] + [0] * TRIES, status
    with pytest.raises(ProblemError, match=r"^solutions/ramp/answer\.py: its process was ended from outside 3 times"):
        asking.level(1)
    assert len(launcher.children) == 1 + TRIES


@pytest.mark.parametrize(
    ("status", "printed", "how"),
    [
        (-signal.SIGSEGV, b"", r"\(signal 11\)"),
        (3, b"one\nno memory left\n", r"\(status 3: no memory left\)"),
        (0, b"\xff", r"\(status 0: .\)"),
    ],
)
def test_a_child_that_ended_by_itself_is_reported_and_not_started_again(
    status: int, printed: bytes, how: str, asking: Oracle, launcher: FakeLauncher
) -> None:
    launcher.instead, launcher.lives = {"facts": None}, [1]
    launcher.status, launcher.printed = status, printed
    with pytest.raises(ProblemError, match=rf"^solutions/ramp/answer\.py: its process ended without an answer {how}"):
        asking.truth()
    assert len(launcher.children) == 1


@pytest.mark.parametrize("debug", [False, True])
def test_a_fault_is_one_line_and_its_traceback_is_printed_on_demand(
    debug: bool,
    asking: Oracle,
    launcher: FakeLauncher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GRADER_DEBUG", "1" if debug else "")
    launcher.instead = {"screened": {"fault": {"text": "no", "line": 3, "file": "", "traceback": "Traceback: in f"}}}
    asking.truth()
    with pytest.raises(ProblemError, match=r"^solutions/ramp/answer\.py:3: no$"):
        asking.level(1)
    assert ("Traceback: in f" in capsys.readouterr().err) is debug


def test_a_device_that_is_not_there_is_an_error_of_usage(asking: Oracle, launcher: FakeLauncher) -> None:
    launcher.instead = {"facts": {"no_device": "there is no tpu"}}
    with pytest.raises(NoSuchDevice, match="there is no tpu"):
        asking.facts()


def test_a_fault_leaves_no_process_and_no_descriptor_behind(asking: Oracle, launcher: FakeLauncher) -> None:
    launcher.instead = {"facts": {"fault": {"text": "no", "line": None, "file": "", "traceback": ""}}}
    for _ in range(3):
        with pytest.raises(ProblemError, match=": no"):
            asking.facts()
    assert [(child.request, child.result) for child in launcher.children] == [(-1, -1)] * 3
