"""Every message that a learner can read about a mistake, once, in one file that people read: `messages.txt`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.locale.language import gettext, speaking
from grader.marking import common_mistakes, draws, requirements
from grader.marking.advice import KNOWN_ERRORS
from grader.marking.diagnosis import DETECTED_MISTAKES, diagnose
from grader.marking.evidence import Evidence
from grader.marking.facts import ProgramRequirements, Truth
from grader.marking.precision import as_called, hidden_by_rounding, imprecise
from grader.marking.program_comparison import Widened
from grader.marking.remarks import Remark, of_process, of_text
from grader.marking.requirements import CONTRACTS, DIFFERS, MISUSES, RAISES, Violation
from grader.marking.verdict import Computed, Described, Frame, Helper, Insight, Named, Where
from grader.report.places import heading, messages
from grader.values.arrays import Answered, Array, Expected
from grader.values.message import Line, Lines, message, verbatim
from grader.values.outline import FAMILIES, Draw, Reused
from grader.values.places import Edit, PlaceKind, Reads, Relation
from tests.language import english_in
from tests.marking import evidence as known
from tests.marking.places import place
from tests.marking.test_judgement import calls, looked, programs

GOLDEN = Path(__file__).parents[1] / "golden"
PAGES = {"en": GOLDEN / "messages.txt", "es": GOLDEN / "messages.es.txt"}
DUE = [np.array([0.37, 1.2, -0.81, 2.05]), np.array([0.9, -0.26, 3.31, 0.44, -1.7, 0.05])]
TRUTH = Truth([Expected(one, 1e-6) for one in DUE], [(2, 2), (3, 2)], ["float32"] * 2, [{"float16": 0.01}] * 2)


def evidence(*arrays: Array, **more: Any) -> Evidence:
    facts = known.facts_of(TRUTH, axes=("position", "dim"), contract="", parameters=("seed", "n"))
    returned = [Answered(one.astype(np.float32), "float32") for one in arrays]
    return known.evidence_of(TRUTH, DUE, **{"returned": returned, "facts": facts, **more})


def returned(*answered: Answered) -> Evidence:
    return evidence(returned=answered)


def of_numbers() -> Iterator[Named]:
    """The general mistakes, each in its forms."""
    square, right = [one.reshape(-1, 2) for one in DUE], [Answered(one.astype(np.float32), "float32") for one in DUE]
    lost = Truth([Expected(DUE[0], 1e-6)], [(2, 2)], ["float32"], [{}])
    for one in (
        returned(*(Answered(None, instead=verbatim("list")) for _ in DUE)),
        returned(*(Answered(None, instead=verbatim("NoneType")) for _ in DUE)),
        returned(*(Answered(one.astype(np.float32), "float32") for one in square)),
        returned(*(Answered(one[:-1].astype(np.float32), "float32") for one in DUE)),
        returned(*(Answered(one, "float64") for one in DUE)),
        returned(right[0], Answered(DUE[1].astype(np.float16), "float16")),
        evidence(*(one.T.reshape(-1) for one in square)),
        evidence(*(2.5 * one for one in DUE)),
        evidence(DUE[0], -DUE[1]),
        evidence(DUE[0] + 1, DUE[1] + 2),
        evidence(*(one.round(1) for one in DUE)),
        evidence(*(one.astype(np.float16) for one in DUE)),
        evidence(*(0 * one for one in DUE)),
        evidence(*(0 * one + 0.5 for one in DUE)),
        evidence(*(np.tile(one[:1], (len(one), 1)).reshape(-1) for one in square)),
        evidence(*(one * np.nan for one in DUE)),
        evidence(np.where(DUE[0] > 2, np.inf, DUE[0]), DUE[1] ** 2),
        evidence(DUE[0] ** 2, np.where(DUE[1] > 3, np.nan, DUE[1])),
        *(
            known.evidence_of(lost, [DUE[0] + off], programs=found)
            for off, found in ((1e-3, right_programs(1e-3)), (np.inf, right_programs(1.0)))
        ),
        known.evidence_of(lost, [DUE[0] + 0.01], programs=right_programs(0.01, rounded=True)),
    ):
        yield from diagnose(one).named
    for why in (
        message("Two calls with the same arguments differ by {gap}."),
        message("Two calls with the same arguments give arrays of different shapes, {first} and {second}."),
        message("Two calls with the same arguments give an array once, and no array once."),
    ):
        yield common_mistakes.not_deterministic(why.with_fields(gap="0.25", first="(3,)", second="(2,)"))
    yield common_mistakes.only_the_cases()


def right_programs(noise: float, *, rounded: bool = False) -> Any:
    found = programs(by_rounding=noise)
    found.exact = [DUE[0] + 0.01 * rounded]
    found.constants = lambda: [np.zeros(4)]
    found.rounding = lambda: [np.full(4, noise)]
    found.known = lambda: [True]
    if rounded:
        found.wide = Widened([DUE[0]], [np.zeros(4)], [True], 9, "bfloat16")
    return found


def of_draws() -> Iterator[Named]:
    due = [Draw("aa", 6), Draw("bb", 6), Draw("cc", 4)]
    for made in (
        [Draw("aa", 6, 7), Draw("dd", 6, 8), Draw("cc", 4, 9)],
        [Draw("aa", 6, 7), Draw("aa", 6, 8), Draw("cc", 4, 9)],
        [Draw("aa", 6, 7), Draw("aa", 6, 7), Draw("cc", 4, 9)],
        [Draw("aa", 6, 7), Draw("bb", 4, 8), Draw("cc", 6, 9)],
        [Draw("aa", 6, 7), Draw("bb", 6, 8), Draw("cc", 9, 9)],
        [Draw("aa", 6), Draw("dd", 6), Draw("cc", 4)],
    ):
        named = draws.other_inputs(made, due)
        assert named is not None
        yield named
    yield draws.exchanged_keys([Draw("aa", 6, 7), Draw("bb", 6, 8)], ["aa", "bb"])


RAISED = Described("TypeError", "", (Frame(3, "toy", ""),), ())


def of_requirements() -> Iterator[tuple[str, Named]]:
    """What is said after "Right on all 3 cases, but", with the mistake that follows."""
    for contract in CONTRACTS.values():
        violations = [Violation(DIFFERS)] * (contract.differs is not None)
        violations += [Violation(RAISES, raised=RAISED)] * (contract.raises is not None)
        reused = [Reused(2, (8,)), Reused(3, (8, 11))] * (contract.misused is not None)
        violations += [Violation(MISUSES, reused=used) for used in reused]
        for violation in violations:
            unmet = contract.unmet(violation, 3, "rate")
            yield clause(str(unmet.but)), unmet.named
    facts = replace(known.facts_of(TRUTH), cases=((0, 4), (0, 16)))
    trace = ProgramRequirements(tuple(FAMILIES), tuple(FAMILIES), largest=(8, 8), grows="no", size="n", pair=(0, 1))
    violations = [
        Violation(kind, family, 4) for family in FAMILIES for kind in (requirements.LACKS, requirements.HOLDS)
    ]
    violations += [
        Violation(requirements.LARGE, line=5, shape=(4, 4), case=0),
        Violation(requirements.GROWS, lengths=(20, 80)),
    ]
    for violation in (
        *violations,
        Violation(requirements.STOPPED, raised=RAISED),
        Violation(requirements.UNCHECKED),
    ):
        unmet = requirements.unmet(violation, trace, facts.arguments, 3)
        yield clause(str(unmet.but)), unmet.named


def clause(said: str) -> str:
    """A message on right values without its beginning, which is the same in all of them; whole in another language."""
    return said.removeprefix("Right on all 3 cases").removeprefix(" as written").removeprefix(", but ")


def of_places() -> Iterator[tuple[str, str]]:
    """What stands before a place, and what stands below it."""
    for explained, places in all_places():
        yield heading(places, explained=explained), " / ".join(map(str, messages(places)))


def all_places() -> Iterator[tuple[bool, Sequence[Where]]]:
    """Places that are found together, and whether named mistakes stand before them."""
    line = "    scores = q @ k.T / d_model"

    def here(**fields: Any) -> Where:
        return place(7, 13, 7, len(line), line, **{"proven": 6, "cases": 6, **fields})

    single = (
        *(here(kind=PlaceKind.REPAIR, change=change, written="/") for change in Edit),
        *(here(relation=relation) for relation in Relation),
        here(needed=(3, 3)),
        here(kind=PlaceKind.HIDDEN, block=None),
        here(proven=4),
        here(cases=1, proven=1),
        here(alone=2, rounds=5),
        here(inner=True),
        here(fixable=False, reads=Reads.OTHER),
        here(fixable=False, reads=Reads.OTHER, onward=False),
        here(fixable=False, reads=Reads.TABLE),
        here(fixable=False, computed=(Computed("low", Line(4), 6.35),)),
        here(fixable=False, onward=False, helper=Helper("norm", (Line(9), Line(12)))),
        here(of="value"),
        here(of="rate"),
    )
    for one in single:
        yield from ((explained, [one]) for explained in (False, True))
    two = here(places=2), here(places=2, kind=PlaceKind.REPAIR, change=Edit.CONSTANT, written="2.0")
    yield from ((False, pair) for pair in ((two[0], two[0]), two, (two[1], two[1])))


def of_remarks() -> Iterator[Insight]:
    yield from imprecise(looked(5e-6, programs(by_rounding=1e-6)))
    yield from hidden_by_rounding(looked(5e-7, programs(5e-7)), 1)
    yield from as_called(looked(np.nan, programs(), calls(0.0)))
    yield from of_text("def f(n):\n    print(n)\n    return n ^ 2\n")
    yield of_process(Remark("x64"), (), ())


def of_errors() -> Sequence[str]:
    """The advice for each error that is known. The fields stand as they are."""
    return [f"{one.error}: {gettext(one.advice)}" for one in KNOWN_ERRORS]


def page() -> str:
    """All of it. The same message comes once."""
    sections = {
        "Mistakes that any problem can have": [f"{one.name}: {one.why} {one.hint}" for one in of_numbers()],
        "Draws": [f"{one.why} {one.hint}" for one in of_draws()],
        'After "Right on all 3 cases, but"': [f"{but} {one.why} {one.hint}" for but, one in of_requirements()],
        "Places": [f"{before} | {below}" for before, below in of_places()],
        "Remarks": [f"{one.name}: {one.message}" for one in of_remarks()],
        "Errors": of_errors(),
    }
    blocks = [
        "\n\n".join([f"# {title}", *(textwrap.fill(one, 100) for one in dict.fromkeys(said))])
        for title, said in sections.items()
    ]
    return "\n\n".join(blocks) + "\n"


@pytest.mark.parametrize("language", PAGES)
def test_every_message_is_the_reviewed_text(language: str, pytestconfig: pytest.Config) -> None:
    """`pytest --bless tests/report/test_messages.py` rewrites the files; `git diff` shows what changed."""
    golden = PAGES[language]
    with speaking(language):
        text = page()
    if pytestconfig.getoption("bless"):
        golden.write_text(text, encoding="utf-8")
    reviewed = golden.read_text(encoding="utf-8")
    assert text == reviewed, f"review {golden.name}, or run pytest --bless tests/report/test_messages.py"


def test_no_spanish_message_has_english_words() -> None:
    with speaking("es"):
        told = [*(f"{one.why} {one.hint}" for one in (*of_numbers(), *of_draws())), *of_errors()]
        told += [f"{but} {one.why} {one.hint}" for but, one in of_requirements()]
        told += [f"{before} {below}" for before, below in of_places()]
        told += [str(one.message) for one in of_remarks()]
    assert {one: english_in(one) for one in told if english_in(one)} == {}


def test_the_lines_that_a_message_tells_are_fields_of_it() -> None:
    """Else the cells of a notebook could not be told in their place."""
    told = [named.why for named in (*of_numbers(), *of_draws(), *(named for _, named in of_requirements()))]
    told += [remark.message for remark in of_remarks()]
    told += [below for _, places in all_places() for below in messages(places)]
    assert any(why.lines for why in told)
    for why in told:
        said = re.findall(r"lines? \d+(?:, \d+)*(?: and \d+)?", str(why), re.IGNORECASE)
        assert [lines.lower() for lines in said] == [str(Lines(lines)) for lines in why.lines], why


def test_the_page_holds_every_mistake_that_any_problem_can_have() -> None:
    told = {one.name for one in (*of_numbers(), *of_draws())}
    assert told >= DETECTED_MISTAKES


def test_no_message_has_words_that_learners_of_english_stumble_over() -> None:
    words = ("is due", "are due", "others are", " ought ", "whence", "thereof", "nought", "forthwith")
    assert [word for word in words if word in page()] == []
