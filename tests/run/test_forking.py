"""Forking: the template has one thread, starts in a scope of systemd if there is one, and its failures are errors."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from grader.run import forking
from grader.run.child import LaunchError
from grader.run.forking import Forking

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are forked on Linux alone")


def test_the_template_has_one_thread_and_no_backend() -> None:
    made = Forking()
    try:
        made.ready()
        assert made._ready == {"ready": True, "threads": 1, "uncounted": ["not asked for", ""]}  # pyright: ignore[reportPrivateUsage]
    finally:
        made.close()


# Templates that are a few lines of Python, and import nothing

SAYS = "import json, socket, sys; control = socket.socket(fileno=int(sys.argv[2])); "


@pytest.fixture
def template(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Forking]:
    """Forking whose template is a line of Python."""

    def make(line: str) -> Forking:
        monkeypatch.setattr(forking, "module", lambda *words: ("-I", "-S", "-c", SAYS + line, *words))
        return Forking()

    return make


def reply(**message: object) -> str:
    return f"control.send(json.dumps({message!r}).encode()); control.recv(1)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sys.exit(1)", "ended at once"),
        (reply(ready=False, error="No module named 'jax'"), "jax cannot be imported: No module named 'jax'"),
        (reply(ready=True, threads=3, uncounted=("", "")), "has 3 threads, not one"),
    ],
)
def test_a_template_that_cannot_fork_is_an_error_with_the_reason(
    line: str, message: str, template: Callable[[str], Forking]
) -> None:
    made = template(line)
    with pytest.raises(LaunchError, match=message):
        made.start("answer")
    made.close()


def test_a_template_that_has_ended_starts_no_child_and_leaves_no_pipe_open(template: Callable[[str], Forking]) -> None:
    made = template(reply(ready=True, threads=1, uncounted=("", "")) + "; sys.exit()")
    made.ready()
    made.close()
    assert not made.alive
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(LaunchError, match="the process that forks has ended"):
        made.start("answer")
    assert len(os.listdir("/proc/self/fd")) == before


def test_an_error_of_a_template_that_has_just_ended_comes_once_it_is_known_to_have_ended(
    template: Callable[[str], Forking], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = template(reply(ready=True, threads=1, uncounted=("", "")).replace("control.recv(1)", "control.close()"))
    monkeypatch.setattr(made, "_begin_again", lambda: time.sleep(0.3))  # the thread that listens is late
    made.ready()
    made._template.wait()  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(LaunchError, match="the process that forks has ended"):
        made.start("answer")
    assert not made.alive
    made.close()


STARTS = """
import os, time
control.send(json.dumps({"ready": True, "threads": 1, "uncounted": ["", ""]}).encode())
data, (*descriptors,), _, _ = socket.recv_fds(control, 9999, 3)
"""


def test_an_answer_is_killed_though_the_template_does_not_respond_and_others_run_on(
    template: Callable[[str], Forking],
) -> None:
    """It may be importing, and holds all other answers."""
    forks = """
number, pid = json.loads(data)["start"], os.fork()
if pid == 0:
    time.sleep(1000)
message = {"started": number, "pid": pid, "counted": False}
socket.send_fds(control, [json.dumps(message).encode()], [os.pidfd_open(pid)])
for one in descriptors:
    os.close(one)
time.sleep(1000)
"""
    made = template("\n" + STARTS + forks)
    child = made.start("answer")
    began = time.monotonic()
    child.kill()
    assert os.read(child.result, 1) == b""
    assert time.monotonic() - began < 1
    assert made.alive
    made._template.kill()  # pyright: ignore[reportPrivateUsage]
    assert child.wait(5)
    made.close()


def test_a_template_that_an_answer_stopped_goes_on_once_the_answer_is_killed(
    template: Callable[[str], Forking],
) -> None:
    stops = """
told, tell = os.pipe()
number, pid = json.loads(data)["start"], os.fork()
if pid == 0:
    os.read(told, 1)
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(1000)
message = {"started": number, "pid": pid, "counted": False}
socket.send_fds(control, [json.dumps(message).encode()], [os.pidfd_open(pid)])
for one in descriptors:
    os.close(one)
os.write(tell, b"x")
_, status = os.waitpid(pid, 0)
control.send(json.dumps({"ended": number, "status": os.waitstatus_to_exitcode(status), "over": ""}).encode())
control.recv(1)
"""
    made = template("\nimport signal" + STARTS + stops)
    child = made.start("answer")
    stopped = psutil.Process(made._template.pid)  # pyright: ignore[reportPrivateUsage]
    while stopped.status() != psutil.STATUS_STOPPED:
        time.sleep(0.01)
    child.kill()
    assert child.wait(5)
    assert child.status == -signal.SIGKILL
    made.close()


def test_a_template_that_starts_nothing_is_ended(
    template: Callable[[str], Forking], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "SECONDS_FOR_A_CHILD", 0.2)
    made = template("\n" + STARTS + "time.sleep(1000)")
    made.start("answer").close()
    assert not made.alive
    made.close()


def test_a_child_that_the_template_refuses_is_an_error_and_the_template_lives(
    template: Callable[[str], Forking],
) -> None:
    refuses = """
for one in descriptors:
    os.close(one)
control.send(json.dumps({"refused": json.loads(data)["start"], "why": "no"}).encode())
control.recv(1)
"""
    made = template("\n" + STARTS + refuses)
    with pytest.raises(LaunchError, match="no"):
        made.start("answer")
    assert made.alive
    made.close()


@pytest.mark.parametrize("said", [b"[]", b"\xff", b'{"started": 7, "pid": 1, "counted": false}'])
def test_after_a_message_that_is_none_nobody_waits_for_the_template(
    said: bytes, template: Callable[[str], Forking], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda error: None)
    made = template("\n" + STARTS + f"control.send({said!r})")
    with contextlib.suppress(LaunchError):
        made.start("answer").close()
    assert not made.alive
    made.close()


# systemd


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes a user's systemd whose `systemd-run` is a shell script."""

    def make(script: str) -> None:
        (tmp_path / "systemd").mkdir()
        (tmp_path / "systemd" / "private").touch()
        (tmp_path / "systemd-run").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "systemd-run").chmod(0o755)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    return make


def test_the_template_starts_in_a_scope(systemd: Callable[[str], None], tmp_path: Path) -> None:
    systemd(f'echo "$@" > {tmp_path}/asked\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"')
    made = Forking(clean=True)
    try:
        made.ready()
        assert "--user --scope" in (tmp_path / "asked").read_text()
    finally:
        made.close()


def test_without_confinement_no_scope_is_asked_for(systemd: Callable[[str], None], tmp_path: Path) -> None:
    systemd(f"touch {tmp_path}/asked\nexit 1")
    made = Forking()
    try:
        assert made.uncounted() == "not asked for"
        assert not (tmp_path / "asked").exists()
    finally:
        made.close()


def test_if_systemd_gives_no_scope_the_template_starts_without_it(
    systemd: Callable[[str], None], tmp_path: Path
) -> None:
    systemd(f"touch {tmp_path}/asked\nexit 1")
    made = Forking(clean=True)
    try:
        reason = made.uncounted()
        assert reason == "" or reason.startswith("systemd-run gives no scope; ")
        assert (tmp_path / "asked").exists()
    finally:
        made.close()
