"""Of two attempts the later is known by their times, or else by the numbers that their system writes; else nothing tells."""

from __future__ import annotations

import pytest

from grader.classroom.submission import Submission, UploadNumber, later


def handed_in(submitted: str = "", attempt: UploadNumber | None = None) -> Submission:
    return Submission("ana", "rope", "a.py", "x", submitted, attempt=attempt)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (handed_in("2026-03-02"), handed_in("2026-03-01")),
        (handed_in("2026-03-02", UploadNumber(1, 5)), handed_in("2026-03-01", UploadNumber(2, 9))),
        (handed_in("2026-03-01", UploadNumber(2, 9)), handed_in("2026-03-01", UploadNumber(1, 5))),
        (handed_in("", UploadNumber(None, 9)), handed_in("2026-03-01", UploadNumber(None, 5))),
    ],
)
def test_the_later_is_known(one: Submission, other: Submission) -> None:
    assert later(one, other)
    assert not later(other, one)


@pytest.mark.parametrize("other", [handed_in(), handed_in("2026-03-01"), handed_in("", UploadNumber(1, 5))])
def test_else_nothing_tells(other: Submission) -> None:
    assert not later(handed_in(), other)
    assert not later(other, handed_in())


def test_a_text_that_no_encoding_takes_has_a_digest() -> None:
    assert len(Submission("ana", "rope", "a.py", "\ud800").digest) == 64
