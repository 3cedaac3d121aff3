"""What a problem may ask of an answer's program, and what a learner reads where the program is not like that.

A program is what JAX traces: this asks for operations, for the size of values, and for how the length of the program grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.marking.verdict import Described, Named
from grader.values.message import Message, lines_field, message, plural_message, sentences

_WHOLE_ARRAYS = message("How do you get the same values with operations on whole arrays?")


@dataclass(frozen=True)
class Family:
    """One kind of operation: what a learner writes for it, its names in the versions of JAX, and why it matters.

    `hint` is for an answer that lacks it, `instead` for one that should not have it.
    """

    word: str
    primitives: frozenset[str]
    why: Message
    hint: Message
    instead: Message = _WHOLE_ARRAYS


FAMILIES: Mapping[str, Family] = {
    "scan": Family(
        "jax.lax.scan",
        frozenset(("scan",)),
        message("A scan holds the operations of one round, however many rounds it runs."),
        message(
            "What does one round take over from the round before, and what does it give? Those are the two parts of a scan."
        ),
    ),
    "while": Family(
        "jax.lax.while_loop",
        frozenset(("while",)),
        message("A while loop asks before each round whether to go on."),
        message("Which values say whether another round has to run? They belong in what the loop carries."),
    ),
    "remat": Family(
        "jax.checkpoint",
        frozenset(("remat", "remat2", "checkpoint")),
        message(
            "What `jax.checkpoint` wraps is computed again for the gradient: until then its values need no memory."
        ),
        message("Which function makes many values that only its own gradient needs?"),
    ),
    "pallas": Family(
        "pallas_call",
        frozenset(("pallas_call",)),
        message("In a Pallas kernel, you say which part of an array is loaded, and when."),
        message("What does one program of the grid read, and what does it write?"),
    ),
    "shard_map": Family(
        "jax.shard_map",
        frozenset(("shard_map",)),
        message("Under `jax.shard_map` each device holds its part, and communication is written down."),
        message("Which axis of which array is cut into parts?"),
    ),
    "psum": Family(
        "jax.lax.psum",
        frozenset(("psum", "psum2", "psum_invariant")),
        message("`jax.lax.psum` adds up what the devices hold."),
        message("Which number needs the parts of all devices?"),
    ),
    "all_gather": Family(
        "jax.lax.all_gather",
        frozenset(("all_gather", "all_gather_invariant")),
        message("After `jax.lax.all_gather`, each device holds the parts of all."),
        message("Which array does every device need whole?"),
        message("Which numbers does one device need at a time, and which device holds them?"),
    ),
    "psum_scatter": Family(
        "jax.lax.psum_scatter",
        frozenset(("reduce_scatter",)),
        message("`jax.lax.psum_scatter` adds up what the devices hold, and leaves each device one part of the sum."),
        message("Which part of the sum does one device need?"),
    ),
    "ppermute": Family(
        "jax.lax.ppermute",
        frozenset(("ppermute",)),
        message("`jax.lax.ppermute` sends what one device holds to another one."),
        message("To which device does each device send its part?"),
    ),
}
"""The operations that a problem can ask for. A `fori_loop` with a known number of rounds is a scan."""

LACKS, HOLDS, LARGE, GROWS, STOPPED, UNCHECKED = KINDS = ("lacks", "holds", "large", "grows", "stopped", "unchecked")
FACTOR = 4
"""How many times larger a size is in the second of two cases, where a problem asks how the length grows."""
GROWTH = {"no": 1.1, "log": 2.0}
"""How many times longer the program of the second case may be. One that grows with the size is `FACTOR` times longer."""
SPARE = 8
"""Operations that the program of the second case may have on top of its share."""
EVALUATED = frozenset(("scan", "while"))
"""The families that a program keeps as it is sent to be evaluated: calls are written out there (see `program.data`)."""
TOO_LARGE, LONGER, NO_TRACE, NOT_CHECKED = "array-too-large", "trace-grows", "does-not-trace", "program-not-checked"


@dataclass(frozen=True)
class Asked:
    """What is asked of the programs of an answer, one for each case.

    Attributes:
        needs, forbids: names of `FAMILIES`.
        largest: the most elements of a value, for each case; empty if values may have any size.
        grows: a key of `GROWTH`; empty if the program may have any length.
        size: the parameter with which the program may not grow; empty without `grows`.
        pair: the indices of two cases that are alike but for `size`, which is `FACTOR` times larger in the second.
    """

    needs: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    largest: tuple[int, ...] = ()
    grows: str = ""
    size: str = ""
    pair: tuple[int, int] = (0, 0)

    @property
    def words(self) -> tuple[str, ...]:
        """What a statement has to say, so that a learner knows of it."""
        of_families = [FAMILIES[name].word for name in (*self.needs, *self.forbids)]
        return (*of_families, *(("elements",) if self.largest else ()), *(("grow",) if self.grows else ()))


@dataclass(frozen=True)
class Outline:
    """What can be asked about one program.

    Attributes:
        length: how many operations it has, with those of its loops and calls, each counted once; 0 if JAX computes nothing.
        holds: for each family in it, the line of its first operation; 0 if that is not known.
        shape, line: of its largest value.
    """

    length: int = 0
    holds: Mapping[str, int] = field(default_factory=dict[str, int])
    shape: tuple[int, ...] = (0,)
    line: int = 0


@dataclass(frozen=True)
class Breach:
    """How programs are not as asked.

    Attributes:
        kind: one of `KINDS`.
        family: the family that is missing, or that is there.
        line: the line of the answer; 0 if it is not known.
        shape: of the largest value.
        case: the index of its case.
        lengths: of the programs of the two cases of `Asked.pair`.
        raised: the exception that stops the trace; None for another kind than `STOPPED`.
    """

    kind: str
    family: str = ""
    line: int = 0
    shape: tuple[int, ...] = ()
    case: int = 0
    lengths: tuple[int, int] = (0, 0)
    raised: Described | None = None


NAMES = (
    *(f"trace-{kind}-{name}" for name in FAMILIES for kind in (LACKS, HOLDS)),
    TOO_LARGE,
    LONGER,
    NO_TRACE,
    NOT_CHECKED,
)
"""All mistakes that `named` gives."""


def breach(outlines: Sequence[Outline], asked: Asked) -> Breach | None:
    """The first breach: of an operation that is forbidden, of one that is missing, of a size, of the length.

    Args:
        outlines: one for each case.

    Returns:
        None if all is as asked.
    """
    for family in asked.forbids:
        for one in outlines:
            if family in one.holds:
                return Breach(HOLDS, family, one.holds[family])
    for family in asked.needs:
        if any(family not in one.holds for one in outlines):
            return Breach(LACKS, family)
    for case, (one, most) in enumerate(zip(outlines, asked.largest, strict=False)):
        if math.prod(one.shape) > most:
            return Breach(LARGE, line=one.line, shape=one.shape, case=case)
    if asked.grows:
        small, large = (outlines[case].length for case in asked.pair)
        if large > GROWTH[asked.grows] * small + SPARE:
            return Breach(GROWS, lengths=(small, large))
    return None


def of_evaluated(asked: Asked) -> Asked:
    """The part of what is asked that can be seen in programs as they are evaluated.

    What the devices of a `shard_map` hold is one array there, so its size is not that on one device.
    """
    needs, forbids = (tuple(one for one in families if one in EVALUATED) for families in (asked.needs, asked.forbids))
    return replace(asked, needs=needs, forbids=forbids, largest=() if "shard_map" in asked.needs else asked.largest)


def but(breach: Breach, asked: Asked, count: int) -> Message:
    """The message on an answer that is right on all `count` cases."""
    match breach.kind:
        case "lacks":
            said = plural_message(
                "Right, but its program has no `{operation}`.",
                "Right on all {count} cases, but its program has no `{operation}`.",
                count,
            )
        case "holds":
            said = plural_message(
                "Right, but its program has a `{operation}`.",
                "Right on all {count} cases, but its program has a `{operation}`.",
                count,
            )
        case "large":
            said = plural_message(
                "Right, but one of its arrays is too large.",
                "Right on all {count} cases, but one of its arrays is too large.",
                count,
            )
        case "stopped":
            said = plural_message(
                "Right, but JAX cannot trace it.", "Right on all {count} cases, but JAX cannot trace it.", count
            )
        case "unchecked":
            said = plural_message(
                "Right, but its program cannot be checked.",
                "Right on all {count} cases, but its program cannot be checked.",
                count,
            )
        case _:
            said = plural_message(
                "Right, but its program grows with {size}.",
                "Right on all {count} cases, but its program grows with {size}.",
                count,
            )
    return said.with_fields(operation=_word(breach), size=asked.size)


_MOREOVER = {
    LACKS: message("Moreover, its program has no `{operation}`."),
    HOLDS: message("Moreover, its program has a `{operation}`."),
    LARGE: message("Moreover, one of its arrays is too large."),
    GROWS: message("Moreover, its program grows with {size}."),
    STOPPED: message("Moreover, JAX cannot trace it."),
    UNCHECKED: message("Moreover, its program cannot be checked."),
}


def moreover(breach: Breach, asked: Asked) -> Message:
    """The sentence that follows what is said of wrong values."""
    return _MOREOVER[breach.kind].with_fields(operation=_word(breach), size=asked.size)


def _word(breach: Breach) -> str:
    return FAMILIES[breach.family].word if breach.family else ""


def named(breach: Breach, asked: Asked, arguments: Callable[[int], Mapping[str, int | float]]) -> Named:
    """The mistake, with the line, the shape and the sizes.

    Args:
        arguments: the arguments of a case, by name.
    """
    if breach.kind == STOPPED:
        if breach.raised is not None and breach.raised.frames:
            why = message("This problem looks at what JAX traces of your function, and the line above stops the trace.")
        else:
            why = message(
                "This problem looks at what JAX traces of your function, and a step of your function stops the trace."
            )
        hint = message(
            "Does any step leave JAX: NumPy, a Python number, a choice or a size that depends on what was drawn?"
        )
        return Named(NO_TRACE, why, hint)
    if breach.kind == UNCHECKED:
        why = message(
            "This problem looks at what JAX traces of your function. The grader evaluates that program itself, without your "
            "code, before it believes what the program holds. Here it could not, or the program gave other numbers."
        )
        hint = message(
            "Which operation in your function is unusual? Compute the same with common operations of `jax.numpy`."
        )
        return Named(NOT_CHECKED, why, hint)
    if breach.kind in (LACKS, HOLDS):
        family = FAMILIES[breach.family]
        name = f"trace-{breach.kind}-{breach.family}"
        if breach.kind == LACKS:
            seen = message("What JAX traces of your function has no `{operation}`.", operation=family.word)
            return Named(name, sentences(seen, family.why), family.hint)
        if breach.line:
            seen = message("{lines} puts a `{operation}` into the program.", lines=lines_field([breach.line]))
        else:
            seen = message("Your function puts a `{operation}` into the program.")
        return Named(name, sentences(seen.with_fields(operation=family.word), family.why), family.instead)
    if breach.kind == LARGE:
        values = arguments(breach.case).items()
        shown = ", ".join(f"{name}={value}" for name, value in values if name != "seed")
        if breach.line:
            made = message("{lines} makes an array of shape {shape}, with {size} elements.")
            made = made.with_fields(lines=lines_field([breach.line]))
        else:
            made = message("Your function makes an array of shape {shape}, with {size} elements.")
        most = message(
            "With {arguments}, no array may have more than {most}. The memory that arrays take limits which sizes can be "
            "computed at all.",
            arguments=shown,
            most=asked.largest[breach.case],
        )
        made = made.with_fields(shape=str(breach.shape), size=math.prod(breach.shape))
        hint = message("Which parts of this array are needed at the same time, and which one after the other?")
        return Named(TOO_LARGE, sentences(made, most), hint)
    small, large = (arguments(case)[asked.size] for case in asked.pair)
    why = message(
        "The program has {before} operations at {size}={small}, and {after} at {size}={large}. A loop of Python writes its "
        "operations down once for each round, a recursion such as that of `jax.lax.associative_scan` once for each level. "
        "JAX traces and compiles all of them.",
        before=breach.lengths[0],
        size=asked.size,
        small=f"{small}",
        after=breach.lengths[1],
        large=f"{large}",
    )
    if "scan" in asked.forbids:
        hint = message("Which function of JAX combines neighbours, then pairs of neighbours, and so on?")
    else:
        hint = message("What is repeated as {size} grows? Write one round as a function, and let JAX run the rounds.")
    return Named(LONGER, why, hint.with_fields(size=asked.size))
