"""The document of a shard, and the lines that come back: what was sent comes back, and nothing else is believed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.outcome import Identity, Outcome
from grader.classroom.plan import Work, policy_text
from grader.classroom.shard import Refused, document, head, line, options_of, outcome_of, read, work_of
from grader.kit.kit import Kit
from grader.kit.progress import fingerprint_of_problem
from grader.options import Limits, Options, Policy
from tests.author import toys

NAME = "distance_decay"
TEXT = f"{toys.ANSWER}# é\n"


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(Kit(toys.make(tmp_path / "kit")), limits=Limits(20.0), policy=Policy("best", 7), json=True)


@pytest.fixture
def work(options: Options) -> list[Work]:
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    fingerprint = fingerprint_of_problem(options.kit, NAME, "cpu")
    return [Work(Identity(digest, NAME, fingerprint, policy_text(options)), TEXT)]


def test_the_work_comes_out_as_it_went_in(work: list[Work], options: Options) -> None:
    sent = document("7 of 9", work)
    assert "\n" not in sent, "one line, since a pipe stays open after it"
    shard = read(sent.encode())
    here = options_of(shard, options.kit)
    assert (here, work_of(shard, here)) == (options, work)
    told = json.loads(head(shard, "A", 2))
    assert (told["id"], told["confinement"], told["jobs"]) == ("7 of 9", "A", 2)
    assert {"grader", "python", "jax", "numpy"} <= set(told["versions"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda read: read.update(schema="grader/shard/9"), "this one is another"),
        (lambda read: read.pop("id"), "not a shard of a class"),
        (lambda read: read.update(more=1), "not a shard of a class"),
        (lambda read: read["answers"][0].update(text="def other(): pass"), "is not the one that was sent"),
        (lambda read: read.update(problems={}), "no fingerprint of distance_decay"),
        (lambda read: read["policy"].update(schema="grader/verdict/9"), "Another version of the grader"),
        (lambda read: read["policy"].update(confine=""), "Another version of the grader"),
        (lambda read: read["problems"].update(distance_decay="0123"), "judged otherwise here"),
        (lambda read: read["problems"].update(elsewhere="0123"), "no problem elsewhere"),
    ],
)
def test_what_would_be_judged_otherwise_is_refused_in_one_line(
    change: Callable[[Any], object], said: str, work: list[Work], options: Options
) -> None:
    sent = json.loads(document("1", work))
    change(sent)
    with pytest.raises(Refused, match=said) as raised:
        options_of(read(json.dumps(sent).encode()), options.kit)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"7"])
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        read(data)


@pytest.mark.parametrize(
    "outcome", [Outcome({"status": "wrong"}, "", 1, "then", 1.5, 0.5, 9), Outcome(None, "it ended", 3, "then")]
)
def test_an_outcome_comes_back_whole(outcome: Outcome, work: list[Work]) -> None:
    of = work[0].identity
    assert outcome_of(line(of, outcome).encode(), {(of.digest, of.problem): of}) == (of, outcome)


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read.update(digest="another"),
        lambda read: read.pop("digest"),
        lambda read: read.update(fault="both"),
        lambda read: read.update(verdict=None),
        lambda read: read.update(verdict={"status": 7}),
        lambda read: read.update(seconds="long"),
        lambda read: read.update(more=1),
    ],
)
def test_a_line_about_something_else_is_refused(change: Callable[[Any], object], work: list[Work]) -> None:
    of = work[0].identity
    told = json.loads(line(of, Outcome({"status": "wrong"})))
    change(told)
    with pytest.raises(Refused):
        outcome_of(json.dumps(told).encode(), {(of.digest, of.problem): of})
