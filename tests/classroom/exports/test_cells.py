"""Cells keep their place: a table comes back byte for byte but for what is changed."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.exports.cells import changed_table, read_cells, read_number
from grader.kit.kit import KitError

TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.text(st.sampled_from('a"é,;\n ='), max_size=5), min_size=width, max_size=width), min_size=1
    )
)


@given(TABLES, st.sampled_from(",;"), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]))
def test_it_reads_what_python_writes_and_changes_what_is_asked(
    table: list[list[str]], delimiter: str, end: str, mark: str
) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=end).writerows(table)
    whole = mark + text.getvalue()
    read = read_cells(whole, delimiter)
    held = [line for line in table if len(line) > 1 or line[0].strip()]
    assert [[cell.text for cell in line] for line in read] == held
    assert changed_table(whole, {}) == whole
    if read:
        again = read_cells(changed_table(whole, {read[-1][0]: "new"}), delimiter)
        assert [cell.text for cell in again[-1]] == ["new", *held[-1][1:]]


@pytest.mark.parametrize("text", ['a,b\n"c,d', 'a,b\n"c"d,e', 'a,b\nc,"d\n"x'])
def test_a_quote_that_is_not_closed_is_one_line(text: str) -> None:
    with pytest.raises(KitError, match=r"line [23]: a quote is not closed"):
        read_cells(text, ",")


@pytest.mark.parametrize("line", ["c", "c,d,e"])
def test_a_line_with_other_cells_than_the_header_is_named(line: str) -> None:
    with pytest.raises(KitError, match=r"--into, line 4: it has \d cells, and the header has 2"):
        read_cells(f'a,b\r\n"x\r\ny",z\r\n{line}', ",")


@pytest.mark.parametrize(
    ("text", "number"),
    [(" 100 ", "100"), ("2.50", "2.5"), ("2,5", "2.5"), ("0", None), ("", None), ("1.234", None), ("1e3", None)],
)
def test_a_number_may_have_a_comma_and_is_above_0(text: str, number: str | None) -> None:
    assert read_number(text, decimals=2) == (None if number is None else Fraction(number))
