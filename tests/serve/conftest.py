"""What the stories share: a browser, a kit of two problems, and a running server on one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.kit import state
from tests.conftest import FLAGSHIP, ROOT, copy_kit
from tests.page.driven import driven, looks_like
from tests.serve.served import Page, Served, serving

BESIDE = "layer_norm"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with driven() as driver:
        looks_like(driver, 1280)
        yield driver


@pytest.fixture
def kit(tmp_path: Path, saved_oracles: Path) -> Path:
    return two_problems(tmp_path / "kit", saved_oracles)


def two_problems(kit: Path, saved_oracles: Path) -> Path:
    """A kit of two problems. The oracle of one is saved: that makes tests fast."""
    copy_kit(kit, FLAGSHIP, BESIDE)
    shutil.copytree(saved_oracles, kit / ".grader" / "oracles")
    return kit


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, saved_oracles: Path) -> Iterator[Served]:
    """A server that stories share: to start one, and to grade with it for the first time, takes seconds."""
    with serving(two_problems(tmp_path_factory.mktemp("shared") / "kit", saved_oracles)) as served:
        yield served


@pytest.fixture
def served(shared: Served) -> Served:
    """The shared server, with its kit as it was at first. A story that ends its server takes one of its own."""
    for name in (FLAGSHIP, BESIDE):
        shipped = ROOT / "problems" / name / "stub.py"
        stub = shared.stub(name)
        for left in (stub, *stub.parent.glob("stub.2*.py"), *stub.parent.glob("practice*.py")):
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
        stub.write_bytes(shipped.read_bytes())
    shutil.rmtree(state.folder_of_kit(shared.kit.resolve()), ignore_errors=True)
    for kept in ("progress.json", "practice.json"):
        (shared.kit / ".grader" / kept).unlink(missing_ok=True)
    return shared


@pytest.fixture
def page(browser: Any, served: Served) -> Iterator[Page]:
    page = Page(browser, served)
    yield page
    print(f"{page.state()=} {page.banner()=} {page.said('phase')=} {page.verdict()=}")  # shown where a story fails
    leave(browser, served)


def leave(browser: Any, served: Served) -> None:
    """Close all tabs but one, and forget what the pages of a server keep in the browser."""
    for handle in browser.window_handles[1:]:
        browser.switch_to.window(handle)
        browser.close()
    browser.switch_to.window(browser.window_handles[0])
    browser.execute_cdp_cmd("Page.navigate", {"url": "about:blank"})
    kept = {"origin": served.origin, "storageTypes": "local_storage"}
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", kept)
