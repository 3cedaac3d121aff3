"""What is due: nothing whose verdict is known, no bare stub, and after another limit only what reaches it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.journal import Journal
from grader.classroom.plan import finish, holds, plan, policy_text, seed_of
from grader.classroom.row import Outcome
from grader.classroom.submission import Submission
from grader.kit.kit import Kit
from grader.kit.shipped_stub import save_shipped
from grader.marking.verdict import Run, Status, Verdict
from grader.options import Limits, Options, Policy
from grader.values.message import NO_MESSAGE
from tests.author import toys

NAME = "distance_decay"
POLICY = json.loads(policy_text(Options(Kit(Path("/kit")), policy=Policy("best", 7))))


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(Kit(toys.make(tmp_path / "kit")), policy=Policy("best", 7))


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / "week1.gradebook", write=True)
    texts = {"ana": toys.ANSWER, "ben": f"{toys.ANSWER}\n# mine\n", "cy": toys.STUB, "dan": f"# later\n{toys.STUB}"}
    journal.hand_in("/week1", [NAME], [Submission(who, NAME, f"{who}.py", text) for who, text in texts.items()], [])
    return journal


def verdict(status: str, seconds: float = 0.5) -> Verdict:
    return Verdict(NAME, Status(status), NO_MESSAGE, "x.py", run=Run(seconds=seconds, processor=seconds))


def texts(journal: Journal, options: Options, *again: str) -> list[str]:
    return [work.text for work in plan(journal, options, [NAME], again)]


def grade(journal: Journal, options: Options, *outcomes: Outcome) -> None:
    work = plan(journal, options, [NAME], [])
    journal.record((one.identity, outcome) for one, outcome in zip(work, outcomes, strict=True))


def test_bare_stubs_are_recorded_and_do_not_run(journal: Journal, options: Options) -> None:
    assert texts(journal, options) == [toys.ANSWER, f"{toys.ANSWER}\n# mine\n"]
    assert [row.verdict and row.verdict.status for row in journal.rows()] == [None, None, *["unattempted"] * 2]


@pytest.mark.parametrize("change", ["4.0", "[(0, 2), (0, 3), (1, 5)]"])
def test_after_the_reference_or_its_cases_changed_all_is_due_again(
    change: str, journal: Journal, options: Options
) -> None:
    grade(journal, options, Outcome(verdict("correct")), Outcome(verdict("wrong")))
    assert texts(journal, options) == []
    reference = options.kit.answer(NAME)
    reference.write_text(reference.read_text().replace(change, {"4.0": "5.0"}.get(change, "[(0, 2)]")))
    assert len(texts(journal, options)) == 2


@pytest.mark.parametrize("file", ["solutions/shared.py", f"solutions/{NAME}/helper.py"])
def test_a_module_that_references_may_import_is_part_of_the_problem(
    file: str, journal: Journal, options: Options
) -> None:
    grade(journal, options, Outcome(verdict("correct")), Outcome(verdict("wrong")))
    (options.kit.root / file).write_text("WIDTH = 4\n")
    assert len(texts(journal, options)) == 2


def test_after_the_words_changed_all_is_due_again(journal: Journal, options: Options) -> None:
    grade(journal, options, Outcome(verdict("correct")), Outcome(verdict("wrong")))
    options.kit.words(NAME).write_text(toys.WORDS.replace("too fast", "much too fast"))
    assert len(texts(journal, options)) == 2


def test_the_stub_is_not_part_of_the_problem(journal: Journal, options: Options) -> None:
    grade(journal, options, Outcome(verdict("correct")), Outcome(verdict("wrong")))
    options.kit.stub(NAME).write_text(f"{toys.STUB}# better\n")
    assert texts(journal, options) == []


@pytest.mark.parametrize(
    ("status", "used", "changed", "expected"),
    [
        ("correct", 0.5, {}, True),
        ("correct", 0.5, {"seconds": 20.0}, True),
        ("correct", 15.0, {"seconds": 20.0}, False),
        ("correct", 0.5, {"clock": 5.0}, True),
        ("correct", 3.0, {"clock": 5.0}, False),
        ("timeout", 60.0, {"clock": 900.0}, False),
        ("timeout", 60.0, {"clock": 60.0}, True),
        ("memory", 0.5, {"memory": 1 << 30, "clock": 60.0}, False),
        ("correct", 50.0, {"seconds": 90.0}, True),
        ("correct", 0.5, {"memory": 8 << 30}, True),
        ("correct", 0.5, {"memory": 1 << 30}, False),
        ("timeout", 60.0, {"seconds": 90.0}, False),
        ("timeout", 60.0, {"seconds": 20.0}, True),
        ("timeout", 60.0, {"seconds": 20.0, "memory": 1 << 30}, False),
        ("memory", 0.5, {"memory": 8 << 30}, False),
        ("memory", 0.5, {"memory": 1 << 30}, True),
        ("memory", 0.5, {"memory": 1 << 30, "seconds": 20.0}, False),
        ("correct", 0.5, {"fresh": 8}, False),
        ("correct", 0.5, {"confine": "C"}, False),
        ("correct", 0.5, {"device": "gpu"}, False),
    ],
)
def test_a_verdict_holds_under_limits_that_it_does_not_reach(
    status: str, used: float, changed: dict[str, Any], expected: bool
) -> None:
    assert holds(verdict(status, used), json.dumps(POLICY), json.dumps({**POLICY, **changed})) is expected


def test_under_a_longer_limit_only_timeouts_are_due(journal: Journal, options: Options) -> None:
    grade(journal, options, Outcome(verdict("correct"), graded_at="then"), Outcome(verdict("timeout", 60.0)))
    longer = replace(options, limits=Limits(90.0))
    assert texts(journal, longer) == [f"{toys.ANSWER}\n# mine\n"]
    (first, *_) = journal.rows()
    assert (first.state, first.graded_at, first.before) == ("verdict", "then", first.verdict)


def test_what_took_longest_runs_first_and_the_others_in_order(journal: Journal, options: Options) -> None:
    grade(journal, options, Outcome(verdict("correct"), seconds=1.0), Outcome(verdict("wrong"), seconds=9.0))
    work = plan(journal, options, [NAME], [NAME])
    assert [(one.text, one.expected) for one in work if one.text != toys.STUB] == [
        (f"{toys.ANSWER}\n# mine\n", 9.0),
        (toys.ANSWER, 1.0),
    ]


def test_a_text_that_never_ran_is_expected_to_take_the_mean_of_its_problem(journal: Journal, options: Options) -> None:
    grade(journal, options, Outcome(verdict("correct"), seconds=1.0), Outcome(verdict("wrong"), seconds=9.0))
    journal.hand_in("/week1", [NAME], [Submission("eve", NAME, "eve.py", "def another(): pass\n")], [], fewer=True)
    (work,) = plan(journal, options, [NAME], [])
    assert (work.expected, work.late) == (5.0, False)


def test_what_ran_out_of_time_is_late(journal: Journal, options: Options) -> None:
    grade(journal, options, Outcome(verdict("timeout"), seconds=70.0), Outcome(verdict("wrong"), seconds=90.0))
    again = {one.text: one.late for one in plan(journal, options, [NAME], [NAME])}
    assert (again[toys.ANSWER], again[f"{toys.ANSWER}\n# mine\n"]) == (True, False)


def test_graded_again_is_finished_only_if_nothing_is_left(journal: Journal, options: Options) -> None:
    grade(journal, options, Outcome(verdict("correct")), Outcome(verdict("wrong")))
    assert len(texts(journal, options, NAME)) == 2
    finish(journal, [NAME], [NAME])
    grade(journal, options, Outcome(verdict("correct")), Outcome(verdict("wrong")))
    assert texts(journal, options, NAME) == [], "it goes on, and nothing is left"
    finish(journal, [NAME], [])
    assert len(texts(journal, options, NAME)) == 2


def test_the_seed_is_drawn_once_and_kept_until_another_is_given(journal: Journal) -> None:
    first = seed_of(journal, None, fresh=None)
    assert first is not None
    assert seed_of(journal, None, fresh=None) == first
    assert [seed_of(journal, seed, fresh=fresh) for seed, fresh in ((7, None), (None, None), (None, False))] == [
        7,
        7,
        None,
    ]
    assert (seed_of(journal, None, fresh=None), seed_of(journal, 0, fresh=None)) == (None, 0)
    assert seed_of(journal, None, fresh=False) is None
    assert seed_of(journal, None, fresh=True) is not None


def test_a_stub_that_is_nested_deeply_is_not_a_fault(journal: Journal, options: Options) -> None:
    save_shipped(options.kit)
    deep = "def distance_decay(seed, T, x=" + "-" * 900 + "1):\n    raise NotImplementedError\n"
    journal.hand_in("/week1", [NAME], [Submission("eve", NAME, "eve.py", deep)], [], fewer=True)
    assert deep in texts(journal, options)
