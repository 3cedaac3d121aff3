"""What comes back from elsewhere: the first record counts, a second must agree, and the rest is told and skipped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from grader.classroom.plan import PlannedAnswer
from grader.classroom.row import Identity, Outcome
from grader.classroom.shard import Incoming, RefusedShard, head_line, line_of_outcome, read_shard, shard_document
from grader.marking.verdict import Diagnosis, Named, Run, Status, Verdict
from grader.values.message import verbatim

POLICY = {
    "clock": 100.0,
    "confine": "best",
    "device": "cpu",
    "fresh": 7,
    "memory": 1 << 30,
    "seconds": 20.0,
}
ONE, OTHER = (Identity(digest * 64, "toy", "f" * 16, json.dumps(POLICY, sort_keys=True)) for digest in "ab")


def told(status: Status, *pitfalls: str, seconds: float = 1.0) -> Outcome:
    diagnosis = Diagnosis(
        tuple(Named(name, verbatim("Why."), verbatim("Hint?")) for name in pitfalls), (), explained=bool(pitfalls)
    )
    verdict = Verdict("toy", status, verbatim("Said."), diagnosis=diagnosis, run=Run(seconds=seconds, confinement="A"))
    return Outcome(verdict, "", 1, "then", seconds)


RIGHT, WRONG, FAULT = told(Status.CORRECT), told(Status.WRONG, "half"), Outcome(None, "no process", 3, "then")


def results(*outcomes: tuple[Identity, Outcome], end: bool = True, **changes: Any) -> bytes:
    """What the process of a shard prints."""
    shard = read_shard(shard_document("1", [PlannedAnswer(ONE, "")], answers=False).encode())
    lines = [
        json.dumps({**json.loads(head_line(shard, "A", 1)), **changes}),
        *(line_of_outcome(*one) for one in outcomes),
    ]
    return "\n".join([*lines, *(['{"end": 2}'] if end else []), ""]).encode()


class Book:
    """What was recorded. Both answers were sent, unless others are named."""

    def __init__(self) -> None:
        self.recorded: list[tuple[Identity, Outcome]] = []
        self.incoming = Incoming(lambda *one: self.recorded.append(one))

    def take(self, data: bytes, source: str, asked: Sequence[Identity] = (ONE, OTHER)) -> set[Identity]:
        return self.incoming.take(data, source, asked)


def test_what_was_asked_for_is_recorded() -> None:
    book = Book()
    assert book.take(results((ONE, RIGHT), (OTHER, FAULT)), "1") == {ONE, OTHER}
    assert book.recorded == [(ONE, RIGHT), (OTHER, FAULT)]
    assert book.incoming.notes == []


def test_of_results_that_were_cut_off_the_whole_lines_are_recorded() -> None:
    book = Book()
    data = results((ONE, RIGHT), (OTHER, WRONG), end=False)
    assert book.take(data[:-9], "1") == {ONE}
    assert (book.recorded, book.incoming.notes) == ([(ONE, RIGHT)], [])


@pytest.mark.parametrize("data", [b"", b"{}", b"\n", b"{}\n", b"Traceback\n more\n", b"\xff\xfe\n"])
def test_what_is_no_result_is_refused(data: bytes) -> None:
    with pytest.raises(RefusedShard):
        Book().take(data, "1")


def test_a_second_record_that_agrees_changes_nothing_and_is_not_told() -> None:
    book = Book()
    book.take(results((ONE, WRONG)), "1")
    assert book.take(results((ONE, told(Status.WRONG, "half", seconds=9.0)), (ONE, FAULT)), "2") == {ONE}
    assert (book.recorded, book.incoming.notes) == ([(ONE, WRONG)], [])


def test_a_second_record_that_differs_is_told_and_the_first_counts() -> None:
    book = Book()
    book.take(results((ONE, WRONG)), "1")
    book.take(results((ONE, RIGHT)), "2")
    assert book.recorded == [(ONE, WRONG)]
    (note,) = book.incoming.notes
    assert note.startswith("toy, the text aaaaaaaaaaaa: wrong (half) at first, correct when graded once more.")


def test_a_verdict_follows_a_fault() -> None:
    book = Book()
    book.take(results((ONE, FAULT), (ONE, FAULT), (ONE, RIGHT)), "1")
    assert book.recorded == [(ONE, FAULT), (ONE, RIGHT)], "the same fault is recorded once"


@pytest.mark.parametrize(
    "changes", [{"problems": {"toy": "other"}}, {"problems": {}}, {"policy": {**POLICY, "seconds": 30.0}}]
)
def test_what_was_graded_otherwise_is_told_and_skipped(changes: dict[str, Any]) -> None:
    book = Book()
    assert book.take(results((ONE, RIGHT), (OTHER, RIGHT), **changes), "Shard 3") == set()
    assert book.recorded == []
    (note,) = book.incoming.notes
    assert note.startswith("Shard 3: 2 lines on toy skipped: the reference, the software or the way of grading is")


def test_what_nobody_handed_in_and_what_is_no_line_is_told_and_skipped() -> None:
    book = Book()
    stranger = replace(ONE, digest="c" * 64)
    forged = results((ONE, WRONG)).replace(b'"wrong"', b'"brilliant"')
    book.take(results((stranger, RIGHT), (OTHER, RIGHT)), "1")
    book.take(forged, "2")
    assert book.recorded == [(OTHER, RIGHT)]
    first, second = book.incoming.notes
    assert first == "1: 1 line skipped: about texts that were not sent there."
    assert second.startswith("2, line 2: This is not a line of a shard's results: not what should stand at .verdict")


def test_a_worker_has_no_say_on_answers_that_it_was_not_sent() -> None:
    book = Book()
    assert book.take(results((ONE, RIGHT), (OTHER, RIGHT)), "Shard 1", [ONE]) == {ONE}
    assert book.recorded == [(ONE, RIGHT)]
    assert book.incoming.notes == ["Shard 1: 1 line skipped: about texts that were not sent there."]
