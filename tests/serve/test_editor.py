"""The editor by itself, in Chromium: what it shows of a text, and what its keys do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grader.page.site import style
from grader.serve.editor_bundle import BUNDLE, is_current
from tests.conftest import ROOT
from tests.page.driven import console, driven, looks_like, missing
from tests.serve.served import wait

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

ASSETS = ROOT / "grader" / "serve" / "assets"
STUB = (ROOT / "problems" / "nnx_linear" / "stub.py").read_text()
NAMES = {
    "jax": {"numpy": ["", "Arrays as in NumPy.", "module"], "jit": ["(fun)", "Compiles.", "function"]},
    "jax.numpy": {
        "arange": ["(start, stop=None)", "Create an array of evenly-spaced values.", "function"],
        "argmax": ["(a, axis=None)", "Return the index of the maximum value.", "function"],
        "pi": ["", "", "value"],
    },
    "flax.nnx": {"Linear": ["(in_features, out_features)", "A linear layer.", "class"]},
}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>The editor</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css"><link rel="stylesheet" href="work.css"><main><h1>The editor</h1>
<button id="before">Before</button><div class="editor" id="place" style="height: 25rem"></div>
<button id="after">After</button></main>
<script type="module">
import { editor } from "./editor.js";
window.told = { typed: 0, saved: 0, asked: 0, looked: [] };
window.found = [];
window.make = (text, settings = { keys: "usual", size: 15 }, words = {}) => {
  window.edited?.close();
  document.getElementById("place").replaceChildren();
  Object.assign(told, { typed: 0, saved: 0, asked: 0, looked: [] });
  window.edited = editor(document.getElementById("place"), text, {
    label: "The answer", typed: () => told.typed++, save: () => told.saved++, settings, words,
    complete: async () => (told.asked++, NAMES),
    look: async (text) => (told.looked.push(text), window.found),
  });
};
window.ready = true;
</script></html>"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not is_current():
        pytest.skip("the editor is not built here")
    folder: Path = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text(PAGE.replace("NAMES", json.dumps(NAMES)))
    (folder / "style.css").write_text(style())
    for name in (BUNDLE, "work.css"):
        (folder / name).write_text((ASSETS / name).read_text())

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[Any]:
    with driven() as driver:
        looks_like(driver, 1280)
        driver.get(address)
        wait(lambda: driver.execute_script("return window.ready"))
        yield driver


class Editor:
    """The editor on the page, with what a person does to it."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def make(self, text: str, **settings: Any) -> None:
        words = settings.pop("words", {})
        self.run(
            "make(arguments[0], arguments[1], arguments[2])", text, {"keys": "usual", "size": 15, **settings}, words
        )

    def open(self, text: str, **settings: Any) -> None:
        """As a lesson opens: an editor without a text, and then its first text."""
        self.make("", **settings)
        self.run("edited.set(arguments[0], { first: true })", text)

    def run(self, script: str, *given: Any) -> Any:
        return self.browser.execute_script(script, *given)

    def text(self) -> str:
        return self.run("return edited.text()")

    def told(self) -> dict[str, Any]:
        return self.run("return told")

    def shown(self, selector: str) -> list[str]:
        """The text of each element that is seen."""
        script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"
        return self.run(script, selector)

    def state(self, expression: str) -> Any:
        return self.run(f"const v = document.querySelector('.cm-content').cmTile.view; return {expression}")

    def line(self) -> int:
        return self.state("v.state.doc.lineAt(v.state.selection.main.head).number")

    def column(self) -> int:
        return self.state("v.state.selection.main.head - v.state.doc.lineAt(v.state.selection.main.head).from")

    def keys(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def control(self, key: str) -> None:
        from selenium.webdriver import ActionChains, Keys

        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def focus(self) -> None:
        self.run("edited.focus()")

    def focused(self) -> str:
        return self.run("return document.activeElement.id || document.activeElement.className")

    def go(self, line: int, column: int = 0) -> None:
        """Put the cursor somewhere, and the focus."""
        self.run(f"edited.show({line})")
        self.state(f"v.dispatch({{ selection: {{ anchor: v.state.doc.line({line}).from + {column} }} }})")
        self.focus()

    def hover(self, word: str, nth: int = 0) -> None:
        """Put the pointer on a word of the text."""
        from selenium.webdriver import ActionChains

        at = (
            "const n = [...v.state.doc.toString().matchAll(arguments[0])][arguments[1]].index + 1;"
            "const c = v.coordsAtPos(n); return [c.left + 1, (c.top + c.bottom) / 2]"
        )
        script = f"const v = document.querySelector('.cm-content').cmTile.view; {at}"
        x, y = self.run(script, word, nth)
        actions = ActionChains(self.browser)
        actions.w3c_actions.pointer_action.move_to_location(2, 2)
        actions.w3c_actions.pointer_action.move_to_location(int(x), int(y))
        actions.w3c_actions.pointer_action.move_to_location(int(x) + 1, int(y))
        actions.perform()


@pytest.fixture
def editor(browser: Any) -> Iterator[Editor]:
    console(browser)
    browser.execute_script("window.found = []")
    yield Editor(browser)
    assert console(browser) == []


def test_the_first_text_is_not_in_the_history(editor: Editor) -> None:
    editor.open(STUB)
    editor.focus()
    editor.control("z")
    assert editor.text() == STUB
    editor.run("edited.set('other = 1\\n')")
    editor.control("z")
    assert editor.text() == STUB, "a later text is one step"
    editor.keys("x")
    editor.run("edited.set(arguments[0], { first: true })", "x = 1\n")
    editor.control("z")
    assert editor.text() == "x = 1\n", "nothing leads back to another lesson"


def test_the_docstring_is_folded_and_the_cursor_stands_on_the_line_to_fill_in(editor: Editor) -> None:
    editor.open(STUB)
    lines = STUB.splitlines()
    assert lines[editor.line() - 1] == "    raise NotImplementedError"
    assert editor.column() == 4
    shown = editor.shown(".cm-content")[0]
    assert '"""Two linear layers of your own, with a tanh between them, on fresh weights, flattened.…"""' in shown
    assert "Write a module" not in shown
    assert "raise NotImplementedError" in shown
    assert editor.focused() != "cm-content cm-lineWrapping", "the page decides about the focus"
    editor.focus()
    editor.keys("y = 2; ")
    assert "    y = 2; raise NotImplementedError" in editor.text()
    assert editor.told()["typed"] > 0


def test_a_folded_docstring_opens_and_closes_by_keys(editor: Editor) -> None:
    from selenium.webdriver import ActionChains, Keys

    editor.open(STUB)
    editor.go(9, 4)
    for key, folds in (("]", 0), ("[", 1)):
        actions = ActionChains(editor.browser).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys(key)
        actions.key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
        wait(lambda folds=folds: len(editor.shown(".cm-foldPlaceholder")) == folds)
    assert "folded" in editor.run("return document.querySelector('.cm-foldPlaceholder').getAttribute('aria-label')")


@pytest.mark.parametrize(
    ("text", "line", "column", "folds"),
    [
        ('def f(x):\n    """One.\n\n    More.\n    """\n    # Now.\n    y = x\n    return y\n', 6, 4, 1),
        ('def f(x):\n    """One."""\n    return x\n', 3, 4, 0),
        ('def f(x):\n    """One.\n    Two."""\n', 3, 11, 1),
        ("def f(x):\n    raise NotImplementedError\n", 2, 4, 0),
        ("", 1, 0, 0),
        ("x = (\n", 1, 0, 0),
        (
            '@jit\ndef f(x):\n    """One.\n    Two."""\n    def g():\n        """Three.\n        Four."""\n    return g\n',
            5,
            4,
            1,
        ),
    ],
    ids=["a filled stub", "one line", "no body", "no docstring", "empty", "broken", "a function within"],
)
def test_every_first_text_has_a_place_to_begin(editor: Editor, text: str, line: int, column: int, folds: int) -> None:
    editor.open(text)
    assert (editor.line(), editor.column()) == (line, column)
    assert len(editor.shown(".cm-foldPlaceholder")) == folds


def test_the_line_to_fill_in_is_seen_in_a_low_editor(editor: Editor) -> None:
    editor.run("document.getElementById('place').style.height = '160px'")
    try:
        editor.open((ROOT / "problems" / "train_gpt" / "stub.py").read_text())
        seen = "const c = v.coordsAtPos(v.state.selection.main.head), b = v.scrollDOM.getBoundingClientRect();"
        script = f"const v = document.querySelector('.cm-content').cmTile.view; {seen}"
        wait(lambda: editor.run(f"{script} return Boolean(c) && c.top >= b.top && c.bottom <= b.bottom"))
    finally:
        editor.run("document.getElementById('place').style.height = ''")


MARKED = "a = 1\néé = '😀', jnp.sin(a)\nb = 3\n"
TOLD = {
    "line": 2, "column": 10, "end_line": 2, "end_column": 20, "says": "The angle turns too fast.",
    "yours": "0 0 1", "needed": "1 1 1", "kind": "error",
}  # fmt: skip


def test_a_mark_has_its_words_and_the_values_beside_it(editor: Editor) -> None:
    editor.make(MARKED)
    editor.run("edited.mark([arguments[0], { line: 3, says: 'All of it.' }, { line: 9, says: 'Nowhere.' }])", TOLD)
    assert editor.shown(".cm-told") == ["jnp.sin(a)", "b = 3"]
    assert editor.shown(".cm-beside") == ["yours 0 0 1 · needed 1 1 1"]
    assert editor.text() == MARKED
    assert len(editor.shown(".cm-lint-marker")) == 2
    editor.hover("sin")
    wait(lambda: editor.shown(".cm-tooltip .cm-diagnosticText") == ["The angle turns too fast."])


def test_what_stands_beside_a_line_is_not_copied(editor: Editor) -> None:
    editor.make(MARKED)
    editor.run("edited.mark([arguments[0]])", TOLD)
    editor.focus()
    editor.control("a")
    copied = (
        "const data = new DataTransfer();"
        "const copy = { clipboardData: data, bubbles: true, cancelable: true };"
        "document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('copy', copy));"
        "return [data.getData('text/plain'), getComputedStyle(document.querySelector('.cm-beside')).userSelect]"
    )
    assert editor.run(copied) == [MARKED, "none"]


def test_marks_move_with_the_text_and_vanish_with_it(editor: Editor) -> None:
    from selenium.webdriver import Keys

    editor.make(MARKED)
    editor.run("edited.mark([arguments[0]])", TOLD)
    editor.go(1)
    editor.keys(Keys.ENTER)
    assert editor.shown(".cm-told") == ["jnp.sin(a)"]
    editor.state("v.dispatch({ changes: { from: v.state.doc.line(3).from, to: v.state.doc.line(3).to } })")
    assert editor.shown(".cm-told, .cm-beside, .cm-lint-marker") == []


def test_a_marked_line_is_read_out_where_the_cursor_comes_to_it(editor: Editor) -> None:
    from selenium.webdriver import Keys

    editor.make(MARKED)
    editor.run("edited.mark([arguments[0]])", TOLD)
    editor.go(1)
    editor.keys(Keys.DOWN)
    wait(lambda: editor.shown(".cm-announced") == ["The angle turns too fast."])
    live = "return document.querySelector('.cm-announced').getAttribute('aria-live')"
    assert editor.run(live) == "polite"


def test_a_look_comes_after_a_pause_and_leaves_the_marks_of_the_verdict(editor: Editor) -> None:
    editor.make(MARKED)
    editor.run("edited.mark([arguments[0]])", TOLD)
    seen = {"line": 3, "column": 0, "end_line": 3, "end_column": 1, "says": "b is odd.", "kind": "warning"}
    editor.run("window.found = [arguments[0]]", seen)
    assert editor.told()["looked"] == [], "a first text is not looked at"
    editor.go(4)
    editor.keys("c")
    editor.keys("d")
    wait(lambda: editor.shown(".cm-looked") == ["b"])
    assert editor.told()["looked"] == [editor.text()], "once, after the last key"
    assert editor.shown(".cm-told") == ["jnp.sin(a)"]
    editor.run("edited.mark([])")
    assert editor.shown(".cm-told, .cm-beside") == []
    assert editor.shown(".cm-looked") == ["b"]
    editor.run("window.found = []")
    editor.keys("e")
    wait(lambda: editor.shown(".cm-looked") == [])


def test_remarks_stand_at_the_ends_of_lines_and_go(editor: Editor) -> None:
    from selenium.webdriver import Keys

    editor.make(MARKED)
    editor.run("edited.remark([{ line: 1, text: 'a = 1' }, { line: 3, text: 'b = 3' }, { line: 99, text: 'no' }])")
    assert editor.shown(".cm-line")[0].replace("\n", "").startswith("a = 1a = 1")
    assert editor.shown(".cm-beside") == ["a = 1", "b = 3"]
    editor.go(1)
    editor.keys(Keys.ENTER)
    assert "b = 3" in editor.shown(".cm-line")[3]
    assert len(editor.shown(".cm-line")[3]) > len("b = 3")
    editor.run("edited.remark([])")
    assert editor.shown(".cm-beside") == []


def test_show_goes_to_a_line(editor: Editor) -> None:
    editor.make("x = 1\n" * 200 + "    y = 2\n")
    editor.run("edited.show(201)")
    assert (editor.line(), editor.column()) == (201, 4)
    wait(lambda: any("y = 2" in line for line in editor.shown(".cm-line")))
    editor.run("edited.show(9999)")
    assert editor.line() == 202


@pytest.mark.parametrize(("typed", "path"), [("jnp.ar", "jax.numpy"), ("jax.numpy.ar", "jax.numpy")])
def test_names_are_completed_with_how_they_are_called(editor: Editor, typed: str, path: str) -> None:
    from selenium.webdriver import Keys

    editor.make("import jax, jax.numpy as jnp\n")
    editor.go(2)
    editor.keys(typed)
    wait(lambda: editor.shown(".cm-completionLabel") == ["arange", "argmax"])
    wait(lambda: editor.shown(".cm-completionInfo code") == ["arange(start, stop=None)"])
    assert editor.shown(".cm-completionInfo p") == ["Create an array of evenly-spaced values."]
    time.sleep(0.1)  # a key that comes at once is for the text
    editor.keys(Keys.TAB)
    assert editor.text().endswith(typed.removesuffix("ar") + "arange")
    editor.keys(Keys.ENTER, typed)
    wait(lambda: editor.shown(".cm-completionLabel") == ["arange", "argmax"])
    assert editor.told()["asked"] == 1
    assert path in NAMES


@pytest.mark.parametrize(
    "imports",
    [
        "from flax import nnx",
        "from flax import (\n    nnx,\n)",
        "import flax.nnx as nnx  # layers",
        "import os, flax.nnx as nnx",
    ],
)
def test_a_name_that_is_imported_in_any_way_is_known(editor: Editor, imports: str) -> None:
    editor.make(f"{imports}\n")
    editor.go(imports.count("\n") + 2)
    editor.keys("x = nnx.")
    wait(lambda: editor.shown(".cm-completionLabel") == ["Linear"])


def test_the_names_of_the_text_are_completed(editor: Editor) -> None:
    editor.make("frequencies = 3\n")
    editor.go(2)
    editor.keys("freq")
    wait(lambda: "frequencies" in editor.shown(".cm-completionLabel"))


def test_enter_after_a_whole_name_begins_a_line_and_after_a_part_completes_it(editor: Editor) -> None:
    from selenium.webdriver import Keys

    editor.make("width = 3\nwidths = 4\n")
    editor.go(3)
    editor.keys("width")
    wait(lambda: editor.shown(".cm-completionLabel")[:2] == ["width", "widths"])
    time.sleep(0.1)
    editor.keys(Keys.ENTER, "wid")
    assert editor.text().endswith("\nwidth\nwid")
    wait(lambda: editor.shown(".cm-completionLabel")[:2] == ["width", "widths"])
    time.sleep(0.1)
    editor.keys(Keys.DOWN, Keys.ENTER)
    assert editor.text().endswith("\nwidth\nwidths")


def test_keys_alone_show_how_a_name_is_called(editor: Editor) -> None:
    editor.make("import jax.numpy as jnp\nx = jnp.arange(3)\n")
    editor.go(2, len("x = jnp.arange"))
    editor.control(" ")
    wait(lambda: editor.shown(".cm-completionInfo code") == ["arange(start, stop=None)"])


def test_nothing_is_completed_in_a_string_and_of_a_name_that_is_not_imported(editor: Editor) -> None:
    from selenium.webdriver import Keys

    editor.make("import jax.numpy as jnp\n")
    editor.go(2)
    editor.keys("# jnp.ar", Keys.ENTER, "y = numpy.ar", Keys.ENTER, "jnp.ar")
    wait(lambda: editor.shown(".cm-completionLabel") == ["arange", "argmax"])
    assert editor.told()["asked"] == 1, "only of the last line"


def test_hover_says_how_a_name_is_called(editor: Editor) -> None:
    editor.make("import jax.numpy as jnp\nx = jnp.arange(3) * jnp.pi\n")
    editor.hover("arange")
    wait(lambda: editor.shown(".cm-tooltip .cm-name code") == ["jax.numpy.arange(start, stop=None)"])
    assert editor.shown(".cm-tooltip .cm-name p") == ["Create an array of evenly-spaced values."]
    editor.hover("jnp", 1)
    wait(lambda: editor.shown(".cm-tooltip .cm-name code") == ["jax.numpy"])


def test_brackets_and_quotes_close(editor: Editor) -> None:
    editor.make("")
    editor.focus()
    editor.keys("f([1, 'a")
    assert editor.text() == "f([1, 'a'])"


def test_the_search_opens_in_the_words_of_the_page(editor: Editor) -> None:
    from selenium.webdriver import Keys

    words = {
        "Find": "Buscar", "Replace": "Reemplazar", "next": "siguiente", "previous": "anterior", "all": "todos",
        "match case": "mayúsculas", "by word": "por palabra", "regexp": "regexp.", "replace": "reemplazar",
        "replace all": "reemplazar todos", "close": "cerrar", "yours": "tuyo", "needed": "necesario",
    }  # fmt: skip
    editor.make(MARKED, words=words)
    editor.focus()
    editor.control("f")
    wait(lambda: editor.focused() == "cm-textfield")
    assert editor.run("return document.activeElement.placeholder") == "Buscar"
    seen = " ".join(editor.shown(".cm-search button, .cm-search label")).lower()
    assert {"siguiente", "anterior", "todos", "mayúsculas", "reemplazar"} <= {*seen.split()}
    assert not {"next", "previous", "all", "replace", "case"} & {*seen.split()}
    editor.keys("sin", Keys.ENTER)
    wait(lambda: editor.shown(".cm-searchMatch-selected") == ["sin"])
    editor.control("s")
    assert editor.told()["saved"] == 1, "it saves from the search, too"
    editor.keys(Keys.ESCAPE)
    wait(lambda: editor.shown(".cm-search") == [])
    editor.run("edited.mark([arguments[0]])", TOLD)
    assert editor.shown(".cm-beside") == ["tuyo 0 0 1 · necesario 1 1 1"]


@pytest.mark.parametrize("keys", ["usual", "vim", "emacs"])
def test_control_s_saves_and_escape_tab_and_control_m_leave(editor: Editor, keys: str) -> None:
    from selenium.webdriver import Keys

    editor.make(MARKED, keys=keys)
    editor.focus()
    editor.control("s")
    assert editor.told()["saved"] == 1
    editor.keys(Keys.ESCAPE, Keys.TAB)
    assert editor.focused() == "after"
    editor.focus()
    editor.control("m")
    editor.keys(Keys.TAB)
    assert editor.focused() == "after"
    assert editor.text() == MARKED


def test_tab_indents(editor: Editor) -> None:
    from selenium.webdriver import ActionChains, Keys

    editor.make("x = 1\n")
    editor.go(1)
    editor.keys(Keys.TAB)
    assert editor.text() == "    x = 1\n"
    assert editor.focused().startswith("cm-content")
    ActionChains(editor.browser).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    assert editor.text() == "x = 1\n"


def test_vim_saves_by_its_own_command(editor: Editor) -> None:
    from selenium.webdriver import Keys

    editor.make("x = 1\ny = 2\n", keys="vim")
    editor.focus()
    editor.keys("dd")
    assert editor.text() == "y = 2\n"
    editor.keys("u")
    assert editor.text() == "x = 1\ny = 2\n"
    editor.keys(":w", Keys.ENTER)
    wait(lambda: editor.told()["saved"] == 1)
    editor.keys("i", "ab")
    assert editor.text().startswith("abx"), "the focus is back in the text"


def test_emacs_has_its_keys(editor: Editor) -> None:
    editor.make("x = 1\ny = 2\n", keys="emacs")
    editor.focus()
    editor.control("n")
    editor.control("e")
    editor.keys("3")
    assert editor.text() == "x = 1\ny = 23\n"


def test_settings_change_while_one_writes(editor: Editor) -> None:
    editor.make("x = 1\n")
    editor.run("edited.settings({ size: 22, keys: 'vim' })")
    assert editor.run("return getComputedStyle(document.querySelector('.cm-content')).fontSize") == "22px"
    editor.focus()
    editor.keys("dd")
    assert editor.text() == ""
    editor.run("edited.settings({ keys: 'usual' })")
    editor.keys("dd")
    assert editor.text() == "dd"
    assert editor.run("return getComputedStyle(document.querySelector('.cm-content')).fontSize") == "22px"


def test_a_formatted_text_is_one_step_and_keeps_the_cursor(editor: Editor) -> None:
    editor.make("x=1\ny  = [ 2,3 ]\nz=4\n")
    editor.go(2, 9)
    editor.run("edited.format('x = 1\\ny = [2, 3]\\nz = 4\\n')")
    assert editor.text() == "x = 1\ny = [2, 3]\nz = 4\n"
    assert (editor.line(), editor.column()) == (2, 7), "behind the comma, as before"
    assert editor.told()["typed"] == 0
    editor.control("z")
    assert editor.text() == "x=1\ny  = [ 2,3 ]\nz=4\n"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_is_for_everybody(editor: Editor, scheme: str) -> None:
    """With all that it can show at once: marks, values, the search, a folded docstring, a completion."""
    axe = pytest.importorskip("axe_core_python")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    looks_like(editor.browser, 1280, scheme)
    try:
        editor.open(STUB)
        fill = editor.line()
        editor.run("edited.mark([{ ...arguments[0], line: arguments[1], end_line: arguments[1] }])", TOLD, fill)
        editor.run(f"edited.remark([{{ line: {fill - 1}, text: 'Rngs' }}])")
        editor.focus()
        editor.control("f")
        editor.go(fill)
        editor.keys("    jnp.a")
        wait(lambda: editor.shown(".cm-completionInfo code"))
        editor.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
        found = editor.browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    finally:
        looks_like(editor.browser, 1280)
