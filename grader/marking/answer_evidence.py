"""The evidence of one answer: as it was called as written, and as it was called under the contract of its problem."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from grader.marking.attempt import Attempt
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM, all_pass
from grader.marking.diagnosis import diagnose
from grader.marking.evidence import Evidence
from grader.marking.facts import ExpectedValues, Facts, Fresh, Truth
from grader.marking.program_comparison import EvaluatedPrograms, Exactness
from grader.marking.requirements import CONTRACTS, Contract
from grader.marking.verdict import Diagnosis
from grader.values.arrays import Answered, Array, Expected, difference, differences, excess, in_tolerances
from grader.values.message import NO_MESSAGE, Message, message, message_in_context, verbatim


@dataclass(frozen=True)
class AnswerEvidence:
    """All that is known of one answer. What is asked of the oracle or of the programs is asked when it is needed.

    Attributes:
        attempt: what it gave on the cases, and then on the fresh inputs if there are any.
        programs: those of its values, evaluated by another process; None if it has none.
        derivatives: those of its values and their derivatives, where a contract asks for them; None if it has none.
        seed: chooses the values that are kept of an answer that nothing explains.
        plain: what plain calls returned (see `Evidence.plain`).
    """

    attempt: Attempt
    facts: Facts
    oracle: ExpectedValues
    fresh: Fresh | None = None
    programs: EvaluatedPrograms | None = None
    derivatives: EvaluatedPrograms | None = None
    seed: int = 0
    plain: Mapping[int, Answered | None] = field(default_factory=dict[int, "Answered | None"])

    @property
    def contract(self) -> Contract | None:
        """The contract of the problem."""
        return CONTRACTS.get(self.facts.contract)

    @property
    def derivative(self) -> bool:
        """Whether the contract asks for a derivative."""
        return self.contract is not None and self.contract.derivative

    @cached_property
    def on_cases(self) -> Attempt:
        """The attempt at the cases of the problem alone."""
        return self.attempt.split(len(self.facts.cases))[0]

    @property
    def beyond(self) -> Sequence[Answered]:
        """The values on the fresh inputs."""
        return self.attempt.split(len(self.facts.cases))[1]

    @cached_property
    def _value(self) -> Evidence:
        """The calls as written, with their programs."""
        whole = self._evidence(self.on_cases.answered, self.programs)
        if self.contract is None or not self.contract.derivative:
            return whole
        plain = {case: given and _value_of(given) for case, given in self.plain.items()}
        return replace(whole, truth=self.contract.truth_of_call(whole.truth), plain=plain)

    @property
    def _differentiated(self) -> bool:
        """Whether the programs of the derivative are what counts: they hold the values too."""
        if not self.derivative:
            return False
        return self.under is None or self.under.comparison is not None or self._value.comparison is None

    @cached_property
    def written(self) -> Evidence:
        """The calls as written."""
        return _alone(self._value) if self._differentiated else self._value

    @cached_property
    def under(self) -> Evidence | None:
        """The calls under the contract; None if there are none, or what was returned does not have the form for it."""
        # Under a derivative, the form is judged on what the learner returned, and not on two arrays together.
        formless = self.derivative and any(case.faults for case in self._value.measured)
        if self.contract is None or formless or self.on_cases.broken or not self.on_cases.transformed:
            return None
        if not self.derivative:
            return _alone(self._evidence(self.on_cases.transformed, None))
        whole = self._evidence(self.on_cases.transformed, self.derivatives)
        return replace(
            whole,
            value=self.programs,
            parts=(message_in_context("of a function", "value"), verbatim(f"d/d {self.facts.wrt}")),
        )

    @property
    def of_programs(self) -> Evidence | None:
        """The calls whose programs count: those of the derivative where one is asked for and its programs are known."""
        return self.under if self._differentiated else self.written

    @cached_property
    def reported(self) -> Evidence:
        """The calls whose values the verdict reports: those under the contract, unless only those as written are wrong."""
        if self.under is None or (
            self.under.failing is None and not (self.derivative and all_pass(self.written.judged))
        ):
            return self.written
        if self.derivative and self.of_programs is self.written and self.written.failing is not None:
            # Its programs say more than the values under the derivative do, unless a known mistake gives those.
            return self.under if diagnose(self.under).explained else self.written
        return self.under

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """The mistakes in the values that the verdict reports; none if all of these are right."""
        return Diagnosis() if self.reported.failing is None else diagnose(self.reported)

    @cached_property
    def change(self) -> Message:
        """A sentence that says how two calls with the same arguments differ; empty if no more than rounding explains."""
        for index, again in self.on_cases.again.items():
            first, second = self.on_cases.answered[index].array, again.array
            if first is None or second is None:
                if (first is None) != (second is None):
                    return message("Two calls with the same arguments give an array once, and no array once.")
                continue
            if first.shape != second.shape:
                return message(
                    "Two calls with the same arguments give arrays of different shapes, {first} and {second}.",
                    first=str(first.shape),
                    second=str(second.shape),
                )
            due = self.written.truth.expected[index]
            if first.size == due.values.size and excess(first.reshape(-1), second.reshape(-1), due) > 1.0:
                gap = difference(first, second)
                if not np.isfinite(gap):
                    return message("Two calls with the same arguments differ in which values are finite.")
                return message("Two calls with the same arguments differ by {gap}.", gap=f"{gap:.3g}")
        return NO_MESSAGE

    @property
    def to_call(self) -> tuple[int, ...]:
        """The cases whose plain calls have to be known before anything is told."""
        if not self.attempt.gave_values or self.change:
            return ()
        looked_at = (self.of_programs, self.under if self.derivative else None)
        return tuple(dict.fromkeys(case for one in looked_at if one is not None for case in one.judgement.to_call))

    def with_calls(self, cases: Sequence[int], given: Mapping[int, Answered]) -> AnswerEvidence:
        """This evidence, and also what plain calls on some cases gave."""
        return replace(self, plain={**self.plain, **{case: given.get(case) for case in cases}})

    @property
    def to_locate(self) -> Exactness | None:
        """The wrong programs whose places are worth a search; None if there are none.

        Nothing is said if calls differ from the programs, or if the form is wrong.
        """
        evidence = self.of_programs if self.attempt.gave_values and not self.change else None
        if evidence is None or evidence.failing is None:
            return None
        exact, called = evidence.judgement.exact, evidence.judgement.called
        if exact is None or called or not any(exact.differs) or any(case.faults for case in evidence.judged):
            return None
        return exact

    @property
    def shown_wrong(self) -> bool:
        """Whether its programs alone show that it is wrong: they differ where the history of every number is known.

        What is not finite shows nothing: JAX may turn `mask * -inf` into a choice.
        """
        evidence = self.of_programs
        if evidence is None or (exact := evidence.judgement.exact) is None:
            return False
        cases = zip(exact.values, evidence.truth.expected, strict=True)
        finite = all(np.isfinite(values[np.isfinite(due.values)]).all() for values, due in cases)
        return finite and any(map(operator.and_, exact.differs, exact.known))

    @property
    def shown_right(self) -> bool:
        """Whether its programs alone show that it is right: they agree where the history of every number is known.

        A contract under which an answer is called otherwise, and not for its derivative, asks for more than programs show.
        """
        known = self.contract is None or self.derivative or not self.contract.transform
        evidence = self.of_programs if known else None
        exact = evidence.judgement.exact if evidence is not None else None
        return exact is not None and all(exact.known) and not any(exact.differs)

    @property
    def mistakes(self) -> int:
        """How many mistakes are named in the values of the programs; what follows one place is not all right if two are."""
        return len(self.diagnosis.named) if self.reported is self.of_programs else 0

    @cached_property
    def value(self) -> Exactness | None:
        """The programs of the values, compared with what is expected of the call."""
        return self._value.comparison

    @property
    def right_value(self) -> bool:
        """Whether the programs of the values are known and right."""
        return self.value is not None and not any(self.value.differs)

    @property
    def wrong_value(self) -> Exactness | None:
        """The programs of the values, where a derivative is asked for and these may hold the mistake."""
        if self.derivative and self.of_programs is self.written:
            return self.to_locate
        exact = self.under.judgement.exact if self.derivative and self.under else None
        if exact is None or self.under is None or not _wrong_in_the_value(exact, self.under.truth):
            return None
        return self.value if self.value is not None and any(self.value.differs) else None

    @property
    def wrong_in_the_value(self) -> bool:
        """Whether a call under a derivative gives a wrong value, and not a wrong derivative alone."""
        if not self.derivative or self.under is None:
            return False
        cases = zip(self.under.judged, self.under.truth.expected, strict=True)
        return any(
            not case.passed and case.flat is not None and bool(np.any(_ratios(case.flat, due) > self.under.band))
            for case, due in cases
        )

    def _evidence(self, returned: Sequence[Answered], programs: EvaluatedPrograms | None) -> Evidence:
        return Evidence(
            self.facts,
            self.oracle,
            self.oracle.truth(),
            returned,
            programs=programs,
            compiled=self.attempt.compiled,
            plain=self.plain,
            seed=self.seed,
        )


def _ratios(flat: Array, due: Expected) -> Array:
    """How many tolerances the values are off that stand before their derivatives."""
    return in_tolerances(differences(flat, due.values), due)[: flat.size // 2]


def _value_of(given: Answered) -> Answered:
    """What a call gave without the derivative, which is its second half."""
    return given if given.array is None else replace(given, array=given.array[: given.array.size // 2])


def _wrong_in_the_value(exact: Exactness, truth: Truth) -> bool:
    """Whether programs of a value and its derivative differ from the truth in the value, which is their first half."""
    cases = zip(exact.values, truth.expected, exact.allowed, strict=True)
    return any(
        bool(np.any((differences(case, due.values) > allowed)[: case.size // 2])) for case, due, allowed in cases
    )


def _alone(evidence: Evidence) -> Evidence:
    """The evidence of values alone: their programs are looked at elsewhere."""
    return replace(evidence, programs=None, compiled=False, band=MOST_TOLERANCES_WITH_PROGRAM)
