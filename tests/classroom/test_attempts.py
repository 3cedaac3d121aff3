"""Which of several attempts counts."""

from __future__ import annotations

import dataclasses

from grader.classroom.attempts import MOST_FILES_NAMED, Candidate, latest
from grader.classroom.submission import UploadNumber
from grader.classroom.tree import Whose

ONE = Candidate(Whose("ana", problem="rope"), "ana/rope.py", "1")


def like(path: str, text: str | None = "2", **changes: object) -> Candidate:
    known = {
        name: changes.pop(name) for name in ("attempt", "submitted", "student", "problem", "file") if name in changes
    }
    return dataclasses.replace(ONE, whose=dataclasses.replace(ONE.whose, **known), path=path, text=text, **changes)


def test_the_latest_attempt_counts() -> None:
    one, two, three = (like(f"{n}.py", str(n), attempt=UploadNumber(n, 10 + n)) for n in range(3))
    counted, unread = latest([two, three, one])
    assert [submission.text for submission in counted] == ["2"]
    assert {line.path for line in unread} == {"0.py", "1.py"}
    assert {line.why for line in unread} == {"an earlier attempt at rope: 2.py counts."}


def test_the_time_of_submission_decides() -> None:
    early, late = (like(f"{day}.py", str(day), submitted=f"2026-02-0{day}T00:00:00+00:00") for day in (1, 2))
    counted, _ = latest([late, early])
    assert [(one.path, one.submitted) for one in counted] == [("2.py", "2026-02-02T00:00:00+00:00")]


def test_two_that_cannot_be_ordered_are_both_left_out_and_say_so() -> None:
    counted, unread = latest([ONE, like("ana_rope.py")])
    assert not counted
    assert [line.path for line in unread] == ["ana/rope.py", "ana_rope.py"]
    assert "nothing tells which is later" in unread[0].why
    assert "ana_rope.py" in unread[0].why


def test_numbers_that_disagree_order_nothing() -> None:
    counted, unread = latest([like("a", "1", attempt=UploadNumber(0, 9)), like("b", "2", attempt=UploadNumber(1, 5))])
    assert (len(counted), len(unread)) == (0, 2)


def test_the_same_text_twice_counts_once() -> None:
    counted, unread = latest([ONE, like("ana_rope.py", "1")])
    assert [one.path for one in counted] == ["ana/rope.py"]
    assert unread[0].why == "rope: the same text as ana/rope.py, which counts."


def test_a_later_attempt_that_cannot_be_read_is_not_replaced_by_an_earlier_one() -> None:
    early = like("0.py", attempt=UploadNumber(0, 1))
    late = like("1.py", None, why="not UTF-8.", attempt=UploadNumber(1, 2))
    counted, unread = latest([early, late])
    assert not counted
    assert {line.path for line in unread} == {"0.py", "1.py"}
    assert unread[0].why.startswith("an earlier attempt at rope: 1.py is later, and cannot be read.")


def test_an_unreadable_file_beside_another_leaves_both_out() -> None:
    counted, unread = latest([ONE, like("ana_rope.py", None, why="not UTF-8.")])
    assert (len(counted), len(unread)) == (0, 2)


def test_students_and_problems_do_not_touch() -> None:
    counted, unread = latest([ONE, like("b", student="ben"), like("c", problem="mha_rope")])
    assert (len(counted), unread) == (3, [])


def test_of_very_many_attempts_a_line_names_a_few() -> None:
    group = [
        Candidate(Whose("eve", problem="rope"), f"eve/rope-{number}.py", f"x = {number}")
        for number in range(MOST_FILES_NAMED + 3)
    ]
    counted, unread = latest(group)
    assert counted == []
    assert unread[0].why.startswith(
        "eve answers rope in eve/rope-1.py and eve/rope-2.py and eve/rope-3.py and 2 more files too"
    )


def test_numbers_of_files_with_two_names_are_counted_apart() -> None:
    """Canvas counts the uploads of one name: a second `stub.py` is `stub-1.py`, and a later `rope.py` has no number."""
    early, late = (
        like("a", "1", attempt=UploadNumber(1, 5), file="stub-1.py"),
        like("b", "2", attempt=UploadNumber(0, 9), file="rope.py"),
    )
    counted, unread = latest([late, early])
    assert ([one.path for one in counted], [one.path for one in unread]) == (["b"], ["a"])
    same = like("b", "2", attempt=UploadNumber(0, 9), file="Stub.py")
    assert latest([same, early])[0] == []


def test_what_is_shipped_counts_only_where_it_is_later() -> None:
    stub = like("stub", "0")
    for group, kept in (
        ([stub, like("a", "1")], ["a"]),
        ([stub, like("a", "1"), like("b", "1")], ["a"]),  # the same text
        ([stub, like("a", "1"), like("b", "2")], []),
        ([stub, like("a", None, why="not UTF-8.")], []),
        ([like("stub", "0", attempt=UploadNumber(1, 9)), like("a", "1", attempt=UploadNumber(0, 5))], ["stub"]),
        ([like("stub", "0", attempt=UploadNumber(0, 9)), like("a", "1", attempt=UploadNumber(1, 5))], ["a"]),
    ):
        counted, unread = latest(group, lambda problem, text: (problem, text) == ("rope", "0"))
        assert [one.path for one in counted] == kept
        assert len(unread) == len(group) - len(kept)
        # A stub that counts in the place of an answer is told of its student.
        assert all(bool(one.student) is (kept in ([], ["stub"])) for one in unread)


def test_a_doubt_says_who_lacks_what() -> None:
    _, unread = latest([ONE, like("a"), like("b", None, why="not UTF-8.")])
    assert [(one.path, one.doubt, one.student, one.problem) for one in unread] == [
        ("ana/rope.py", True, "ana", "rope"),
        ("a", True, "ana", "rope"),
        ("b", False, "ana", "rope"),
    ]
