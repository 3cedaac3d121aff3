"""An error that is known: by what it is recognised, what is advised, and programs that show both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class KnownError(NamedTuple):
    """An error: its class or a base class, a pattern in its message, advice whose fields are the named groups of that
    pattern, and a pattern in the learner's line that raised it. Of entries for one message, those with a line come first.

    `examples` are wrong programs that raise it, each with the right one that follows the advice. They share the names of
    `tests/marking/examples.py`. `in_cells` is the advice for an answer from a notebook, if that is other advice.
    """

    error: str
    message: str
    advice: str
    examples: Mapping[str, str]
    line: str = ""
    in_cells: str = ""


def missing_name(names: str, advice: str, examples: Mapping[str, str], line: str = "") -> KnownError:
    """Advice for a name that a module of JAX, Flax or Optax does not have."""
    return KnownError(
        "AttributeError",
        rf"^[Mm]odule '?(?:jax|flax|optax)[\w.]*'? has no attribute '({names})'",
        advice,
        examples,
        line,
    )
