"""The template: it forks the children that it is asked for, reports every end, and leaves no process behind.

The template here imports no jax, and its children run the functions of `CHILDREN` below.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.sandbox.seccomp import pidfd_kill
from tests.conftest import clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are forked on Linux alone")

TEMPLATE = """
import sys
from grader.run import template

{before}
template.FIRST = ({preloaded})
template.LATER = ()
template.CHILDREN = {{name: f"children.{{name}}" for name in ("waits", "shows", "leaves")}}
template.main()
"""

CHILDREN = {
    "waits": "import os\n\ndef main():\n    os.read(0, 1)\n",
    # Sends its request, its open descriptors, and whether it leads its session.
    "shows": """
import os

def main():
    text = os.read(0, 100).decode()
    found = [number for number in range(100) if is_open(number)]
    os.write(1, f"{text} {found} {os.getsid(0) == os.getpid()}".encode())
    os.write(2, b"printed")

def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
""",
    # Forks a process with its own session, which becomes an orphan.
    "leaves": """
import os, time

def main():
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.write(1, b"ready")
        time.sleep(1000)
    os.write(1, f" {pid} ".encode())
    os.read(0, 1)
""",
}


@dataclass
class Running:
    """A template, and the other end of its socket."""

    process: subprocess.Popen[bytes]
    control: socket.socket

    def report(self) -> Any:
        """The next message from it."""
        return json.loads(self.control.recv(1 << 16))

    def start(self, kind: str, number: int = 1, imports: Sequence[str] = ()) -> tuple[int, int, int, Any]:
        """Start a child: the parent's ends of its request, result and output, and what the template reports."""
        request, request_write = os.pipe()
        result_read, result = os.pipe()
        output_read, output = os.pipe()
        message = {"start": number, "kind": kind, "imports": list(imports), "memory": 1 << 30}
        socket.send_fds(self.control, [json.dumps(message).encode()], [request, result, output])
        for descriptor in (request, result, output):
            os.close(descriptor)
        return request_write, result_read, output_read, self.report()


def template(folder: Path, preloaded: str = "", before: str = "") -> Running:
    (folder / "children").mkdir()
    for name, text in CHILDREN.items():
        (folder / "children" / f"{name}.py").write_text(text)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(20)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", TEMPLATE.format(preloaded=preloaded, before=before), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**clean_environment(), "PYTHONPATH": path},
        )
    return Running(process, ours)


@pytest.fixture
def running(tmp_path: Path) -> Generator[Running]:
    made = template(tmp_path)
    assert made.report() == {"ready": True, "threads": 1, "uncounted": ["not asked for", ""]}
    yield made
    made.control.close()
    assert made.process.wait(20) == 0


def test_a_child_has_its_three_descriptors_and_a_session_of_its_own(running: Running) -> None:
    request, result, output, started = running.start("shows", 7)
    assert started == {"started": 7, "pid": started["pid"], "counted": False}
    os.write(request, b"hello")
    assert os.read(result, 100) == b"hello [0, 1, 2] True"
    assert os.read(output, 100) == b"printed"
    assert running.report() == {"ended": 7, "status": 0, "over": ""}
    assert os.read(result, 100) == os.read(output, 100) == b""


def test_a_child_is_killed_by_its_number_and_others_are_not(running: Running) -> None:
    (first, *_), (second, *_, _) = running.start("waits", 1), running.start("waits", 2)
    running.control.send(json.dumps({"kill": 1}).encode())
    assert running.report() == {"ended": 1, "status": -signal.SIGKILL, "over": ""}
    os.close(second)
    assert running.report() == {"ended": 2, "status": 0, "over": ""}
    os.close(first)


def test_with_its_start_comes_a_descriptor_that_kills_it_and_nobody_else(running: Running) -> None:
    message = {"start": 1, "kind": "waits", "imports": [], "memory": 0}
    read, write = os.pipe()
    socket.send_fds(running.control, [json.dumps(message).encode()], [read, write, write])
    _, (handle,), _, _ = socket.recv_fds(running.control, 1 << 16, 1)
    pidfd_kill(handle)
    assert running.report() == {"ended": 1, "status": -signal.SIGKILL, "over": ""}
    with pytest.raises(ProcessLookupError):
        pidfd_kill(handle)
    for one in (handle, read, write):
        os.close(one)


def test_a_module_that_a_child_needs_and_that_cannot_be_imported_ends_nothing(running: Running) -> None:
    request, *_ = running.start("waits", imports=["no_such_module"])
    os.close(request)
    assert running.report()["ended"] == 1


GROUPS = """
class Group:
    def add(self, pid):
        {add}
    def end(self):
        {end}
    def remove(self):
        {remove}
class Groups:
    def new(self, *_):
        {new}
        return Group()
    def close(self):
        {close}
template.CONFINES, template.take = "os", Groups
sys.argv.append("count")
"""
STEPS = {"new": "pass", "add": "pass", "end": "return 'memory'", "remove": "pass", "close": "pass"}


@pytest.mark.parametrize(
    ("fails", "counted", "over"),
    [("", True, "memory"), ("new", False, ""), ("add", False, ""), ("end", True, ""), ("remove", True, "memory")],
)
def test_a_control_group_that_the_kernel_refuses_ends_no_answer(
    fails: str, counted: bool, over: str, tmp_path: Path
) -> None:
    failing = dict.fromkeys([fails, "close"] if fails else [], "raise OSError(16, 'busy')")
    made = template(tmp_path, before=GROUPS.format(**{**STEPS, **failing}))
    assert made.report()["uncounted"] == ["", ""]
    for number in (1, 2):
        request, *_, started = made.start("waits", number)
        assert started["counted"] is counted
        os.close(request)
        assert made.report() == {"ended": number, "status": 0, "over": over}
    made.control.close()
    assert made.process.wait(20) == 0


def test_a_child_that_cannot_be_forked_is_refused_and_the_next_one_is_not(tmp_path: Path) -> None:
    before = """
import os
fork = os.fork
def fails():
    os.fork = fork
    raise OSError(11, "Resource temporarily unavailable")
os.fork = fails
"""
    made = template(tmp_path, before=before)
    assert made.report()["ready"]
    *_, refused = made.start("waits", 1)
    assert refused == {"refused": 1, "why": "Resource temporarily unavailable"}
    *_, started = made.start("waits", 2)
    assert started["started"] == 2
    made.control.close()
    assert made.process.wait(20) == 0


def test_processes_that_a_child_leaves_behind_have_ended_when_its_end_is_reported(running: Running) -> None:
    request, result, *_ = running.start("leaves")
    received = b""
    while b"ready" not in received or b" " not in received.strip(b"ready"):
        received += os.read(result, 100)
    orphan = int(received.replace(b"ready", b""))
    assert psutil.pid_exists(orphan)
    os.close(request)
    assert running.report()["ended"] == 1
    assert not psutil.pid_exists(orphan)


def test_everything_ends_when_the_socket_is_closed(running: Running) -> None:
    pids = [running.start("waits", number)[-1]["pid"] for number in (1, 2)]
    running.control.close()
    assert running.process.wait(20) == 0
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_a_module_that_cannot_be_imported_is_reported(tmp_path: Path) -> None:
    made = template(tmp_path, "'no_such_module',")
    assert made.report() == {"ready": False, "error": "No module named 'no_such_module'"}
    assert made.process.wait(20) == 0
    made.control.close()
