"""The table of columns: `test_roster.py` reads a list of each system by it."""

from __future__ import annotations

import pytest

from grader.classroom.columns import FIRST, IDS, LAST, LIST_SYSTEMS, LOGINS, NAMES, TEAMS, column


@pytest.mark.parametrize(
    ("header", "read"),
    [("SIS User ID", "sis_user_id"), ("#Username", "username"), ("E-Mail-Adresse", "e_mail_adresse"), (" ID ", "id")],
)
def test_a_header_is_read_without_capitals_and_marks(header: str, read: str) -> None:
    assert column(header) == read


def test_no_column_names_a_student_and_is_a_name_or_a_team() -> None:
    kinds = [{*IDS}, {*NAMES}, {*FIRST}, {*LAST}, {*TEAMS}]
    assert sum(map(len, kinds)) == len(set().union(*kinds))
    assert {*LOGINS} < {*IDS}


def test_each_system_has_a_column_that_names_a_student_and_a_source() -> None:
    for system in LIST_SYSTEMS:
        assert {column(one) for one in system.header} & {*IDS}
        assert len(system.source) > 10
