"""Which requests get through: those of this machine's own browser, from our own page, with the token of this run."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.locale.language import gettext

TOKEN_BYTES = 32
LOCAL = ("127.0.0.1", "localhost", "::1")
REFUSED = 4403
"""The code with which a WebSocket is closed that may not be opened."""

_HOST = re.compile(r"(?:\[[0-9A-Fa-f:]+\]|[\w.-]+)(?::\d{1,5})?", re.ASCII)
_SAFE = ("GET", "HEAD")


class Guard:
    """Lets a request through to `app` if it

    - names this machine as its host, or a name that was allowed: a foreign name can be made to lead here (DNS rebinding);
    - has the cookie with the token, which the printed address sets;
    - comes from a page of ours, if it can change something or opens a WebSocket.

    It adds the headers that keep the page from loading, sending and framing anything of others.

    Args:
        port: the port of the server: two servers on one machine have two cookies, which know no ports.
        hosts: names that are allowed beside those of this machine.
    """

    def __init__(self, app: ASGIApp, port: int, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._hosts = {*LOCAL, *(host.lower() for host in hosts)}
        self._cookie = f"grader-{port}"
        self.token = secrets.token_urlsafe(TOKEN_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_headers(host))
            await send(message)

        refusal = self._refusal(scope, headers, host)
        if scope["type"] == "websocket":
            if refusal is not None:
                await send({"type": "websocket.close", "code": REFUSED})
            else:
                await self._app(scope, receive, send)
            return
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers, host: str) -> Response | None:
        """What is said to a request that does not get through; None to one that does."""
        if not _HOST.fullmatch(host) or _name_of(host) not in self._hosts:
            said = gettext("This page is for this machine: open the address that the terminal shows.")
            return PlainTextResponse(said, 403)
        if scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET":
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if given and self._is_token(given):
                reply = RedirectResponse("/", 303)
                reply.set_cookie(self._cookie, self.token, httponly=True, samesite="strict")
                return reply
        if not any(map(self._is_token, self._given_in_cookies(headers))):
            return PlainTextResponse(gettext("Open the address that the terminal shows. It holds a token."), 403)
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if changes and headers.get("origin", "") not in (f"http://{host}", f"https://{host}"):
            return PlainTextResponse(gettext("Only this page itself may ask for that."), 403)
        return None

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _given_in_cookies(self, headers: Headers) -> list[str]:
        """The values of our cookie. Other servers on this machine can set others, also of this name: none is in the way."""
        pairs = (one.strip().partition("=") for header in headers.getlist("cookie") for one in header.split(";"))
        return [value for name, _, value in pairs if name == self._cookie]


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def policy(host: str) -> str:
    """What a browser lets the page do (Content Security Policy). The editor and reports set styles of their own."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host} wss://{host}; frame-ancestors 'none'; form-action 'none'; base-uri 'none'"
    )


def _headers(host: str) -> dict[str, str]:
    # A host that is not allowed gets a refusal, and no text of its own in a header.
    return {
        "content-security-policy": policy(host if _HOST.fullmatch(host) else "localhost"),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
    }
