"""The document of a shard, and the lines that come back: what was sent comes back, and nothing else is believed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.plan import PlannedAnswer, policy_text
from grader.classroom.row import Identity, Outcome
from grader.classroom.shard import (
    NotAsked,
    RefusedShard,
    head_line,
    head_of,
    line_of_outcome,
    options_of,
    outcome_of,
    read_shard,
    shard_document,
    work_of,
)
from grader.kit.kit import Kit
from grader.kit.progress import fingerprint_of_problem
from grader.marking.verdict import CaseResult, Run, Status, Verdict
from grader.options import Limits, Options, Policy
from grader.values.message import verbatim
from tests.author import toys
from tests.classroom.test_clusters import sample

NAME = "distance_decay"
TEXT = f"{toys.ANSWER}# é\n"
TOLD = Verdict(NAME, Status.WRONG, verbatim("Right on 0 of 3 cases."), run=Run(confinement="A", processor=0.5))


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(
        Kit(toys.make(tmp_path / "kit")), limits=Limits(20.0, timeout=50.0), policy=Policy("best", 7), json=True
    )


@pytest.fixture
def work(options: Options) -> list[PlannedAnswer]:
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    fingerprint = fingerprint_of_problem(options.kit, NAME, "cpu")
    return [PlannedAnswer(Identity(digest, NAME, fingerprint, policy_text(options)), TEXT)]


def test_the_work_comes_out_as_it_went_in(work: list[PlannedAnswer], options: Options) -> None:
    sent = shard_document("7 of 9", work)
    assert "\n" not in sent, "one line, since a pipe stays open after it"
    shard = read_shard(sent.encode())
    here = options_of(shard, options.kit)
    assert (here, work_of(shard, here)) == (options, work)
    told = json.loads(head_line(shard, "A", 2))
    assert (told["id"], told["confinement"], told["jobs"]) == ("7 of 9", "A", 2)
    assert {"grader", "python", "jax", "numpy"} <= set(told["versions"])
    found = head_of(head_line(shard, "A", 2).encode())
    assert (found.policy, found.problems) == (shard.policy, shard.problems), "what the verdicts are made with"
    assert read_shard(shard_document("probe", work, answers=False).encode()).answers == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda read: read.update(schema="grader/shard-result/9"), "these are others"),
        (lambda read: read.update(confinement="C"), "confinement 'C', and 'best' was asked for"),
        (lambda read: read.update(confinement="none"), "'none'"),
        (lambda read: read["policy"].update(confine=""), "was asked for"),
        (lambda read: read["policy"].update(confine="A"), "'B', and 'A' was asked for"),
        (lambda read: read.pop("versions"), "not that of a shard's results"),
    ],
)
def test_a_head_that_promises_less_than_was_asked_for_is_refused(
    change: Callable[[Any], object], said: str, work: list[PlannedAnswer]
) -> None:
    told = json.loads(head_line(read_shard(shard_document("1", work).encode()), "B", 2))
    change(told)
    with pytest.raises(RefusedShard, match=said):
        head_of(json.dumps(told).encode())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda read: read.update(schema="grader/shard/9"), "this one is another"),
        (lambda read: read.pop("id"), "not a shard of a class"),
        (lambda read: read.update(more=1), "not a shard of a class"),
        (lambda read: read["answers"][0].update(text="def other(): pass"), "is not the one that was sent"),
        (lambda read: read.update(problems={}), "no fingerprint of distance_decay"),
        (lambda read: read["policy"].update(confine=""), "Another version of the grader"),
        (lambda read: read["problems"].update(distance_decay="0123"), "judged otherwise here"),
        (lambda read: read["problems"].update(elsewhere="0123"), "no problem elsewhere"),
    ],
)
def test_what_would_be_judged_otherwise_is_refused_in_one_line(
    change: Callable[[Any], object], said: str, work: list[PlannedAnswer], options: Options
) -> None:
    sent = json.loads(shard_document("1", work))
    change(sent)
    with pytest.raises(RefusedShard, match=said) as raised:
        options_of(read_shard(json.dumps(sent).encode()), options.kit)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"7"])
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(RefusedShard):
        read_shard(data)


SAMPLED = replace(TOLD, cases=(CaseResult({"T": 2}, False, math.inf, 1e-6, 2),) * 2, sample=sample(0.5, 0.2))


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(TOLD, "", 1, "then", 1.5, 9),
        Outcome(SAMPLED, "", 1, "then", 1.5, 9),
        Outcome(None, "it ended", 3, "then"),
    ],
)
def test_an_outcome_comes_back_whole(outcome: Outcome, work: list[PlannedAnswer]) -> None:
    of = work[0].identity
    assert outcome_of(line_of_outcome(of, outcome).encode(), {(of.digest, of.problem): of}) == (of, outcome)


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read.update(digest="another"),
        lambda read: read.update(problem="other_decay"),
        lambda read: read.pop("digest"),
        lambda read: read.update(fault="both"),
        lambda read: read.update(verdict=None),
        lambda read: read.update(seconds=-1e300),
        lambda read: read["verdict"]["run"].update(processor=1e9),
        lambda read: read["verdict"]["run"].update(processor=-1.0),
        lambda read: read.update(peak=1 << 62),
        lambda read: read.update(tries=-5),
        lambda read: read["verdict"].update(status=7),
        lambda read: read["verdict"].update(more=1),
        lambda read: read["verdict"].pop("cases"),
        lambda read: read["verdict"].update(problem="other_decay"),
        lambda read: read["verdict"]["run"].update(confinement="Z"),
        lambda read: read["verdict"]["run"].update(seconds=float("nan")),
        lambda read: read["verdict"].update(withheld="verdict"),
        lambda read: read["verdict"].update(drawable={"pictures": [], "cases": [{}]}),
        lambda read: read["verdict"].update(message="half of one: \ud800"),
        lambda read: read.update(seconds="long"),
        lambda read: read.update(more=1),
        lambda read: read.pop("peak"),
    ],
)
def test_a_line_about_something_else_is_refused(change: Callable[[Any], object], work: list[PlannedAnswer]) -> None:
    of = work[0].identity
    told = json.loads(line_of_outcome(of, Outcome(TOLD)))
    change(told)
    with pytest.raises(RefusedShard):
        outcome_of(json.dumps(told).encode(), {(of.digest, of.problem): of})


def test_a_sound_line_about_something_else_is_told_apart(work: list[PlannedAnswer]) -> None:
    with pytest.raises(NotAsked):
        outcome_of(line_of_outcome(work[0].identity, Outcome(TOLD)).encode(), {})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda read: read["verdict"].update(sample="{}"), "This holds a sample without the names"),
        (lambda read: read["verdict"].update(sample="x" * (1 << 20)), "a sample that is too long"),
        (lambda read: read["verdict"].update(sample=sample(0.5, fails="fff")), "a sample of other cases"),
        (lambda read: read["verdict"]["diagnosis"].update(explained=True), "a sample of an answer that is explained"),
        (lambda read: read["verdict"].update(status="correct"), "a sample of an answer that is explained"),
        (lambda read: read["verdict"].update(sample=7), "not a line of a shard's results"),
    ],
)
def test_a_sample_that_comes_back_is_data_of_a_stranger(
    change: Callable[[Any], object], said: str, work: list[PlannedAnswer]
) -> None:
    of = work[0].identity
    told = json.loads(line_of_outcome(of, Outcome(SAMPLED, "", 1, "then")))
    change(told)
    with pytest.raises(RefusedShard, match=said) as raised:
        outcome_of(json.dumps(told).encode(), {(of.digest, of.problem): of})
    assert len(str(raised.value)) < 200
