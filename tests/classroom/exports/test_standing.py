"""The cells of a table: each that changes is told, and each that stays in the place of another text."""

from __future__ import annotations

import pytest

from grader.classroom.exports.cells import Standing


@pytest.mark.parametrize("stands", ["7.5", " 7.50 ", "7,5", "007.5"])
def test_an_equal_number_is_no_change_and_its_cell_stays_as_it_is(stands: str) -> None:
    one = Standing(only_blank=False)
    assert one.put("ana", stands, "7.5") == stands
    assert one.notes() == []


def test_every_student_is_named_and_none_is_only_counted() -> None:
    one, ids = Standing(only_blank=False), [f"s{number}" for number in range(40)]
    for name in ids:
        one.put(name, "" if name < "s2" else "1", "0.5")
    said = " ".join(one.notes())
    assert all(f" {name}" in said for name in ids)


@pytest.mark.parametrize("stands", ["EX", "A-", "7.5/10", "(read only)"])
def test_what_is_no_number_stays_and_is_told(stands: str) -> None:
    one = Standing(only_blank=False)
    assert one.put("ana", stands, "1") == stands
    assert one.notes() == [f"1 grade left as it stands (no number): ana ({stands})."]


def test_a_number_below_0_and_a_0_are_numbers() -> None:
    one = Standing(only_blank=False)
    assert [one.put("ana", "0", "1"), one.put("ben", "-1", "1"), one.put("cy", "0.0", "0")] == ["1", "1", "0.0"]
    assert one.notes() == ["2 grades that stand there change: ana from 0 to 1, ben from -1 to 1."]


def test_nothing_to_write_changes_nothing_and_text_is_told_without_itself() -> None:
    one = Standing(only_blank=False, what="comment")
    assert one.put("ana", "good", "", number=False) == "good"
    assert one.put("ben", "good", "rope: wrong", number=False) == "rope: wrong"
    assert one.notes() == ["1 comment that stands there changes: ben."]


def test_a_dash_is_nothing() -> None:
    one = Standing(only_blank=True)
    assert one.put("ana", "-", "1") == "1"
    assert one.notes() == ["1 grade filled in where nothing stood: ana."]
