"""`lsp` in a real process, with an editor that speaks the protocol: what it marks, shows and offers on a stub."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from ast import literal_eval
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import Kit
from tests import answers
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, ROOT, Command, clean_environment, copy_kit
from tests.fronts import TWELVE

pytest.importorskip("pytest_lsp", reason="the tests need the extra `test`")

from lsprotocol import types
from pygls.exceptions import JsonRpcMethodNotFound
from pytest_lsp import LanguageClient, make_test_lsp_client

LOOPS = f"def {FLAGSHIP}(seed, T, d_model):\n    while True:\n        pass\n"
EMOJI = 'MESSAGE = "🧭🧭"; '
SECONDS = 60
"""The most that a reply may take."""


class Editor:
    """An editor with the stub of one problem open."""

    def __init__(self, client: LanguageClient, kit: Path, name: str = FLAGSHIP) -> None:
        self.client, self.file = client, kit / "problems" / name / "stub.py"
        self.uri, self._version = self.file.as_uri(), 1
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.edits: list[types.ApplyWorkspaceEditParams] = []
        client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = self.published.put_nowait

    def open(self) -> None:
        item = types.TextDocumentItem(self.uri, "python", 1, self.file.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def save(self, text: str) -> None:
        self.file.write_text(text)
        self._version += 1
        document = types.VersionedTextDocumentIdentifier(self._version, self.uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri)))

    async def diagnostics(self) -> list[types.Diagnostic]:
        return list((await asyncio.wait_for(self.published.get(), SECONDS)).diagnostics)

    async def hover(self, at: types.Position) -> str:
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(self.uri), at)
        )
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def act(self, title: str) -> None:
        """Choose a code action by its title."""
        start = types.Position(0, 0)
        asked = types.CodeActionParams(
            types.TextDocumentIdentifier(self.uri), types.Range(start, start), types.CodeActionContext([])
        )
        (action,) = [
            one for one in await self.client.text_document_code_action_async(asked) or [] if one.title == title
        ]
        # The client takes an action with a command for a command, and writes the command out as a text.
        command = literal_eval(str(action.command))
        await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command["command"], command["arguments"])
        )

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not holds():
                await asyncio.sleep(0.01)


@asynccontextmanager
async def editing(kit: Path, *options: str, name: str = FLAGSHIP, rich: bool = True) -> AsyncIterator[Editor]:
    """An editor over the real server; `rich` is whether it shows documents and progress."""
    client = make_test_lsp_client()
    command = [sys.executable, "-m", "grader", "lsp", *options]
    await client.start_io(*command, cwd=str(kit), env={**clean_environment(), "PYTHONPATH": str(ROOT)})
    editor = Editor(client, kit, name)

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def _(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        editor.edits.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    window = types.WindowClientCapabilities(
        work_done_progress=rich, show_document=types.ShowDocumentClientCapabilities(support=rich)
    )
    able = types.ClientCapabilities(window=window, workspace=types.WorkspaceClientCapabilities(apply_edit=True))
    await client.initialize_session(types.InitializeParams(capabilities=able, root_uri=kit.as_uri()))
    try:
        yield editor
    finally:
        await client.shutdown_session()
        await client.stop()


def with_editor(kit: Path, story: Callable[[Editor], Awaitable[None]], *options: str, **more: Any) -> None:
    async def told() -> None:
        async with editing(kit, *options, **more) as editor:
            await story(editor)

    asyncio.run(told())


def test_a_save_marks_the_exact_expression_and_hover_shows_its_values(own_kit: Command, nothing_left: None) -> None:
    text = HALF.replace("    angles", f"    {EMOJI}angles")

    async def story(editor: Editor) -> None:
        editor.open()
        assert await editor.diagnostics() == []  # a stub as shipped
        editor.save(text)
        (found,) = await editor.diagnostics()
        line = text.splitlines()[found.range.start.line].encode("utf-16-le")
        marked = line[2 * found.range.start.character : 2 * found.range.end.character].decode("utf-16-le")
        assert marked == "-pairs / d_model"
        assert (found.code, found.source, found.severity) == (
            "half-exponent",
            "grader",
            types.DiagnosticSeverity.Error,
        )
        assert found.message.startswith("These are the numbers of ")
        yours, needed = found.related_information or []
        assert (yours.message[:6], needed.message[:7]) == ("yours:", "needed:")
        told = await editor.hover(found.range.start)
        assert all(word in told for word in ("half-exponent", "Hint: By how much", "yours", "needed", "-0.250"))
        assert await editor.hover(types.Position(0, 0)) == ""
        editor.save(RIGHT)
        assert await editor.diagnostics() == []

    with_editor(own_kit.kit, story)
    assert own_kit("list").stdout.count("correct") == 1  # it is kept, as by `check`


@pytest.mark.slow
def test_a_level_of_feedback_and_confinement_hold_for_the_editor_too(own_kit: Command) -> None:
    async def story(editor: Editor) -> None:
        editor.save(HALF)
        (found,) = await editor.diagnostics()
        assert (found.code, found.message, [*(found.related_information or [])]) == ("wrong", "Wrong.", [])
        assert "half" not in await editor.hover(found.range.start)

    with_editor(own_kit.kit, story, "--feedback", "verdict", "--confine")


def test_the_actions_take_a_hint_show_the_lesson_call_the_answer_and_put_the_stub_back(own_kit: Command) -> None:
    shipped = (own_kit.kit / "problems" / FLAGSHIP / "stub.py").read_text()

    async def story(editor: Editor) -> None:
        client = editor.client
        editor.open()
        await editor.diagnostics()
        editor.save(HALF)
        await editor.diagnostics()
        await editor.act("Take a hint")
        await editor.until(lambda: bool(client.messages))
        assert client.messages[0].message.startswith("Hint 1 of 3. At `d_model = 4`")
        await editor.diagnostics()
        await editor.act("Show the lesson")
        await editor.until(lambda: bool(client.shown_documents))
        lesson = Path(client.shown_documents[0].uri.removeprefix("file://")).read_text()
        assert "## Why it matters" in lesson
        assert "Work out their frequencies on paper" not in lesson  # the text of a hint
        await editor.act("Run it with the smallest case that fails")
        await editor.until(lambda: len(client.shown_documents) == 2)
        ran = Path(client.shown_documents[1].uri.removeprefix("file://")).read_text()
        assert "sinusoidal_pos(seed=0, T=3, d_model=4)" in ran
        await editor.act("Put the stub back")
        await editor.until(lambda: bool(editor.edits))
        changes = editor.edits[0].edit.changes or {}
        assert [edit.new_text for edit in changes[editor.uri]] == [shipped]

    with_editor(own_kit.kit, story)
    assert json.loads((own_kit.kit / ".grader" / "progress.json").read_text())["hints"] == {FLAGSHIP: 1}
    kept = (own_kit.kit / "problems" / FLAGSHIP).glob("stub.2*.py")
    assert [path.read_text() for path in kept] == [HALF]


@pytest.mark.slow
def test_the_next_save_ends_the_grading_before_it_and_so_does_the_button_of_the_progress(
    own_kit: Command, nothing_left: None
) -> None:
    async def story(editor: Editor) -> None:
        reports = editor.client.progress_reports
        editor.save(LOOPS)
        await editor.until(lambda: bool(reports))
        editor.save(HALF)
        (found,) = await editor.diagnostics()
        assert found.code == "half-exponent"
        editor.save(LOOPS)
        await editor.until(lambda: len(reports) == 3)
        token = list(reports)[-1]
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        await editor.until(lambda: any(isinstance(one, types.WorkDoneProgressEnd) for one in reports[token]))
        assert editor.published.empty()
        begin = reports[token][0]
        assert isinstance(begin, types.WorkDoneProgressBegin)
        assert (begin.title, begin.cancellable) == ("Grading sinusoidal_pos", True)

    with_editor(own_kit.kit, story)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_looping_answer_ends_by_the_limit_and_the_server_goes_on(own_kit: Command) -> None:
    async def story(editor: Editor) -> None:
        editor.save(LOOPS)
        (found,) = await editor.diagnostics()
        assert (found.code, found.range.start.line) == ("timeout", 1)
        editor.save(RIGHT)
        assert await editor.diagnostics() == []

    with_editor(own_kit.kit, story, "--cpu-limit", "1", rich=False)


@pytest.mark.slow
def test_a_device_that_is_not_here_is_told_once_for_each_save(own_kit: Command) -> None:
    async def story(editor: Editor) -> None:
        for saves in (1, 2):
            editor.save(HALF)
            await editor.until(lambda saves=saves: len(editor.client.messages) >= saves)
            await editor.hover(types.Position(0, 0))
            assert len(editor.client.messages) == saves

    with_editor(own_kit.kit, story, "--device", "tpu")


def test_no_other_file_is_graded(own_kit: Command) -> None:
    async def story(editor: Editor) -> None:
        stub = editor.uri
        for path in ("problems/sinusoidal_pos/figure.py", "elsewhere/sinusoidal_pos/stub.py", "problems/none/stub.py"):
            editor.uri = (own_kit.kit / path).as_uri()
            document = types.TextDocumentIdentifier(editor.uri)
            editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
            start = types.Position(0, 0)
            asked = types.CodeActionParams(document, types.Range(start, start), types.CodeActionContext([]))
            assert not await editor.client.text_document_code_action_async(asked)
        editor.uri = stub
        editor.save(HALF)
        assert (await asyncio.wait_for(editor.published.get(), SECONDS)).uri == stub

    with_editor(own_kit.kit, story)


@pytest.mark.slow
def test_in_a_folder_without_a_kit_it_is_silent(tmp_path: Path) -> None:
    stub = tmp_path / "elsewhere" / FLAGSHIP / "stub.py"
    stub.parent.mkdir(parents=True)
    stub.write_text(HALF)

    async def story(editor: Editor) -> None:
        editor.file, editor.uri = stub, stub.as_uri()
        editor.save(HALF)
        with pytest.raises(JsonRpcMethodNotFound):  # it has no features
            await editor.hover(types.Position(8, 40))
        assert editor.published.empty()

    with_editor(tmp_path, story)


@pytest.mark.slow
def test_a_stub_that_somebody_else_filled_in_is_not_run_until_it_is_called_ones_own(
    own_kit: Command, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert own_kit("release", str(out)).returncode == 0
    (out / "problems" / FLAGSHIP / "stub.py").write_text(HALF)

    async def story(editor: Editor) -> None:
        editor.open()
        await editor.act("Run it with the smallest case that fails")
        await editor.until(lambda: bool(editor.client.messages))
        assert "Say so once: " in editor.client.messages[0].message
        editor.save(HALF)  # whoever saves it here has written it
        assert [one.code for one in await editor.diagnostics()] == ["half-exponent"]

    with_editor(out, story)


@pytest.mark.few(1, 2)
@pytest.mark.parametrize("name", TWELVE)
def test_what_is_marked_is_what_check_says(name: str, tmp_path: Path) -> None:
    """Each mistake that `check --json` names is a diagnostic, and each place that it has is marked."""
    command, wrong = Command(copy_kit(tmp_path / "kit", name)), answers.read(name, "wrong")[0].text
    given = answers.read(name, "right")[0].text
    marked: list[list[types.Diagnostic]] = []

    async def story(editor: Editor) -> None:
        for text in (wrong, given):
            editor.save(text)
            marked.append(await editor.diagnostics())

    with_editor(command.kit, story, name=name)
    Kit(command.kit).stub(name).write_text(wrong)
    (verdict,) = command.json("check", name)["verdicts"]
    assert {str(one.code) for one in marked[0]} >= {mistake["name"] for mistake in verdict["mistakes"]}
    lines = {one.range.start.line + 1 for one in marked[0]}
    assert lines >= {place["line"] for place in verdict["where"]}
    assert marked[1] == []


def test_nothing_of_the_protocol_is_imported_where_it_is_not_used() -> None:
    code = "import sys, grader.cli, grader.fronts.command\nprint({'pygls', 'lsprotocol', 'mcp'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "set()\n"


def test_without_its_package_one_line_says_how_to_install_it(own_kit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.kit.software.find_spec", lambda _: None)
    done = own_kit("lsp")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("The language server needs pygls. Install it: pip install ")
