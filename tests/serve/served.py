"""The real command `serve` on a kit, and a browser on its pages."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import as_ordinary
from tests.conftest import clean_environment
from tests.page.driven import console, looks_like, requested

SECONDS = 40
"""The most seconds that a test waits for something to happen."""


@dataclass(frozen=True)
class Served:
    """A running server: its process, the folder of its kit, and the address that it printed."""

    process: subprocess.Popen[str]
    kit: Path
    address: str

    @property
    def page(self) -> str:
        """The address of the list, without a token and a slash at its end."""
        return self.address.partition("/?")[0]

    @property
    def origin(self) -> str:
        return self.page.rpartition("/")[0]

    @property
    def token(self) -> str:
        return self.address.partition("token=")[2]

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])

    def stub(self, name: str = "sinusoidal_pos") -> Path:
        return self.kit / "problems" / name / "stub.py"

    def end(self) -> str:
        """End it as Ctrl-C does. Returns all that it printed on standard output after its address."""
        self.process.send_signal(2)
        out, errors = self.process.communicate(timeout=SECONDS)
        assert (self.process.returncode, errors) == (0, "")
        return out


@contextmanager
def serving(kit: Path, *options: str, user: str = as_ordinary.ROOT, **environment: str) -> Generator[Served]:
    command = as_ordinary.command(user, [sys.executable, "-m", "grader", "serve", "--no-browser", *options])
    with subprocess.Popen(
        command, cwd=kit, env={**clean_environment(), **environment}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            yield Served(process, kit, _address(process))
        finally:
            process.kill()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return found[0]
    assert process.stderr is not None
    raise AssertionError(process.stderr.read())


def wait(happens: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """Wait until something is true, and return it."""
    end = time.monotonic() + seconds
    while not (found := happens()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
    return found


class Page:
    """What a learner sees and does on the page of a lesson."""

    def __init__(self, browser: Any, served: Served, name: str = "sinusoidal_pos") -> None:
        self.browser, self.served, self.name = browser, served, name
        looks_like(browser, 1280)
        requested(browser)
        console(browser)  # what an earlier test left
        browser.get(served.address)
        self.go(name)

    def go(self, name: str) -> None:
        self.name = name
        self.browser.get(f"{self.served.page}/lessons/{name}.html")
        wait(lambda: self.state() != "")

    def run(self, script: str, *given: Any) -> Any:
        return self.browser.execute_script(script, *given)

    def said(self, name: str) -> str:
        """The text of an element of the page."""
        return self.run("return document.getElementById(arguments[0])?.textContent ?? ''", f"page-{name}")

    def state(self) -> str:
        return self.said("state")

    def verdict(self) -> str:
        return " ".join(self.said("verdict").split())

    def text(self) -> str:
        """The text in the editor."""
        script = (
            "const rich = document.querySelector('.cm-content');"
            "return rich ? rich.cmView?.view.state.doc.toString() ?? rich.cmTile.view.state.doc.toString() "
            ": document.getElementById('page-text').value"
        )
        return self.run(script)

    def focus(self) -> None:
        self.run("(document.querySelector('.cm-content') ?? document.getElementById('page-text')).focus()")

    def write(self, text: str) -> None:
        """Put a text in place of all that the editor holds, by keys."""
        from selenium.webdriver import ActionChains, Keys

        self.focus()
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        self.insert(text)
        wait(lambda: self.text() == text)

    def insert(self, text: str) -> None:
        self.browser.execute_cdp_cmd("Input.insertText", {"text": text})

    def save(self) -> None:
        from selenium.webdriver import ActionChains, Keys

        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("s").key_up(Keys.CONTROL).perform()

    def press(self, name: str) -> None:
        found = self.browser.find_element("id", f"page-{name}")
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", found)
        found.click()

    def tab(self, name: str) -> None:
        """Open a tab of the panel."""
        self.press(f"tab-{name}")

    def choose(self, label: str) -> None:
        """Press a button of the banner."""
        buttons = "[...document.querySelectorAll('#page-banner button')]"
        script = f"return {buttons}.find((one) => one.textContent === arguments[0])"
        wait(lambda: self.run(script, label)).click()

    def banner(self) -> str:
        return self.said("banner")


def foreign(addresses: set[str], served: Served) -> set[str]:
    """Those of some addresses that are not the server's."""
    own = (served.origin, f"ws://127.0.0.1:{served.port}/", "chrome", "data:")
    return {one for one in addresses if not one.startswith(own)}
