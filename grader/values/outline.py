"""What is told of a program without the program: its operations by families, its length, its draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.values.message import Message, message

_WHOLE_ARRAYS = message("How do you get the same values with operations on whole arrays?")


@dataclass(frozen=True)
class Family:
    """One kind of operation: what a learner writes for it, its names in the versions of JAX, and why it matters.

    `hint` is for an answer that lacks it, `instead` for one that should not have it. `among_devices` says whether it does
    nothing on one device.
    """

    word: str
    primitives: frozenset[str]
    why: Message
    hint: Message
    instead: Message = _WHOLE_ARRAYS
    among_devices: bool = False


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
        among_devices=True,
    ),
    "psum": Family(
        "jax.lax.psum",
        frozenset(("psum", "psum2", "psum_invariant")),
        message("`jax.lax.psum` adds up what the devices hold."),
        message("Which number needs the parts of all devices?"),
        among_devices=True,
    ),
    "all_gather": Family(
        "jax.lax.all_gather",
        frozenset(("all_gather", "all_gather_invariant")),
        message("After `jax.lax.all_gather`, each device holds the parts of all."),
        message("Which array does every device need whole?"),
        message("Which numbers does one device need at a time, and which device holds them?"),
        among_devices=True,
    ),
    "psum_scatter": Family(
        "jax.lax.psum_scatter",
        frozenset(("reduce_scatter",)),
        message("`jax.lax.psum_scatter` adds up what the devices hold, and leaves each device one part of the sum."),
        message("Which part of the sum does one device need?"),
        among_devices=True,
    ),
    "ppermute": Family(
        "jax.lax.ppermute",
        frozenset(("ppermute",)),
        message("`jax.lax.ppermute` sends what one device holds to another one."),
        message("To which device does each device send its part?"),
        among_devices=True,
    ),
}
"""The operations that a problem can ask for. A `fori_loop` with a known number of rounds is a scan."""

EVALUATED = frozenset(("scan", "while"))
"""The families that a program keeps as it is sent to be evaluated: calls are written out there (see `program.data`)."""


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


MOST_DRAWS = 256
"""The most draws of one call that are known."""


@dataclass(frozen=True)
class Draw:
    """One draw: the data of its key in hexadecimal, how many numbers it gives, and its line in the answer (0: unknown)."""

    key: str
    count: int
    line: int = 0


@dataclass(frozen=True)
class Reused:
    """How often a key is used, and at which lines."""

    times: int
    lines: tuple[int, ...]
