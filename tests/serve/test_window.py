"""The window of a lesson: all that matters on one screen, and what its tabs, keys and settings do. In a real browser."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.kit.state import folder_of_kit
from grader.serve.editor_bundle import is_current
from tests.commands.test_check import HALF_AND_STACKED, RIGHT
from tests.conftest import FLAGSHIP, Command
from tests.page.driven import looks_like, missing
from tests.serve.conftest import BESIDE
from tests.serve.served import Page, Served, serving, wait
from tests.serve.test_stories import ENDLESS, Eve, never_ask

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]
with_editor = pytest.mark.skipif(not is_current(), reason="the editor is not built here")

WRONG_BASE = RIGHT.replace("10000.0 **", "1000.0 **")


def laptop(page: Page, width: int = 1280, height: int = 720) -> None:
    """A screen on which a page must show what matters without scrolling."""
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )


def seen(page: Page, query: str) -> list[str]:
    """The texts of the elements that a query finds, which are whole on the screen."""
    script = """
        const inside = ({left, top, right, bottom}) => top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
        const above = (one) => document.elementsFromPoint(one.left + 2, one.bottom - 2);
        return [...document.querySelectorAll(arguments[0])]
          .filter((one) => inside(one.getBoundingClientRect()) && above(one.getBoundingClientRect()).includes(one))
          .map((one) => one.textContent);
    """
    return page.run(script, query)


def graded(page: Page, text: str, words: str) -> None:
    """Write and save a text, and wait for its verdict, which stays."""
    page.write(text)
    page.save()
    wait(lambda: words in page.verdict())
    wait(lambda: not page.said("phase"))


def press(page: Page, *keys: str, held: str = "") -> None:
    from selenium.webdriver import ActionChains

    chain = ActionChains(page.browser)
    if held:
        chain = chain.key_down(held)
    chain = chain.send_keys(*keys)
    (chain.key_up(held) if held else chain).perform()


@with_editor
def test_a_lesson_opens_on_the_line_to_fill_in_and_undo_takes_nothing_away(page: Page) -> None:
    from selenium.webdriver import Keys

    laptop(page)
    page.go(FLAGSHIP)
    assert "    raise NotImplementedError" in seen(page, ".cm-line")
    assert not [line for line in seen(page, ".cm-line") if "Returns:" in line]
    assert page.run("return document.activeElement.className").startswith("cm-content")
    before = page.text()
    press(page, "z", held=Keys.CONTROL)
    assert page.text() == before
    page.insert("x")
    assert "    xraise NotImplementedError" in page.text()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_a_wrong_verdict_is_on_one_screen_the_mistake_first(page: Page, width: int, height: int) -> None:
    laptop(page, width, height)
    graded(page, HALF_AND_STACKED, "half-exponent")
    shown = seen(page, "#page-verdict :is(p, th)")
    for words in ("half-exponent", "every pair but the first", "By how much", "stacked-layout", "smallest that fails"):
        assert any(words in one for one in shown), words
    assert any("expected" in one for one in shown)
    order = [page.verdict().index(words) for words in ("half-exponent", "Hint", "Right on 1 of 8", "expected")]
    assert order == sorted(order)
    scrolls = "return [document.documentElement.scrollHeight, innerHeight]"
    assert len({*page.run(scrolls)}) == 1


@with_editor
def test_a_place_is_marked_in_the_text_with_its_values_and_its_sentence(page: Page) -> None:
    from selenium.webdriver import ActionChains

    for _ in range(3):  # the values of a repair are told when all hints were taken
        page.press("hint")
    wait(lambda: "Hint 3 of 3" in page.said("hints"))
    graded(page, WRONG_BASE, "wrong-base")
    marked = wait(lambda: page.browser.find_elements("css selector", ".cm-told"))
    assert "".join(one.text for one in marked) == "1000.0 ** (-2 * pairs / d_model)"
    line = page.run("return document.querySelector('.cm-told').closest('.cm-line').textContent")
    assert re.search(r"yours 1\.000 0\.032.*needed 1\.000 0\.010", line)
    assert "yours" not in page.text()
    ActionChains(page.browser).move_to_element(marked[0]).perform()
    wait(lambda: "all 8 cases are right" in page.run("return document.querySelector('.cm-tooltip')?.textContent ?? ''"))
    page.write(RIGHT)
    page.save()
    wait(lambda: "correct" in page.verdict())
    wait(lambda: not page.browser.find_elements("css selector", ".cm-told"))


@pytest.mark.nightly
def test_an_exercise_takes_the_place_of_the_answer_and_is_found_or_given_up(page: Page) -> None:
    graded(page, RIGHT, "correct")
    stub, exercise = page.served.stub(), page.served.stub().with_name("practice.py")
    page.tab("practice")
    page.press("practise")
    wait(lambda: "with one mistake" in page.said("practised"))
    assert "expected" in page.said("practised")
    shown = page.browser.find_element("id", "page-exercise")
    assert (shown.is_displayed(), page.browser.find_element("id", "page-editor").is_displayed()) == (True, False)
    assert not [word for word in ("line", "Hint:") if word in page.said("practised")]
    page.browser.find_element("css selector", "[data-move=hint]").click()
    wait(lambda: "Hint 1 of 4" in page.said("practised"))
    exercise.write_text(RIGHT)
    page.go(FLAGSHIP)
    page.tab("practice")
    wait(lambda: page.said("practise") == "Grade the exercise")
    page.press("practise")
    wait(lambda: "found" in page.said("practised"))
    wait(lambda: page.browser.find_element("id", "page-editor").is_displayed())
    page.press("practise")
    wait(lambda: "with one mistake" in page.said("practised"))
    page.browser.find_element("css selector", "[data-move=give-up]").click()
    wait(lambda: "given up" in page.said("practised"))
    assert stub.read_text() == RIGHT


@pytest.mark.nightly
def test_without_a_right_answer_the_tab_says_what_to_do(page: Page) -> None:
    page.tab("practice")
    page.press("practise")
    wait(lambda: "There is no right answer of yours" in page.said("practised"))
    page.browser.find_element("css selector", "[data-move=worked]").click()
    wait(lambda: "holds the worked answer" in page.said("practised"))


def test_a_run_begins_with_the_smallest_failing_case_and_takes_other_arguments(page: Page) -> None:
    from selenium.webdriver import Keys

    graded(page, HALF_AND_STACKED, "half-exponent")
    page.tab("run")
    fields = {one.get_attribute("name"): one for one in page.browser.find_elements("css selector", "#page-run input")}
    assert {name: one.get_attribute("value") for name, one in fields.items()} == {"seed": "0", "T": "3", "d_model": "4"}
    press(page, Keys.ENTER, held=Keys.CONTROL)
    wait(lambda: "shown as (3, 4), position x dim" in page.said("ran"))
    assert "Expected:" in page.said("ran")
    fields["T"].clear()
    fields["T"].send_keys("1", Keys.ENTER)
    wait(lambda: f"{FLAGSHIP}(seed=0, T=1, d_model=4)" in page.said("ran"))
    assert "Expected:" not in page.said("ran")
    fields["T"].clear()
    fields["T"].send_keys("one", Keys.ENTER)
    wait(lambda: "T should be a whole number, and 'one' is not" in page.said("ran"))
    # What is run is the text in the editor, saved or not.
    page.write(RIGHT.replace("    positions =", "    print('not saved', T)\n    positions =", 1))
    fields["T"].clear()
    fields["T"].send_keys("2", Keys.ENTER)
    wait(lambda: "not saved 2" in page.said("ran"))
    assert page.state() == "Not saved"
    assert page.served.stub().read_text() == HALF_AND_STACKED


def test_a_stub_that_is_not_filled_in_is_told_and_the_arguments_stay(page: Page) -> None:
    page.tab("run")
    names = "return [...document.querySelectorAll('#page-run input')].map((one) => one.name)"
    page.browser.find_element("css selector", "#page-run button").click()
    wait(lambda: "Not filled in yet" in page.said("ran"))
    assert page.run(names) == ["seed", "T", "d_model"]


@pytest.mark.nightly
def test_a_worked_answer_is_asked_for_before_anything_was_graded(browser: Any, kit: Path) -> None:
    (kit / "problems" / FLAGSHIP / "stub.py").write_text(HALF_AND_STACKED)
    with serving(kit) as served:
        page = Page(browser, served)
        page.tab("solution")
        wait(lambda: "Show the worked answer all the same?" in page.said("worked"))
        page.browser.find_element("css selector", "#page-worked button").click()
        wait(lambda: "From yours to the worked answer" in page.said("worked"))


@pytest.mark.nightly
def test_a_trace_stands_beside_the_lines_and_in_its_tab(page: Page) -> None:
    graded(page, HALF_AND_STACKED, "half-exponent")
    page.tab("trace")
    page.press("trace")
    wait(lambda: "The first doubt" in page.said("traced"))
    if is_current():
        line = "return [...document.querySelectorAll('.cm-line')].find((one) => one.textContent.includes('pairs = '))"
        wait(lambda: "int32(2,) 0 1" in page.run(f"{line}.textContent"))
        assert "int32(" not in page.text()


@pytest.mark.nightly
def test_each_case_has_a_tick_or_a_cross_and_shows_itself(page: Page) -> None:
    graded(page, HALF_AND_STACKED, "half-exponent")
    page.tab("cases")
    cases = page.browser.find_elements("css selector", "#page-cases button")
    told = [" ".join(one.text.split()) for one in cases]
    assert told[:2] == ["✗ T=3, d_model=4 failed", "✗ T=2, d_model=6 failed"]
    assert "✓ T=9, d_model=2 passed" in told
    cases[1].click()
    wait(lambda: f"{FLAGSHIP}(seed=0, T=2, d_model=6)" in page.said("ran"))
    assert "Expected:" in page.said("ran")


def test_where_expected_values_are_withheld_a_run_does_not_tell_them(browser: Any, kit: Path) -> None:
    with serving(kit, "--feedback", "diagnosis") as served:
        page = Page(browser, served)
        graded(page, HALF_AND_STACKED, "half-exponent")
        page.tab("cases")
        page.browser.find_element("css selector", "#page-cases button").click()
        wait(lambda: "It returned float32" in page.said("ran"))
        assert "Expected" not in page.said("ran")


@pytest.mark.nightly
def test_what_an_answer_prints_in_all_cases_has_a_tab(page: Page) -> None:
    graded(page, RIGHT.replace("    positions =", "    print('called with', T)\n    positions =", 1), "correct")
    page.tab("output")
    assert "called with 2000" in page.said("output")


@pytest.mark.nightly
def test_a_run_that_does_not_end_is_stopped(page: Page) -> None:
    page.write(ENDLESS)
    page.tab("run")
    page.browser.find_element("css selector", "#page-run button").click()
    wait(lambda: "Running" in page.said("phase"))
    page.press("stop")
    wait(lambda: "The run was stopped" in page.said("phase"))


@pytest.mark.nightly
def test_a_pass_tells_the_end_of_the_lesson_what_follows_and_the_end_of_a_track(page: Page) -> None:
    graded(page, RIGHT, "correct")
    wait(lambda: page.said("next"))
    told = " ".join(page.said("next").split())
    assert "You have solved the whole of Track 2 Position encoding." in told
    assert "It is row 44" in told  # the section "When it passes"
    assert "Next: Layer normalisation" in told
    assert page.said("solved") == "1 of 1 solved"


@pytest.mark.nightly
def test_borders_and_settings_stay_as_they_were_left(page: Page) -> None:
    from selenium.webdriver import Keys

    def place() -> float:
        return page.run("return document.getElementById('page-border-lesson').getBoundingClientRect().left")

    before = place()
    page.run("document.getElementById('page-border-lesson').focus()")
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    moved = place()
    assert moved > before
    page.press("settings")
    size = page.browser.find_element("id", "page-size")
    size.clear()
    size.send_keys("20", Keys.TAB)
    page.go(FLAGSHIP)
    assert place() == moved
    text = "document.querySelector('.cm-line') ?? document.getElementById('page-text')"
    shown = f"return getComputedStyle({text}).fontSize"
    wait(lambda: page.run(shown) == "20px")


@pytest.mark.nightly
@with_editor
def test_vim_saves_by_its_own_command(page: Page) -> None:
    from selenium.webdriver import Keys

    page.press("settings")
    page.run(
        "const one = document.getElementById('page-editor-keys'); one.value = 'vim'; one.dispatchEvent(new Event('change'))"
    )
    page.focus()
    press(page, "ggdGi")
    page.insert(RIGHT)
    press(page, Keys.ESCAPE)
    press(page, ":w", Keys.ENTER)
    wait(lambda: "correct" in page.verdict())


@pytest.mark.nightly
@with_editor
def test_names_are_completed_and_one_that_does_not_exist_is_marked_while_it_is_typed(page: Page) -> None:
    page.write("import jax.numpy as jnp\n\nx = jnp.arrange(3)\n")
    wait(lambda: page.browser.find_elements("css selector", ".cm-looked"))
    page.write("import jax.numpy as jnp\n\nx = jnp.aran")
    press(page, "g")
    wait(lambda: "arange" in page.run("return document.querySelector('.cm-tooltip-autocomplete')?.textContent ?? ''"))


@pytest.mark.nightly
def test_a_text_is_formatted_where_ruff_is_installed(page: Page) -> None:
    if shutil.which("ruff", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("ruff is not installed here")
    page.write("x=1\n")
    page.press("format")
    wait(lambda: page.text() == "x = 1\n")
    page.write("x=(\n")
    page.press("format")
    wait(lambda: "syntax error" in page.banner())
    assert page.text() == "x=(\n"


def test_the_list_of_keys_opens_by_one_and_closes_by_another(page: Page) -> None:
    from selenium.webdriver import Keys

    opened = "return document.getElementById('page-shortcuts').open"
    page.run("document.getElementById('page-tab-verdict').focus()")
    press(page, "?")
    assert page.run(opened)
    press(page, Keys.ESCAPE)
    assert not page.run(opened)
    press(page, Keys.ARROW_RIGHT)
    assert page.run("return document.activeElement.id") == "page-tab-run"


@pytest.mark.nightly
def test_the_language_is_changed_in_the_window(browser: Any, kit: Path) -> None:
    with serving(kit) as served:
        page = Page(browser, served)
        graded(page, HALF_AND_STACKED, "wrong")
        page.run(
            "const one = document.getElementById('page-language'); one.value = 'es'; one.dispatchEvent(new Event('change'))"
        )
        wait(lambda: page.run("return document.documentElement.lang") == "es")
        wait(lambda: "incorrecta" in page.verdict())
        assert page.run("return document.querySelector('h1').textContent") != "Sinusoidal position encoding"


def test_a_picture_is_drawn_on_the_paper_of_the_page(page: Page) -> None:
    graded(page, HALF_AND_STACKED, "half-exponent")
    looks_like(page.browser, 1280, "dark")
    page.tab("picture")
    wait(lambda: "wrong" in page.said("picture"))
    assert "transparent" in page.run("return document.querySelector('#page-picture svg').outerHTML.slice(0, 800)")
    looks_like(page.browser, 1280, "light")


@pytest.mark.nightly
def test_a_tab_finds_its_kit_again_after_a_restart_where_that_was_allowed(browser: Any, kit: Path) -> None:
    with serving(kit) as served:
        page = Page(browser, served)
        page.press("settings")
        page.press("again")
        wait(lambda: (folder_of_kit(kit.resolve()) / "tab-secret").exists())
        page.write("# typed\n")
        served.end()
    wait(lambda: "does not answer" in page.banner())
    eve = Eve(served.port)  # another program at this port proves nothing, and gets no cookie, no path and no text
    try:
        wait(lambda: eve.requests)
        asked = {f"{one.path.partition('=')[0]} {one.headers.get('cookie', '')}" for one in eve.requests}
        assert asked == {"/again?nonce "}
    finally:
        eve.close()
    page.write("# typed later\n")
    with serving(kit) as again:
        assert again.port == served.port
        wait(lambda: page.browser.current_url.startswith(again.page))
        assert page.browser.current_url.endswith(f"/lessons/{FLAGSHIP}.html")
        wait(lambda: "was not saved" in page.banner())
        page.choose("Use it")
        wait(lambda: page.text() == "# typed later\n")
        page.save()
        wait(lambda: again.stub().read_text() == "# typed later\n")
    never_ask(browser)


@pytest.mark.nightly
def test_a_solved_problem_of_a_terminal_is_counted_in_the_bar(page: Page, served: Served) -> None:
    served.stub().write_text(RIGHT)
    assert Command(served.kit)("check", FLAGSHIP).returncode == 0
    wait(lambda: page.said("solved") == "1 of 1 solved")
    page.go(BESIDE)
    wait(lambda: page.said("solved") == "0 of 1 solved")
