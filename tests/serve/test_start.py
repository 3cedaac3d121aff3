"""The first page of the server in a browser: what is solved is told there as it happens, and where to go on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.kit.solution import bare
from tests.commands.test_check import HALF_AND_STACKED, RIGHT
from tests.conftest import FLAGSHIP, ROOT, Command, copy_kit
from tests.page.driven import console, driven, looks_like, missing, requested
from tests.serve.served import Served, foreign, serving, wait

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

FIRST, AFTER = "first_arrays", "vmap_pairwise"
"""Two lessons of the first track."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with driven() as driver:
        yield driver


@pytest.fixture
def served(tmp_path: Path, saved_oracles: Path) -> Iterator[Served]:
    kit = copy_kit(tmp_path / "kit", FIRST, AFTER, FLAGSHIP)
    shutil.copytree(saved_oracles, kit / ".grader" / "oracles")
    with serving(kit) as served:
        yield served


def begins(browser: Any) -> str:
    return browser.execute_script("return document.getElementById('page-begin').textContent.trim()")


def counts(browser: Any, track: int) -> list[str]:
    script = (
        "return [...document.querySelectorAll(`[data-count='track-${arguments[0]}']`)].map((one) => one.textContent)"
    )
    return browser.execute_script(script, track)


def bar(browser: Any, track: int) -> float:
    return browser.execute_script(f"return document.querySelector('[data-done=\"track-{track}\"]').position")


def solved_in(browser: Any, part: str) -> list[str]:
    script = "return [...document.querySelectorAll(`${arguments[0]} .solved`)].map((one) => one.dataset.lesson)"
    return browser.execute_script(script, part)


def graded(served: Served, name: str, answer: str) -> None:
    """Fill in a stub and grade it in a terminal, beside the server."""
    served.stub(name).write_text(answer)
    assert "Traceback" not in Command(served.kit)("check", name, "--no-picture").stderr


def worked(name: str) -> str:
    return bare((ROOT / "solutions" / name / "answer.py").read_text())


def test_what_is_solved_is_marked_in_its_track_its_map_and_its_list_as_it_happens(browser: Any, served: Served) -> None:
    looks_like(browser, 1280)
    browser.get(served.address)
    wait(lambda: counts(browser, 1) == ["0 of 2 solved"] * 2)
    assert counts(browser, 2) == ["0 of 1 solved"] * 2
    assert begins(browser).startswith("New to JAX? Begin with Track 1 First steps in JAX:")
    assert (bar(browser, 1), solved_in(browser, ".map"), solved_in(browser, "ol.lessons")) == (0, [], [])

    graded(served, FLAGSHIP, HALF_AND_STACKED)
    state = f"return document.querySelector('li[data-lesson={FLAGSHIP}] .state')?.textContent"
    wait(lambda: browser.execute_script(state) == "wrong")
    wait(lambda: begins(browser) == "Go on with Sinusoidal position encoding")
    graded(served, FLAGSHIP, RIGHT)
    wait(lambda: counts(browser, 2) == ["Track finished: 1 of 1 solved"] * 2)
    assert (bar(browser, 1), bar(browser, 2)) == (0, 1)
    assert solved_in(browser, ".map") == solved_in(browser, "ol.lessons") == [FLAGSHIP]
    assert browser.execute_script(state) == "✓ solved"
    assert counts(browser, 1) == ["0 of 2 solved"] * 2
    wait(lambda: begins(browser) == "Go on with Arrays: axes, broadcasting, new copies")
    assert foreign(requested(browser), served) == set()
    assert console(browser) == []


def test_it_fits_a_phone_and_a_window_at_200_percent_and_axe_finds_nothing_serious(
    browser: Any, served: Served
) -> None:
    axe = pytest.importorskip("axe_core_python")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    graded(served, FLAGSHIP, RIGHT)
    for width, scheme in ((390, "light"), (390, "dark"), (640, "dark"), (1280, "light")):
        looks_like(browser, width, scheme)
        browser.get(served.address)
        wait(lambda: counts(browser, 2) == ["Track finished: 1 of 1 solved"] * 2)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        if width < 640:  # a finger
            assert browser.execute_script("return document.querySelector('.theme').offsetHeight") >= 44
        browser.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
        found = browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
        bad = [(one["id"], one["nodes"][0]["html"][:90]) for one in found if one["impact"] in ("serious", "critical")]
        assert bad == [], (width, scheme)
    looks_like(browser, 1280)


@pytest.mark.nightly
def test_a_track_is_told_as_half_done_on_a_page_that_is_open_and_on_one_that_is_opened_later(
    browser: Any, served: Served
) -> None:
    browser.get(served.address)
    wait(lambda: counts(browser, 1))
    graded(served, FIRST, worked(FIRST))
    wait(lambda: counts(browser, 1) == ["1 of 2 solved"] * 2)
    assert bar(browser, 1) == 0.5
    wait(lambda: begins(browser) == "Go on with All pairs by two maps")
    browser.refresh()
    wait(lambda: counts(browser, 1) == ["1 of 2 solved"] * 2)
    assert begins(browser) == "Go on with All pairs by two maps"
    link = browser.find_element("css selector", "#page-begin a")
    link.click()
    wait(lambda: browser.current_url.endswith(f"/lessons/{AFTER}.html"))
