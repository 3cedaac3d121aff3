"""Chromium without a window, driven through its own pipe: one page, its keys, what it loads and what it complains of."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe")


class Page:
    """An open page.

    Attributes:
        events: what the browser told since: requests, messages of the console, exceptions, problems of the policy.
    """

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._rest, self._count = to, os.fdopen(back, "rb", buffering=0), b"", 0
        self.events: list[dict[str, Any]] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session: dict[str, str] = {}
        self._session = {"sessionId": self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self._call(f"{domain}.enable")

    def open(self, path: Path) -> None:
        self._call("Page.navigate", url=path.as_uri())
        while not any(one["method"] == "Page.loadEventFired" for one in self.events):
            self._read()

    def value(self, script: str) -> Any:
        """What an expression of JavaScript gives."""
        found = self._call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str, code: int, text: str = "") -> None:
        more = {"text": text} if text else {}
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **more)

    def media(self, kind: str = "", scheme: str = "light") -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._call("Emulation.setEmulatedMedia", media=kind, features=features)

    def printed(self) -> bytes:
        return base64.b64decode(self._call("Page.printToPDF")["data"])

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters, **getattr(self, "_session", {})}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            told = self._read()
            if told.get("id") == self._count:
                assert "error" not in told, told
                return told["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = self._back.read(1 << 16)
            assert chunk, "the browser ended"
            self._rest += chunk
        one, _, self._rest = self._rest.partition(b"\0")
        told = json.loads(one)
        if "method" in told:
            self.events.append(told)
        return told


@contextmanager
def browser() -> Iterator[Page]:
    """A page in a browser with a profile of its own, that ends with the test."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        reads, to = os.pipe()
        back, writes = os.pipe()
        # The browser reads its descriptor 3 and writes to 4. First to higher ones: either may be 3 or 4 itself.
        script = (
            "import os, sys; a, b = (os.dup2(int(one), 50 + at) for at, one in enumerate(sys.argv[1:3])); "
            "os.dup2(a, 3); os.dup2(b, 4); os.execv(sys.argv[3], sys.argv[3:])"
        )
        command = [
            sys.executable,
            "-c",
            script,
            str(reads),
            str(writes),
            CHROMIUM,
            *FLAGS,
            f"--user-data-dir={profile}",
        ]
        process = subprocess.Popen(
            command, pass_fds=(reads, writes), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(reads)
        os.close(writes)
        try:
            yield Page(to, back)
        finally:
            process.kill()
            process.wait()
            os.close(to)
