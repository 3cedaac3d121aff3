"""The texts that `new` writes. GAP marks what is to be filled in."""

from __future__ import annotations

import json
from collections.abc import Sequence

Parameters = Sequence[tuple[str, type]]


def _sizes(parameters: Parameters) -> list[str]:
    return [name for name, kind in parameters if kind is int]


def _rates(parameters: Parameters) -> list[str]:
    return [name for name, kind in parameters if kind is float]


def _signature(parameters: Parameters) -> str:
    return ", ".join(["seed", *(name for name, _ in parameters)])


def _conversions(parameters: Parameters) -> str:
    """The line that takes sizes as any number."""
    names = [name for name, _ in parameters]
    if not names:
        return ""
    values = ", ".join(f"{kind.__name__}({name})" for name, kind in parameters)
    return f"    {', '.join(names)} = {values}\n"


def _count(parameters: Parameters) -> str:
    return " * ".join(_sizes(parameters)) or "8"


def _shape(parameters: Parameters) -> str:
    return ", ".join(_sizes(parameters)) or "8"


def _formula(parameters: Parameters) -> str:
    """The example's formula, of a variable `position`."""
    return f"jnp.sin({' * '.join(['position', *_rates(parameters)])} / 10.0)"


def _natural(parameters: Parameters) -> str:
    sizes = _sizes(parameters)
    return f".reshape({', '.join(sizes)})" if len(sizes) > 1 else ""


_STATEMENT = """---
title: <QUOTED_TITLE>
track: <QUOTED_TRACK>
difficulty: <DIFFICULTY>
tags: [example] # GAP: two or three words
after: [] # GAP: names of problems to solve before this one
---

# <TITLE>

## Why it matters

GAP: what breaks in a model without it.

## The idea and the formula

GAP: the idea in a few sentences. Then the formula, here that of the example: for position $p = 0, 1, 2, \\dots$

$$y_p = \\sin(p / 10)$$

## A worked example

GAP: numbers small enough to follow by hand. The block is run, and must print what is shown.

```python
import math

print(*(f"{math.sin(p / 10):.3f}" for p in range(4)))
```

```text
0.000 0.100 0.199 0.296
```

## Common pitfalls

- GAP: what people get wrong, told without giving the answer away.

## The task

1. GAP: step by step.

## Inputs

- `seed`: GAP: not used here, or what is drawn from it.
<INPUTS>

## Output

A float32 array: the values of shape `(<SHAPE>)`, row by row. GAP: its range, and what may be infinite.

## Hints

1. GAP: a nudge.
2. GAP: a step.
3. GAP: nearly there.

## References

- GAP: author, title, year, section or equation.
"""


def statement(title: str, track: str, difficulty: str, parameters: Parameters) -> str:
    """README.md."""
    inputs = "\n".join(
        f"- `{name}`: GAP: what it is, and what may be assumed of it" + ("." if kind is int else " (a float).")
        for name, kind in parameters
    )
    filled = {
        "<QUOTED_TITLE>": json.dumps(title, ensure_ascii=False),
        "<QUOTED_TRACK>": json.dumps(track, ensure_ascii=False),
        "<DIFFICULTY>": difficulty,
        "<TITLE>": title,
        "<INPUTS>": inputs,
        "<SHAPE>": _shape(parameters),
    }
    text = _STATEMENT
    for mark, value in filled.items():
        text = text.replace(mark, value)
    return text


def stub(name: str, parameters: Parameters) -> str:
    """stub.py."""
    described = "\n".join(f"        {one}: GAP." for one, _ in (("seed", int), *parameters))
    return f'''"""GAP: title. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax.numpy as jnp


def {name}({_signature(parameters)}):
    """GAP: what it returns, in one line.

    Args:
{described}

    Returns:
        GAP: shape ({_shape(parameters)}), flattened, float32.
    """
{_conversions(parameters)}    raise NotImplementedError
'''


def answer(name: str, title: str, parameters: Parameters) -> str:
    """answer.py."""
    return f'''"""{_in_docstring(title)}, as a good learner would write it."""

import jax.numpy as jnp


def {name}({_signature(parameters)}):
{_conversions(parameters)}    # GAP: the worked answer, without knobs.
    position = jnp.arange({_count(parameters)})
    return {_formula(parameters)}
'''


def reference(name: str, title: str, parameters: Parameters) -> str:
    """reference.py."""
    cases = "\n".join(f"        ({', '.join(case)})," for case in _cases(parameters))
    return f'''"""{_in_docstring(title)} (GAP: author, year, section)."""

import jax.numpy as jnp

from grader import Pitfall, Problem


def {name}({_signature(parameters)}, *, first=0):
    """GAP: what it computes. Every keyword-only argument is a knob, and its default is right."""
{_conversions(parameters)}    position = jnp.arange({_count(parameters)}) + first
    values = {_formula(parameters)}{_natural(parameters)}
    return values.reshape(-1)


problem = Problem(
    reference={name},
    # GAP: cases, smallest first, of different sizes: the audit says which mistakes they would let through.
    cases=[
{cases}
    ],
    # GAP: pitfalls, each a setting of knobs.
    pitfalls=[
        Pitfall(
            "one-based-positions",
            why="The first value is that of position 1: every value is one position too far.",
            hint="Which position comes first?",
            first=1,
        ),
    ],
)
'''


def _cases(parameters: Parameters) -> list[list[str]]:
    """Three cases of different sizes."""
    rows = ((1, "0.5"), (3, "0.25"), (6, "1.5"))
    listed: list[list[str]] = []
    for start, rate in rows:
        values = [rate if kind is float else str(start + index) for index, (_, kind) in enumerate(parameters)]
        listed.append(["0", *values])
    if not parameters:
        return [["0,"]]
    return listed


def _in_docstring(text: str) -> str:
    return text.replace("\\", "").replace('"', "'").rstrip(".")
