"""What a learner reads where a program is not as asked, and what a process may say of itself."""

from __future__ import annotations

import pytest

from grader.marking.asked import (
    FAMILIES,
    GROWS,
    HOLDS,
    KINDS,
    LACKS,
    LARGE,
    NAMES,
    STOPPED,
    Asked,
    Breach,
    but,
    fits,
    named,
)
from grader.marking.facts import Facts

ASKED = Asked(("scan",), ("while",), (6, 18), "no", "T", 1, (1, 36, 2))
FACTS = Facts("toy", ("seed", "T", "d"), ((0, 2, 3), (1, 9, 2)), (), (), "trace", "", ASKED)
RAISED = {"kind": "TypeError", "message": "no", "lineage": ["TypeError"], "frames": []}

BREACHES = {
    LACKS: Breach(LACKS, "scan"),
    HOLDS: Breach(HOLDS, "while", line=7),
    LARGE: Breach(LARGE, line=12, shape=(9, 9), case=1),
    GROWS: Breach(GROWS, case=1, lengths=(40, 160)),
    STOPPED: Breach(STOPPED, raised=RAISED),
}
SAID = {
    LACKS: "What JAX traces of your function has no `jax.lax.scan`. ",
    HOLDS: "Line 7 puts a `jax.lax.while_loop` into the program. ",
    LARGE: "Line 12 makes an array of shape (9, 9), with 81 elements. With T=9, d=2, no array may have more than 18. ",
    GROWS: "The program has 40 operations at T=9, and 160 at T=36. ",
    STOPPED: "This problem looks at what JAX traces of your function, and a step of it stops the trace.",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_breach_is_told_with_its_line_its_shape_and_its_sizes(kind: str) -> None:
    mistake = named(BREACHES[kind], ASKED, FACTS)
    assert mistake.why.startswith(SAID[kind])
    assert mistake.name in NAMES
    assert mistake.hint.endswith(("?", "."))
    assert but(BREACHES[kind], ASKED).endswith(".")


def test_without_a_line_the_function_is_named() -> None:
    for breach in (Breach(HOLDS, "while"), Breach(LARGE, shape=(9, 9), case=1)):
        assert named(breach, ASKED, FACTS).why.startswith("Your function ")


def test_each_name_stands_once() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert set(FAMILIES) == {name.rpartition("-")[2] for name in NAMES if name.startswith(f"trace-{LACKS}-")}


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_can_report_only_what_was_asked_for(kind: str) -> None:
    assert fits(BREACHES[kind], ASKED)
    assert not fits(BREACHES[kind], Asked())


@pytest.mark.parametrize(
    "breach",
    [
        Breach(LACKS, "while"),
        Breach(HOLDS, "scan"),
        Breach(LARGE, shape=(9, 2), case=1),
        Breach(LARGE, shape=(9, 9), case=2),
        Breach(LARGE, shape=(9, 9), case=-1),
        Breach(GROWS, case=7),
        Breach(STOPPED),
        Breach("other"),
    ],
)
def test_a_breach_of_something_else_does_not_fit(breach: Breach) -> None:
    assert not fits(breach, ASKED)


def test_a_statement_has_to_say_all_of_it() -> None:
    assert ASKED.words == ("jax.lax.scan", "jax.lax.while_loop", "elements", "grow")
    assert Asked().words == ()
