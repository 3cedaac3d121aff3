"""`serve` in a codespace: the page has the name that GitHub forwards, and what comes by that name is let in as at home."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from grader.serve.command import forwarded, forwarded_name
from tests.conftest import Command, clean_environment
from tests.serve.served import wait

CODESPACE = {
    "CODESPACES": "true", "CODESPACE_NAME": "ada-abc",
    "GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN": "app.github.example",
}  # fmt: skip
NAME = "ada-abc-8642.app.github.example"


def test_the_name_is_made_of_what_the_environment_says() -> None:
    assert forwarded_name(8642, CODESPACE) == NAME


@pytest.mark.parametrize("missing", CODESPACE)
def test_there_is_no_name_where_a_part_of_it_is_missing(missing: str) -> None:
    assert forwarded_name(8642, {name: value for name, value in CODESPACE.items() if name != missing}) == ""


def passed_on(host: str, origin: str) -> str:
    """The origin that the guard is shown."""
    seen: list[dict[bytes, bytes]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(dict(scope["headers"]))

    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    asyncio.run(forwarded(app, NAME, 8642)({"type": "http", "headers": headers}, None, None))  # pyright: ignore
    return seen[0][b"origin"].decode()


@pytest.mark.parametrize("host", [NAME, "localhost:8642"])
@pytest.mark.parametrize("origin", [f"https://{NAME}", "http://localhost:8642", "https://localhost:8642"])
def test_the_page_is_known_by_its_name_and_by_that_of_this_machine(host: str, origin: str) -> None:
    assert passed_on(host, origin) == f"https://{host}"


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        (NAME, "https://evil.example"),
        (NAME, "http://localhost:9000"),
        (NAME, "null"),
        ("evil.example", f"https://{NAME}"),
    ],
)
def test_another_page_stays_another_page(host: str, origin: str) -> None:
    assert passed_on(host, origin) == origin


@pytest.mark.slow
def test_it_prints_and_opens_the_forwarded_address_and_answers_it(own_kit: Command, tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o700)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, "-m", "grader", "serve", "--port", str(port)], cwd=own_kit.kit, stdin=subprocess.DEVNULL,
        env={**clean_environment(), **CODESPACE, "BROWSER": str(browser)}, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            address = next(found[0] for line in process.stdout if (found := re.search(r"https://\S+", line)))
            name = forwarded_name(port, CODESPACE)
            assert address.startswith(f"https://{name}/")
            assert wait(lambda: opened.exists() and opened.read_text().strip()) == address
            here = f"http://127.0.0.1:{port}{address.partition(name)[2]}"
            with urllib.request.urlopen(urllib.request.Request(here, headers={"Host": name})) as reply:
                assert reply.status == 200
        finally:
            process.kill()
