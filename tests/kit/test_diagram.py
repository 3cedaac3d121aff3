"""Diagrams as text: arrays and operations in a chain, cells in a table."""

from __future__ import annotations

import pytest

from grader.kit.markup import FLOW, GRID, DiagramError, DiagramGrid, Flow, Step, names_of_shape, read_diagram


def test_a_flow_tells_arrays_by_their_shape_from_operations() -> None:
    found = read_diagram(FLOW, "x (T, d) -> softmax (over keys) -> y (T, 2 * d)\n\ny (T, 2 * d) -> sum -> loss ()\n")
    assert isinstance(found, Flow)
    assert found.chains[0] == (Step("x", "(T, d)"), Step("softmax (over keys)"), Step("y", "(T, 2 * d)"))
    assert found.chains[1][-1] == Step("loss", "()")
    assert found.names == {"T", "d"}


def test_a_chain_may_end_at_an_operation_of_another_one() -> None:
    found = read_diagram(FLOW, "x (T,) -> norm -> n (T,) -> add -> y (T,)\nx (T,) -> add\n")
    assert isinstance(found, Flow)
    assert found.chains[1] == (Step("x", "(T,)"), Step("add"))


def test_a_grid_has_headings_and_rows() -> None:
    found = read_diagram(GRID, "    | k0 | k1\nq0  | #  | .\nq1  | 0.5 | a b\n")
    assert found == DiagramGrid(("", "k0", "k1"), (("q0", "#", "."), ("q1", "0.5", "a b")))


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (FLOW, "", "empty"),
        (FLOW, "x (T,)", "put `->` between"),
        (FLOW, "x (T,) -> -> y (T,)", "put `->` between"),
        (FLOW, "x (T,) -> sum", "end with an array"),
        (FLOW, "draw -> x (T,)", "begin with an array"),
        (FLOW, "x (T,) -> add\ny (T,) -> add -> z (T,)\nz (T,) -> add -> w (T,)", "('add' stands 2 times)"),
        (GRID, " | a | b", "a row on each line"),
        (GRID, "a\nb", "put `|` between"),
        (GRID, " | a | b\nr | 1", "'r | 1' has 2 cells, and the first line has 3"),
    ],
)
def test_a_text_that_is_no_diagram_is_told(kind: str, text: str, said: str) -> None:
    with pytest.raises(DiagramError) as told:
        read_diagram(kind, text)
    assert said in str(told.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [("(T, d_model // 2)", {"T", "d_model"}), ("()", set()), ("(3,)", set()), ("(T)", None), ("T, (", None)],
)
def test_the_names_of_a_shape(text: str, names: set[str] | None) -> None:
    assert names_of_shape(text) == names
