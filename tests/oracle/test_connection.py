"""The process of a reference: it is started again if it was killed, and a fault of it is one line."""

from __future__ import annotations

import signal

import pytest

from grader.kit.kit import Kit
from grader.kit.problem import ProblemError
from grader.kit.state import take_warnings
from grader.options import NoSuchDevice
from grader.oracle import messages
from grader.oracle.client import OracleClient
from grader.oracle.messages import Question
from grader.oracle.store import SavedOracle
from grader.run.child import TRIES
from tests.oracle.conftest import assert_same
from tests.oracle.fake_child import FakeLauncher, Replies


@pytest.mark.parametrize("lives", [0, 1, 2, 3])
def test_a_lost_child_is_started_again(
    lives: int,
    client: OracleClient,
    launcher: FakeLauncher,
    for_key: SavedOracle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    launcher.lives = [lives]
    assert client.facts() == for_key.facts
    assert_same(list(client.truth().expected), list(for_key.truth.expected))
    for size in (1, 2, 3):
        assert_same(list(client.level(size)), for_key.levels[size])
    assert len(launcher.children) == 2


def test_a_question_before_the_facts_starts_one_child_and_not_two(
    client: OracleClient, launcher: FakeLauncher, for_key: SavedOracle
) -> None:
    client.examine("module:function")
    assert client.facts() == for_key.facts
    assert_same(list(client.truth().expected), list(for_key.truth.expected))
    assert len(launcher.children) == 1


def test_a_child_that_is_lost_while_it_computes_the_truth_is_started_again(
    client: OracleClient, launcher: FakeLauncher, for_key: SavedOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = launcher._replies

    def without_truth(question: Question) -> Replies:
        return whole(question)[:1] if len(launcher.children) == 1 else whole(question)

    monkeypatch.setattr(launcher, "_replies", without_truth)
    launcher.lives = [1]
    assert_same(list(client.truth().expected), list(for_key.truth.expected))
    assert len(launcher.children) == 2


@pytest.mark.parametrize("status", [None, -signal.SIGKILL])
def test_a_child_that_is_lost_again_and_again_is_a_fault(
    status: int | None, client: OracleClient, launcher: FakeLauncher
) -> None:
    client.truth()
    client.close()
    launcher.lives, launcher.status = [1] * (1 + TRIES), status
    with pytest.raises(
        ProblemError, match=r"^solutions/ramp/reference\.py: the process of its oracle was killed 3 times"
    ):
        client.level(1)
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
    status: int, printed: bytes, how: str, client: OracleClient, launcher: FakeLauncher
) -> None:
    launcher.instead, launcher.lives = {messages.OpenReference: None}, [1]
    launcher.status, launcher.printed = status, printed
    with pytest.raises(
        ProblemError, match=rf"^solutions/ramp/reference\.py: its process ended without an answer {how}"
    ):
        client.truth()
    assert len(launcher.children) == 1


@pytest.mark.parametrize("debug", [False, True])
def test_a_fault_is_one_line_and_its_traceback_is_printed_on_demand(
    debug: bool,
    client: OracleClient,
    launcher: FakeLauncher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GRADER_DEBUG", "1" if debug else "")
    launcher.instead = {messages.AskLevel: messages.FaultReply("reference.py: line 3: no", "Traceback: in f")}
    client.truth()
    with pytest.raises(ProblemError, match=r"^reference\.py: line 3: no$"):
        client.level(1)
    assert ("Traceback: in f" in capsys.readouterr().err) is debug


def test_a_device_that_is_not_there_is_an_error_of_usage(client: OracleClient, launcher: FakeLauncher) -> None:
    launcher.instead = {messages.OpenReference: messages.NoDeviceReply("there is no tpu")}
    with pytest.raises(NoSuchDevice, match="there is no tpu"):
        client.facts()


def test_a_warning_of_the_reference_is_printed_with_its_path(
    client: OracleClient, launcher: FakeLauncher, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kit.root)
    launcher.warnings = ["line 3: rename it"]
    client.facts()
    assert take_warnings() == ["solutions/ramp/reference.py: line 3: rename it"]
