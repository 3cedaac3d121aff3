"""The diagrams of a statement as HTML: boxes for arrays, and a table whose numbers are shaded by their size."""

from __future__ import annotations

import re

import pytest

from grader.page.body import diagram_html


def test_a_flow_is_boxes_for_arrays_and_words_between_them() -> None:
    made = diagram_html("flow", "x (T, d) -> a < b -> y (T,)\n")
    assert made is not None
    assert made.count('<span class="array">') == 2
    assert '<span class="array">x <small>(T, d)</small></span>' in made
    assert '<span class="step">a &lt; b</span>' in made
    assert made.count('<span class="arrow">→</span>') == 2


def test_a_grid_is_a_table_whose_numbers_are_shaded_by_their_size() -> None:
    made = diagram_html("grid", "   | k0 | k1 | k2 | k3 | k4\nq0 | # | . | 0.5 | -2 | nan\n")
    assert made is not None
    assert re.findall(r'<td class="([^"]*)">([^<]*)</td>', made) == [
        ("filled", "■"),
        ("empty", "·"),
        ("shade-1", "0.5"),
        ("shade-5", "-2"),
        ("shade-0", "nan"),
    ]
    assert re.findall("<th>(.*?)</th>", made) == ["", "k0", "k1", "k2", "k3", "k4", "q0"]


@pytest.mark.parametrize("kind", ["flow", "grid"])
def test_what_cannot_be_read_is_none(kind: str) -> None:
    assert diagram_html(kind, "one line\n") is None
