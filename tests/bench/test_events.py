"""The trace of a verdict names functions that this checkout has."""

from __future__ import annotations

import pkgutil

import pytest

from tests.bench.events import PARTS


@pytest.mark.parametrize("place", [place for places in PARTS.values() for place in places])
def test_each_part_is_done_by_a_function_that_is_there(place: str) -> None:
    assert callable(pkgutil.resolve_name(place))
