"""Keys: which key sent which bytes."""

from __future__ import annotations

import pytest

from grader.commands.watch import END, OTHER, in_words


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"h", ["h"]),
        (b"Hn", ["h", "n"]),
        (b"\x1b[A", [OTHER]),
        (b"\n", [OTHER]),
        (b"\x04", [END]),
        (b"\xff", [OTHER]),
    ],
    ids=["letter", "two letters", "arrow", "Enter", "Ctrl-D", "no text"],
)
def test_bytes_are_read_as_keys(data: bytes, keys: list[str]) -> None:
    assert in_words(data) == keys
