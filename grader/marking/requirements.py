"""What a problem may require of an answer beyond its values: contracts on its calls, and properties of its program."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from grader.locale.language import N_
from grader.marking.facts import ProgramRequirements
from grader.marking.verdict import Described, Named
from grader.values.arrays import Expected
from grader.values.message import NO_MESSAGE, Message, at_case, lines_field, message, plural_message, sentences
from grader.values.outline import EVALUATED, FAMILIES, Outline, Reused

if TYPE_CHECKING:
    from grader.marking.facts import Truth


LACKS, HOLDS, LARGE, GROWS, STOPPED, UNCHECKED = PROGRAM_VIOLATIONS = (
    "lacks",
    "holds",
    "large",
    "grows",
    "stopped",
    "unchecked",
)
RAISES, DIFFERS, MISUSES = CONTRACT_VIOLATIONS = "raises", "differs", "misuses"

FACTOR = 4
"""How many times larger a size is in the second of two cases, where a problem asks how the length grows."""

GROWTH = {"no": 1.1, "log": 2.0}
"""How many times longer the program of the second case may be. One that grows with the size is `FACTOR` times longer."""

SPARE = 8
"""Operations that the program of the second case may have on top of its share."""

TOO_LARGE, LONGER, NO_TRACE, NOT_CHECKED = "array-too-large", "trace-grows", "does-not-trace", "program-not-checked"


@dataclass(frozen=True)
class Violation:
    """How an answer is not as its problem asks.

    Attributes:
        kind: one of `PROGRAM_VIOLATIONS` or `CONTRACT_VIOLATIONS`.
        family: the family that is missing, or that is there.
        line: the line of the answer; 0 if it is not known.
        shape: of the largest value.
        case: the index of a case in which it is so; None if it is so in all of them.
        lengths: of the programs of the two cases of `ProgramRequirements.pair`.
        raised: the exception that stops the trace, or that is raised under the contract; None for other kinds.
        reused: the PRNG key that is used more than once; None for other kinds.
        at: the arguments of the case, as messages show them; empty if what is said holds for all cases.
    """

    kind: str
    family: str = ""
    line: int = 0
    shape: tuple[int, ...] = ()
    case: int | None = None
    lengths: tuple[int, int] = (0, 0)
    raised: Described | None = None
    reused: Reused | None = None
    at: str = ""


@dataclass(frozen=True)
class UnmetRequirement:
    """What a learner reads of a violation.

    Attributes:
        named: the mistake.
        but: the message on an answer that is right on all cases.
        moreover: the sentence that follows what is said of an answer that is wrong.
        raised: the exception that shows it; None if there is none.
    """

    named: Named
    but: Message
    moreover: Message
    raised: Described | None = None


REQUIREMENT_NAMES = (
    *(f"trace-{kind}-{name}" for name in FAMILIES for kind in (LACKS, HOLDS)),
    TOO_LARGE,
    LONGER,
    NO_TRACE,
    NOT_CHECKED,
)
"""All mistakes that `unmet` names."""


def violation(outlines: Sequence[Outline], asked: ProgramRequirements) -> Violation | None:
    """The first violation: of an operation that is forbidden, of one that is missing, of a size, of the length.

    Args:
        outlines: one for each case.

    Returns:
        None if all is as asked.
    """
    for family in asked.forbids:
        holding = [case for case, outline in enumerate(outlines) if family in outline.holds]
        if holding:
            first, everywhere = holding[0], len(holding) == len(outlines)
            return Violation(HOLDS, family, outlines[first].holds[family], case=None if everywhere else first)
    for family in asked.needs:
        lacking = [case for case, outline in enumerate(outlines) if family not in outline.holds]
        if looked_at := [case for case in lacking if case not in asked.idle.get(family, ())]:
            return Violation(LACKS, family, case=None if len(lacking) == len(outlines) else looked_at[0])
    for case, (outline, most) in enumerate(zip(outlines, asked.largest, strict=False)):
        if math.prod(outline.shape) > most:
            return Violation(LARGE, line=outline.line, shape=outline.shape, case=case)
    if asked.grows:
        small, large = (outlines[case].length for case in asked.pair)
        if large > GROWTH[asked.grows] * small + SPARE:
            return Violation(GROWS, lengths=(small, large))
    return None


def of_evaluated(asked: ProgramRequirements) -> ProgramRequirements:
    """The part of what is asked that can be seen in programs as they are evaluated.

    What the devices of a `shard_map` hold is one array there, so its size is not that on one device.
    """
    needs, forbids = (
        tuple(family for family in families if family in EVALUATED) for families in (asked.needs, asked.forbids)
    )
    return replace(asked, needs=needs, forbids=forbids, largest=() if "shard_map" in asked.needs else asked.largest)


def unmet(
    violation: Violation, asked: ProgramRequirements, arguments: Callable[[int], Mapping[str, int | float]], count: int
) -> UnmetRequirement:
    """What is said of a violation of what is asked of programs.

    Args:
        arguments: the arguments of a case, by name.
        count: how many cases there are.
    """
    word = FAMILIES[violation.family].word if violation.family else ""
    at = {} if violation.case is None else arguments(violation.case)
    shown = ", ".join(f"{name}={value}" for name, value in at.items() if name != "seed")
    return UnmetRequirement(
        _named(violation, asked, arguments, shown),
        _but(violation, count).with_fields(operation=word, size=asked.size),
        _MOREOVER[violation.kind].with_fields(operation=word, size=asked.size),
        violation.raised,
    )


def _but(violation: Violation, count: int) -> Message:
    match violation.kind:
        case "lacks":
            return plural_message(
                "Right, but a `{operation}` is missing.",
                "Right on all {count} cases, but a `{operation}` is missing.",
                count,
            )
        case "holds":
            return plural_message(
                "Right, but its program has a `{operation}`.",
                "Right on all {count} cases, but its program has a `{operation}`.",
                count,
            )
        case "large":
            return plural_message(
                "Right, but one of its arrays is too large.",
                "Right on all {count} cases, but one of its arrays is too large.",
                count,
            )
        case "stopped":
            return plural_message(
                "Right, but JAX cannot trace it.", "Right on all {count} cases, but JAX cannot trace it.", count
            )
        case "unchecked":
            return plural_message(
                "Right, but its program cannot be checked.",
                "Right on all {count} cases, but its program cannot be checked.",
                count,
            )
        case _:
            return plural_message(
                "Right, but its program grows with {size}.",
                "Right on all {count} cases, but its program grows with {size}.",
                count,
            )


_MOREOVER = {
    LACKS: message("Moreover, a `{operation}` is missing."),
    HOLDS: message("Moreover, its program has a `{operation}`."),
    LARGE: message("Moreover, one of its arrays is too large."),
    GROWS: message("Moreover, its program grows with {size}."),
    STOPPED: message("Moreover, JAX cannot trace it."),
    UNCHECKED: message("Moreover, its program cannot be checked."),
}


def _named(
    violation: Violation, asked: ProgramRequirements, arguments: Callable[[int], Mapping[str, int | float]], at: str
) -> Named:
    if violation.kind == STOPPED:
        if violation.raised is not None and violation.raised.frames:
            why = message("This problem looks at what JAX traces of your function, and the line shown stops the trace.")
        else:
            why = message(
                "This problem looks at what JAX traces of your function, and a step of your function stops the trace."
            )
        hint = message(
            "Does any step leave JAX: NumPy, a Python number, a choice or a size that depends on what was drawn?"
        )
        return Named(NO_TRACE, why, hint)
    if violation.kind == UNCHECKED:
        why = message(
            "This problem looks at what JAX traces of your function. The grader evaluates that program itself, without your "
            "code, before it believes what the program holds. Here it could not, or the program gave other numbers."
        )
        hint = message(
            "Which operation in your function is unusual? Compute the same with common operations of `jax.numpy`."
        )
        return Named(NOT_CHECKED, why, hint)
    if violation.kind in (LACKS, HOLDS):
        family = FAMILIES[violation.family]
        name = f"trace-{violation.kind}-{violation.family}"
        if violation.kind == LACKS:
            seen = message("What JAX traces of your function has no `{operation}`.", operation=family.word)
            return Named(name, sentences(at_case(at, seen), family.why), family.hint)
        if violation.line:
            seen = message("{lines} puts a `{operation}` into the program.", lines=lines_field([violation.line]))
        else:
            seen = message("Your function puts a `{operation}` into the program.")
        seen = at_case(at, seen.with_fields(operation=family.word))
        return Named(name, sentences(seen, family.why), family.instead)
    if violation.kind == LARGE:
        assert violation.case is not None
        if violation.line:
            made = message("{lines} makes an array of shape {shape}, with {size} elements.")
            made = made.with_fields(lines=lines_field([violation.line]))
        else:
            made = message("Your function makes an array of shape {shape}, with {size} elements.")
        most = message(
            "With {arguments}, no array may have more than {most}. The memory that arrays take limits which sizes can be "
            "computed at all.",
            arguments=at,
            most=asked.largest[violation.case],
        )
        made = made.with_fields(shape=str(violation.shape), size=math.prod(violation.shape))
        hint = message("Which parts of this array are needed at the same time, and which one after the other?")
        return Named(TOO_LARGE, sentences(made, most), hint)
    small, large = (arguments(case)[asked.size] for case in asked.pair)
    why = message(
        "The program has {before} operations at {size}={small}, and {after} at {size}={large}. A loop of Python writes its "
        "operations down once for each round, a recursion such as that of `jax.lax.associative_scan` once for each level. "
        "JAX traces and compiles all of them.",
        before=violation.lengths[0],
        size=asked.size,
        small=f"{small}",
        after=violation.lengths[1],
        large=f"{large}",
    )
    if "scan" in asked.forbids:
        hint = message("Which function of JAX combines neighbours, then pairs of neighbours, and so on?")
    else:
        hint = message("What is repeated as {size} grows? Write one round as a function, and let JAX run the rounds.")
    return Named(LONGER, why, hint.with_fields(size=asked.size))


Cases = Sequence[Sequence[int | float]]


@dataclass(frozen=True)
class Text:
    """What a learner reads about a broken contract. `{wrt}` stands for the parameter, `{transformation}` for what is asked.

    Attributes:
        but: the message on an answer that is right on so many cases as written.
        moreover: the sentence that follows what is said of wrong values; empty if it never does.
        why: empty for a key that is used more than once.
        above: in place of `why` if the line that raised an exception is shown above; empty without an exception.
        hint_of_rule: in place of `hint` if a derivative rule of the answer is at fault, that of `{function}`.
    """

    but: Callable[[int], Message]
    hint: Message
    moreover: Message = NO_MESSAGE
    why: Message = NO_MESSAGE
    above: Message = NO_MESSAGE
    hint_of_rule: Message = NO_MESSAGE


@dataclass(frozen=True)
class Contract:
    """One thing that a problem may ask of an answer beyond its values.

    The functions that run in the answer's process use JAX, and the judging process never imports JAX. So a contract holds
    their names only, as `module:function`.

    Args:
        name: as `Problem(contract=...)` gives it.
        asks_for: what is asked for, in a word. Reports translate it.
        stated: the words by which the section "The task" tells a learner of the contract, and of what breaks it.
        mistake: the name of the mistake of breaking the contract.
        raised_as: its name for an answer that raises an exception under the contract; empty if that is the same mistake.
        transform: `(function, argnum, cases) -> function`: the answer under the contract, called with the arguments of a
            case; empty if it is not called under the contract.
        raises: the text for an answer that raises an exception under the contract.
        differs: the text for an answer that gives other numbers under the contract.
        derivative: whether the expected values hold derivatives after the values. The declaration names `wrt` then.
        must_trace: whether an answer that does not trace breaks the contract.
        compares: whether the values under the contract are compared with the expected values.
        misused: the text for a program that uses a key more than once; None if the contract does not forbid that.
        fault_of_cases: `(name, cases) -> str`: what the cases of a problem lack for this contract; empty if they fit.
    """

    name: str
    asks_for: str
    stated: tuple[str, ...]
    mistake: str
    raised_as: str = ""
    transform: str = ""
    raises: Text | None = None
    differs: Text | None = None
    derivative: bool = False
    must_trace: bool = False
    compares: bool = True
    misused: Text | None = None
    fault_of_cases: Callable[[str, Cases], str] = lambda name, cases: ""

    def truth_of_call(self, truth: Truth) -> Truth:
        """The truth of the call itself, without derivatives."""
        if not self.derivative:
            return truth
        return replace(
            truth,
            expected=[_first_half(due) for due in truth.expected],
            shapes=[shape[1:] for shape in truth.shapes],
            uncertain=[uncertain[: uncertain.size // 2] for uncertain in truth.uncertain],
        )

    def unmet(self, violation: Violation, count: int, wrt: str = "", rule_of: str = "") -> UnmetRequirement:
        """What is said of a violation of this contract.

        Args:
            count: how many cases there are.
            rule_of: the function of the answer whose derivative rule is at fault; empty if that is not known.
        """
        texts = {RAISES: self.raises, DIFFERS: self.differs, MISUSES: self.misused}
        text, raised = texts[violation.kind], violation.raised
        assert text is not None, "a contract is violated only in ways that it has a text for"
        why = text.above if raised is not None and raised.frames else text.why
        why = why.with_fields(transformation=self.asks_for, wrt=wrt)
        named = Named(
            (raised is not None and self.raised_as) or self.mistake,
            _key_used(violation.reused, violation.at) if violation.reused is not None else why,
            (text.hint_of_rule if rule_of and text.hint_of_rule else text.hint).with_fields(wrt=wrt, function=rule_of),
            located=violation.reused is not None and bool(violation.reused.lines),
        )
        return UnmetRequirement(
            named,
            text.but(count).with_fields(transformation=self.asks_for),
            text.moreover.with_fields(transformation=self.asks_for),
            raised,
        )


def _first_half(due: Expected) -> Expected:
    half = due.values.size // 2
    tolerance = due.tolerance[:half] if isinstance(due.tolerance, np.ndarray) else due.tolerance
    return Expected(due.values[:half], tolerance)


def _no_pairs(name: str, cases: Cases) -> str:
    if len({tuple(case[1:]) for case in cases}) < len(cases):
        return ""
    return f"no two cases of {name} differ in the seed alone: its `vmap` contract needs some, to map over"


def _key_used(reused: Reused, at: str) -> Message:
    """What is said of a key that is used more than once."""
    match bool(reused.lines), reused.times == 2:
        case True, True:
            why = message("One key is used twice, at {lines}: the numbers drawn from it are not independent.")
        case True, False:
            why = message("One key is used {times} times, at {lines}: the numbers drawn from it are not independent.")
        case False, True:
            why = message("One key is used twice: the numbers drawn from it are not independent.")
        case _:
            why = message("One key is used {times} times: the numbers drawn from it are not independent.")
    why = why.with_fields(times=reused.times, lines=lines_field(sorted(set(reused.lines))))
    return at_case(at, why)


def _raises(count: int) -> Message:
    return plural_message(
        "Right as written, but it raises an exception under {transformation}.",
        "Right on all {count} cases as written, but it raises an exception under {transformation}.",
        count,
    )


_AND_RAISES = message("Moreover, it raises an exception under {transformation}.")

_DIFFERS = Text(
    but=lambda count: plural_message(
        "Right on the one case as written, but it gives other numbers under {transformation}.",
        "Right on all {count} cases as written, but it gives other numbers under {transformation}.",
        count,
    ),
    why=message("As written it is right; under {transformation} the same call gives other numbers."),
    hint=message("What does your function read or keep that is neither an argument nor computed from one?"),
)

JIT = Contract(
    name="jit",
    asks_for="jax.jit",
    stated=("jax.jit",),
    mistake="breaks-under-jit",
    transform="grader.run.answer.contracts:compiled",
    must_trace=True,
    raises=Text(
        but=_raises,
        moreover=_AND_RAISES,
        why=message(
            "Under jax.jit the seed, each float argument and all that is computed from them have no values yet: a step of "
            "your function asks for one, or for a shape that depends on one."
        ),
        above=message(
            "Under jax.jit the seed, each float argument and all that is computed from them have no values yet: the line "
            "shown asks for one, or for a shape that depends on one."
        ),
        hint=message(
            "Which step needs a number: NumPy, `if`, `float`, or a shape? Which function of jax.numpy does without it?"
        ),
    ),
    differs=_DIFFERS,
)

VMAP = Contract(
    name="vmap",
    asks_for="jax.vmap",
    stated=("jax.vmap",),
    mistake="breaks-under-vmap",
    transform="grader.run.answer.contracts:mapped",
    raises=Text(
        but=_raises,
        moreover=_AND_RAISES,
        why=message(
            "Under jax.vmap one call stands for several seeds. No single value is known there, and a step of your function "
            "asks for one."
        ),
        above=message(
            "Under jax.vmap one call stands for several seeds. No single value is known there, and the line shown asks for "
            "one."
        ),
        hint=message("What would this line have to do if it stood for many calls?"),
    ),
    differs=_DIFFERS,
    fault_of_cases=_no_pairs,
)

GRAD = Contract(
    name="grad",
    asks_for=N_("derivative"),
    stated=("derivative", "jax.grad"),
    mistake="wrong-gradient",
    transform="grader.run.answer.contracts:differentiated",
    derivative=True,
    raises=Text(
        but=lambda count: plural_message(
            "Right as written, but JAX cannot differentiate it.",
            "Right on all {count} cases as written, but JAX cannot differentiate it.",
            count,
        ),
        moreover=message("Moreover, JAX cannot differentiate it."),
        why=message("JAX gives no derivative with respect to {wrt}: a step of your function stops it."),
        above=message("JAX gives no derivative with respect to {wrt}: the line shown stops it."),
        hint=message(
            "Which step can JAX not differentiate: a Python number, NumPy, a while loop, a rule of the wrong form?"
        ),
    ),
    differs=Text(
        but=lambda count: plural_message(
            "Right on the one case as written, but its derivative is not right.",
            "Right on all {count} cases as written, but its derivative is not right.",
            count,
        ),
        why=message("The values are right, and their derivative with respect to {wrt} is not."),
        hint=message("Follow {wrt} to the result: is any step a constant to JAX, rounded, or infinite under a mask?"),
        hint_of_rule=message(
            "What does the derivative rule of `{function}` give for one number, and what is the derivative there by hand?"
        ),
    ),
)

KEY_REUSE = Contract(
    name="keys",
    asks_for=N_("key"),
    # Learners meet keys before `jax.jit`: what stops a trace is said in a word that they know.
    stated=("key", "NumPy"),
    mistake="key-reused",
    raised_as=NO_TRACE,
    transform="grader.run.answer.contracts:compiled_seed",
    must_trace=True,
    compares=False,
    raises=Text(
        but=lambda count: plural_message(
            "Right as written, but its keys cannot be followed: it does not trace under jax.jit.",
            "Right on all {count} cases as written, but its keys cannot be followed: it does not trace under jax.jit.",
            count,
        ),
        moreover=message("Moreover, its keys cannot be followed: it does not trace under jax.jit."),
        why=message(
            "Its keys can be followed only through a function that traces, and a step of your function stops the trace."
        ),
        above=message(
            "Its keys can be followed only through a function that traces, and the line shown stops the trace."
        ),
        hint=message(
            "Does any step leave JAX: NumPy, a Python number, a choice or a size that depends on what was drawn?"
        ),
    ),
    misused=Text(
        but=lambda count: plural_message(
            "Right as written, but a key is used more than once.",
            "Right on all {count} cases as written, but a key is used more than once.",
            count,
        ),
        moreover=message("Moreover, a key is used more than once."),
        hint=message("How many draws and splits are there, and does each have a key that nothing else takes?"),
    ),
)

TRACE = Contract(
    name="trace", asks_for="program", stated=("program that JAX traces",), mistake=NO_TRACE, compares=False
)
"""Values, and what `grader.marking.requirements` holds. That can be asked for under any other contract as well."""

CONTRACTS = {contract.name: contract for contract in (JIT, VMAP, GRAD, KEY_REUSE, TRACE)}
"""All contracts by name. A new contract is added here, and its functions to `grader/run/answer/contracts.py`."""
