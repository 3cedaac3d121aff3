"""What a learner reads where a program is not as asked, and what a process may say of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.marking.facts import Facts, ProgramRequirements
from grader.marking.requirements import (
    GROWS,
    HOLDS,
    LACKS,
    LARGE,
    REQUIREMENT_KINDS,
    REQUIREMENT_NAMES,
    STOPPED,
    UNCHECKED,
    Breach,
    breach,
    but,
    moreover,
    named,
    of_evaluated,
)
from grader.marking.verdict import Described
from grader.values.outline import FAMILIES, Outline

ASKED = ProgramRequirements(("scan",), ("while",), (6, 18, 72), "no", "T", (1, 2))
FACTS = Facts("toy", ("seed", "T", "d"), ((0, 2, 3), (1, 9, 2), (1, 36, 2)), (), (), "trace", "", ASKED)
RAISED = Described("TypeError", "no", (), ("TypeError",))

BREACHES = {
    LACKS: Breach(LACKS, "scan"),
    HOLDS: Breach(HOLDS, "while", line=7),
    LARGE: Breach(LARGE, line=12, shape=(9, 9), case=1),
    GROWS: Breach(GROWS, lengths=(40, 160)),
    STOPPED: Breach(STOPPED, raised=RAISED),
    UNCHECKED: Breach(UNCHECKED),
}
SAID = {
    LACKS: "What JAX traces of your function has no `jax.lax.scan`. ",
    HOLDS: "Line 7 puts a `jax.lax.while_loop` into the program. ",
    LARGE: "Line 12 makes an array of shape (9, 9), with 81 elements. With T=9, d=2, no array may have more than 18. ",
    GROWS: "The program has 40 operations at T=9, and 160 at T=36. ",
    STOPPED: "This problem looks at what JAX traces of your function, and a step of your function stops the trace.",
    UNCHECKED: "This problem looks at what JAX traces of your function. The grader evaluates that program itself, ",
}


@pytest.mark.parametrize("kind", REQUIREMENT_KINDS)
def test_a_breach_is_told_with_its_line_its_shape_and_its_sizes(kind: str) -> None:
    mistake = named(BREACHES[kind], ASKED, FACTS.arguments)
    assert str(mistake.why).startswith(SAID[kind])
    assert mistake.name in REQUIREMENT_NAMES
    assert str(mistake.hint).endswith(("?", "."))
    beside = str(moreover(BREACHES[kind], ASKED)).removeprefix("Moreover, ")
    assert str(but(BREACHES[kind], ASKED, 3)) == f"Right on all 3 cases, but {beside}"
    assert str(but(BREACHES[kind], ASKED, 1)) == f"Right, but {beside}"


def test_without_a_line_the_function_is_named() -> None:
    for one in (Breach(HOLDS, "while"), Breach(LARGE, shape=(9, 9), case=1)):
        assert str(named(one, ASKED, FACTS.arguments).why).startswith("Your function ")


def test_each_name_stands_once() -> None:
    assert len(set(REQUIREMENT_NAMES)) == len(REQUIREMENT_NAMES)
    assert set(FAMILIES) == {
        name.rpartition("-")[2] for name in REQUIREMENT_NAMES if name.startswith(f"trace-{LACKS}-")
    }


SMALL, LARGE_ONE = Outline(20, {"scan": 3}, (2, 3), 4), Outline(28, {"scan": 3}, (9, 2), 5)


@pytest.mark.parametrize(
    ("outlines", "found"),
    [
        ((SMALL, LARGE_ONE, replace(LARGE_ONE, length=38)), None),
        ((SMALL, replace(LARGE_ONE, holds={"scan": 3, "while": 7}), LARGE_ONE), Breach(HOLDS, "while", line=7)),
        ((SMALL, replace(LARGE_ONE, holds={}), LARGE_ONE), Breach(LACKS, "scan")),
        ((SMALL, replace(LARGE_ONE, shape=(9, 9), line=12), LARGE_ONE), Breach(LARGE, line=12, shape=(9, 9), case=1)),
        ((SMALL, LARGE_ONE, replace(LARGE_ONE, length=39)), Breach(GROWS, lengths=(28, 39))),
    ],
)
def test_the_first_breach_is_found(outlines: tuple[Outline, ...], found: Breach | None) -> None:
    assert breach(outlines, ASKED) == found


def test_of_evaluated_programs_only_what_can_be_seen_there_is_asked() -> None:
    wanted = replace(ASKED, needs=("scan", "remat"), forbids=("while", "psum"))
    assert of_evaluated(wanted) == ASKED
