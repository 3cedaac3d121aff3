"""A verdict as a gradebook keeps it: all of it comes back, and what this grader cannot have written is told."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from grader.classroom.row import on_file, read_verdict, verdict_text
from grader.kit.notebook_verdict import CellOrigin
from grader.marking.verdict import CaseResult, Insight, Printed, Status, ValueBlock, Verdict
from grader.values.decode import Malformed
from grader.values.message import verbatim
from tests.classroom.exports.rows import RAISED, WRONG, verdict_of
from tests.marking.places import place
from tests.test_schemas import VERDICT

WHOLE = replace(
    VERDICT,
    printed=(Printed("n=3", "hello"),),
    run=replace(VERDICT.run, endless=True, fresh=7, processor=0.25),
    sample="{}",
)


@pytest.mark.parametrize("verdict", [WHOLE, WRONG, RAISED, verdict_of(Status.UNATTEMPTED)])
def test_a_verdict_comes_back_whole(verdict: Verdict) -> None:
    assert repr(read_verdict(verdict_text(verdict))) == repr(verdict), "compared as text, since no NaN equals another"


def test_numbers_that_are_not_finite_come_back() -> None:
    cases = (CaseResult({"n": 3}, False, math.inf, 1e-6, 4), CaseResult({"n": 4}, False, math.nan, None, 4))
    first, second = read_verdict(verdict_text(replace(WRONG, cases=cases))).cases
    assert first == cases[0]
    assert math.isnan(second.error or 0.0)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("printed"),
        lambda data: data.update(more=1),
        lambda data: data.update(status="brilliant"),
        lambda data: data.update(withheld="diagnosis"),
        lambda data: data["run"].update(confinement="Z"),
        lambda data: data.update(unread="lost"),
        lambda data: data["run"].update(seconds=-1.0),
        lambda data: data["run"].update(seconds=math.nan),
        lambda data: data.update(message="half of one: \ud800"),
        lambda data: data.update(drawable={"pictures": [], "cases": [{}]}),
        lambda data: data["cases"][0].update(passed="fail"),
        lambda data: data["cases"][0].update(size=-1),
        lambda data: data["where"][0]["span"].update(end_line=10**9),
        lambda data: data["where"][0]["span"].update(column=-1),
        lambda data: data["where"][0]["values"].update(case=99),
        lambda data: data["where"][0]["values"]["block"].update(kind="integer"),
        lambda data: data["where"][0]["values"]["block"].update(needed=[[1.0]]),
        lambda data: data["excerpt"].update(yours=[]),
    ],
)
def test_what_this_grader_cannot_have_written_is_malformed(change: Callable[[Any], object]) -> None:
    """A gradebook of others, or a worker, may bring it."""
    whole = replace(WHOLE, where=(place(1, 0, 1, 3, "x", block=ValueBlock(((math.nan, 1.0),), ((2.0, 1.0),), "real")),))
    data = json.loads(verdict_text(whole))
    change(data)
    with pytest.raises(Malformed):
        read_verdict(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "\ud800", "[" * 100_000])
def test_what_is_no_verdict_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        read_verdict(text)


def test_a_note_on_a_notebook_is_no_remark_that_points_could_count() -> None:
    told = on_file(RAISED, "ana/a.ipynb", CellOrigin(((3, 1),) * 9, {}, {}, "The last counts."))
    assert (told.file, told.insights) == ("ana/a.ipynb", ())
    assert told.raised is not None
    assert told.raised.frames[0].cell == 3
    remarked = replace(RAISED, insights=(Insight("xor", verbatim("A power?")),))
    assert on_file(remarked, "ana/a.py", None) == replace(remarked, file="ana/a.py")
