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
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.conftest import clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are forked on Linux alone")

TEMPLATE = """
from grader.run import template

template.FIRST = ({preloaded})
template.LATER = []
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

    def start(self, kind: str, number: int = 1) -> tuple[int, int, int, Any]:
        """Start a child: the parent's ends of its request, result and output, and what the template reports."""
        request, request_write = os.pipe()
        result_read, result = os.pipe()
        output_read, output = os.pipe()
        message = {"start": number, "kind": kind, "imports": [], "memory": 0}
        socket.send_fds(self.control, [json.dumps(message).encode()], [request, result, output])
        for descriptor in (request, result, output):
            os.close(descriptor)
        return request_write, result_read, output_read, self.report()


def template(folder: Path, preloaded: str = "") -> Running:
    (folder / "children").mkdir()
    for name, text in CHILDREN.items():
        (folder / "children" / f"{name}.py").write_text(text)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(20)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", TEMPLATE.format(preloaded=preloaded), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**clean_environment(), "PYTHONPATH": path},
        )
    return Running(process, ours)


@pytest.fixture
def running(tmp_path: Path) -> Generator[Running]:
    made = template(tmp_path)
    assert made.report() == {"ready": True, "threads": 1, "uncounted": "not asked for"}
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
