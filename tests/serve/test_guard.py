"""The guard lets through what the page itself asks for, and nothing of another page, name or program."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.responses import PlainTextResponse

from grader.serve.guard import Guard, policy

PORT = 8642
HOST = f"127.0.0.1:{PORT}"


def guard(*hosts: str) -> Guard:
    return Guard(PlainTextResponse("inside"), PORT, hosts)


def asked(
    guard: Guard, method: str = "GET", path: str = "/list", query: str = "", kind: str = "http", **headers: str
) -> dict[str, Any]:
    """What a guard says first to one request. The header of the token is right unless it is given."""
    given = {"host": HOST, "cookie": f"grader-{PORT}={guard.token}", **headers}
    scope = {
        "type": kind, "method": method, "path": path, "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items() if value],
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    return sent[0]


def status(guard: Guard, *given: str, **headers: str) -> int:
    return asked(guard, *given, **headers)["status"]


@pytest.mark.parametrize("host", [HOST, "localhost:1", "[::1]:9000", "127.0.0.1"])
def test_this_machine_is_let_through_under_each_of_its_names_and_at_any_port(host: str) -> None:
    assert status(guard(), host=host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "a b", "[", f"evil.example:{PORT}", "x;y"]
)
def test_another_name_is_refused(host: str) -> None:
    assert status(guard(), host=host) == 403


def test_a_name_that_was_allowed_is_let_through() -> None:
    assert status(guard("Lab.example"), host="lab.example:443") == 200


@pytest.mark.parametrize("cookie", ["", "grader-8642=wrong", "grader-8643={token}", "grader-8642", "=;;=", "ü=é"])
def test_without_the_token_nothing_is_shown(cookie: str) -> None:
    made = guard()
    assert status(made, cookie=cookie.format(token=made.token) or "a=b") == 403


@pytest.mark.parametrize("other", ['j={"x":1}', "a=b c", "user=é", "a[0]=1", "junk", "expires=x", "grader-8642=bad"])
def test_no_cookie_of_another_server_of_this_machine_is_in_the_way(other: str) -> None:
    made = guard()
    assert status(made, cookie=f"{other}; grader-{PORT}={made.token}; {other}") == 200


def test_the_printed_address_sets_a_cookie_that_no_script_and_no_other_site_can_use() -> None:
    made = guard()
    reply = asked(made, "GET", "/", f"token={made.token}", cookie="a=b")
    headers = {name.decode(): value.decode() for name, value in reply["headers"]}
    assert (reply["status"], headers["location"]) == (303, "/")
    assert headers["set-cookie"].startswith(f"grader-{PORT}={made.token}; HttpOnly; Path=/; SameSite=strict")
    assert status(made, "GET", "/", "token=wrong", cookie="a=b") == 403
    assert status(made, "GET", "/other", f"token={made.token}", cookie="a=b") == 403


@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", "http://127.0.0.1:1", f"http://{HOST}.evil.example"]
)
@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_only_our_own_page_changes_something(method: str, origin: str) -> None:
    assert status(guard(), method, origin=origin) == 403
    assert status(guard(), method, origin=f"http://{HOST}") == 200


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": ""}])
def test_a_socket_of_another_page_is_closed_at_once(headers: dict[str, str]) -> None:
    assert asked(guard(), kind="websocket", **headers)["type"] == "websocket.close"


def test_every_reply_says_what_the_page_may_do_also_a_refusal() -> None:
    for reply in (asked(guard()), asked(guard(), host="evil.example")):
        headers = {name.decode(): value.decode() for name, value in reply["headers"]}
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers


def test_the_policy_names_no_other_place_to_connect_to() -> None:
    assert f"connect-src 'self' ws://{HOST} wss://{HOST};" in policy(HOST)
    assert "frame-ancestors 'none'" in policy(HOST)


def test_each_run_has_a_token_of_its_own() -> None:
    assert guard().token != guard().token
    assert len(guard().token) > 40
