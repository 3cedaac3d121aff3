"""The routes: which request is answered by what. All that is asked for passes the guard first."""

from __future__ import annotations

import asyncio
import contextlib
import json
import mimetypes
import re
import secrets
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from grader.commands.practice import Move, PracticeRequest
from grader.kit.files import LARGEST_ANSWER
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.locale.language import NoSuchLanguage, gettext, use_language
from grader.page.site import BUNDLE
from grader.serve import looks
from grader.serve.live_lessons import Event, LiveLessons
from grader.serve.pages import ServedPages
from grader.serve.reconnection import Reconnection
from grader.serve.saved import PageCache
from grader.serve.texts import Conflict
from grader.values.decode import Malformed, decode, parse

LARGEST_BODY = LARGEST_ANSWER
"""The most bytes that a request may send: a larger text could not be graded."""


class _TooLarge(Exception):
    pass


class Routes:
    """Answers requests with what the lessons and the pages have.

    Each page holds a proof that it never sends, and that the server says first: another program, which has taken the port
    after the end of this run, does not know it.
    """

    def __init__(self, kit: Kit, lessons: LiveLessons, reconnection: Reconnection | None = None) -> None:
        self._kit, self._lessons, self._reconnection = kit, lessons, reconnection
        self._proof = secrets.token_urlsafe(16)
        self._pages, self._saved = ServedPages(kit, lessons, self._proof, reconnection), PageCache(kit)

    def app(self) -> Starlette:
        errors: dict[Any, Any] = {
            KitError: lambda _, error: JSONResponse({"why": str(error)}, 409),
            ProblemError: lambda _, error: JSONResponse({"why": self._fault(error)}, 500),
            _TooLarge: lambda *_: JSONResponse({"why": _too_large()}, 413),
            UnicodeDecodeError: lambda *_: JSONResponse({"why": gettext("A text should be UTF-8.")}, 400),
            Malformed: lambda _, error: JSONResponse({"why": str(error)}, 400),
            ClientDisconnect: lambda *_: Response(status_code=400),
        }
        problem = "/p/{name}"
        routes = [
            Route("/", self.start),
            Route("/index.html", self.start),
            Route("/lessons/{name}.html", self.lesson),
            Route("/language/{code}", self.language, methods=["PUT"]),
            Route(f"/{BUNDLE}", self.bundle),
            Route("/assets/{file}", self.asset),
            Route("/figures/{name}", self.figures),
            Route("/names", self.names),
            Route("/look", self.look, methods=["POST"]),
            Route("/format", self.format, methods=["POST"]),
            Route("/pictures/{name}/{path:path}", self.picture),
            Route(f"{problem}/stub", self.stub, methods=["PUT"]),
            Route(f"{problem}/draft/{{tab}}", self.draft, methods=["PUT", "DELETE"]),
            Route(f"{problem}/keep", self.keep, methods=["POST"]),
            Route(f"{problem}/grade", self.grade, methods=["POST"]),
            Route(f"{problem}/stop", self.stop, methods=["POST"]),
            Route(f"{problem}/run", self.run, methods=["POST"]),
            Route(f"{problem}/trace", self.trace, methods=["POST"]),
            Route(f"{problem}/hint", self.hint, methods=["POST"]),
            Route(f"{problem}/practice", self.practice, methods=["GET", "POST"]),
            Route(f"{problem}/reset", self.reset, methods=["POST"]),
            Route(f"{problem}/solution", self.solution),
            WebSocketRoute("/events", self.events),
        ]
        if self._reconnection is not None:
            routes.append(Route("/again", partial(self.again, self._reconnection), methods=["PUT", "DELETE"]))
        return Starlette(routes=routes, exception_handlers=errors)

    def _fault(self, error: Exception) -> str:
        said = gettext("A fault of the kit, not of your answer: {fault}")
        return said.format(fault=self._kit.located(str(error)))

    def _name(self, request: Request) -> str:
        """The problem that a request names, among those of the kit."""
        name = request.path_params["name"]
        if name not in self._kit.names:
            raise KitError(gettext("There is no problem {name}.").format(name=repr(name)))
        return name

    async def start(self, _: Request) -> Response:
        return HTMLResponse(await asyncio.to_thread(self._pages.start))

    async def lesson(self, request: Request) -> Response:
        try:
            name = self._name(request)
        except KitError as error:
            return PlainTextResponse(str(error), 404)
        try:
            return HTMLResponse(await asyncio.to_thread(self._pages.lesson, name))
        except ProblemError as error:
            return PlainTextResponse(self._fault(error), 500)

    async def language(self, request: Request) -> Response:
        try:
            use_language(request.path_params["code"])
        except NoSuchLanguage as error:
            return JSONResponse({"why": str(error)}, 404)
        self._lessons.say_again()
        return JSONResponse({})

    async def again(self, reconnection: Reconnection, request: Request) -> Response:
        """Allow the tabs to find this kit again after a restart, or forbid it."""
        try:
            if request.method == "DELETE":
                reconnection.forbid()
                return JSONResponse({"secret": ""})
            return JSONResponse({"secret": reconnection.allow()})
        except OSError as error:
            said = gettext("{file} cannot be written: {why}")
            return JSONResponse({"why": said.format(file=error.filename, why=error.strerror)}, 409)

    async def asset(self, request: Request) -> Response:
        file = request.path_params["file"]
        text = await asyncio.to_thread(self._pages.asset, file)
        if text is None:
            return PlainTextResponse("There is no such file.", 404)
        return Response(text, media_type=mimetypes.guess_type(file)[0] or "text/plain")

    async def bundle(self, _: Request) -> Response:
        return Response(await self._saved.bundle(), media_type="text/javascript")

    async def figures(self, request: Request) -> Response:
        return JSONResponse(await self._saved.figures(self._name(request), self._pages.writer))

    async def names(self, _: Request) -> Response:
        return Response(await self._saved.names(), media_type="application/json")

    async def look(self, request: Request) -> Response:
        """What is wrong in a text that is typed, before it is run."""
        text, names = await _text(request), json.loads(await self._saved.names())
        marks = await asyncio.to_thread(looks.look, text, names)
        return JSONResponse({"marks": [mark.document() for mark in marks]})

    async def format(self, request: Request) -> Response:
        try:
            return JSONResponse({"text": await asyncio.to_thread(looks.formatted, await _text(request))})
        except looks.NotFormatted as error:
            return JSONResponse({"why": str(error)}, 409)

    async def picture(self, request: Request) -> Response:
        """A picture of a statement: one that it names, and no other file."""
        name = self._name(request)
        path = f"pictures/{name}/{request.path_params['path']}"
        data = (self._lessons.lesson(name).pictures or {}).get(path)
        if data is None:
            return PlainTextResponse("There is no such picture.", 404)
        return Response(data, media_type=mimetypes.guess_type(path)[0] or "application/octet-stream")

    async def stub(self, request: Request) -> Response:
        name, text = self._name(request), await _text(request)
        match = request.headers.get("if-match", "").strip('"')
        if not match:
            return JSONResponse({"why": "Which text this replaces is to be said (If-Match)."}, 428)
        try:
            held, file = self._lessons.save(name, text, match, _tab(request.query_params.get("tab", "")))
        except Conflict as conflict:
            return JSONResponse(asdict(conflict.held), 412)
        return JSONResponse({"digest": held.digest, "text": held.text, "file": file})

    async def draft(self, request: Request) -> Response:
        name, tab = self._name(request), _tab(request.path_params["tab"])
        if request.method == "DELETE":
            self._lessons.texts.forget(name, tab)
        else:
            self._lessons.texts.draft(name, tab, await _text(request))
        return JSONResponse({})

    async def keep(self, request: Request) -> Response:
        return JSONResponse({"file": self._lessons.texts.keep(self._name(request), await _text(request))})

    async def grade(self, request: Request) -> Response:
        self._lessons.grade(self._name(request))
        return JSONResponse({})

    async def stop(self, request: Request) -> Response:
        self._name(request)
        self._lessons.stop()
        return JSONResponse({})

    async def run(self, request: Request) -> Response:
        asked = await _asked(request)
        given = [f"{name}={value}" for name, value in asked.given.items() if value.strip()]
        self._lessons.run_answer(self._name(request), asked.typed, given, asked.columns)
        return JSONResponse({})

    async def trace(self, request: Request) -> Response:
        asked = await _asked(request)
        self._lessons.trace_answer(self._name(request), asked.typed, asked.case, asked.columns)
        return JSONResponse({})

    async def hint(self, request: Request) -> Response:
        return JSONResponse(self._lessons.hints(self._name(request), one=True))

    async def practice(self, request: Request) -> Response:
        """The text of the exercise under way; or take a step of it."""
        name = self._name(request)
        if request.method == "GET":
            return JSONResponse(self._lessons.exercise(name))
        asked: _AskedExercise = decode(_AskedExercise, parse((await _text(request)).encode()))
        step = PracticeRequest(name, asked.move)
        self._lessons.practise(name, step, asked.typed, asked.match, asked.columns)
        return JSONResponse({})

    async def reset(self, request: Request) -> Response:
        held, file = self._lessons.reset(self._name(request))
        return JSONResponse({**asdict(held), "file": file})

    async def solution(self, request: Request) -> Response:
        name = self._name(request)
        state = self._lessons.solution_is_open(name)
        if not state:
            return JSONResponse({"why": gettext("This kit was handed out without solutions.")}, 404)
        if state == "spoils" and "spoil" not in request.query_params:
            return JSONResponse({"why": gettext("This problem is not solved yet.")}, 403)
        return JSONResponse(await asyncio.to_thread(self._pages.solution, name))

    async def events(self, socket: WebSocket) -> None:
        name = socket.query_params.get("p", "")
        if name and name not in self._kit.names:
            await socket.close()
            return
        tab = socket.query_params.get("tab", "")
        await socket.accept()
        await socket.send_json({"kind": "hello", "proof": self._proof})
        with self._lessons.tab(name, tab) as events:
            sending = asyncio.create_task(_send(socket, events))
            try:
                while (await socket.receive())["type"] != "websocket.disconnect":
                    pass  # a page says nothing here
            finally:
                sending.cancel()


async def _send(socket: WebSocket, events: asyncio.Queue[Event]) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the page has gone; who receives sees it too
        while True:
            await socket.send_json(await events.get())


@dataclass(frozen=True)
class _Asked:
    """What is to be run or traced: a text that was typed, arguments by name or a case, and the room in columns."""

    typed: str
    given: dict[str, str]
    case: int | None
    columns: int


@dataclass(frozen=True)
class _AskedExercise:
    """A step of an exercise, the text that was typed for it, and that which the page had."""

    move: Move
    typed: str | None
    match: str
    columns: int


async def _asked(request: Request) -> _Asked:
    """What a request asks for. Raises Malformed where it is something else."""
    return decode(_Asked, parse((await _text(request)).encode()))


def _too_large() -> str:
    return gettext("A text has at most {count} bytes.").format(count=LARGEST_BODY)


def _tab(given: str) -> str:
    """The id of a tab: it becomes a part of the name of a file.

    Raises:
        KitError: if it is none.
    """
    if not re.fullmatch("[0-9a-f]{16}", given):
        raise KitError("A tab has an id of 16 hexadecimal digits.")
    return given


async def _text(request: Request) -> str:
    """The body of a request as text with the line endings of Linux.

    Raises:
        _TooLarge: if it is larger than it may be.
        UnicodeDecodeError: if it is not UTF-8.
    """
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > LARGEST_BODY:
            raise _TooLarge
    return data.decode().replace("\r\n", "\n")
