"""Which requests get through: those of a browser that opened the printed address, from our own page of this run."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.locale.language import gettext
from grader.serve.reconnection import PATH as AGAIN
from grader.serve.reconnection import Reconnection

TOKEN_BYTES, PATH_BYTES, COOKIE_BYTES = 18, 9, 32
"""The bytes of the random part of an address, of its path and of the cookie: an address fits into a line of 80 columns."""
COOKIE = "grader"
LOCAL = ("127.0.0.1", "localhost", "::1")
REFUSED = 4403
"""The code with which a WebSocket is closed that may not be opened."""

_HOST = re.compile(r"(?:\[[0-9A-Fa-f:]+\]|[\w.-]+)(?::\d{1,5})?", re.ASCII)
_SAFE = ("GET", "HEAD")


class Guard:
    """Lets a request through to `app` if it

    - names this machine as its host, or a name that was allowed: a foreign name can be made to lead here (DNS rebinding);
    - lies below the random path of this run: a browser sends a cookie to all ports of a machine, and so to another user's
      server too, but only to the path that the cookie names;
    - has the cookie, which the printed address sets;
    - comes from a page of ours, if it can change something or opens a WebSocket.

    It adds the headers that keep the page from loading, sending and framing anything of others.

    Args:
        hosts: names that are allowed beside those of this machine.
        asked_again: called when an address is opened that was opened before; `opening` is a new one then.
        reconnection: lets the tabs of an earlier run in; None where none may come.

    Attributes:
        base: the path of this run, with a slash at both ends.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str] = (),
        asked_again: Callable[[], None] = lambda: None,
        reconnection: Reconnection | None = None,
    ) -> None:
        self._app, self._reconnection = app, reconnection
        self._hosts = {*LOCAL, *(host.lower() for host in hosts)}
        self._asked_again = asked_again
        self.base = f"/{secrets.token_urlsafe(PATH_BYTES)}/"
        self._cookie, self._token = secrets.token_urlsafe(COOKIE_BYTES), secrets.token_urlsafe(TOKEN_BYTES)
        self._used: list[str] = []

    @property
    def opening(self) -> str:
        """The path that opens the page in one browser. It works once: a browser writes addresses into a file."""
        return f"{self.base}?token={self._token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        guarded = _with_headers(send, host)
        refusal = self._refusal(scope, headers, host)
        if scope["type"] == "http" and scope["path"] == AGAIN and self._reconnection and self._is_own(host):
            refusal = await self._found_again(self._reconnection, Request(scope, receive), headers, host)
        await _passed_on(self._app, refusal, self._inside(scope), receive, guarded)

    def _inside(self, scope: Scope) -> Scope:
        return {**scope, "root_path": self.base.rstrip("/")}

    def _is_own(self, host: str) -> bool:
        """Whether a host is this machine, or a name that was allowed."""
        return _HOST.fullmatch(host) is not None and _name_of(host) in self._hosts

    async def _found_again(self, known: Reconnection, request: Request, headers: Headers, host: str) -> Response:
        """The reply to a tab of an earlier run that looks for its kit: in the end, an address that opens the page."""
        if request.method == "GET":
            return known.proof(request.url.query)
        if request.method != "POST" or not _is_of(headers, host) or not await known.let_in(request):
            return Response(status_code=403)
        return JSONResponse({"opening": self.opening, "page": self.base})

    def _refusal(self, scope: Scope, headers: Headers, host: str) -> Response | None:
        """What is said to a request that does not get through; None to one that does."""
        if not self._is_own(host):
            said = gettext("This page is for this machine: open the address that the terminal shows.")
            return PlainTextResponse(said, 403)
        if not scope["path"].startswith(self.base):
            return PlainTextResponse(gettext("Open the address that the terminal shows."), 404)
        known = any(_same(given, self._cookie) for given in self._given_in_cookies(headers))
        if scope["type"] == "http" and scope["path"] == self.base and scope["method"] == "GET":
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if given:
                return RedirectResponse(self.base, 303) if known else self._opened(given)
        if not known:
            return PlainTextResponse(gettext("Open the address that the terminal shows. It holds a token."), 403)
        return _foreign(scope, headers, host)

    def _opened(self, given: str) -> Response:
        """The reply to a token: the cookie, the first time."""
        if _same(given, self._token):
            self._used.append(self._token)
            self._token = secrets.token_urlsafe(TOKEN_BYTES)
            # A page that goes on, and no redirect: after a redirect from elsewhere, a browser holds a strict cookie back.
            reply = HTMLResponse(leading(self.base))
            reply.set_cookie(COOKIE, self._cookie, path=self.base, httponly=True, samesite="strict")
            return reply
        if any(_same(given, token) for token in self._used):
            self._asked_again()
            said = gettext("This address was opened before, and it works once. The terminal shows a new one.")
            return PlainTextResponse(said, 403)
        return PlainTextResponse(gettext("Open the address that the terminal shows. It holds a token."), 403)

    def _given_in_cookies(self, headers: Headers) -> list[str]:
        """The values of our cookie. Other servers on this machine can set others, also of this name: none is in the way."""
        pairs = (part.strip().partition("=") for header in headers.getlist("cookie") for part in header.split(";"))
        return [value for name, _, value in pairs if name == COOKIE]


class BehindLogin:
    """Lets through to `app` what a proxy passes on that has asked its users to log in, over a socket of this user alone.

    What can change something or opens a WebSocket has to come from a page of the same host. It adds the headers that `Guard`
    adds.
    """

    base = "/"

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        await _passed_on(self._app, _foreign(scope, headers, host), scope, receive, _with_headers(send, host))


async def _passed_on(app: ASGIApp, refusal: Response | None, scope: Scope, receive: Receive, send: Send) -> None:
    """Hand a request to the app, or refuse it."""
    if refusal is not None and scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": REFUSED})
    else:
        await (refusal or app)(scope, receive, send)


def _with_headers(send: Send, host: str) -> Send:
    async def guarded(event: Message) -> None:
        if event["type"] == "http.response.start":
            MutableHeaders(scope=event).update(_headers(host))
        await send(event)

    return guarded


def _foreign(scope: Scope, headers: Headers, host: str) -> Response | None:
    """The refusal of a request that can change something and comes from a page of another host; else None."""
    changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
    if changes and not _is_of(headers, host):
        return PlainTextResponse(gettext("Only this page itself may ask for that."), 403)
    return None


def leading(address: str) -> str:
    """A page that goes on to an address."""
    return (
        f'<!doctype html><meta http-equiv="refresh" content="0;url={address}"><link rel="icon" href="data:,">'
        f'<title>grader</title><a href="{address}">grader</a>'
    )


def _is_of(headers: Headers, host: str) -> bool:
    """Whether a request comes from a page of this host."""
    return headers.get("origin", "") in (f"http://{host}", f"https://{host}")


def _same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode(), secret.encode())


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
