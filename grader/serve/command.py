"""The command `serve`: the lessons, an editor and the verdicts in the browser. Returns an exit status.

What needs a package of the page is imported only once it is known that all of them are there, and what takes long only once
the process that imports JAX is started.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands.parameters import CommonOptions, answering, drawing, import_jax, no_picture
from grader.kit.files import write_atomically
from grader.kit.kit import Kit, KitError
from grader.kit.software import require
from grader.kit.state import read_or_set_aside
from grader.locale.language import N_, gettext
from grader.options import Options
from grader.serve import editor_bundle
from grader.values.decode import Malformed

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from grader.report.terminal import Terminal
    from grader.serve.live_lessons import LiveLessons

ADDRESS = "127.0.0.1"
PORTS = range(8642, 8742)
PORT_FILE = "port"
PORT_TAKEN = N_(
    "Port {before} is taken: the page is at port {port}. What a browser kept at the old port is not offered here."
)
MOST_OPEN_FILES = 1 << 16
SECONDS_TO_END = 1
"""Seconds that open tabs have at the end to take what is still sent to them."""


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help=N_("The port [else 8642, or the next that is free]."))
@click.option("--no-browser", is_flag=True, help=N_("Print the address, and open nothing."))
@click.option(
    "--socket",
    "path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=N_("Listen on this Unix socket, for a proxy that asks its users to log in; there is no token then."),
)
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help=N_("Answer under this name too (repeatable).")
)
@no_picture
@drawing
@answering
def serve(given: CommonOptions, port: int | None, no_browser: bool, path: Path | None, hosts: tuple[str, ...]) -> int:
    if path and (port or hosts):
        raise click.UsageError("--socket has no port and no hosts: its proxy has them")
    require("web", gettext("The page needs {packages}. Install them: {command}"))
    import_jax(clean=bool(given.confine))
    if path:
        return run_behind_login(given.options(), path)
    return run(given.options(), port, hosts, browser=not no_browser)


def run(options: Options, port: int | None, hosts: Sequence[str], *, browser: bool) -> int:
    """Serve until Ctrl-C or SIGTERM.

    Raises:
        KitError: if the port is taken, or the kit has no sound problem.
    """
    from grader.report.terminal import Terminal

    _allow_many_files()
    before = None if port else port_of(options.kit)
    terminal = Terminal.make(colour=options.colour)

    def entrance(lessons: LiveLessons) -> tuple[ASGIApp, str]:
        from grader.serve.app import Routes
        from grader.serve.guard import Guard
        from grader.serve.reconnection import Reconnection

        name = forwarded_name(taken)

        def address() -> str:
            return f"{f'https://{name}' if name else f'http://{ADDRESS}:{taken}'}{guard.opening}"

        def tell_address() -> None:
            terminal.to_do(gettext("Open {address}").format(address=address()))

        reconnection = Reconnection(options.kit, taken)
        app, allowed = Routes(options.kit, lessons, reconnection).app(), [*hosts, *filter(None, [name])]
        guard = Guard(app, allowed, tell_address, reconnection)
        tell_address()
        said = gettext("This address opens the page in one browser. Ctrl-C ends the grader.")
        terminal.line(said, "dim")
        return forwarded(guard, name, taken) if name else guard, address() if browser else ""

    with _listening(port, before) as listening:
        taken: int = listening.getsockname()[1]
        if before not in (None, taken):
            terminal.line(gettext(PORT_TAKEN).format(before=before, port=taken))
        else:  # a port that is taken today is tried again by the next run: a browser kept texts there
            keep_port(options.kit, taken)
        return asyncio.run(_serve(options, listening, terminal, entrance))


def forwarded_name(port: int, environment: Mapping[str, str] = os.environ) -> str:
    """The name under which GitHub Codespaces forwards a port of this machine; empty elsewhere."""
    name, domain = (environment.get(key) for key in ("CODESPACE_NAME", "GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN"))
    return f"{name}-{port}.{domain}" if environment.get("CODESPACES") == "true" and name and domain else ""


def forwarded(app: ASGIApp, name: str, port: int) -> ASGIApp:
    """The app behind a forwarded name. What forwards may put `localhost` in the place of that name, as host or as origin."""
    from starlette.datastructures import MutableHeaders

    names = (name, f"localhost:{port}")

    async def passed_on(scope: Scope, receive: Receive, send: Send) -> None:
        headers = MutableHeaders(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "").partition("://")[2]
        if host in names and origin in names:
            headers["origin"] = f"https://{host}"
        await app(scope, receive, send)

    return passed_on


def run_behind_login(options: Options, path: Path) -> int:
    """Serve on a Unix socket until Ctrl-C or SIGTERM. This user alone can connect to it.

    Raises:
        KitError: if the socket cannot be made, or the kit has no sound problem.
    """
    from grader.report.terminal import Terminal

    terminal = Terminal.make(colour=options.colour)

    def entrance(lessons: LiveLessons) -> tuple[ASGIApp, str]:
        from grader.serve.app import Routes
        from grader.serve.guard import BehindLogin

        terminal.to_do(gettext("Listening at {file}. Whoever can connect to it is let in.").format(file=path))
        return BehindLogin(Routes(options.kit, lessons).app()), ""

    with _listening_at(path) as listening:
        return asyncio.run(_serve(options, listening, terminal, entrance))


@contextmanager
def _listening_at(path: Path) -> Generator[socket.socket]:
    """A Unix socket for this user alone, which is removed at the end.

    Raises:
        KitError: if it cannot be made.
    """
    with socket.socket(socket.AF_UNIX) as listening:
        before = os.umask(0o177)
        try:
            _remove_left(path)
            listening.bind(str(path))
        except OSError as error:
            said = gettext("The socket {file} cannot be made: {why}.")
            raise KitError(said.format(file=path, why=error.strerror or error)) from None
        finally:
            os.umask(before)
        try:
            listening.listen()
            yield listening
        finally:
            path.unlink(missing_ok=True)


def _remove_left(path: Path) -> None:
    """Remove a socket that a process left that was killed: nobody listens there. A file of another kind stays."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()


def _allow_many_files() -> None:
    """Let this process have as many open files as it may: each connection is one, and others on this machine can connect."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def port_of(kit: Kit) -> int | None:
    """The port of the page of a kit in its last run: a browser keeps what was not saved by address. None if unknown."""

    def decoded(data: bytes) -> int:
        if not data.isdigit() or int(data) not in PORTS:
            raise Malformed("not a port that the grader tries")
        return int(data)

    return read_or_set_aside(kit.state / PORT_FILE, 10, decoded)


def keep_port(kit: Kit, port: int) -> None:
    """Keep the port for the next run, if that would try it."""
    if port in PORTS:
        with suppress(OSError):  # in a kit that cannot be written, the next run takes the first port that is free
            write_atomically(kit.state / PORT_FILE, str(port).encode())


def _listening(port: int | None, before: int | None) -> socket.socket:
    for candidate in [port] if port else [*([before] if before else []), *PORTS]:
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((ADDRESS, candidate))
            listening.listen()
        except OSError as error:
            listening.close()
            if port:
                said = gettext("Port {port} cannot be used: {why}. Give another one with --port.")
                raise KitError(said.format(port=port, why=error.strerror)) from None
            continue
        return listening
    said = gettext("No port from {first} to {last} is free: give one with --port.")
    raise KitError(said.format(first=PORTS[0], last=PORTS[-1]))


async def _serve(
    options: Options,
    listening: socket.socket,
    terminal: Terminal,
    entrance: Callable[[LiveLessons], tuple[ASGIApp, str]],
) -> int:
    """Serve on a socket.

    Args:
        entrance: gives what answers the requests, and the address that a browser is to open, empty for none.
    """
    import uvicorn

    from grader.commands.stub_grading import WatchSession
    from grader.serve.live_lessons import LiveLessons

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Generator[None]:
            yield  # the loop has handlers of its own, which end in one line

    _prepare_editor(terminal)
    with WatchSession(options.kit, options.device, options.limits, options.policy) as session:
        given: dict[str, Any] = {"log_config": None, "log_level": "critical", "access_log": False, "lifespan": "off"}
        given |= {"ws_max_size": 1024, "timeout_graceful_shutdown": SECONDS_TO_END, "server_header": False}
        server = Server(uvicorn.Config(lambda *request: app(*request), interface="asgi3", **given))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, setattr, server, "should_exit", True)
        lessons = LiveLessons(options, session)
        app, address = entrance(lessons)  # what it prints may be answered by a signal at once
        with _opened(address):
            following = asyncio.create_task(lessons.run())
            following.add_done_callback(lambda _: setattr(server, "should_exit", True))
            await server.serve(sockets=[listening])
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
    terminal.line(gettext("Ended. What you saved is in the stubs."))
    return 0


def _prepare_editor(terminal: Terminal) -> None:
    """Have the editor built where it is not here, and say so."""
    if not editor_bundle.is_current():
        terminal.line(gettext("The editor is not here yet: npm builds it, once."), "dim")
        if why := editor_bundle.prepare():
            said = gettext("It was not built ({why}), so the page has a text box. To try it again: {command}")
            terminal.line(said.format(why=why, command=editor_bundle.AGAIN), "dim")


@contextmanager
def _opened(address: str) -> Generator[None]:
    """Open the browser, by a private file that leads to the address: others could read it in the arguments of a browser."""
    if address and _in_a_container():
        webbrowser.open(address)  # the browser is on another machine, which has no such file; here are no others
        address = ""
    if not address or not _has_a_screen():
        yield
        return
    from grader.serve.guard import leading

    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        page = Path(folder) / "open.html"
        page.write_text(leading(address))
        webbrowser.open(page.as_uri())
        yield


def _has_a_screen() -> bool:
    """Whether there is a screen for a browser: on Linux without one, a browser of texts would take the terminal."""
    return not sys.platform.startswith("linux") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & {*os.environ})


def _in_a_container() -> bool:
    """Whether this is a container of VS Code or a codespace, whose program `BROWSER` opens addresses where the user is."""
    return "BROWSER" in os.environ and "true" in {os.environ.get("CODESPACES"), os.environ.get("REMOTE_CONTAINERS")}
