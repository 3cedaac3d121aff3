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
    PROGRAM_VIOLATIONS,
    REQUIREMENT_NAMES,
    STOPPED,
    UNCHECKED,
    Violation,
    of_evaluated,
    unmet,
    violation,
)
from grader.marking.verdict import Described
from grader.values.outline import FAMILIES, Outline

ASKED = ProgramRequirements(("scan",), ("while",), (6, 18, 72), "no", "T", (1, 2))
FACTS = Facts("toy", ("seed", "T", "d"), ((0, 2, 3), (1, 9, 2), (1, 36, 2)), (), (), "trace", "", ASKED)
RAISED = Described("TypeError", "no", (), ("TypeError",))

VIOLATIONS = {
    LACKS: Violation(LACKS, "scan"),
    HOLDS: Violation(HOLDS, "while", line=7),
    LARGE: Violation(LARGE, line=12, shape=(9, 9), case=1),
    GROWS: Violation(GROWS, lengths=(40, 160)),
    STOPPED: Violation(STOPPED, raised=RAISED),
    UNCHECKED: Violation(UNCHECKED),
}
SAID = {
    LACKS: "What JAX traces of your function has no `jax.lax.scan`. ",
    HOLDS: "Line 7 puts a `jax.lax.while_loop` into the program. ",
    LARGE: "Line 12 makes an array of shape (9, 9), with 81 elements. With T=9, d=2, no array may have more than 18. ",
    GROWS: "The program has 40 operations at T=9, and 160 at T=36. ",
    STOPPED: "This problem looks at what JAX traces of your function, and a step of your function stops the trace.",
    UNCHECKED: "This problem looks at what JAX traces of your function. The grader evaluates that program itself, ",
}


@pytest.mark.parametrize("kind", PROGRAM_VIOLATIONS)
def test_a_violation_is_told_with_its_line_its_shape_and_its_sizes(kind: str) -> None:
    several, single = (unmet(VIOLATIONS[kind], ASKED, FACTS.arguments, count) for count in (3, 1))
    mistake, beside = several.named, str(several.moreover).removeprefix("Moreover, ")
    assert str(mistake.why).startswith(SAID[kind])
    assert mistake.name in REQUIREMENT_NAMES
    assert str(mistake.hint).endswith(("?", "."))
    assert str(several.but) == f"Right on all 3 cases, but {beside}"
    assert str(single.but) == f"Right, but {beside}"


def test_without_a_line_the_function_is_named() -> None:
    for found in (Violation(HOLDS, "while"), Violation(LARGE, shape=(9, 9), case=1)):
        assert str(unmet(found, ASKED, FACTS.arguments, 3).named.why).startswith("Your function ")


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
        (
            (SMALL, replace(LARGE_ONE, holds={"scan": 3, "while": 7}), LARGE_ONE),
            Violation(HOLDS, "while", line=7, case=1),
        ),
        ((SMALL, replace(LARGE_ONE, holds={}), LARGE_ONE), Violation(LACKS, "scan", case=1)),
        ((replace(SMALL, holds={}),) * 3, Violation(LACKS, "scan")),
        ((replace(SMALL, holds={"while": 7}),) * 3, Violation(HOLDS, "while", line=7)),
        (
            (SMALL, replace(LARGE_ONE, shape=(9, 9), line=12), LARGE_ONE),
            Violation(LARGE, line=12, shape=(9, 9), case=1),
        ),
        ((SMALL, LARGE_ONE, replace(LARGE_ONE, length=39)), Violation(GROWS, lengths=(28, 39))),
    ],
)
def test_the_first_violation_is_found(outlines: tuple[Outline, ...], found: Violation | None) -> None:
    assert violation(outlines, ASKED) == found


def test_what_does_nothing_in_a_case_is_not_looked_for_there() -> None:
    without = (SMALL, replace(LARGE_ONE, holds={}), LARGE_ONE)
    assert violation(without, replace(ASKED, idle={"scan": (1,)})) is None
    assert violation(without, replace(ASKED, idle={"scan": (0,)})) == Violation(LACKS, "scan", case=1)


@pytest.mark.parametrize("found", [Violation(LACKS, "scan", case=1), Violation(HOLDS, "while", line=7, case=1)])
def test_what_is_so_in_some_cases_is_told_with_one_of_them(found: Violation) -> None:
    why = str(unmet(found, ASKED, FACTS.arguments, 3).named.why)
    assert why.startswith(f"This happens at T=9, d=2. {SAID[found.kind]}")


def test_of_evaluated_programs_only_what_can_be_seen_there_is_asked() -> None:
    wanted = replace(ASKED, needs=("scan", "remat"), forbids=("while", "psum"))
    assert of_evaluated(wanted) == ASKED
