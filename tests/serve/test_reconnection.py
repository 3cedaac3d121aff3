"""A tab finds its kit again, where that was allowed; another program at its port proves nothing, and gets nothing in."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import stat
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.responses import PlainTextResponse

from grader.kit.kit import Kit
from grader.kit.state import folder_of_kit
from grader.serve.guard import Guard
from grader.serve.reconnection import LARGEST_REQUEST, PATH, SECRET_FILE, Reconnection

PORT = 8642
HOST = f"127.0.0.1:{PORT}"
NONCE = "0123456789abcdef" * 2


@pytest.fixture
def known(tmp_path: Path) -> Reconnection:
    (tmp_path / "problems").mkdir()
    return Reconnection(Kit(tmp_path), PORT)


def asked(known: Reconnection, method: str, query: str = "", body: str = "", **headers: str) -> tuple[int, Any]:
    """The status and the JSON with which a guard replies at the path of a tab that looks for its kit."""
    guard = Guard(PlainTextResponse("inside"), (), lambda: None, known)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body.encode()}

    async def send(message: Any) -> None:
        sent.append(message)

    given = {"host": HOST, "origin": f"http://{HOST}", **headers}
    scope = {
        "type": "http", "method": method, "path": PATH, "query_string": query.encode(), "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()], "server": ("127.0.0.1", PORT),
    }  # fmt: skip
    asyncio.run(guard(scope, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"] or b"null")


def signed(secret: str, who: str, challenge: str, port: int = PORT) -> str:
    return hmac.new(secret.encode(), f"{who} {NONCE} {challenge} {port}".encode(), hashlib.sha256).hexdigest()


def test_a_tab_with_the_secret_gets_an_address_that_opens_the_page(known: Reconnection) -> None:
    secret = known.allow()
    status, told = asked(known, "GET", f"nonce={NONCE}")
    assert (status, told["proof"]) == (200, signed(secret, "server", told["challenge"]))
    assert secret not in json.dumps(told)
    status, found = asked(known, "POST", body=signed(secret, "tab", told["challenge"]))
    assert status == 200
    assert found["opening"].startswith(f"{found['page']}?token=")


def test_an_answer_counts_once_and_not_for_another_port_challenge_or_page(known: Reconnection) -> None:
    secret = known.allow()
    _, told = asked(known, "GET", f"nonce={NONCE}")
    for answer in (
        signed(secret, "tab", told["challenge"], PORT + 1),
        signed(secret, "tab", "other"),
        signed(secret, "server", told["challenge"]),
        signed("guessed", "tab", told["challenge"]),
        "",
        "x" * (LARGEST_REQUEST + 1),
    ):
        assert asked(known, "POST", body=answer)[0] == 403
    right = signed(secret, "tab", told["challenge"])
    assert asked(known, "POST", body=right, origin="http://evil.example")[0] == 403
    assert asked(known, "POST", body=right)[0] == 200
    assert asked(known, "POST", body=right)[0] == 403


def test_without_leave_nothing_is_proven(known: Reconnection) -> None:
    assert asked(known, "GET", f"nonce={NONCE}")[0] == 404
    secret = known.allow()
    _, told = asked(known, "GET", f"nonce={NONCE}")
    known.forbid()
    assert known.secret == ""
    assert asked(known, "POST", body=signed(secret, "tab", told["challenge"]))[0] == 403
    assert asked(known, "GET", f"nonce={NONCE}")[0] == 404
    known.forbid()  # a second time, too


@pytest.mark.parametrize("query", ["", "nonce=", "nonce=zz", f"nonce={NONCE}0", f"other={NONCE}"])
def test_a_request_without_a_nonce_is_no_oracle(known: Reconnection, query: str) -> None:
    known.allow()
    assert asked(known, "GET", query)[0] == 404


def test_another_name_is_told_nothing(known: Reconnection) -> None:
    known.allow()
    with pytest.raises(json.JSONDecodeError):  # the refusal is a sentence
        asked(known, "GET", f"nonce={NONCE}", host="evil.example")


def test_the_secret_is_in_the_users_own_folder_and_for_this_user_alone(known: Reconnection, tmp_path: Path) -> None:
    secret = known.allow()
    file = folder_of_kit(tmp_path) / SECRET_FILE
    assert file.read_text() == secret
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not [one for one in tmp_path.rglob("*") if one.is_file()]
    assert known.allow() == secret
