"""What several commands take: times and sizes are read as people write them."""

from __future__ import annotations

import click
import pytest

from grader.commands.parameters import Seconds, Size


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Seconds(), "20", 20.0),
        (Seconds(), "2.5s", 2.5),
        (Seconds(), "2m", 120.0),
        (Size(), "512M", 512 << 20),
        (Size(), "1.5gb", 3 << 29),
        (Size(), "2GiB", 2 << 30),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_a_value_is_read_as_people_write_it(kind: click.ParamType[float], text: str, value: float) -> None:
    assert kind.convert(text, None, None) == value


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Seconds(), "soon", "is not a time"),
        (Seconds(), "0", "is not a time"),
        (Size(), "4X", "is not a size"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_what_cannot_be_meant_is_refused(kind: click.ParamType[float], text: str, said: str) -> None:
    with pytest.raises(click.BadParameter, match=said):
        kind.convert(text, None, None)
