"""Texts in another language, beside the English ones: `README.es.md`, `mistakes.es.md`, `stub.es.py`.

Below each `##` heading of a translation stands the hash of the English section that it was made from, as in
`<!-- en 3f2a91c0 -->`. A section whose English has changed since is stale.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

MARK = re.compile(r"<!-- en (?P<hash>[0-9a-f]{8}) -->\n*")
"""The hash of an English section, below the heading of its translation."""


def path(english: Path, language: str) -> Path:
    """Where the translation of a file stands."""
    return english.with_name(f"{english.stem}.{language}{english.suffix}")


def digest(section: str) -> str:
    """The hash of an English section: of its words, so that other line breaks change nothing."""
    return hashlib.sha256(" ".join(section.split()).encode()).hexdigest()[:8]


def mark(section: str) -> str:
    """The line that stands below the heading of a translation of this English section."""
    return f"<!-- en {digest(section)} -->"


def without_marks(text: str) -> str:
    """A translation as its readers see it."""
    return MARK.sub("", text)
