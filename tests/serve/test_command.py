"""The command `serve`: its port, its end, and what it says where something is missing."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.conftest import ROOT, Command, clean_environment
from tests.serve.served import serving

pytestmark = pytest.mark.slow  # the real command


def test_a_port_that_is_taken_is_one_line_if_it_was_named_and_else_another_is_found(own_kit: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = Command(own_kit.kit, process=True)("serve", "--no-browser", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "cannot be used: Address already in use. Give another one with --port." in line
    with serving(own_kit.kit) as one, serving(own_kit.kit) as two:
        assert one.port != two.port


def test_it_listens_on_this_machine_alone_and_ends_in_one_line(own_kit: Command) -> None:
    with serving(own_kit.kit) as served:
        assert served.origin.startswith("http://127.0.0.1:")
        listening = [one for one in psutil.Process(served.process.pid).net_connections() if one.status == "LISTEN"]
        assert [(one.laddr.ip, one.laddr.port) for one in listening] == [("127.0.0.1", served.port)]
        arguments = Path(f"/proc/{served.process.pid}/cmdline").read_text() if sys.platform == "linux" else ""
        assert served.token not in arguments
        assert served.end().split("\n")[-2:] == [" Ended. What you saved is in the stubs.", ""]


def test_without_its_packages_it_is_one_line_and_no_other_command_needs_them(own_kit: Command) -> None:
    script = (
        "import sys\n"
        "from importlib import util\n"
        "gone = ('starlette', 'uvicorn', 'websockets', 'pyflakes')\n"
        "for name in gone: sys.modules[name] = None\n"
        "found = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name in gone else found(name, *more)\n"
        "from grader.__main__ import main\n"
        "sys.argv[1:] = {arguments}\n"
        "sys.exit(main())\n"
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script.format(arguments=list(arguments))]
        return subprocess.run(
            command, cwd=own_kit.kit, env=clean_environment(), capture_output=True, text=True, timeout=120
        )

    done = run("serve")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "The page needs starlette, uvicorn, websockets, pyflakes. Install them: pip install -e " in line
    (folder,) = shlex.split(line)[-1:]
    assert folder == f"{ROOT}[web]", "it can be copied"
    assert run("list").returncode == 0
