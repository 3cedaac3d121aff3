"""Whether the programs of an answer are as the problem asks, in the answer's process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from grader.marking.asked import STOPPED, Asked, Breach
from grader.run.raised import describe
from grader.run.tracing import CannotTrace, Trace, trace
from grader.run.whereabouts import note

Case = Sequence[int | float]


def breach_of(
    asked: Asked,
    function: Callable[..., Any],
    cases: Sequence[Case],
    traces: Sequence[Trace],
    filename: str,
) -> dict[str, Any] | None:
    """How the programs of an answer are not as asked: the fields of `Breach`; None if they are.

    Args:
        traces: one for each case; empty if the answer has not been traced.
    """
    from grader.jaxpr.asked import breach, growth  # here and not above: few problems ask for it

    try:
        traces = traces or [_traced(function, index, case) for index, case in enumerate(cases)]
        programs = [one.program for one in traces]
        found = breach(programs, asked, filename)
        if found is None and asked.grows:
            found = growth(programs[asked.which], _traced(function, asked.which, asked.larger).program, asked)
    except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
        found = Breach(STOPPED, raised=describe(error, filename))
    return None if found is None else asdict(found)


def _traced(function: Callable[..., Any], index: int, case: Case) -> Trace:
    note("check", index)
    try:
        return trace(function, case)
    except CannotTrace as stopped:
        if stopped.__cause__ is None:
            raise
        raise stopped.__cause__ from None
