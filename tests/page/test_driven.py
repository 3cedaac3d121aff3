"""The site in a browser: it opens without a network and without a complaint, its sliders move marks, its search finds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import Kit
from tests.conftest import PROBLEMS, ROOT, Command
from tests.page.driven import console, driven, looks_like, missing, requested

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

KIT = Kit(ROOT)
WITH_FIGURES = frozenset(name for name in PROBLEMS if KIT.figure(name).is_file())
NUMBERS = "dot product 30.9168, cosine 0.9662, distance 1.4718"
SECONDS = 30


SOME = ("causal_attention", "compare_positions", "embed_tokens", "mini_gpt", "rope", "sinusoidal_pos")
"""Lessons of which a test asks something, most with a figure. `.ci/nightly` drives the site of all lessons too."""


def made(out: Path, names: Sequence[str]) -> Path:
    done = Command(ROOT)("site", str(out), *names)
    assert (done.returncode, done.stderr) == (0, "")
    assert {one.stem for one in out.glob("lessons/*.html")} == set(names)
    return out


@pytest.fixture(
    scope="module", params=[SOME, pytest.param(sorted(PROBLEMS), marks=pytest.mark.nightly)], ids=["some", "all"]
)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("page") / "site", request.param)


def lessons(site: Path) -> list[str]:
    return sorted(page.stem for page in site.glob("lessons/*.html"))


def with_figures(site: Path) -> list[str]:
    return sorted({*WITH_FIGURES} & {*lessons(site)})


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with driven() as driver:
        yield driver


@pytest.fixture
def browser(driver: Any) -> Iterator[Any]:
    """The browser of all tests. What a reader chose in one of them is forgotten after it."""
    yield driver
    driver.execute_script("localStorage.clear()")


def wait(happens: Callable[[], Any]) -> Any:
    end = time.monotonic() + SECONDS
    while not (found := happens()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def opened(browser: Any, site: Path, name: str) -> None:
    browser.get((site / name).as_uri())
    waiting = "return [...document.querySelectorAll('.plot')].every((one) => one.dataset.drawn || !one.isConnected)"
    wait(lambda: browser.execute_script(waiting))


def slide(browser: Any, name: str, value: int, figure: int = 0) -> None:
    """Set a slider or a choice of a figure, as a reader does."""
    script = (
        "const one = document.querySelectorAll('.figure')[arguments[0]].querySelector(`[name='${arguments[1]}']`);"
        "one.value = arguments[2]; one.dispatchEvent(new Event('input', {bubbles: true}));"
        "one.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    browser.execute_script(script, figure, name, str(value))


def said(browser: Any, figure: int = 0) -> str:
    return browser.execute_script(f"return document.querySelectorAll('.said')[{figure}].textContent")


def marks(browser: Any, figure: int = 0) -> int:
    """A number that stands for the marks of a figure: for shape, place and colour of each, but not for their order.

    Marks that come back are drawn last, and a gradient gets a new number each time it is drawn. The marks themselves are
    megabytes, and this is asked again and again.
    """
    script = (
        "const of = (text) => [...text].reduce((sum, each) => (Math.imul(sum, 31) + each.codePointAt(0)) | 0, 7);"
        "return [...document.querySelectorAll('.plot')[arguments[0]].querySelectorAll('svg [aria-roledescription] path, "
        "svg .mark-group path, svg text')].map((one) => of(['d', 'transform', 'fill', 'stroke'].map((each) => "
        "one.getAttribute(each)).join().replace(/#gradient_[0-9]+/, '') + one.textContent))"
        ".reduce((sum, each) => sum + each, 0)"
    )
    return browser.execute_script(script, figure)


def test_a_page_opens_without_a_request_beyond_itself_and_without_a_complaint(browser: Any, site: Path) -> None:
    requested(browser)  # those of another site, which a test before looked at
    for page in ("index.html", "tracks/1.html", *(f"lessons/{name}.html" for name in lessons(site))):
        opened(browser, site, page)
        inside = {
            one for one in requested(browser) if not one.startswith((site.as_uri(), "chrome"))
        }  # its own first tab
        assert (page, inside, console(browser)) == (page, set(), [])


def test_every_page_fits_a_phone_and_a_desk(browser: Any, site: Path) -> None:
    names = ["index.html", "tracks/1.html", *(f"lessons/{name}.html" for name in lessons(site))]
    for width, scheme in ((400, "dark"), (1200, "light")):
        looks_like(browser, width, scheme)
        for name in names:
            opened(browser, site, name)
            wide = browser.execute_script("return document.documentElement.scrollWidth")
            assert wide <= width, (name, width)
        assert console(browser) == []
    looks_like(browser, 1200)


def test_a_map_is_seen_whole_or_not_at_all(browser: Any, site: Path) -> None:
    script = (
        "return [...document.querySelectorAll('.map svg')].map((one) => [one.getClientRects().length > 0,"
        "one.getBoundingClientRect().right <= one.parentElement.getBoundingClientRect().right + 1])"
    )
    for width, media in ((400, ""), (1000, ""), (700, "print"), (1280, "")):
        looks_like(browser, width)
        opened(browser, site, "index.html")
        if media:
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
        maps = browser.execute_script(script)
        assert maps
        assert {shown for shown, _ in maps} == {width != 400}
        assert not [fits for shown, fits in maps if shown and not fits], width
    looks_like(browser, 1200)


def test_every_title_of_a_map_fits_its_box(browser: Any, site: Path) -> None:
    script = (
        "return [...document.querySelectorAll('.map a')].map((one) => [one.querySelector('text').getBBox(), "
        "one.querySelector('rect').getBBox()]).filter(([text, box]) => text.x < box.x || text.y < box.y || "
        "text.x + text.width > box.x + box.width || text.y + text.height > box.y + box.height).length"
    )
    for page in ("index.html", "es/index.html"):
        opened(browser, site, page)
        assert browser.execute_script(script) == 0, page


def test_two_choices_and_one_click_give_the_numbers_of_public_lessons(browser: Any, site: Path) -> None:
    opened(browser, site, "lessons/compare_positions.html")
    slide(browser, "p", 20)
    slide(browser, "q", 40)
    wait(lambda: said(browser).startswith("Positions 20 and 40"))
    slide(browser, "p", 0)
    slide(browser, "q", 1)
    wait(lambda: said(browser) == f"Positions 0 and 1: {NUMBERS}")
    slide(browser, "q", 40)
    wait(lambda: NUMBERS not in said(browser))
    # The cell of row 0 and column 1 is the second one that is drawn.
    script = (
        "const one = document.querySelectorAll('.plot .mark-rect path')[1]; const at = one.getBoundingClientRect();"
        "for (const kind of ['pointermove', 'mousedown', 'mouseup', 'click']) one.dispatchEvent(new MouseEvent(kind, "
        "{bubbles: true, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2}))"
    )
    browser.execute_script(script)
    wait(lambda: said(browser) == f"Positions 0 and 1: {NUMBERS}")


def test_every_slider_and_choice_of_a_figure_moves_marks_or_is_read(browser: Any, site: Path) -> None:
    for name in with_figures(site):
        if name != "embed_tokens":  # it has a text to fill in, and no slider
            assert_controls_work(browser, site, name)


def assert_controls_work(browser: Any, site: Path, name: str) -> None:
    opened(browser, site, f"lessons/{name}.html")
    figures = browser.execute_script("return document.querySelectorAll('.figure').length")
    for figure in range(figures):
        script = (
            "const figure = document.querySelectorAll('.figure')[arguments[0]];"
            "return [...figure.querySelectorAll('.vega-bind [name]')].map((one) => [one.name, one.value, "
            "one.options ? [...one.options].map((each) => each.value) : [one.min, one.max]])"
        )
        controls = browser.execute_script(script, figure)
        assert controls
        for control, value, options in controls:
            other = next(one for one in options if one != value)
            before = marks(browser, figure), said(browser, figure)
            slide(browser, control, other, figure)
            wait(lambda: (marks(browser, figure), said(browser, figure)) != before)  # noqa: B023
            for each, at_first, _ in controls:  # a slider that ended lower has moved another
                slide(browser, each, at_first, figure)
            wait(lambda: (marks(browser, figure), said(browser, figure)) == before)  # noqa: B023
    assert console(browser) == []


def test_a_slider_ends_where_the_size_ends_and_says_what_the_sentence_says(browser: Any, site: Path) -> None:
    opened(browser, site, "lessons/sinusoidal_pos.html")
    slider = (
        "const one = document.querySelectorAll('.figure')[arguments[0]].querySelector(`[name='${arguments[1]}']`);"
        "return [one.max, one.value, one.nextElementSibling.textContent]"
    )
    for figure, name, seen in (
        (0, "first", "Dimension {} of {}, base"),
        (1, "at_dim", "Position 3, dimension {} of {},"),
    ):
        for size in (64, 16, 2):
            slide(browser, "d_model", size, figure)
            slide(browser, name, 62, figure)
            last = str(min(size - 1, 62))
            wait(lambda: browser.execute_script(slider, figure, name) == [str(size - 1), last, last])  # noqa: B023
            said_now = seen.format(last, size) if (figure, size) != (0, 64) else "Dimensions 62 to 63 of 64, base"
            assert said(browser, figure).startswith(said_now)
        slide(browser, "d_model", 64, figure)
        slide(browser, name, 40, figure)
        slide(browser, "d_model", 16, figure)
        wait(lambda: browser.execute_script(slider, figure, name) == ["15", "15", "15"])  # noqa: B023
    assert console(browser) == []


def test_a_figure_that_is_drawn_again_keeps_its_controls_and_what_was_chosen(browser: Any, site: Path) -> None:
    looks_like(browser, 1200)
    opened(browser, site, "lessons/sinusoidal_pos.html")
    slide(browser, "d_model", 32)
    slide(browser, "first", 20)
    wait(lambda: said(browser).startswith("Dimensions 20 to 25 of 32"))
    state = (
        "const figure = document.querySelector('.figure');"
        "return [[...figure.querySelectorAll('.controls [name]')].map((one) => [one.name, one.value, one.max]),"
        "figure.querySelector('.said').textContent]"
    )
    before, ink = browser.execute_script(state), "return document.querySelector('.plot text').getAttribute('fill')"
    assert ["first", "20", "31"] in before[0]
    light = browser.execute_script(ink)
    looks_like(browser, 1200, "dark")
    wait(lambda: browser.execute_script(ink) not in (None, light))
    wait(lambda: browser.execute_script(state) == before)
    looks_like(browser, 1200)
    assert console(browser) == []


def test_a_cosine_is_dashed_and_a_pair_keeps_its_colour_whichever_waves_are_shown(browser: Any, site: Path) -> None:
    opened(browser, site, "lessons/sinusoidal_pos.html")
    waves = (
        "return [...document.querySelectorAll('.plot')[0].querySelectorAll('.mark-line path')]"
        ".map((one) => [one.getAttribute('stroke'), one.getAttribute('stroke-dasharray')])"
    )
    sine, cosine = browser.execute_script(waves)[:2]
    assert sine[0] == cosine[0]
    assert (sine[1], cosine[1]) == ("1,0", "4,2")
    slide(browser, "count", 1)
    slide(browser, "first", 1)
    wait(lambda: browser.execute_script(waves) == [cosine])


def test_a_legend_that_grows_is_seen_whole(browser: Any, site: Path) -> None:
    opened(browser, site, "lessons/sinusoidal_pos.html")
    slide(browser, "d_model", 64)
    slide(browser, "count", 10)
    legend = (
        "const bottom = (one) => one.getBoundingClientRect().bottom; const plot = document.querySelector('.plot');"
        "const text = [...plot.querySelectorAll('.role-legend text')];"
        "return [text.length, Math.max(...text.map(bottom)) <= bottom(plot)]"
    )
    wait(lambda: browser.execute_script(legend) == [9, True])  # two titles, five pairs, sine and cosine


def test_cells_of_heat_maps_are_silent_and_every_figure_has_a_sentence_and_a_table(browser: Any, site: Path) -> None:
    for name in with_figures(site):
        opened(browser, site, f"lessons/{name}.html")
        loud = "return document.querySelectorAll('.mark-rect path[aria-label]').length"
        assert browser.execute_script(loud) == 0, name
        script = (
            "return [...document.querySelectorAll('.figure')].every((one) => one.querySelector('table caption') && "
            "document.getElementById(one.getAttribute('aria-describedby')).textContent.length > 80)"
        )
        assert browser.execute_script(script), name


@pytest.mark.nightly
def test_controls_come_before_the_drawing_and_their_names_hold_no_value(browser: Any, site: Path) -> None:
    for name in with_figures(site):
        opened(browser, site, f"lessons/{name}.html")
        script = (
            "return [...document.querySelectorAll('.figure')].map((one) => [one.querySelector('figcaption').textContent,"
            "one.querySelector('.plot').getAttribute('aria-label'), [...one.querySelectorAll('input, select')],"
            "[...one.querySelectorAll('input, select')].every((each) => each.compareDocumentPosition("
            "one.querySelector('svg, .walk')) & Node.DOCUMENT_POSITION_FOLLOWING)])"
        )
        for title, label, controls, first in browser.execute_script(script):
            assert first, name
            assert label == title or name == "embed_tokens"
            names = [one.accessible_name for one in controls]
            assert all(names), name
            assert len(set(names)) == len(names)
            sliders = [one for one in controls if one.get_attribute("type") == "range"]
            assert controls
            for slider in sliders:
                shown, said_name = slider.get_property("nextElementSibling").text, slider.accessible_name
                assert shown == slider.get_attribute("value")
                assert not said_name.endswith(shown), said_name


def test_a_slider_is_large_enough_for_a_finger(browser: Any, site: Path) -> None:
    looks_like(browser, 400)
    opened(browser, site, "lessons/compare_positions.html")
    sizes = "return [...document.querySelectorAll('.figure :is(input, select)')].map((one) => one.offsetHeight)"
    assert min(browser.execute_script(sizes)) >= 24
    looks_like(browser, 1200)


def test_the_caption_of_a_table_is_read_whole_on_a_phone(browser: Any, site: Path) -> None:
    ends = (
        "const scroll = document.querySelector('.figure .scroll:has(caption)'); scroll.closest('details').open = true;"
        "return [scroll.scrollWidth > scroll.clientWidth, scroll.querySelector('caption').getBoundingClientRect().right "
        "<= scroll.getBoundingClientRect().right]"
    )
    looks_like(browser, 400)
    opened(browser, site, "lessons/causal_attention.html")
    assert browser.execute_script(ends) == [True, True]
    looks_like(browser, 1200)


def test_a_sentence_of_the_readers_own_becomes_vectors(browser: Any, site: Path) -> None:
    opened(browser, site, "lessons/embed_tokens.html")
    text = browser.execute_script("return document.querySelector('.plot input[type=text]')")
    text.clear()
    text.send_keys("One fish, one <b>fish</b>!")
    rows = (
        "return [...document.querySelectorAll('.walk tbody tr')]"
        ".map((one) => [...one.cells].map((each) => each.textContent))"
    )
    tokens = [row[0] for row in browser.execute_script(rows)]
    assert tokens[:6] == ["one", "fish", ",", "one", "<", "b"]
    assert len(tokens) == 12
    assert said(browser).endswith("The first 12 of 13 tokens are shown.")
    of_step: dict[int, list[list[str]]] = {}
    for step in (2, 3, 4):
        script = (
            "const one = document.querySelector('.plot input[type=range]'); one.value = arguments[0];"
            "one.dispatchEvent(new Event('input'))"
        )
        browser.execute_script(script, str(step))
        of_step[step] = browser.execute_script(rows)
        assert browser.execute_script("return document.querySelector('.plot label:has([type=range])').textContent") == (
            f"step {step}"
        )
    assert of_step[2][0][2:] == of_step[2][3][2:]  # the same token, looked up
    assert of_step[4][0][3:] != of_step[4][3][3:]
    one = [float(of_step[step][3][3].replace("−", "-")) for step in (2, 3, 4)]
    assert abs(one[0] + one[1] - one[2]) <= 0.011


def test_the_search_finds_by_words_and_is_walked_by_keyboard(browser: Any, site: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(browser, site, "lessons/rope.html")
    field = browser.execute_script("return document.querySelector('.search input')")
    field.send_keys("causal attention")
    found = "return [...document.querySelectorAll('.found a')].map((one) => one.firstChild.textContent)"
    assert browser.execute_script(found)[0] == "Causal attention"
    field.send_keys(Keys.ARROW_DOWN)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait(lambda: browser.current_url.endswith("lessons/causal_attention.html"))
    field = browser.execute_script("return document.querySelector('.search input')")
    field.send_keys("zzzz")
    assert browser.execute_script("return document.querySelector('.search [role=status]').textContent")
    field.send_keys(Keys.ESCAPE)
    assert browser.execute_script(found) == []


def asked(browser: Any, question: str) -> list[str]:
    """The titles that the search shows for a question."""
    script = (
        "const input = document.querySelector('.search input'); input.value = arguments[0];"
        "input.dispatchEvent(new Event('input'));"
        "return [...document.querySelectorAll('.found a')].map((one) => one.firstChild.textContent)"
    )
    return browser.execute_script(script, question)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("sinusodal", "Sinusoidal position encoding"),
        ("sinuosidal positon", "Sinusoidal position encoding"),
        ("atention", "Causal attention"),
        ("comparing postions", "Comparing two positions"),
        ("embeding", "Embedding tokens"),
        ("mini gtp", "A small GPT"),
        ("minigpt", "A small GPT"),
        ("causalattention", "Causal attention"),
        ("co sine", "Comparing two positions"),
    ],
)
def test_the_search_forgives_a_misspelling(browser: Any, site: Path, question: str, title: str) -> None:
    opened(browser, site, "index.html")
    assert asked(browser, question)[0] == closest(site, question, title)


CLOSER = {"atention": "Scaled dot-product attention", "co sine": "Warmup and cosine decay"}
"""The lessons of the site of all lessons that are closer to a question than those of `SOME`."""


def closest(site: Path, question: str, of_some: str) -> str:
    return of_some if {*lessons(site)} == {*SOME} else CLOSER.get(question, of_some)


def test_the_search_says_where_it_took_words_that_are_close_and_takes_none_where_some_are_held(
    browser: Any, site: Path
) -> None:
    opened(browser, site, "index.html")
    said_of = "return document.querySelector('.search [role=status]').textContent"
    found = asked(browser, "atention")
    assert browser.execute_script(said_of).startswith("No lesson has these words. Close to them:")
    exact = asked(browser, "attention")
    assert "close" not in browser.execute_script(said_of)
    assert exact[0] == found[0] == closest(site, "atention", "Causal attention")
    assert asked(browser, "zzzzzzzz") == []
    assert browser.execute_script(said_of) == "No lesson has these words."
    assert asked(browser, "qzx") == []


def test_a_slash_leads_to_the_search_from_everywhere_but_a_text_box(browser: Any, site: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(browser, site, "lessons/embed_tokens.html")
    box = browser.execute_script("return document.querySelector('.plot input[type=text]')")
    box.send_keys("/")
    assert box.get_attribute("value").endswith("/")
    assert browser.switch_to.active_element == box
    slider = browser.execute_script("return document.querySelector('.plot input[type=range]')")
    slider.send_keys("/")
    field = browser.switch_to.active_element
    assert (field.get_attribute("type"), field.get_attribute("value")) == ("search", "")
    field.send_keys(Keys.ESCAPE)
    assert console(browser) == []


PAPER = "return getComputedStyle(document.documentElement).backgroundColor"
INK_OF_A_FIGURE = "return document.querySelector('.plot text').getAttribute('fill')"


def test_a_theme_that_was_chosen_holds_against_the_system_and_on_the_next_page(browser: Any, site: Path) -> None:
    looks_like(browser, 1200, "dark")
    opened(browser, site, "lessons/sinusoidal_pos.html")
    dark, ink = browser.execute_script(PAPER), browser.execute_script(INK_OF_A_FIGURE)
    button = browser.find_element("css selector", ".theme")
    labels = []
    for _ in range(2):
        labels.append(button.text)
        button.click()
    assert [*labels, button.text] == ["Theme: system", "Theme: light", "Theme: dark"]
    assert browser.execute_script(PAPER) == dark
    looks_like(browser, 1200, "light")
    wait(lambda: browser.execute_script(INK_OF_A_FIGURE) == ink)
    assert browser.execute_script(PAPER) == dark
    opened(browser, site, "index.html")
    assert browser.execute_script(PAPER) == dark
    browser.find_element("css selector", ".theme").click()
    assert browser.find_element("css selector", ".theme").text == "Theme: system"
    assert browser.execute_script(PAPER) == "rgb(255, 255, 255)"
    opened(browser, site, "lessons/rope.html")
    assert browser.execute_script(PAPER) == "rgb(255, 255, 255)"
    assert console(browser) == []


def test_a_figure_follows_a_theme_that_is_chosen(browser: Any, site: Path) -> None:
    looks_like(browser, 1200, "light")
    opened(browser, site, "lessons/sinusoidal_pos.html")
    light = browser.execute_script(INK_OF_A_FIGURE)
    button = browser.find_element("css selector", ".theme")
    button.click()
    button.click()
    wait(lambda: browser.execute_script(INK_OF_A_FIGURE) not in (None, light))
    button.click()
    wait(lambda: browser.execute_script(INK_OF_A_FIGURE) == light)
    assert console(browser) == []


def test_paper_is_light_whatever_theme_was_chosen(browser: Any, site: Path) -> None:
    opened(browser, site, "index.html")
    browser.execute_script("document.documentElement.dataset.theme = 'dark'")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wait(lambda: browser.execute_script(PAPER) == "rgb(255, 255, 255)")
    hidden = "return getComputedStyle(document.querySelector('.theme')).display"
    assert browser.execute_script(hidden) == "none"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_header_is_one_line_on_a_desk_and_all_of_it_is_reached_by_keys(browser: Any, site: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    looks_like(browser, 1280)
    opened(browser, site, "lessons/rope.html")
    assert browser.execute_script("return document.querySelector('header').offsetHeight") < 60
    stops = []
    for _ in range(5):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        stops.append(browser.switch_to.active_element.accessible_name)
    home = "Lessons in JAX and Flax"
    assert stops == ["Skip to the text", home, "Search the lessons", "Español", "Theme: system"]
    browser.switch_to.active_element.send_keys(Keys.SPACE)
    assert browser.switch_to.active_element.text == "Theme: light"
    looks_like(browser, 1200)


@pytest.mark.few(0, 4)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_serious(browser: Any, site: Path, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_core_python")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    looks_like(browser, width, scheme)
    for page in ("index.html", "tracks/1.html", "lessons/sinusoidal_pos.html"):
        opened(browser, site, page)
        browser.execute_script(script)
        found = browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
        bad = [(one["id"], one["nodes"][0]["html"][:90]) for one in found if one["impact"] in ("serious", "critical")]
        assert bad == [], page
    looks_like(browser, 1200)


def test_what_is_too_wide_for_a_phone_can_be_reached_by_keyboard_and_nothing_else(browser: Any, site: Path) -> None:
    script = (
        "return [...document.querySelectorAll('pre.code, .display')].map((one) => "
        "[one.scrollWidth > one.clientWidth, one.tabIndex === 0])"
    )
    looks_like(browser, 400)
    opened(browser, site, "lessons/sinusoidal_pos.html")
    wait(lambda: all(wide == stops for wide, stops in browser.execute_script(script)))
    assert {wide for wide, _ in browser.execute_script(script)} == {True, False}
    looks_like(browser, 1200)


def pasted(browser: Any) -> str:
    """What the clipboard holds, as a reader pastes it into a box of text."""
    from selenium.webdriver.common.keys import Keys

    browser.execute_script(
        "document.querySelector('#pasted')?.remove(); const box = document.createElement('textarea'); box.id = 'pasted';"
        "document.body.append(box); box.focus()"
    )
    browser.switch_to.active_element.send_keys(Keys.CONTROL, "v")
    return browser.execute_script("return document.querySelector('#pasted').value")


@pytest.mark.nightly
def test_each_block_of_code_is_copied_by_its_button_and_what_it_prints_has_none(browser: Any, site: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    looks_like(browser, 1200)
    opened(browser, site, "lessons/rope.html")
    blocks = browser.execute_script(
        "return [...document.querySelectorAll('.lesson pre')].map((one) => [one.textContent, "
        "Boolean(one.closest('.output')), one.parentElement.querySelectorAll(':scope > button').length])"
    )
    assert [count for _, printed, count in blocks if printed] == [0]
    code = [text for text, printed, count in blocks if not printed]
    assert [count for _, printed, count in blocks if not printed] == [1] * len(code)
    assert code[-1] == "python -m grader rope"
    buttons = browser.find_elements("css selector", ".copied-from button")
    buttons[0].send_keys(Keys.ENTER)
    wait(lambda: buttons[0].text == "Copied")
    assert (
        browser.execute_script("return document.querySelector('p.sr[role=status]:not(.search *)').textContent")
        == "Copied"
    )
    assert pasted(browser) == code[0]
    wait(lambda: buttons[0].text == "Copy the code")
    # As on a page from another machine: no clipboard, and then a browser that lets no script copy.
    browser.execute_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    buttons[1].send_keys(Keys.ENTER)
    wait(lambda: buttons[1].text == "Copied")
    assert pasted(browser).rstrip() == code[1].rstrip()
    browser.execute_script("document.execCommand = () => false")
    buttons[0].send_keys(Keys.ENTER)
    wait(lambda: buttons[0].text == "Selected: copy it with your keyboard")
    assert browser.execute_script("return getSelection().toString()").rstrip() == code[0].rstrip()
    assert console(browser) == []


def test_the_first_key_leads_past_the_header_and_a_lesson_prints(browser: Any, site: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(browser, site, "lessons/rope.html")
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("class") == "skip"
    assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.execute_script("return document.activeElement.id") == "text"
    printed = browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
    assert printed.startswith("JVBERi0")  # %PDF-
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    hidden = (
        "return ['.search', '.toc', '.turn', '.hints details']"
        ".map((one) => getComputedStyle(document.querySelector(one)).display)"
    )
    wait(lambda: browser.execute_script(hidden) == ["none"] * 4)
    assert "The hints are on the page." in browser.execute_script("return document.querySelector('.hints').innerText")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_paper_has_the_tables_of_figures(browser: Any, site: Path) -> None:
    height = "return document.querySelector('.figure table').checkVisibility({contentVisibilityAuto: true})"
    opened(browser, site, "lessons/compare_positions.html")
    assert not browser.execute_script(height)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wait(lambda: browser.execute_script(height))  # the page is laid out anew after the command has returned
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
