"""One sentence of advice for the errors that people often meet in JAX."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grader.marking.verdict import Frame, Raised

_ADVICE: tuple[tuple[str, str, str], ...] = (
    # (name of the exception's class or of a base class, pattern in its message, advice)
    (
        "TypeError",
        r"JAX arrays are immutable|object does not support item assignment",
        "JAX arrays cannot be changed in place: build the new array with x = x.at[i].set(value).",
    ),
    (
        "TracerArrayConversionError",
        "",
        "NumPy cannot take a value that JAX is tracing: use the function of the same name in jax.numpy.",
    ),
    (
        "TracerBoolConversionError",
        "",
        "`if` and `while` need a Python value, and this one is traced: choose with jnp.where or jax.lax.cond.",
    ),
    (
        "TracerIntegerConversionError",
        "",
        "A traced value cannot be a Python index or size: compute sizes from the arguments, not from arrays.",
    ),
    (
        "NonConcreteBooleanIndexError",
        "",
        "The shape of x[mask] depends on values, which are not known while JAX traces: use jnp.where(mask, x, other).",
    ),
    (
        "ConcretizationTypeError",
        "",
        "float(), int() and bool() need a Python value, and this one is traced: keep it as an array.",
    ),
    (
        "UnexpectedTracerError",
        "",
        "A traced value outlived its function: return it instead of keeping it in a global or an attribute.",
    ),
    (
        "TypeError",
        r"indices must be integers|Indexer must have integer|cannot be interpreted as an integer"
        r"|Shapes must be 1D sequences of concrete values of integer type|must be an integer|slice indices must be",
        "An index, a size or a shape has to be an int: divide with //, or convert with int().",
    ),
    (
        "IndexError",
        r"must be static integers|Array slice indices must have static",
        "The length of a slice must be known before any number: keep the whole shape, and hide the rest with jnp.where.",
    ),
    (
        "IndexError",
        r"only integers, slices",
        "An index has to be an int: divide with //, or convert with int().",
    ),
    (
        "TypeError",
        r"[Ii]ncompatible shapes for broadcasting|add got incompatible shapes|got incompatible shapes",
        "Shapes broadcast from the right, and each pair of sizes must be equal or hold a 1: add an axis with x[:, None].",
    ),
    (
        "ValueError",
        r"[Ii]ncompatible shapes for broadcasting|could not be broadcast",
        "Shapes broadcast from the right, and each pair of sizes must be equal or hold a 1: add an axis with x[:, None].",
    ),
    (
        "TypeError",
        r"dot_general requires contracting dimensions to have the same shape",
        "In a @ b the last axis of a must be as long as the second last of b: print both shapes, or transpose one.",
    ),
    (
        "TypeError",
        r"cannot reshape array",
        "A reshape keeps the number of values: multiply out both shapes and compare.",
    ),
    (
        "TypeError",
        r"requires ndarray or scalar arguments|not a valid JAX type|is not a valid JAX array type",
        "jax.numpy takes arrays and numbers, not lists: wrap the list in jnp.array(...).",
    ),
    (
        "TypeError",
        r"JAX encountered invalid PRNG key|unexpected PRNG key type|must be a key",
        "jax.random takes a key first: make one with jax.random.key(seed).",
    ),
    ("ZeroDivisionError", "", "At the smallest size a length or a count becomes zero: look at that case first."),
    ("RecursionError", "", "The function calls itself without an end: which call should be the last?"),
    ("SystemExit", "", "An answer returns its value: take out the call that exits."),
    (
        "IndentationError",
        "",
        "Every line of one block begins at the same column: compare this line with the one above.",
    ),
    ("ModuleNotFoundError", "", "An answer may import jax, flax, numpy and the standard library."),
)


def raised_from(described: Mapping[str, Any]) -> Raised:
    """An exception that the answer's process describes (see `run.raised.describe`), with one sentence of advice.

    Raises:
        KeyError, TypeError, ValueError: if the description has another form. An answer can change what its process sends.
    """
    kind, message = str(described["kind"]), str(described["message"])
    frames = tuple(
        Frame(int(frame["line"]), str(frame["function"])[:80], str(frame["text"])[:200])
        for frame in described["frames"]
    )
    lineage = [str(name) for name in described["lineage"]]
    return Raised(kind, first_lines(message), frames, advice(lineage, message))


def advice(lineage: list[str], message: str) -> str:
    """One sentence for a known error, else "". `lineage` holds the names of the exception's class and its base classes."""
    for name, pattern, sentence in _ADVICE:
        if name in lineage and re.search(pattern, message):
            return sentence
    return ""


def first_lines(message: str, most: int = 3) -> str:
    """The first lines of a message, at most `most`: messages of JAX continue with links and long advice."""
    lines = [line.rstrip() for line in message.strip().splitlines()]
    head: list[str] = []
    for line in lines:
        if not line or len(head) == most or line.startswith("See http"):
            break
        head.append(line if len(line) <= 300 else line[:297] + "...")
    return "\n".join(head)
