"""What is kept of practice, and when a problem comes back."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.kit.kit import Kit
from grader.kit.state import take_warnings
from grader.marking.verdict import Status, Verdict
from grader.practice import record
from grader.practice.record import Exercise, Rating, Record, Schedule, rated, scheduled
from grader.values.message import message

NOW = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
EXERCISE = Exercise(
    *("toy", "text", "source", "axis", "", 3, "before", "after", "print"),
    Verdict("toy", Status.WRONG, message("Wrong.")),
)


def intervals(rating: Rating, times: int = 4) -> list[int]:
    """The days between exercises that all end alike, each on the day on which it is due."""
    before: Schedule | None = None
    now, found = NOW, []
    for _ in range(times):
        before = scheduled(before, rating, now)
        found.append((before.time - now).days)
        now = before.time
    return found


def test_a_problem_comes_back_later_each_time_and_after_60_days_at_most() -> None:
    assert intervals(Rating.GOOD) == [2, 11, 46, 60]
    assert intervals(Rating.AGAIN) == [1, 1, 1, 1]
    assert max(intervals(Rating.EASY)) == record.LONGEST_INTERVAL


def test_what_is_found_before_it_is_due_changes_nothing_and_what_is_given_up_comes_back_tomorrow() -> None:
    first = scheduled(None, Rating.EASY, NOW)
    soon = NOW + datetime.timedelta(minutes=2)
    assert scheduled(first, Rating.GOOD, soon) == first
    given_up = scheduled(first, Rating.AGAIN, soon)
    assert (given_up.time - soon).days == 1


@pytest.mark.parametrize(
    ("hints", "tries", "rating"),
    [(0, 1, Rating.EASY), (0, 2, Rating.GOOD), (1, 1, Rating.HARD), (2, 5, Rating.HARD), (3, 1, Rating.AGAIN)],
)
def test_hints_and_tries_say_how_well_a_mistake_was_found(hints: int, tries: int, rating: Rating) -> None:
    assert rated(hints, tries) is rating


def test_what_is_kept_comes_back_whole(tmp_path: Path) -> None:
    kit = Kit(tmp_path)

    def change(into: Record) -> None:
        into.exercises["other"], into.current = replace(EXERCISE, problem="other"), "other"
        into.session = record.Session("1 First steps", 1.0)
        into.end(EXERCISE, Rating.GOOD, NOW, "digest")

    kept = record.update(kit, change)
    assert record.load(kit) == kept
    assert kept.exercise is not None
    assert (kept.past[0].problem, kept.session) == ("toy", record.Session("1 First steps", 1.0, (("toy", 3),)))
    assert kept.due(NOW) == []
    assert kept.due(NOW + datetime.timedelta(days=2)) == ["toy"]


@pytest.mark.parametrize("due", ["never", "2026-01-01T00:00:00"])
def test_a_damaged_file_is_set_aside_and_nothing_else_stops(tmp_path: Path, due: str) -> None:
    kit = Kit(tmp_path)
    record.update(kit, lambda into: into.end(EXERCISE, Rating.GOOD, NOW, "digest"))
    path = tmp_path / ".grader/practice.json"
    data = json.loads(path.read_text())
    data["schedules"]["toy"]["due"] = due
    path.write_text(json.dumps(data))
    assert record.load(kit) == Record()
    assert "practice.json.damaged" in take_warnings()[0]
    assert json.loads((tmp_path / ".grader/practice.json.damaged").read_text()) == data
