"""`python -m tests.bench.browser`: from a save to the verdict, in `serve` and in `watch`; the start of `serve`; ten tabs."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pexpect
import psutil

from grader.kit.kit import Kit
from tests.answers import read
from tests.bench.processes import machine, spread, verdict
from tests.conftest import clean_environment, copy_kit, worked_answer
from tests.page.driven import driven, missing
from tests.serve.served import Page, serving, wait

PROBLEMS = ("sinusoidal_pos", "causal_attention", "layer_norm")
SLOWER, SLOWEST_START = 0.1, 3.0
"""The most seconds that a verdict may come later in `serve` than in `watch`, and the most until the list is there."""
TIMED = """
    window.painted = new Promise((done) => {
      let pressed;
      addEventListener("keydown", (event) => { if (event.key === "s") pressed = performance.now(); }, { capture: true });
      new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done((performance.now() - pressed) / 1000)));
      }).observe(document.getElementById("page-verdict"), { childList: true });
    });
"""
"""The page's own clock, from Ctrl+S to the paint of a verdict's words: to ask the page again and again would add to it."""


def saves(kit: Kit, name: str, rounds: int) -> list[str]:
    """Texts to save in turn: a wrong answer and the right one, no two alike."""
    pair = (read(name, "wrong")[0].text, worked_answer(kit, name))
    return [f"{pair[number % 2]}\n# {number}\n" for number in range(2 * rounds)]


def in_watch(kit: Kit, name: str, texts: list[str]) -> list[float]:
    child: Any = pexpect.spawn(
        sys.executable, ["-m", "grader", "watch", name, "--no-color"], cwd=str(kit.root), env=clean_environment(),
        encoding="utf-8", timeout=120, dimensions=(60, 100),
    )  # fmt: skip
    child.expect("q: quit")
    times: list[float] = []
    for text in texts:
        time.sleep(2)  # it gets ready while a learner thinks
        start = time.monotonic()
        kit.stub(name).write_text(text)
        child.expect("q: quit")
        times.append(time.monotonic() - start)
    child.send("q")
    child.expect(pexpect.EOF)
    return times


def in_serve(browser: Any, kit: Kit, name: str, texts: list[str]) -> list[float]:
    times: list[float] = []
    with serving(kit.root) as served:
        page = Page(browser, served, name)
        browser.set_script_timeout(120)
        for text in texts:
            time.sleep(2)
            page.write(text)
            page.run(TIMED)
            page.save()
            times.append(browser.execute_async_script("window.painted.then(arguments[0])"))
    return times


def started(browser: Any, kit: Kit) -> float:
    start = time.monotonic()
    with serving(kit.root) as served:
        browser.get(served.address)
        told = "return document.getElementById('page-progress')?.textContent ?? ''"
        wait(lambda: " solved" in browser.execute_script(told))
        return time.monotonic() - start


def held(browser: Any, kit: Kit, tabs: int) -> list[float]:
    """The memory of the server's own process in megabytes (PSS), with one tab and with many."""
    found: list[float] = []
    with serving(kit.root) as served:
        for number in range(tabs):
            if number:
                browser.switch_to.new_window("tab")
            page = Page(browser, served)
            if number in (0, tabs - 1):
                page.save()
                time.sleep(3)
                found.append(psutil.Process(served.process.pid).memory_full_info().pss / 1e6)
    return found


def main() -> int:
    """Print the figures. Returns 1 where a bar is missed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.browser", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    print(machine(), flush=True)
    if why := missing():
        print(f"not measured: {why}")
        return 1
    good = True
    with tempfile.TemporaryDirectory() as folder, driven() as browser:
        for name in PROBLEMS:
            kit = Kit(copy_kit(Path(folder) / name, name))  # with a second problem, `watch` would go on to that
            texts = saves(kit, name, given.rounds)
            shipped = kit.stub(name).read_text()
            kinds = {"watch": in_watch(kit, name, texts)}
            kit.stub(name).write_text(shipped)
            kinds["serve"] = in_serve(browser, kit, name, texts)
            for offset, kind in enumerate(("wrong", "right")):
                medians = {where: statistics.median(times[offset::2]) for where, times in kinds.items()}
                later = medians["serve"] - medians["watch"]
                good &= later <= SLOWER
                both = ", ".join(f"{where} {spread(times[offset::2])} s" for where, times in kinds.items())
                print(f"{name} {kind}: {both}, {later:+.2f} s, bar {SLOWER} {verdict(later <= SLOWER)}", flush=True)
        whole = Kit(copy_kit(Path(folder) / "whole"))
        times = [started(browser, whole) for _ in range(5)]
        good &= statistics.median(times) <= SLOWEST_START
        fast = verdict(statistics.median(times) <= SLOWEST_START)
        print(f"start to list, {len(whole.names)} problems: {spread(times)} s, bar {SLOWEST_START} {fast}", flush=True)
        one, ten = held(browser, Kit(copy_kit(Path(folder) / "tabs", "sinusoidal_pos")), 10)
        print(f"memory of the server (PSS): {one:.0f} MB with one tab, {ten:.0f} MB with ten")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
