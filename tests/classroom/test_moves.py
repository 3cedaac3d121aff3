"""Each move of a verdict is kept, with its reason; and whose score differs between two exports."""

from __future__ import annotations

import pytest

from grader.classroom.history import (
    AGAIN,
    ANSWER,
    FIRST,
    NO_MORE,
    NOTHING,
    PROBLEM,
    WAY,
    Exported,
    StandingVerdict,
    moves,
    rescored,
    why_it_moved,
)
from grader.classroom.row import Identity

ONE = StandingVerdict("1", "ana", "rope", "a.py", "/a", 1, Identity("text", "rope", "print", "policy"), "wrong")


def told(at: str, verdict: str | None = "correct", **more: str) -> StandingVerdict:
    of = {"digest": "text", "fingerprint": "print", "policy": "policy", **more}
    identity = None if verdict is None else Identity(of["digest"], "rope", of["fingerprint"], of["policy"])
    return StandingVerdict(at, "ana", "rope", "a.py", "/a", int(at), identity, verdict)


@pytest.mark.parametrize(
    ("before", "now", "reason"),
    [
        (None, ONE, FIRST),
        (ONE, told("2", None), NO_MORE),
        (ONE, told("2", digest="other", fingerprint="other"), ANSWER),
        (ONE, told("2", fingerprint="other", policy="other"), PROBLEM),
        (ONE, told("2", policy="other"), WAY),
        (ONE, told("2"), AGAIN),
    ],
)
def test_a_move_has_its_reason(before: StandingVerdict | None, now: StandingVerdict, reason: str) -> None:
    assert why_it_moved(before, now) == reason


def test_the_first_of_two_changes_is_not_forgotten() -> None:
    found = moves([ONE, told("2", fingerprint="b"), told("3", fingerprint="c"), told("4", "wrong", fingerprint="d")])
    assert [(one.at, one.before, one.now, one.why) for one in found] == [
        ("2", "wrong", "correct", PROBLEM),
        ("4", "correct", "wrong", PROBLEM),
    ]


def test_since_a_moment_first_answers_are_told_too() -> None:
    assert moves([ONE]) == []
    (first,) = moves([ONE], since="0")
    assert (first.before, first.now, first.why) == (NOTHING, "wrong", FIRST)
    assert moves([ONE, told("2", None)], since="2") == []
    (gone,) = moves([ONE, told("2", None)], since="1")
    assert (gone.before, gone.now, gone.why) == ("wrong", NOTHING, NO_MORE)


def test_scores_are_compared_with_the_last_export_of_the_same_format() -> None:
    first = Exported("1", "csv", "/a.csv", {"ana": "1", "ben": "2", "cy": "3"})
    other = Exported("2", "canvas", "/b.csv", {"ana": "9"})
    last = Exported("3", "csv", "/c.csv", {"ana": "1", "ben": "2.5", "dan": "1"})
    assert rescored([first, other, last], first) == {"ben": ("2", "2.5"), "cy": ("3", ""), "dan": ("", "1")}
    assert rescored([first, other], first) == {}
