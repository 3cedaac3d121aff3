"""The page behind a real Jupyter server, whose login is the page's: one user works, and another gets nothing."""

from __future__ import annotations

import asyncio
import signal
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.serve.hub import FOLDER, server
from tests.commands.test_check import HALF_AND_STACKED, RIGHT
from tests.conftest import FLAGSHIP, Command, clean_environment
from tests.page.driven import console, looks_like, missing
from tests.serve.served import Page, wait

pytestmark = pytest.mark.slow
TOKEN = "a-token-of-this-test"
BASE = "/user/ana/"


@dataclass(frozen=True)
class Hub:
    """A Jupyter server of one user, and the folder that it runs in."""

    process: subprocess.Popen[str]
    kit: Path
    port: int

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def page(self) -> str:
        return f"{self.origin}{BASE}grader"

    @property
    def address(self) -> str:
        return f"{self.page}/?token={TOKEN}"

    def stub(self, name: str = FLAGSHIP) -> Path:
        return self.kit / "problems" / name / "stub.py"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def hub(folder: Path, home: Path) -> Generator[Hub]:
    pytest.importorskip("jupyter_server_proxy")
    port = free_port()
    options = [f"--ServerApp.{name}" for name in (
        f"base_url={BASE}", f"port={port}", "ip=127.0.0.1", "allow_root=True", "open_browser=False", "port_retries=0",
    )]  # fmt: skip
    command = [sys.executable, "-m", "jupyter_server", *options, f"--IdentityProvider.token={TOKEN}"]
    environment = {**clean_environment(), "HOME": str(home), "JUPYTER_PREFER_ENV_PATH": "1"}
    with subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait(lambda: answers(f"http://127.0.0.1:{port}{BASE}api"))
            yield Hub(process, folder, port)
        finally:
            children = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(signal.SIGTERM)
            for one in psutil.wait_procs(children, timeout=10)[1]:
                one.kill()
            process.kill()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def status(address: str, method: str = "GET", body: bytes | None = None, **headers: str) -> int:
    """The status of a reply; a redirect is not followed."""

    class Stays(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    request = urllib.request.Request(address, body, headers, method=method)
    try:
        with urllib.request.build_opener(Stays).open(request, timeout=60) as reply:
            return reply.status
    except urllib.error.HTTPError as error:
        return error.code


def test_the_tile_starts_the_page_on_a_socket_of_the_user() -> None:
    told = server()
    assert told["unix_socket"] is True
    assert told["command"][1:] == ["-m", "grader.serve.hub", "{unix_socket}"]
    assert Path(told["launcher_entry"]["icon_path"]).read_text().startswith("<svg")


@pytest.mark.nightly
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_lesson_is_done_behind_the_login_of_a_hub_and_a_second_user_gets_nothing(
    browser: Any, kit: Path, tmp_path: Path
) -> None:
    with hub(kit, tmp_path) as served:
        assert status(f"{served.page}/") == 302  # to the login of the hub
        browser.get(served.address)
        wait(lambda: "0 of 2 solved" in browser.page_source)
        looks_like(browser, 1280)
        console(browser)
        page = Page.__new__(Page)
        page.browser, page.served, page.name = browser, served, FLAGSHIP  # type: ignore[assignment]
        page.go(FLAGSHIP)
        page.write(HALF_AND_STACKED)
        page.save()
        wait(lambda: "half-exponent" in page.verdict())
        page.write(RIGHT)
        page.save()
        wait(lambda: "correct" in page.verdict())
        assert served.stub().read_text() == RIGHT
        assert [one for one in console(browser) if "SEVERE" in one] == []
        assert not browser.find_elements("id", "page-again")
        # A second user of the machine: no login, no cookie; another site of the user's browser: another origin.
        name = f"{served.page}/p/{FLAGSHIP}/stub"
        cookies = "; ".join(f"{one['name']}={one['value']}" for one in browser.get_cookies())
        assert status(name, "PUT", b"evil", **{"If-Match": '"*"'}) == 403
        evil = {"Cookie": cookies, "If-Match": '"*"'}
        # The page refuses before the proxy has sent all, which the proxy may call a fault of its own.
        assert status(name, "PUT", b"evil", **evil, Origin="http://evil.example") in (403, 500)
        assert status(name, "PUT", b"evil", **evil) in (403, 500)
        assert served.stub().read_text() == RIGHT
        children = psutil.Process(served.process.pid).children(recursive=True)
        processes = [one for one in children if "grader.serve.hub" in one.cmdline()]
        (path,) = {one.cmdline()[-1] for one in processes}
        assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
        assert stat.S_IMODE(Path(path).parent.stat().st_mode) == 0o700
        # The page is started again by the hub, and a page that is loaded anew goes on.
        for one in processes:
            one.kill()
        wait(lambda: "does not answer" in page.banner())

        def loaded() -> bool:
            browser.get(f"{served.page}/lessons/{FLAGSHIP}.html")
            return bool(page.run("return document.getElementById('page-work')"))

        wait(loaded)
        wait(lambda: page.state() != "")
        wait(lambda: page.text() == RIGHT)


def test_a_user_without_a_kit_gets_one_in_a_folder_of_their_own(tmp_path: Path) -> None:
    home, path = tmp_path / "home", tmp_path / "socket"
    home.mkdir()
    command = [sys.executable, "-m", "grader.serve.hub", str(path)]
    environment = {**clean_environment(), "HOME": str(home)}
    with subprocess.Popen(
        command, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            told = process.stdout.readline()
            assert path.exists()
            assert (home / FOLDER / "problems" / FLAGSHIP / "stub.py").is_file()
        finally:
            process.send_signal(signal.SIGTERM)
            out, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, b"")
    assert b"Listening at" in told
    assert b"Ended." in out
    assert not path.exists()


def test_a_file_in_the_place_of_the_socket_stays(own_kit: Command, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    done = own_kit("serve", "--socket", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"The socket {file} cannot be made: Address already in use.\n"
    assert file.read_text() == "mine"
    assert own_kit("serve", "--socket", str(file), "--port", "8700").returncode == 2


@pytest.mark.parametrize(
    ("kind", "method", "origin", "passed"),
    [
        ("http", "GET", "", True),
        ("http", "PUT", "http://hub.example", True),
        ("http", "PUT", "https://hub.example", True),
        ("http", "PUT", "", False),
        ("http", "PUT", "http://evil.example", False),
        ("websocket", "GET", "http://evil.example", False),
        ("websocket", "GET", "https://hub.example", True),
    ],
)
def test_what_changes_something_comes_from_a_page_of_the_same_host(
    kind: str, method: str, origin: str, passed: bool
) -> None:
    from grader.serve.guard import REFUSED, BehindLogin

    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "inside"})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"hub.example"), *([(b"origin", origin.encode())] if origin else [])]
    scope = {"type": kind, "method": method, "path": "/", "headers": headers}
    asyncio.run(BehindLogin(app)(scope, send, send))  # type: ignore[arg-type]
    refused = sent[0].get("status") == 403 or sent[0].get("code") == REFUSED
    assert (sent[0]["type"] == "inside", refused) == (passed, not passed)
