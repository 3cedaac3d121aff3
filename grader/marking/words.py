"""Words that messages share."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number of things in words: 1 value, 2 values."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
