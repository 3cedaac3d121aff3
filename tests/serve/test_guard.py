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
    return Guard(PlainTextResponse("inside"), hosts)


def token(guard: Guard) -> str:
    return guard.opening.partition("token=")[2]


def cookie(guard: Guard) -> str:
    """The cookie that the address of a guard sets."""
    reply = asked(guard, path="", query=f"token={token(guard)}", cookie="a=b")
    return dict(reply["headers"])[b"set-cookie"].decode().partition(";")[0]


def asked(
    guard: Guard, method: str = "GET", path: str = "list", query: str = "", kind: str = "http", **headers: str
) -> dict[str, Any]:
    """What a guard says first to one request, below its path unless that begins with a slash. The cookie is given."""
    given = {"host": HOST, **headers}
    scope = {
        "type": kind, "method": method, "path": path if path.startswith("/") else guard.base + path,
        "query_string": query.encode(),
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
    headers = {"cookie": cookie(guard), **headers} if "cookie" not in headers else headers
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


@pytest.mark.parametrize("given", ["", "grader=wrong", "other={value}", "grader", "=;;=", "ü=é", "grader={token}"])
def test_without_the_cookie_nothing_is_shown(given: str) -> None:
    made = guard()
    value = cookie(made).partition("=")[2]
    assert status(made, cookie=given.format(value=value, token=token(made)) or "a=b") == 403


@pytest.mark.parametrize("other", ['j={"x":1}', "a=b c", "user=é", "a[0]=1", "junk", "expires=x", "grader=bad"])
def test_no_cookie_of_another_server_of_this_machine_is_in_the_way(other: str) -> None:
    made = guard()
    assert status(made, cookie=f"{other}; {cookie(made)}; {other}") == 200


def test_the_printed_address_sets_a_cookie_for_this_run_alone_that_no_script_and_no_other_site_can_use() -> None:
    made = guard()
    given = token(made)
    assert status(made, "GET", "", "token=wrong", cookie="a=b") == 403
    assert status(made, "GET", "other", f"token={given}", cookie="a=b") == 403
    assert status(made, "HEAD", "", f"token={given}", cookie="a=b") == 403
    reply = asked(made, "GET", "", f"token={given}", cookie="a=b")
    headers = {name.decode(): value.decode() for name, value in reply["headers"]}
    assert (reply["status"], "location" in headers) == (200, False), "a redirect would hold the cookie back"
    assert headers["set-cookie"].endswith(f"; HttpOnly; Path={made.base}; SameSite=strict")
    assert given not in headers["set-cookie"], "the address in a browser's history is no key"


def test_the_printed_address_works_once_and_the_terminal_shows_a_new_one() -> None:
    told: list[str] = []
    made = Guard(PlainTextResponse("inside"), asked_again=lambda: told.append(made.opening))
    first = token(made)
    mine = cookie(made)
    assert status(made, "GET", "", f"token={first}", cookie=mine) == 303, "the browser that opened it may open it again"
    assert told == []
    assert status(made, "GET", "", f"token={first}", cookie="a=b") == 403
    assert told == [made.opening]
    assert first not in made.opening
    assert status(made, "GET", "", f"token={token(made)}", cookie="a=b") == 200
    assert status(made, "GET", "", "token=wrong", cookie="a=b") == 403
    assert len(told) == 1, "who knows no address makes the terminal say nothing"


@pytest.mark.parametrize("path", ["/", "/list", "/index.html", "/p/toy/stub", "//", "/{base}x", "{less}"])
def test_nothing_is_there_outside_of_the_random_path_even_with_the_cookie(path: str) -> None:
    """A browser sends a cookie to every port of this machine, but only below the path of the run that set it."""
    made = guard()
    assert status(made, "GET", path.format(base=made.base.strip("/"), less=made.base[:-2])) == 404
    assert status(made, "PUT", path.format(base=made.base.strip("/"), less=made.base[:-2])) == 404


def test_what_is_inside_sees_paths_below_the_random_one() -> None:
    seen: list[str] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"].removeprefix(scope["root_path"]))
        await PlainTextResponse("")(scope, receive, send)

    made = Guard(inside)
    assert status(made, "GET", "p/toy/stub") == 200
    assert seen == ["/p/toy/stub"]


@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", "http://127.0.0.1:1", f"http://{HOST}.evil.example"]
)
@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_only_our_own_page_changes_something(method: str, origin: str) -> None:
    assert status(guard(), method, origin=origin) == 403
    assert status(guard(), method, origin=f"http://{HOST}") == 200


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": ""}])
def test_a_socket_of_another_page_is_closed_at_once(headers: dict[str, str]) -> None:
    made = guard()
    assert asked(made, kind="websocket", cookie=cookie(made), **headers)["type"] == "websocket.close"


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


def test_each_run_has_a_path_an_address_and_a_cookie_of_its_own() -> None:
    one, two = guard(), guard()
    assert one.base != two.base
    assert len(one.base) > 12
    assert token(one) != token(two)
    assert len(token(one)) > 20
    mine = cookie(one)
    assert mine != cookie(two)
    assert len(mine) > 40
    assert status(two, cookie=mine) == 403
