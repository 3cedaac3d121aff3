"""Codes in the place of ids: the same ones each time, told back by the gradebook alone, and nothing else tells who it is."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from grader.classroom.hidden_ids import Codes, codes_of, without_remarks
from grader.classroom.history import Move
from grader.classroom.journal import Journal
from grader.classroom.late import Deadline
from grader.classroom.points import ByHand, Points, parsed
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from tests.classroom.exports.rows import row, verdict_of
from tests.marking.places import place

CODES = Codes({"ana": "s-b", "ben": "s-a", "red": "s-t"})


def test_a_code_stays_the_same_and_only_this_gradebook_knows_whose_it_is(tmp_path: Path) -> None:
    ids = [f"student_{number}" for number in range(300)]
    with Journal(tmp_path / "a.gradebook", write=True) as journal:
        first = codes_of(journal, ids)
    with Journal(tmp_path / "a.gradebook") as journal:
        second = codes_of(journal, [*reversed(ids), "more"])
    with Journal(tmp_path / "b.gradebook", write=True) as journal:
        other = codes_of(journal, ids)
    assert len({*first.by_id.values()}) == 300
    assert all(re.fullmatch("s-[a-z2-7]{8}", one) for one in first.by_id.values())
    assert {one: second.of(one) for one in ids} == first.by_id
    assert not {*first.by_id.values()} & {*other.by_id.values()}
    assert first.whose(first.of("student_7").upper()) == "student_7"
    with pytest.raises(KitError, match="is no code of this gradebook"):
        other.whose(first.of("student_7"))


def test_a_gradebook_that_is_open_to_be_read_makes_its_key(tmp_path: Path) -> None:
    Journal(tmp_path / "a.gradebook", write=True).__exit__()
    with Journal(tmp_path / "a.gradebook") as journal:
        assert codes_of(journal, ["ana"]).by_id == codes_of(journal, ["ana"]).by_id


def test_rows_have_codes_alone_and_their_order_tells_nothing() -> None:
    verdict = replace(verdict_of(where=(place(1, 0, 1, 5, "x = 1  # by ana"),)), file="ana/rope.py")
    rows = [row("ana", verdict, team="red", called="Ana One", source="/ana"), row("ben", verdict_of())]
    first, second = CODES.rows(rows)
    assert (first.student, second.student) == ("s-a", "s-b")
    assert (
        "ana"
        not in repr((second.student, second.path, second.team, second.called, second.source, second.verdict)).lower()
    )
    assert (second.path, second.team) == ("s-b/rope.py", "s-t")


def test_what_else_names_a_student_has_codes_too() -> None:
    unread = [Unread("ana/x.ipynb", "ana handed it in twice", student="ana"), Unread("zoe.txt", "why")]
    one, nobodys = CODES.unread(unread)
    assert (one.student, one.path, one.why) == ("s-b", "s-b/file.ipynb", "")
    assert (nobodys.student, nobodys.path, nobodys.why) == ("", "file.txt", "")
    (move,) = CODES.moves([Move("at", "ben", "rope", "wrong", "correct", "why", "ben/rope.py")])
    assert (move.student, move.path) == ("s-a", "s-a/rope.py")
    given = Points(
        parsed("correct=1"),
        deadline=Deadline(extensions={"ana": timedelta(1), "zoe": timedelta(1)}),
        excused={"ben": None},
        by_hand={"ana": {"rope": ByHand(Fraction(1))}},
    )
    hidden = CODES.points(given)
    assert [*hidden.deadline.extensions] == ["s-b"]
    assert [*hidden.excused] == ["s-a"]
    assert [*hidden.by_hand] == ["s-b"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("# ana\nx = 1  # mine\ny = '#'\n", "\nx = 1  \ny = '#'\n"),
        ('"""By ana."""\nx = 1\n', "\nx = 1\n"),
        ('def f(x):\n    """By\n    ana.\n    """\n    return x\n', "def f(x):\n    \n\n\n    return x\n"),
        ("x = [\n    'kept',  # not kept\n]\n", "x = [\n    'kept',  \n]\n"),
        ('"""By ana."""  # ana\nx = 1\n', "  \nx = 1\n"),
        ("(\n'ana'\n)\n", "(\n\n)\n"),
        ("def f(): 'ana'\n", "def f(): \n"),
        ("x = 1; 'ana'\n", "x = 1; \n"),
        ('"by" "ana"\n', " \n"),
        ("f'by {ana}'\nx = f'{y:3}'\n", "\nx = f'{y:3}'\n"),
        ("x = {'a': 'kept'}\ny['b']: 'int'\n", "x = {'a': 'kept'}\ny['b']: \n"),
        ("x = (", ""),
    ],
)
def test_comments_and_strings_that_stand_alone_go_and_lines_stay(text: str, left: str) -> None:
    assert without_remarks(text) == left
