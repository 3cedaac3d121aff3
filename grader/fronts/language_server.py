"""The language server: what a verdict marks in an editor, on every save of a stub, over the core that `watch` uses.

It works on the stubs of one kit; it is silent on every other file.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
import textwrap
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from grader import __version__
from grader.commands import run as run_command
from grader.commands.learner import kept_verdict, shown_to_learner
from grader.commands.lesson import one_more
from grader.commands.run import RanAnswer
from grader.commands.stub_grading import (
    SECONDS_BETWEEN_LOOKS,
    BackgroundWork,
    GradedStub,
    GradingFault,
    StubGrading,
    ToldEarly,
    WatchSession,
    stub_text,
)
from grader.kit import progress as progress_file
from grader.kit import shipped_stub, statement
from grader.kit.kit import KitError
from grader.kit.kit_files import KitFiles
from grader.kit.problem_error import ProblemError
from grader.kit.state import take_warnings
from grader.locale.language import N_, gettext, pgettext
from grader.marking.verdict import Verdict
from grader.options import NoSuchDevice, Options, Unconfined
from grader.report import places
from grader.report.findings import Finding, Span, findings
from grader.report.terminal import WIDTH, as_text
from grader.run.child import LaunchError
from grader.values.places import lines_of

SOURCE = "grader"

HINT, LESSON, RUN, RESET = "grader.hint", "grader.lesson", "grader.run", "grader.reset"
ACTIONS = {
    HINT: N_("Take a hint"),
    LESSON: N_("Show the lesson"),
    RUN: N_("Run it with the smallest case that fails"),
    RESET: N_("Put the stub back"),
}
"""The commands of the server, with the titles of the code actions that call them."""


@dataclass(frozen=True)
class Marked:
    """What is marked in a stub: its text, the whole verdict on it, what is shown of that, and the findings."""

    text: str
    whole: Verdict
    shown: Verdict
    findings: Sequence[Finding]


class StubServer:
    """Grades the stubs that an editor saves, one at a time, and answers what the editor asks about them.

    All of it runs in the event loop of the server but the grading, which is that of `StubGrading`.
    """

    def __init__(self, options: Options, session: WatchSession, folder: Path) -> None:
        self._options, self._session, self._kit, self._folder = options, session, options.kit, folder
        self._loop: asyncio.AbstractEventLoop | None = None
        self._grading = StubGrading(options, session, options.kit.names[0], self._put)
        self._marked: dict[str, Marked] = {}
        self._uris: dict[str, str] = {}
        self.server = _new_server()
        for method, handler in {
            types.INITIALIZE: self._initialize,
            types.TEXT_DOCUMENT_DID_OPEN: self._opened,
            types.TEXT_DOCUMENT_DID_SAVE: self._saved,
            types.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            types.TEXT_DOCUMENT_HOVER: self._hover,
            types.TEXT_DOCUMENT_CODE_ACTION: self._code_actions,
        }.items():
            self.server.feature(method)(partial(handler))  # it gets an attribute, which a method cannot have
        for name, call in (HINT, self._hint), (LESSON, self._lesson), (RUN, self._run), (RESET, self._reset):
            self._offer(name, call)

    def close(self) -> None:
        """End what is under way."""
        self._grading.close()

    def _initialize(self, _: types.InitializeParams) -> None:
        self._loop = asyncio.get_running_loop()

    # Documents

    def _name(self, uri: str) -> str:
        """The problem whose stub a document is; empty for every other document."""
        path = Path(to_fs_path(uri) or "")
        name = path.parent.name
        if path.name != "stub.py" or name not in self._kit.names:
            return ""
        return name if os.path.realpath(path.parent) == os.path.realpath(self._kit.stub(name).parent) else ""

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        if not (name := self._name(params.text_document.uri)):
            return
        self._uris[name] = params.text_document.uri
        progress = progress_file.load(self._kit)
        fingerprint = progress_file.fingerprint(self._kit, name, self._options.device)
        known = kept_verdict(KitFiles(self._kit), progress, name, fingerprint)
        if known is not None:
            self._mark(name, stub_text(self._kit, name), known)
        if not self._grading.busy:
            self._grading.open(name)
            self._grading.get_ready()

    async def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        if not (name := self._name(params.text_document.uri)):
            return
        self._uris[name] = params.text_document.uri
        if name != self._grading.name:
            self._grading.open(name)
        try:
            self._grading.grade(saved=True)
        except KitError as error:
            self._say(str(error), types.MessageType.Error)
            return
        if self._grading.work is not None:
            await self._show_progress(self._grading.work)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        name = self._name(params.text_document.uri)
        if self._marked.pop(name, None) is not None:
            self._publish(params.text_document.uri, [])

    # What a grading gives

    def _put(self, work: BackgroundWork | ToldEarly) -> None:
        """Take work that has ended or told something early, in a thread. After the end of the loop nobody waits for it."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._on_end, work)

    def _on_end(self, work: BackgroundWork | ToldEarly) -> None:
        try:
            event = self._grading.ended(work)
        except (Unconfined, LaunchError, NoSuchDevice, OSError) as error:
            event = GradingFault(self._grading.name, str(error))
        match event:
            case GradedStub() if not event.provisional:  # that has no place yet, and a mark should not jump
                self._mark(event.problem, event.text, event.whole)
                self._grading.get_ready()
            case RanAnswer():
                self._show(f"{self._grading.name}.txt", as_text(lambda terminal: run_command.show(terminal, event)))
                self._grading.get_ready()
            case GradingFault():
                self._say(event.text, types.MessageType.Error)
            case _:
                pass
        for line in take_warnings():
            self._say(line, types.MessageType.Warning)

    def _mark(self, name: str, text: str, whole: Verdict) -> None:
        """Publish what may be shown of a verdict."""
        (shown,) = shown_to_learner(self._options, [whole])
        found = findings(shown, text)
        self._marked[name] = Marked(text, whole, shown, found)
        if uri := self._uris.get(name):
            self._publish(uri, [self._diagnostic(uri, finding, text) for finding in found])

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _diagnostic(self, uri: str, finding: Finding, text: str) -> types.Diagnostic:
        where = self._range(finding.span, text)
        yours, needed = places.beside_line(finding.place) if finding.place else ("", "")
        values = [(pgettext("values", "yours"), yours), (pgettext("values", "needed"), needed)] if yours else []
        beside = [f"{name}: {value}" for name, value in values]
        return types.Diagnostic(
            where,
            finding.says,
            severity=types.DiagnosticSeverity.Error,
            code=finding.name,
            source=SOURCE,
            related_information=[
                types.DiagnosticRelatedInformation(types.Location(uri, where), line) for line in beside
            ],
        )

    def _range(self, span: Span, text: str) -> types.Range:
        """A span in lines from 0 and in the units of the client."""
        start = types.Position(span.line - 1, span.column)
        end = types.Position(span.end_line - 1, span.end_column)
        return self.server.workspace.position_codec.range_to_client_units(lines_of(text), types.Range(start, end))

    # What the editor asks

    def _hover(self, params: types.HoverParams) -> types.Hover | None:
        marked = self._marked.get(self._name(params.text_document.uri))
        if marked is None:
            return None
        for finding in marked.findings:
            where = self._range(finding.span, marked.text)
            if where.start <= params.position <= where.end:
                return types.Hover(_in_a_fence(_told(finding, marked.shown)), where)
        return None

    def _code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        name, only = self._name(params.text_document.uri), params.context.only
        if not name or (only and types.CodeActionKind.QuickFix not in only):
            return []
        return [
            types.CodeAction(
                gettext(title),
                kind=types.CodeActionKind.QuickFix,
                command=types.Command(gettext(title), command, arguments=[name]),
            )
            for command, title in ACTIONS.items()
        ]

    def _offer(self, command: str, call: Callable[[str], None]) -> None:
        def called(name: str) -> None:
            try:
                call(self._kit.resolve(name))
            except (KitError, ProblemError, OSError) as error:
                self._say(str(error), types.MessageType.Error)

        self.server.command(command)(called)

    def _hint(self, name: str) -> None:
        hints = statement.read(self._kit.statement(name)).hints
        taken = one_more(self._options, name, len(hints)) if hints else 0
        if not taken:
            return
        heading = gettext("Hint {number} of {count}.").format(number=taken, count=len(hints))
        self._say(f"{heading} {hints[taken - 1]}")
        if (marked := self._marked.get(name)) is not None:  # the last hint opens what a report held back
            self._mark(name, marked.text, marked.whole)

    def _lesson(self, name: str) -> None:
        self._show(f"{name}.md", statement.read(self._kit.statement(name)).without_hints)

    def _run(self, name: str) -> None:
        marked = self._marked.get(name)
        failing = marked.shown.failing if marked else None
        if self._grading.name != name:
            self._grading.open(name)
        given = [] if failing is None else [f"{key}={value}" for key, value in failing.args.items()]
        text = self._document(name)
        saved = text == stub_text(self._kit, name)  # what somebody else saved is not taken for typed here
        self._grading.run(given, None if saved else text)

    def _reset(self, name: str) -> None:
        """Put the shipped stub into the editor, which can undo that. What was there is kept beside the stub too."""
        text, shipped = self._document(name), shipped_stub.translated(self._kit, name)
        if shipped is None:
            raise KitError(gettext("The shipped stub of {problem} is not known here.").format(problem=name))
        stub = self._kit.opened(self._kit.stub(name))
        if text == shipped:
            self._say(gettext("{stub} was as shipped already: nothing is changed.").format(stub=stub))
            return
        kept = shipped_stub.keep_text(self._kit.stub(name), text.encode())
        end = types.Position(len(lines_of(text)) + 1, 0)
        edit = types.TextEdit(types.Range(types.Position(0, 0), end), shipped)
        uri = self._uris.get(name) or from_fs_path(str(self._kit.stub(name))) or ""
        change = types.WorkspaceEdit(changes={uri: [edit]})
        self.server.workspace_apply_edit(types.ApplyWorkspaceEditParams(change))
        said = gettext("{stub} is as shipped again in your editor: save it. Your text is kept in {kept}.")
        self._say(said.format(stub=stub, kept=self._kit.opened(kept)))

    def _document(self, name: str) -> str:
        """The text of a stub in the editor, saved or not."""
        uri = self._uris.get(name)
        return self.server.workspace.get_text_document(uri).source if uri else stub_text(self._kit, name)

    # What the editor shows

    def _say(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        self.server.window_show_message(types.ShowMessageParams(kind, text))

    def _show(self, title: str, text: str) -> None:
        """Open a text in the editor where it can do that; else say it."""
        window = self.server.client_capabilities.window
        if window is None or window.show_document is None or not window.show_document.support:
            self._say(text)
            return
        file = self._folder / title
        file.write_text(text, encoding="utf-8")
        self.server.window_show_document(types.ShowDocumentParams(from_fs_path(str(file)) or "", take_focus=True))

    async def _show_progress(self, work: BackgroundWork) -> None:
        """Show that a stub is graded, as long as it is. The editor may cancel that."""
        window, shown, token = self.server.client_capabilities.window, self.server.work_done_progress, str(uuid.uuid4())
        if window is None or not window.work_done_progress:
            return
        await shown.create_async(token)
        title = gettext("Grading {problem}").format(problem=work.problem)
        shown.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
        while work.is_alive():
            if shown.tokens[token].cancelled() and self._grading.work is work:
                self._grading.stop()
            shown.report(token, types.WorkDoneProgressReport(message=self._session.phase))
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        shown.end(token, types.WorkDoneProgressEnd())
        del shown.tokens[token]


def _told(finding: Finding, shown: Verdict) -> str:
    """A finding in plain text: its name, its sentences, its values and those that are needed."""
    hint = gettext("Hint: {hint}").format(hint=finding.hint) if finding.hint else ""
    lines = [finding.name, *(line for text in (finding.says, hint) for line in textwrap.wrap(text, WIDTH))]
    if finding.place is not None and (
        values := places.values(finding.place, WIDTH, places.case_of(finding.place, shown.cases))
    ):
        lines += ["", *values]
    return "\n".join(lines)


def _in_a_fence(text: str) -> types.MarkupContent:
    """A text as Markdown in which nothing is a link, a picture or a heading: parts of it are an answer's."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return types.MarkupContent(types.MarkupKind.Markdown, f"{fence}text\n{text}\n{fence}")


def run(options: Options) -> int:
    """Serve an editor on standard input and output until it says exit, or ends the input."""
    if not options.kit.names:
        raise KitError(gettext("There is no problem in {folder}.").format(folder=options.kit.root / "problems"))
    with (
        tempfile.TemporaryDirectory(prefix="grader-") as folder,
        WatchSession(options.kit, options.device, options.limits, options.policy) as session,
    ):
        stubs = StubServer(options, session, Path(folder))
        try:
            _speak(stubs.server)
        finally:
            stubs.close()
    return 0


def run_without_kit() -> int:
    """Serve an editor in a folder without a kit: no file there is a stub."""
    _speak(_new_server())
    return 0


def _new_server() -> LanguageServer:
    return LanguageServer("grader", __version__)


def _speak(server: LanguageServer) -> None:
    """Let a server speak, and nothing else write where it does."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as wire:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        server.start_io(sys.stdin.buffer, wire)
