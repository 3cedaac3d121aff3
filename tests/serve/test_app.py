"""The routes: what they take, what they refuse, and that no path of a request leads anywhere."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from grader.commands.stub_grading import WatchSession
from grader.kit import state
from grader.kit.kit import Kit
from grader.options import Options
from grader.serve.app import LARGEST_BODY, Routes
from grader.serve.live_lessons import LiveLessons
from grader.serve.reconnection import Reconnection
from grader.serve.texts import digest_of
from tests.conftest import FLAGSHIP, Command

TAB = "0123456789abcdef"


def asked(kit: Path, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, Any]:
    """The status and the content of the reply to one request."""
    scope = {
        "type": "http", "method": method, "path": path.partition("?")[0], "raw_path": path.encode(), "root_path": "",
        "query_string": path.partition("?")[2].encode(), "scheme": "http", "server": ("127.0.0.1", 1),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        options = Options(Kit(kit))
        with WatchSession(options.kit) as session:
            routes = Routes(options.kit, LiveLessons(options, session), Reconnection(options.kit, 8642))
            await routes.app()(scope, receive, send)

    asyncio.run(run())
    content = b"".join(one.get("body", b"") for one in sent[1:])
    kind = dict(sent[0]["headers"]).get(b"content-type", b"")
    return sent[0]["status"], json.loads(content) if kind == b"application/json" else content.decode(errors="replace")


def everything(kit: Path) -> dict[str, bytes]:
    return {str(one.relative_to(kit)): one.read_bytes() for one in kit.rglob("*") if one.is_file()}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/p/no_such/stub"),
        ("PUT", "/p/../stub"),
        ("PUT", "/p/..%2f..%2fetc/stub"),
        ("PUT", f"/p/{FLAGSHIP}/stub?tab=../../x"),
        ("PUT", f"/p/{FLAGSHIP}/draft/..%2f..%2fx"),
        ("PUT", f"/p/{FLAGSHIP}/draft/{'a' * 15}"),
        ("POST", "/p/no_such/reset"),
        ("POST", "/p/no_such/hint"),
        ("GET", "/lessons/no_such.html"),
        ("GET", "/lessons/../../etc/passwd"),
        ("GET", "/assets/../command.py"),
        ("GET", "/assets/..%2fcommand.py"),
        ("GET", "/assets/answer.py"),
        ("GET", f"/pictures/{FLAGSHIP}/../../solutions/{FLAGSHIP}/answer.py"),
        ("GET", f"/pictures/{FLAGSHIP}/stub.py"),
        ("GET", "/figures/../x"),
        ("DELETE", f"/p/{FLAGSHIP}/stub"),
        ("GET", f"/p/{FLAGSHIP}/stub"),
        ("POST", f"/p/{FLAGSHIP}/solution"),
    ],
)
def test_what_is_no_route_of_a_problem_reads_and_changes_nothing(method: str, path: str, own_kit: Command) -> None:
    before = everything(own_kit.kit)
    status, content = asked(own_kit.kit, method, path, b"evil", if_match="*")
    assert status in (404, 405, 409), content
    assert everything(own_kit.kit) == before


def test_a_body_that_is_too_large_or_no_text_is_refused(own_kit: Command) -> None:
    before = everything(own_kit.kit)
    path = f"/p/{FLAGSHIP}/stub?tab={TAB}"
    assert asked(own_kit.kit, "PUT", path, b"#" * (LARGEST_BODY + 1), if_match="*")[0] == 413
    assert asked(own_kit.kit, "PUT", path, b"\xff", if_match="*")[0] == 400
    assert asked(own_kit.kit, "PUT", path, b"# no digest")[0] == 428
    assert asked(own_kit.kit, "PUT", path, b"# old", if_match=f'"{digest_of("another")}"')[0] == 412
    assert everything(own_kit.kit) == before


def test_a_draft_is_written_for_its_owner_alone(own_kit: Command) -> None:
    assert asked(own_kit.kit, "PUT", f"/p/{FLAGSHIP}/draft/{TAB}", b"# typed\r\n") == (200, {})
    path = state.folder_of_kit(own_kit.kit.resolve()) / f"{FLAGSHIP}.{TAB}.py"
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("# typed\n", 0o600)


def test_the_worked_answer_is_not_read_before_it_is_solved_unless_that_is_asked_for(own_kit: Command) -> None:
    status, content = asked(own_kit.kit, "GET", f"/p/{FLAGSHIP}/solution")
    assert (status, content) == (403, {"why": "This problem is not solved yet."})
    status, content = asked(own_kit.kit, "GET", f"/p/{FLAGSHIP}/solution?spoil")
    assert status == 200
    assert "sinusoidal_pos" in content["html"]
    (own_kit.kit / "solutions" / FLAGSHIP / "answer.py").unlink()
    assert asked(own_kit.kit, "GET", f"/p/{FLAGSHIP}/solution?spoil")[0] == 404
