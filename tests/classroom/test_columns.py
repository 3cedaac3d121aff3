"""The table of columns: `test_roster.py` reads a list of each system by it."""

from __future__ import annotations

import pytest

from grader.classroom.columns import EMAILS, FIRST, IDS, LAST, LOGINS, NAMES, TEAMS, column
from tests.classroom.list_systems import LIST_SYSTEMS


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


def test_the_columns_are_those_of_the_systems() -> None:
    kinds = {
        "emails": EMAILS,
        "logins": LOGINS,
        "ids": IDS,
        "names": NAMES,
        "first": FIRST,
        "last": LAST,
        "teams": TEAMS,
    }
    for kind, known in kinds.items():
        found = {column(header) for system in LIST_SYSTEMS for header in getattr(system, kind)}
        inner = {"logins": EMAILS, "ids": LOGINS}.get(kind, ())
        assert found | {*inner} == {*known}, kind
