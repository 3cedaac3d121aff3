"""How much of a verdict is shown: where expected values are hidden, a message must not contain them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.locale.language import gettext
from grader.marking.place_description import without_values
from grader.marking.verdict import NOTHING_PRINTED, Awaited, Diagnosis, Named, Status, Verdict, weakest
from grader.options import FULL, NUMBERS, VERDICT, Policy
from grader.values.message import NO_MESSAGE, message


def limited(verdict: Verdict, level: str) -> Verdict:
    """The part of a verdict that a level of feedback shows.

    `full` shows all. `numbers` shows the status, the message, an error, which cases fail, expected values beside the
    answer's, and what was printed. It names no mistake, no place and no insight. `diagnosis` shows the status, the message,
    the mistakes with their hints, the places without values, and which cases fail. It shows no expected value, no error,
    and no number that was computed from an expected value. `verdict` shows only the status.
    """
    if level == FULL:
        return verdict
    if level == VERDICT:
        return Verdict(
            verdict.problem,
            verdict.status,
            message("Its file cannot be read.") if verdict.unread else _SAID[verdict.status],
            file=verdict.file,
            run=replace(verdict.run, output=NOTHING_PRINTED, endless=False),
            unread=verdict.unread,
            withheld=level,
            awaited=_WITHOUT_PLACES.get(verdict.awaited),
        )
    if level == NUMBERS:
        awaited = _WITHOUT_PLACES.get(verdict.awaited)
        return replace(verdict, diagnosis=Diagnosis(), where=(), insights=(), withheld=level, awaited=awaited)
    diagnosis = replace(
        verdict.diagnosis, named=tuple(_without_numbers(mistake) for mistake in verdict.diagnosis.named)
    )
    cases = tuple(replace(case, error=None, tolerance=None) for case in verdict.cases)
    insights = tuple(insight for insight in verdict.insights if not insight.shows_expected)
    where = tuple(map(without_values, verdict.where))
    return replace(
        verdict,
        diagnosis=diagnosis,
        where=where,
        cases=cases,
        insights=insights,
        excerpt=None,
        drawable=None,
        withheld=level,
    )


def in_force(policy: Policy, verdicts: Sequence[Verdict], option: str = "--seed ") -> str:
    """The weakest tier of a run, and how to get its fresh inputs again: by an option. Empty if there is neither."""
    said: list[str] = []
    tier = weakest(verdict.run.confinement for verdict in verdicts)
    if policy.confine and tier is not None:
        said.append(gettext("Confined: tier {tier}.").format(tier=tier))
    seeds = {verdict.run.fresh for verdict in verdicts if verdict.run.fresh is not None}
    if seeds:
        said.append(gettext("The same fresh inputs again: {option}").format(option=f"{option}{max(seeds)}"))
    elif policy.fresh is not None and tier is not None:
        said.append(gettext("No fresh inputs: a key holds the cases and no more."))
    return " ".join(said)


_WITHOUT_PLACES: Mapping[Awaited | None, Awaited] = {
    Awaited.VALUES: Awaited.VALUES,
    Awaited.VALUES_AND_PLACE: Awaited.VALUES,
}
"""What is awaited where no place is shown."""

_SAID = {
    Status.CORRECT: message("Right."),
    Status.WRONG: message("Wrong."),
    Status.ERROR: message("It ends in an error."),
    Status.TIMEOUT: message("It takes too long."),
    Status.MEMORY: message("It needs too much memory."),
    Status.CRASH: message("Its process ended before it returned a value."),
    Status.UNATTEMPTED: message("Not filled in yet."),
}


def _without_numbers(named: Named) -> Named:
    return replace(named, why=NO_MESSAGE) if named.shows_expected else named
