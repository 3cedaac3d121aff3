"""The figures of the guides: the bench that printed them writes them, with a digest that no change by hand would match."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from tests.conftest import ROOT

GUIDES = ROOT / "grader" / "guides"
BLOCK = re.compile(
    r"<!-- figures: (?P<of>[^,\n]+), (?P<digest>\w+) -->\n```text\n(?P<text>.*?)```\n<!-- end -->", re.DOTALL
)
"""A block of figures: the command that writes it, the digest of its text, the text."""


def digest(command: str, text: str) -> str:
    """What stands beside a text that a command printed."""
    return hashlib.sha256(f"{command}\n{text}".encode()).hexdigest()[:12]


def put(guide: str, command: str, text: str) -> str:
    """A guide in which the block of a command holds this text.

    Raises:
        ValueError: if the guide has no block of the command.
    """
    block = f"<!-- figures: {command}, {digest(command, text)} -->\n```text\n{text}```\n<!-- end -->"
    made = BLOCK.sub(lambda found: block if found["of"] == command else found[0], guide)
    if block not in made:
        raise ValueError(f"there is no block for the figures of {command}")
    return made


def write(file: Path, command: str, text: str) -> None:
    """Put figures into the guide in a file (see `put`)."""
    file.write_text(put(file.read_text(encoding="utf-8"), command, text), encoding="utf-8")


class Printed:
    """Lines that are printed, and kept for a guide."""

    def __init__(self) -> None:
        self.text = ""

    def __call__(self, line: str) -> None:
        print(line, flush=True)
        self.text += f"{line}\n"
