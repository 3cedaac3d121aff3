"""Levels of feedback: what each level shows of a verdict, and that no hidden number is shown."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.marking.verdict import (
    Awaited,
    CaseResult,
    Diagnosis,
    Excerpt,
    Insight,
    Named,
    Run,
    Status,
    ValueBlock,
    Verdict,
)
from grader.options import Policy
from grader.report import as_json
from grader.report.feedback import in_force, limited
from grader.report.places import messages
from grader.values.message import verbatim
from grader.values.places import Edit, PlaceKind
from tests.commands.test_check import HALF
from tests.conftest import FLAGSHIP, Command
from tests.marking.places import place

WRONG = Verdict(
    "p",
    Status.WRONG,
    verbatim("Right on 1 of 2 cases. The smallest that fails is T=3."),
    file="a.py",
    diagnosis=Diagnosis(
        (
            Named("half-exponent", verbatim("Too fast."), verbatim("How?")),
            Named("constant-factor", verbatim("2.5 times."), verbatim("Which?"), shows_expected=True),
        )
    ),
    cases=(CaseResult({"T": 3}, False, 0.125, 0.5),),
    insights=(
        Insight("imprecise", verbatim("0.75 off"), shows_expected=True),
        Insight("long-trace", verbatim("It grows.")),
    ),
    excerpt=Excerpt(verbatim("row 0"), (verbatim("a"),), (0.25,), (0.125,), (True,)),
    where=(
        place(
            *(3, 8, 3, 13, "    a = x * 2"),
            kind=PlaceKind.REPAIR,
            step="7:4:mul:0:0",
            name="a",
            block=ValueBlock(((0.125,),), ((0.625,),), "real"),
            change=Edit.CONSTANT,
            written="2",
        ),
    ),
    run=Run(confinement="A"),
)


def test_full_feedback_is_the_verdict_itself() -> None:
    assert limited(WRONG, "full") is WRONG


@pytest.mark.parametrize(
    ("awaited", "without_places"),
    [
        (None, None),
        (Awaited.PLACE, None),
        (Awaited.VALUES, Awaited.VALUES),
        (Awaited.VALUES_AND_PLACE, Awaited.VALUES),
    ],
)
def test_what_is_awaited_is_said_at_each_level_and_no_place_where_none_is_shown(
    awaited: Awaited | None, without_places: Awaited | None
) -> None:
    verdict = replace(WRONG, awaited=awaited)
    said = {level: limited(verdict, level).awaited for level in ("full", "diagnosis", "numbers", "verdict")}
    assert said == {"full": awaited, "diagnosis": awaited, "numbers": without_places, "verdict": without_places}


def test_the_level_diagnosis_shows_names_and_hints_and_no_number() -> None:
    shown = limited(WRONG, "diagnosis")
    assert shown.diagnosis.names == ("half-exponent", "constant-factor")
    assert [str(one.hint) for one in shown.diagnosis.named] == ["How?", "Which?"]
    assert [str(one.why) for one in shown.diagnosis.named] == ["Too fast.", ""]
    assert (shown.excerpt, shown.cases[0].error, shown.cases[0].tolerance) == (None, None, None)
    assert [one.name for one in shown.insights] == ["long-trace"]


def test_the_level_diagnosis_shows_the_place_and_nothing_that_an_expected_value_gave() -> None:
    (place,) = limited(WRONG, "diagnosis").where
    span = place.span
    assert (span.line, span.column, span.text, place.name) == (3, 8, ("    a = x * 2",), "a")
    assert (place.kind, place.step, place.values.block) == ("", "", None)
    assert [*map(str, messages([place]))] == ["With other values here, the case is right."]
    document = as_json.document([limited(WRONG, "diagnosis")], "cpu", "diagnosis")
    assert not any(secret in document for secret in ("0.625", "7:4:mul", "another", "Another"))


def test_the_level_verdict_shows_only_the_status() -> None:
    shown = limited(WRONG, "verdict")
    assert (shown.status, str(shown.message), shown.file, shown.run.confinement) == (
        Status.WRONG,
        "Wrong.",
        "a.py",
        "A",
    )
    assert (shown.diagnosis, shown.cases, shown.insights, shown.excerpt) == (Diagnosis(), (), (), None)
    assert shown.where == ()


@pytest.mark.parametrize("status", list(Status))
def test_every_status_has_a_message_of_its_own(status: Status) -> None:
    assert str(limited(Verdict("p", status, verbatim("secret 0.5")), "verdict").message) not in ("", "secret 0.5")


def test_a_file_that_cannot_be_read_is_no_exception_of_an_answer() -> None:
    assert str(limited(UNREAD, "verdict").message) == "Its file cannot be read."


@pytest.mark.slow
@pytest.mark.parametrize("level", ["diagnosis", "verdict"])
def test_the_command_shows_no_expected_number(level: str, grader: Command) -> None:
    file = grader.kit / f"feedback_{level}.py"
    file.write_text(HALF)
    document = grader.json("check", FLAGSHIP, "--answer", str(file), "--feedback", level)
    assert document["feedback"] == level
    (verdict,) = document["verdicts"]
    assert verdict["pitfalls"] == (["half-exponent"] if level == "diagnosis" else None)
    for shown in (
        json.dumps(verdict["cases"]),
        grader("check", FLAGSHIP, "--answer", str(file), "--feedback", level).stdout,
    ):
        assert not re.search(r"0\.8415|0\.5403|e-0\d", shown)


def test_a_run_reports_its_tier_and_how_to_repeat_it() -> None:
    assert in_force(Policy(), [WRONG]) == ""
    fresh = replace(WRONG, run=replace(WRONG.run, fresh=5))
    assert in_force(Policy("best", 5), [fresh]) == "Confined: tier A. The same fresh inputs again: --seed 5"


def test_a_run_that_had_no_fresh_inputs_says_so() -> None:
    assert in_force(Policy("", 5), [WRONG]) == "No fresh inputs: a key holds the cases and no more."


UNREAD = Verdict("p", Status.ERROR, verbatim("b.py: there is no such file."), file="b.py", unread="missing")


def test_a_file_that_did_not_run_does_not_weaken_the_tier_of_the_run() -> None:
    assert in_force(Policy("best"), [WRONG, UNREAD]) == "Confined: tier A."
    assert (
        in_force(Policy("best"), [UNREAD, replace(WRONG, run=replace(WRONG.run, confinement="B")), WRONG])
        == "Confined: tier B."
    )


def test_if_nothing_ran_no_tier_is_reported() -> None:
    assert in_force(Policy("best"), [UNREAD]) == ""
    assert in_force(Policy("best", 5), [UNREAD]) == ""


def remembered(kit: Path) -> Any:
    from tests.cli.test_hostile import table

    text = "import numpy as np\n\nTABLE = @\n\n\ndef sinusoidal_pos(seed, T, d_model):\n"
    text += "    return np.array(TABLE.get((T, d_model), [0.0] * (T * d_model)), np.float32)\n"
    return text.replace("@", table())


@pytest.mark.slow
def test_remembered_outputs_are_right_on_the_cases_and_named_on_fresh_inputs(grader: Command) -> None:
    text = remembered(grader.kit)
    assert grader.verdict(text)["status"] == "correct"
    verdict = grader.verdict(text, "--seed", "5")
    assert (verdict["status"], verdict["pitfalls"]) == ("wrong", ["only-the-cases"])
    assert "wrong on fresh inputs: seed=" in verdict["message"]


@pytest.mark.slow
def test_the_same_seed_draws_the_same_fresh_inputs(grader: Command) -> None:
    text = remembered(grader.kit)
    messages = [grader.verdict(text, "--seed", seed)["message"] for seed in ("5", "5", "6")]
    assert messages[0] == messages[1] != messages[2]
