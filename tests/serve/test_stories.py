"""What a learner does in the browser: each story with the real command, the real grader and Chromium."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grader.kit import state
from grader.serve import editor_bundle
from grader.serve.editor_bundle import NotBuilt, is_current
from grader.serve.guard import leading
from tests import as_ordinary
from tests.commands.test_check import HALF_AND_STACKED, RIGHT
from tests.commands.test_watch import save as save_outside
from tests.conftest import FLAGSHIP, ROOT, Command, clean_environment, copy_kit
from tests.language import english_in
from tests.page.driven import console, looks_like, missing, requested
from tests.serve.conftest import BESIDE
from tests.serve.served import Page, Served, foreign, serving, wait

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

WITHOUT_NETWORK = Path(__file__).with_name("without_network.py")
ENDLESS = RIGHT.replace("    positions =", "    for _ in iter(int, 1): pass\n    positions =")


def never_ask(browser: Any) -> None:
    """Leave a page with a text that is not saved, as a browser does that is killed."""
    browser.execute_script("window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)")


@pytest.mark.nightly
def test_the_list_shows_progress_and_asks_for_nothing_elsewhere(browser: Any, served: Served) -> None:
    browser.get(served.address)
    wait(lambda: "0 of 2 solved" in browser.page_source)
    assert "token" not in browser.current_url
    assert foreign(requested(browser), served) == set()
    assert console(browser) == []


@pytest.mark.parametrize(
    "rich", [pytest.param(True, id="editor"), pytest.param(False, id="text box", marks=pytest.mark.nightly)]
)
def test_a_first_answer_is_saved_and_told_in_the_words_of_the_terminal(
    browser: Any, kit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rich: bool
) -> None:
    if rich and not is_current():
        pytest.skip("the editor is not built here")
    apart: dict[str, str] = {}
    if not rich:  # a grader without an editor, whose build has failed
        shutil.copytree(ROOT / "grader", tmp_path / "grader", ignore=shutil.ignore_patterns("editor.js", "__pycache__"))
        monkeypatch.setattr(editor_bundle, "build", lambda _: (_ for _ in ()).throw(NotBuilt("npm failed")))
        monkeypatch.setattr(editor_bundle, "_private", lambda: tmp_path)
        assert editor_bundle.prepare(tmp_path / "grader" / "serve") == "npm failed"
        apart = {"PYTHONPATH": str(tmp_path)}
    with serving(kit, **apart) as served:
        page = Page(browser, served)
        assert page.run("return document.querySelectorAll('.cm-content').length") == rich
        page.write(HALF_AND_STACKED)
        wait(lambda: page.state() == "Not saved")
        page.save()
        wait(lambda: "half-exponent" in page.verdict())
        assert served.stub().read_text() == HALF_AND_STACKED
        assert page.state() == "Saved"
        shown = page.verdict()
        reported = " ".join(Command(kit)("check", FLAGSHIP, "--no-picture").stdout.split())
        for mistake in ("half-exponent", "stacked-layout"):
            assert mistake in shown
            assert mistake in reported
        sentences = "return [...document.querySelectorAll('#page-verdict p')].map((one) => one.textContent)"
        for sentence in page.run(sentences)[1:]:
            words = " ".join(sentence.replace("`", "").split())
            assert words.removeprefix("Hint: ") in reported.replace("`", ""), words
        page.tab("picture")
        wait(lambda: "wrong" in page.said("picture"))
        page.tab("verdict")
        page.write(RIGHT)
        page.save()
        wait(lambda: "correct" in page.verdict())
        wait(lambda: "Next: " in page.said("next"))
        assert foreign(requested(browser), served) == set()
        assert [one for one in console(browser) if "SEVERE" in one] == []


@pytest.mark.nightly
@pytest.mark.skipif(not is_current(), reason="the editor is not built here")
def test_ones_own_editor_works_at_the_same_time_and_the_undo_history_stays(page: Page) -> None:
    from selenium.webdriver import ActionChains, Keys

    page.write(HALF_AND_STACKED)
    page.save()
    wait(lambda: "half-exponent" in page.verdict())
    save_outside(page.served.stub(), RIGHT)
    wait(lambda: page.text() == RIGHT, 2)
    wait(lambda: "correct" in page.verdict())
    page.focus()
    ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    wait(lambda: page.text() == HALF_AND_STACKED)
    assert page.state() == "Not saved"
    assert "another text" in page.said("phase")


def test_two_texts_at_once_lose_nothing(page: Page) -> None:
    page.write("# mine\n")
    save_outside(page.served.stub(), "# theirs\n")
    wait(lambda: "changed elsewhere" in page.banner())
    page.choose("Take the file")
    wait(lambda: page.text() == "# theirs\n")
    wait(lambda: "is kept in" in page.banner())
    (kept,) = page.served.stub().parent.glob("stub.2*.py")
    assert kept.read_text() == "# mine\n"
    page.write("# mine again\n")
    save_outside(page.served.stub(), "# theirs again\n")
    wait(lambda: "changed elsewhere" in page.banner())
    page.save()
    kept = state.folder_of_kit(page.served.kit.resolve())
    wait(lambda: "# mine again\n" in [one.read_text() for one in kept.glob(f"{FLAGSHIP}.*.py")])
    page.choose("Keep mine")
    wait(lambda: page.served.stub().read_text() == "# mine again\n")
    wait(lambda: page.state() == "Saved")
    assert {one.read_text() for one in page.served.stub().parent.glob("stub.2*.py")} == {"# mine\n", "# theirs again\n"}


@pytest.mark.few(0, 2)
@pytest.mark.parametrize("what", ["removed", "a folder", "not UTF-8", "too large"])
def test_whatever_takes_the_place_of_the_file_the_text_in_the_editor_stays(page: Page, what: str) -> None:
    page.write("# mine\n")
    stub = page.served.stub()
    match what:
        case "removed":
            stub.unlink()
        case "a folder":
            stub.unlink()
            stub.mkdir()
            (stub / "inside").write_text("theirs")
        case "not UTF-8":
            stub.write_bytes(b"\xff\xfe")
        case _:
            stub.write_bytes(b"#" * (2 << 20))
    wait(lambda: "cannot be shown" in page.banner())
    assert page.text() == "# mine\n"
    page.choose("Keep mine")
    wait(lambda: stub.is_file() and stub.read_bytes() == b"# mine\n")
    kept = [*stub.parent.glob("stub.2*.py")]
    assert len(kept) == (what != "removed")


@pytest.mark.nightly
def test_tabs_follow_each_other_and_a_second_text_is_not_written_over(page: Page) -> None:
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    other = Page(page.browser, page.served)
    second = page.browser.current_window_handle
    other.write("# second\n")
    page.browser.switch_to.window(first)
    page.write(HALF_AND_STACKED)
    page.save()
    wait(lambda: "half-exponent" in page.verdict())
    page.browser.switch_to.window(second)
    wait(lambda: "changed elsewhere" in other.banner())
    assert other.text() == "# second\n"
    other.save()
    time.sleep(0.3)
    assert page.served.stub().read_text() == HALF_AND_STACKED
    wait(lambda: "half-exponent" in other.verdict())


@pytest.mark.nightly
def test_ten_tabs_are_all_told(page: Page) -> None:
    tabs = [(page.browser.current_window_handle, page)]
    for _ in range(9):
        page.browser.switch_to.new_window("tab")
        tabs.append((page.browser.current_window_handle, Page(page.browser, page.served)))
    save_outside(page.served.stub(), HALF_AND_STACKED)
    for handle, tab in tabs:
        page.browser.switch_to.window(handle)
        wait(lambda: "half-exponent" in tab.verdict())  # noqa: B023
        assert tab.text() == HALF_AND_STACKED


def test_an_answer_that_loops_is_stopped_by_a_button_and_by_the_next_save(page: Page) -> None:
    page.write(ENDLESS)
    page.save()
    wait(lambda: "running your answer" in page.said("phase"))
    page.press("stop")
    wait(lambda: "was stopped" in page.said("phase"))
    page.save()
    wait(lambda: "running your answer" in page.said("phase"))
    page.write(RIGHT)
    page.save()
    wait(lambda: "correct" in page.verdict(), 15)
    time.sleep(1)
    assert "correct" in page.verdict()


def test_a_text_that_was_not_saved_is_offered_after_the_server_was_killed(browser: Any, kit: Path) -> None:
    with serving(kit) as served:
        page = Page(browser, served)
        page.write("# not saved\n")
        drafts = state.folder_of_kit(kit.resolve())
        wait(lambda: [*drafts.glob(f"{FLAGSHIP}.*.py")])
        served.process.kill()
    never_ask(browser)
    browser.execute_cdp_cmd("Page.navigate", {"url": "about:blank"})
    with serving(kit) as served:
        page = Page(browser, served)
        wait(lambda: "was not saved" in page.banner())
        assert "NotImplementedError" in page.text() or page.text() != "# not saved\n"
        page.choose("Use it")
        wait(lambda: page.text() == "# not saved\n")
        page.save()
        wait(lambda: served.stub().read_text() == "# not saved\n")
        wait(lambda: not [*drafts.glob("*.py")])


@pytest.mark.nightly
def test_a_server_that_ended_is_told_and_typing_goes_on(browser: Any, kit: Path) -> None:
    with serving(kit) as served:
        page = Page(browser, served)
        assert "Ended." in served.end()
    wait(lambda: "does not answer" in page.banner())
    page.write("# typed\n")
    page.save()
    wait(lambda: "Not saved" in page.state())
    with serving(kit) as again:
        assert again.port == served.port, "a browser keeps what was typed by address"
        page.choose("Ask again")
        wait(lambda: "does not answer" in page.banner())
        assert page.text() == "# typed\n"
        never_ask(browser)
        page = Page(browser, again)
        wait(lambda: "in this browser that was not saved" in page.banner())
        page.choose("Use it")
        wait(lambda: page.text() == "# typed\n")


class Eve:
    """A server of another user, who has taken the port of a page that has ended. It answers whatever a page may want."""

    def __init__(self, port: int) -> None:
        import threading

        from websockets.sync.server import serve

        self.requests: list[Any] = []
        self._server = serve(self._tell, "127.0.0.1", port, process_request=self._note)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _note(self, _: Any, request: Any) -> None:
        self.requests.append(request)

    def _tell(self, socket: Any) -> None:
        forged = {"kind": "verdict", "name": FLAGSHIP, "html": "<h2>forged</h2>", "marks": [], "called": "", "says": ""}
        for event in (
            {"kind": "hello", "proof": "guessed"},
            {**forged, "digest": "", "status": "correct", "picture": None},
        ):
            socket.send(json.dumps(event))
        socket.recv()

    def close(self) -> None:
        self._server.shutdown()


@pytest.mark.nightly
def test_a_page_asks_a_port_that_another_program_took_for_nothing_until_a_button_is_pressed(
    browser: Any, kit: Path
) -> None:
    with serving(kit) as served:
        page = Page(browser, served)
        served.end()
    wait(lambda: "does not answer" in page.banner())
    eve = Eve(served.port)
    try:
        page.write("# typed\n")
        page.save()
        time.sleep(3)
        assert eve.requests == []
        with serving(kit) as again:
            assert again.port != served.port
            other = browser.current_window_handle
            browser.switch_to.new_window("tab")
            Page(browser, again)
            mine = browser.get_cookies()[0]["value"]
            browser.close()
            browser.switch_to.window(other)
            page.choose("Ask again")
            wait(lambda: eve.requests)
            wait(lambda: "does not answer" in page.banner())
            # She is sent the cookie of the run that has ended, and the path of that run: both open nothing now.
            sent = " ".join(f"{one.path} {one.headers.get('cookie', '')}" for one in eve.requests)
            assert mine not in sent
            assert again.page.rpartition("/")[2] not in sent
            assert "forged" not in browser.page_source
    finally:
        eve.close()
        never_ask(browser)


@pytest.mark.nightly
def test_the_file_that_opens_a_browser_leads_to_the_page(browser: Any, kit: Path, tmp_path: Path) -> None:
    with serving(kit) as served:
        file = tmp_path / "open.html"
        file.write_text(leading(served.address))
        browser.get(file.as_uri())
        wait(lambda: "0 of 2 solved" in browser.page_source)
        browser.get(served.address)
        wait(lambda: "0 of 2 solved" in browser.page_source)
        browser.delete_all_cookies()
        browser.get(served.address)
        assert "it works once" in browser.page_source
        said = served.end()
    assert said.count("Open http://") == 1
    assert served.token not in said


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_in_one_line_while_an_answer_loops_and_leaves_no_process(browser: Any, kit: Path, way: int) -> None:
    import psutil

    with serving(kit) as served:
        page = Page(browser, served)
        page.write(ENDLESS)
        page.save()
        wait(lambda: "running your answer" in page.said("phase"))
        before = psutil.Process(served.process.pid).children(recursive=True)
        served.process.send_signal(way)
        out, errors = served.process.communicate(timeout=30)
        assert (served.process.returncode, errors) == (0, "")
    assert out.strip().splitlines()[-1].strip() == "Ended. What you saved is in the stubs."
    assert psutil.wait_procs(before, timeout=5)[1] == []


@pytest.mark.nightly
def test_hints_are_taken_one_by_one_and_counted(page: Page) -> None:
    source = page.run("return document.documentElement.outerHTML")
    assert 'class="hint"' not in source
    for number in (1, 2, 3):
        page.press("hint")
        wait(lambda: f"Hint {number} of 3" in page.said("hints"))  # noqa: B023
    assert page.run("return document.getElementById('page-hint').hidden")
    assert '"sinusoidal_pos": 3' in (page.served.kit / ".grader/progress.json").read_text()


@pytest.mark.nightly
def test_the_worked_answer_is_shown_after_a_clear_word_or_when_it_is_solved(browser: Any, kit: Path) -> None:
    with serving(kit) as served:  # what was solved is kept in its memory, too
        page = Page(browser, served)
        page.tab("solution")
        wait(lambda: "Show the worked answer all the same?" in page.said("worked"))
        assert "def sinusoidal_pos" not in page.said("worked")
        page.write(RIGHT)
        page.save()
        wait(lambda: "correct" in page.verdict())
        page.tab("solution")
        wait(lambda: "From yours to the worked answer" in page.said("worked"))
        assert "def sinusoidal_pos" in page.said("worked")
        page.tab("verdict")
        # Solved here, solved in the terminal and in the list.
        assert "1 of 2 solved" in Command(kit)("list").stdout
        page.browser.find_element("css selector", "#page-next a.go").click()
        wait(lambda: page.browser.current_url.endswith(f"/lessons/{BESIDE}.html"))
        page.browser.get(f"{page.served.page}/")
        wait(lambda: "1 of 2 solved" in page.browser.page_source)
        solved = page.run(f"return document.querySelector('[data-lesson={FLAGSHIP}] .state').textContent")
        assert solved == "✓ solved"


@pytest.mark.nightly
def test_the_page_speaks_spanish(browser: Any, kit: Path) -> None:
    with serving(kit, "--lang", "es") as served:
        browser.get(served.address)
        wait(lambda: "0 de 2" in browser.page_source)
        page = Page(browser, served)
        assert page.run("return document.documentElement.lang") == "es"
        page.write(HALF_AND_STACKED)
        page.save()
        wait(lambda: "half-exponent" in page.verdict())
        page.press("hint")
        wait(lambda: page.said("hints"))
        shown = page.run("return document.querySelector('.work').innerText")
        assert "incorrecta" in shown
        for tab in ("run", "trace", "cases", "picture", "output", "solution"):
            page.tab(tab)
            shown += page.run("return document.getElementById('page-panes').innerText")
        code = page.run(
            "return [...document.querySelectorAll('.work :is(.cm-editor, textarea)')].map((one) => one.innerText)"
        )
        for part in code:
            shown = shown.replace(part, "")
        assert english_in(shown) == []


@pytest.mark.nightly
@pytest.mark.skipif(not is_current(), reason="the editor is not built here")
def test_a_reset_keeps_the_text_and_undo_brings_it_back(page: Page) -> None:
    from selenium.webdriver import ActionChains, Keys

    shipped = page.text()
    page.write(HALF_AND_STACKED)
    page.save()
    wait(lambda: "half-exponent" in page.verdict())
    page.press("reset")
    page.choose("Put it back")
    wait(lambda: page.text() == shipped)
    wait(lambda: "Your text is kept in" in page.banner())
    (kept,) = page.served.stub().parent.glob("stub.2*.py")
    assert kept.name in page.banner()
    assert kept.read_text() == HALF_AND_STACKED
    page.focus()
    ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    wait(lambda: page.text() == HALF_AND_STACKED)
    page.write("# not saved\n")
    page.press("reset")
    page.choose("Put it back")
    wait(lambda: page.text() == shipped)
    wait(lambda: "Your text is kept in" in page.banner())
    assert "# not saved\n" in {one.read_text() for one in page.served.stub().parent.glob("stub.2*.py")}


def test_a_grading_in_a_terminal_shows_in_the_list_at_once(browser: Any, served: Served) -> None:
    browser.get(served.address)
    wait(lambda: "0 of 2 solved" in browser.page_source)
    served.stub().write_text(RIGHT)
    assert Command(served.kit)("check", FLAGSHIP).returncode == 0
    wait(lambda: "1 of 2 solved" in browser.page_source)


@pytest.mark.nightly
def test_an_encoding_that_is_declared_becomes_utf_8_as_the_file_is_kept(page: Page) -> None:
    page.write(f"# -*- coding: latin-1 -*-\n# é\n{RIGHT}")
    page.save()
    wait(lambda: "correct" in page.verdict())
    assert page.text() == page.served.stub().read_text() == f"# -*- coding: utf-8 -*-\n# é\n{RIGHT}"
    assert (page.state(), page.banner()) == ("Saved", "")


@pytest.mark.nightly
def test_an_error_is_marked_at_its_line(page: Page) -> None:
    page.write(RIGHT.replace("jnp.arange(T", "jnp.arrange(T", 1))
    page.save()
    wait(lambda: "AttributeError" in page.verdict())
    if page.run("return document.querySelectorAll('.cm-content').length"):
        wait(lambda: page.run("return document.querySelectorAll('.cm-lint-marker-error').length") == 1)


def test_what_an_answer_prints_is_text(page: Page) -> None:
    printing = "    print('<script>document.title = 1</script><img src=x>')\n    positions ="
    page.write(RIGHT.replace("    positions =", printing, 1))
    page.save()
    wait(lambda: "<script>" in page.verdict())
    assert page.run("return document.querySelectorAll('#page-verdict :is(script, img)').length") == 0


@pytest.mark.nightly
def test_a_broken_statement_or_reference_is_a_fault_of_the_kit_and_the_list_still_opens(
    browser: Any, kit: Path
) -> None:
    (kit / "problems" / BESIDE / "README.md").write_text("no front matter")
    (kit / "solutions" / FLAGSHIP / "answer.py").write_text("import nothing_at_all\n")
    shutil.rmtree(kit / ".grader")
    with serving(kit) as served:
        page = Page(browser, served)
        page.write(RIGHT)
        page.save()
        wait(lambda: "A fault of the kit, not of your answer" in page.banner())
        browser.get(f"{served.page}/")
        wait(lambda: BESIDE in browser.page_source)
        assert "front matter" in browser.page_source
        browser.get(f"{served.page}/lessons/{BESIDE}.html")
        assert "A fault of the kit" in browser.page_source


def test_all_is_done_by_keys_alone(page: Page) -> None:
    from selenium.webdriver import ActionChains, Keys

    def focused() -> str:
        return page.run("const one = document.activeElement; return one.id || one.className || one.tagName")

    def press(*keys: str) -> None:
        ActionChains(page.browser).send_keys(*keys).perform()

    page.run("document.querySelector('.skip').focus()")
    press(Keys.TAB)
    assert page.run("return document.activeElement.getAttribute('href')") == "#page-work"
    press(Keys.ENTER)
    wait(lambda: focused() == "page-work")
    reached = []
    while "cm-content" not in focused() and "page-text" not in focused():
        press(Keys.TAB)
        reached.append(focused())
        assert len(reached) < 12, reached
    assert "page-grade" in reached
    outline = (
        "const one = document.activeElement; return getComputedStyle(one.closest('.cm-editor') ?? one).outlineStyle"
    )
    wait(lambda: page.run(outline) == "solid")
    before = page.text()
    press(Keys.TAB)
    assert page.text() != before
    assert page.text().replace("    ", "") == before.replace("    ", "")
    press(Keys.ESCAPE, Keys.TAB)
    assert "cm-content" not in focused()
    page.save()
    wait(lambda: page.state() == "Saved")


def test_nothing_is_wider_than_a_phone_and_two_views_share_it(page: Page) -> None:
    page.write(HALF_AND_STACKED)
    page.save()
    wait(lambda: "half-exponent" in page.verdict())
    for width in (640, 390):  # a desk at 200 %, and a phone
        looks_like(page.browser, width)
        for chosen in ("lesson", "code", "result"):
            page.browser.find_element("css selector", f"button[data-view={chosen}]").click()
            # A figure is drawn again when the room changes.
            wait(lambda: page.run("return document.documentElement.scrollWidth") <= width, 5)  # noqa: B023
            shown = page.run(
                "return [...document.querySelectorAll('.lesson, #page-editor, .panel')].map((one) => one.offsetHeight > 0)"
            )
            assert shown == [chosen == "lesson", chosen == "code", chosen == "result"]
        for tab in ("run", "trace", "cases", "picture", "output", "solution", "practice", "verdict"):
            page.tab(tab)
            wait(lambda: page.run("return document.documentElement.scrollWidth") <= width, 5)  # noqa: B023
    heights = page.run("return [...document.querySelectorAll('button')].map((one) => one.offsetHeight)")
    assert min(filter(None, heights)) >= 44


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Page, scheme: str) -> None:
    axe = pytest.importorskip("axe_core_python")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    page.write(HALF_AND_STACKED)
    page.save()
    wait(lambda: "half-exponent" in page.verdict())
    looks_like(page.browser, 1280, scheme)

    def serious() -> list[Any]:
        page.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
        found = page.browser.execute_async_script("axe.run().then(arguments[0])")
        bad = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in bad]

    for address in ("/", f"/lessons/{FLAGSHIP}.html"):
        page.browser.get(f"{page.served.page}{address}")
        time.sleep(1)
        assert serious() == []
    wait(lambda: "half-exponent" in page.verdict())
    for tab in ("verdict", "run", "trace", "cases", "picture", "output", "solution"):
        page.tab(tab)
        assert serious() == [], tab
    for menu in ("settings", "keys"):
        page.press(menu)
        assert serious() == [], menu


def test_another_origin_cannot_read_or_write(page: Page, tmp_path: Path) -> None:
    """A page of another port of this machine: its requests carry no cookie that counts, and its sockets are closed."""
    import http.server
    import threading

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, directory=str(tmp_path))

        def log_message(self, *_: Any) -> None:
            pass

    (tmp_path / "evil.html").write_text("<title>evil</title>")
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    before = page.served.stub().read_text()
    try:
        page.browser.get(f"http://127.0.0.1:{other.server_port}/evil.html")
        script = """
            const [origin, done] = arguments;
            const said = [];
            const tried = (what) => what.then((one) => said.push(`read ${one.type}`), () => said.push("refused"));
            const socket = new WebSocket(`${origin.replace("http", "ws")}/events?p=sinusoidal_pos`);
            const closed = new Promise((end) => {
              socket.onopen = () => end("open");
              socket.onclose = () => end("closed");
            });
            const credentials = "include";
            const put = {method: "PUT", body: "evil", credentials, headers: {"If-Match": "*"}};
            const form = {method: "POST", body: new FormData(), mode: "no-cors", credentials};
            Promise.all([
              tried(fetch(`${origin}/lessons/sinusoidal_pos.html`, {credentials})),
              tried(fetch(`${origin}/p/sinusoidal_pos/stub`, put)),
              fetch(`${origin}/p/sinusoidal_pos/reset`, form).catch(() => {}),
              closed,
            ]).then((all) => done([...said, all[3]]));
        """
        assert page.browser.execute_async_script(script, page.served.page) == ["refused", "refused", "closed"]
    finally:
        other.shutdown()
    assert page.served.stub().read_text() == before


def test_two_kits_at_once_do_not_mix(browser: Any, kit: Path, tmp_path: Path) -> None:
    other = copy_kit(tmp_path / "other", BESIDE)
    with serving(kit) as one, serving(other) as two:
        assert one.port != two.port
        browser.get(one.address)
        browser.get(two.address)
        wait(lambda: "0 of 1 solved" in browser.page_source)
        browser.get(f"{one.page}/")
        wait(lambda: "0 of 2 solved" in browser.page_source)


@pytest.mark.nightly
def test_a_kit_that_cannot_be_written_still_grades_and_says_what_is_not_kept(browser: Any) -> None:
    if not as_ordinary.AS_ROOT or as_ordinary.why_not():
        pytest.skip("only root can make a kit that its user cannot write")
    with as_ordinary.folder(as_ordinary.ORDINARY) as folder:
        kit = copy_kit(folder / "kit", FLAGSHIP)
        (kit / "problems" / FLAGSHIP / "stub.py").write_text(HALF_AND_STACKED)
        for path in (kit, *kit.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with serving(kit, user=as_ordinary.ORDINARY, HOME=str(folder)) as served:
            page = Page(browser, served)
            page.press("grade")
            wait(lambda: "half-exponent" in page.verdict())
            wait(lambda: "nothing is kept for next time" in page.banner())
            page.write(RIGHT)
            page.save()
            wait(lambda: page.state().startswith("Not saved: "))
            assert "cannot be written" in page.state()


@pytest.mark.nightly
def test_a_whole_session_works_without_a_network() -> None:
    tried = subprocess.run([sys.executable, str(WITHOUT_NETWORK), "true"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"this user cannot leave the network: {tried.stderr.strip()}")
    story = test_a_first_answer_is_saved_and_told_in_the_words_of_the_terminal
    test = f"{Path(__file__).relative_to(ROOT)}::{story.__name__}"
    command = [
        sys.executable,
        str(WITHOUT_NETWORK),
        sys.executable,
        "-m",
        "pytest",
        "-n0",
        "-m",
        "",
        test,
        "-k",
        "editor",
    ]
    done = subprocess.run(command, cwd=ROOT, env=clean_environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
