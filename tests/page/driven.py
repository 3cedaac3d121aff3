"""Chromium without a window over the pages of a site, driven by selenium: what it requests, and what it complains of."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
DRIVER = next(filter(None, map(shutil.which, ("chromedriver", "chromium.chromedriver"))), "")
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)


def missing() -> str:
    """What of the browser is not here; empty if all is."""
    try:
        import selenium  # noqa: F401
    except ModuleNotFoundError:
        return "selenium is not installed"
    return "" if CHROMIUM and DRIVER else "no Chromium with its driver here"


@contextmanager
def driven() -> Iterator[Chrome]:
    """A browser with an empty profile, that ends with the test."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        try:
            yield driver
        finally:
            driver.quit()


def requested(driver: Chrome) -> set[str]:
    """The addresses that were asked for since this was last called."""
    messages: list[dict[str, Any]] = [json.loads(one["message"])["message"] for one in driver.get_log("performance")]
    sent = [one["params"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    return {one["request"]["url"] for one in sent if not one["request"]["url"].startswith("data:")}


def console(driver: Chrome) -> list[str]:
    """What stood on the console since this was last called."""
    return [one["message"] for one in driver.get_log("browser")]


def looks_like(driver: Chrome, width: int, scheme: str = "light") -> None:
    """Give the window a width, and the reader a preference for light or dark."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wish = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
