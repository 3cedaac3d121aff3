"""A small sound problem, and for each kind of defect the same problem with it: an audit must find that alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

STATEMENT = """---
title: Distance decay
track: 0 Toys
difficulty: easy
tags: [toy]
after: []
---

# Distance decay

## Why it matters

Near things matter more than far ones.

## The idea and the formula

$$y_{i,j} = e^{-(i - j)^2 / 4} x_j$$

## A worked example

```python
import math

print(f"{math.exp(-1 / 4):.4f}")
```

```text
0.7788
```

## Common pitfalls

- A square is never negative.

## The task

1. Take differences, square them, and weigh the inputs.

## Inputs

- `seed`: not used.
- `T`: how many there are, at least 2. See [the same lesson](README.md).

## Output

A float32 array of shape `(T * T,)`. No value is infinite.

## Hints

1. How far apart are two places?
2. A square has a sign of its own.
3. An exponential makes weights of distances.

## References

- Anonymous, 2026, section 1.
"""

STUB = '''"""Distance decay."""

import jax.numpy as jnp


def distance_decay(seed, T):
    """The weighed inputs, flattened."""
    x = jnp.cos(3.0 * jnp.arange(T))
    raise NotImplementedError
'''

ANSWER = '''"""Distance decay, worked."""

import jax.numpy as jnp


def distance_decay(seed, T):
    x = jnp.cos(3.0 * jnp.arange(T))
    places = jnp.arange(T)
    weights = jnp.exp(-((places[:, None] - places[None, :]) ** 2) / 4)
    return (weights * x).reshape(-1)
'''

REFERENCE = '''"""Distance decay."""

import jax.numpy as jnp

from grader import Pitfall, Problem, Whole


def distance_decay(seed, T, *, width=4.0, power=2, rows=False):
    x = jnp.cos(3.0 * jnp.arange(T))
    places = jnp.arange(T)
    apart = jnp.abs(places[:, None] - places[None, :])
    weights = jnp.exp(-(apart**power) / width)
    table = weights * (x[:, None] if rows else x)
    return table.reshape(-1)


problem = Problem(
    reference=distance_decay,
    arguments={"T": Whole(2, reach=5)},
    cases=[(0, 2), (0, 3), (1, 5)],
    pitfalls=[
        Pitfall("not-squared", why="The distances are not squared.", hint="Which power does the formula have?", power=1),
        Pitfall("too-narrow", why="The weights fall too fast.", hint="By what is the square divided?", width=2.0),
        Pitfall("rows-for-columns", why="Each row has one input.", hint="Whose input is weighed?", rows=True),
    ],
)
'''

FIGURE = '''"""The decay, drawn."""

from grader.page.figure import same


def figures(reference):
    same([2.0], reference(0, 1))
    return []
'''

FILES = {
    "problems/distance_decay/README.md": STATEMENT,
    "problems/distance_decay/stub.py": STUB,
    "solutions/distance_decay/answer.py": ANSWER,
    "solutions/distance_decay/reference.py": REFERENCE,
}

STATEMENT_FILE, STUB_FILE, ANSWER_FILE, REFERENCE_FILE = FILES
FIGURE_FILE = "problems/distance_decay/figure.py"


def make(root: Path, name: str = "distance_decay", files: dict[str, str] = FILES) -> Path:
    """Write a toy problem under a name."""
    for path, text in files.items():
        target = root / path.replace("distance_decay", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace("distance_decay", name), encoding="utf-8")
    return root


HIDDEN = {
    **FILES,
    "solutions/distance_decay/answer.py": ANSWER.replace(
        "weights * x)", "weights * x + 0.3 * jnp.maximum(seed - 5, 0))"
    ),
    "solutions/distance_decay/reference.py": REFERENCE.replace("rows=False)", "rows=False, late=0.3)")
    .replace("    return table", "    table = table + late * jnp.maximum(seed - 5, 0)  # late\n    return table")
    .replace(
        "    pitfalls=[\n",
        '    pitfalls=[\n        Pitfall("too-late", why="It is less.", hint="How much is it?", late=0.2),\n',
    ),
}
"""The toy problem with a term that is zero for the seeds of its cases."""


@dataclass(frozen=True)
class Defect:
    """A change to a file of the toy problem, the check that must find it, and a piece of the finding's message."""

    check: str
    file: str
    changes: dict[str, str]
    says: str
    line: str = ""
    """A piece of the line that the finding must point to; empty if it is about the whole file."""
    more: dict[str, str] = field(default_factory=dict[str, str])
    """Changes to the answer, so that it still fits the changed file."""

    def files(self) -> dict[str, str]:
        changed = dict(FILES)
        for file, changes in ((self.file, self.changes), (ANSWER_FILE, self.more)):
            for old, new in changes.items():
                assert old in changed.setdefault(file, ""), old
                changed[file] = changed[file].replace(old, new)
        return changed


NOT_SQUARED = next(line for line in REFERENCE.splitlines(keepends=True) if "not-squared" in line)
PITFALL = "    pitfalls=[\n"

DEFECTS: dict[str, Defect] = {
    "a figure that shows other numbers than the reference": Defect(
        "figure",
        FIGURE_FILE,
        {"": FIGURE},
        "what the figure shows gives 2 where the reference gives",
        "same(",
    ),
    "a stub that already solves it": Defect(
        "stub",
        STUB_FILE,
        {"raise NotImplementedError": "return x"},
        "should end with `raise NotImplementedError`",
        "def distance_decay",
    ),
    "a stub that cannot be imported": Defect(
        "stub", STUB_FILE, {"import jax.numpy": "import jaxx.numpy"}, "ModuleNotFoundError", "import jaxx"
    ),
    "a stub that is not Python": Defect(
        "stub", STUB_FILE, {"(seed, T):": "(seed, T)"}, "not Python", "def distance_decay"
    ),
    "a stub with another signature": Defect(
        "signature",
        STUB_FILE,
        {"(seed, T)": "(seed, n)", "arange(T)": "arange(n)"},
        "(seed, T):`",
        "def distance_decay",
    ),
    "a stub without the function": Defect("stub", STUB_FILE, {"def distance_decay": "def another"}, "no function"),
    "an answer that fails": Defect("answer", ANSWER_FILE, {"/ 4": "/ 3"}, "wrong, not correct"),
    "an answer that makes a pitfall": Defect("answer", ANSWER_FILE, {"/ 4": "/ 2"}, "makes the mistake too-narrow"),
    "an answer that raises": Defect("answer", ANSWER_FILE, {"/ 4": "/ four"}, "NameError", "/ four"),
    "an answer that does not trace": Defect(
        "answer", ANSWER_FILE, {"(weights * x)": "(weights * float(x[0]) / float(x[0]) * x)"}, "not trace"
    ),
    "a broken worked example": Defect(
        "example", STATEMENT_FILE, {"0.7788": "0.7789"}, "prints '0.7788' where '0.7789' is shown", "```python"
    ),
    "a worked example that raises": Defect(
        "example",
        STATEMENT_FILE,
        {"math.exp(-1 / 4)": "math.exponential(-1 / 4)"},
        "AttributeError",
        "math.exponential",
    ),
    "a worked example that shows nothing": Defect(
        "example", STATEMENT_FILE, {"```text\n0.7788\n```": "About 0.78."}, "no ```text block", "```python"
    ),
    "a statement without an example": Defect(
        "example", STATEMENT_FILE, {"```python": "```py"}, "no ```python block", "## A worked example"
    ),
    "a statement without a section": Defect(
        "section", STATEMENT_FILE, {"## Inputs\n": "## Input\n"}, "no section `## Inputs`"
    ),
    "an empty section": Defect(
        "section", STATEMENT_FILE, {"- Anonymous, 2026, section 1.\n": ""}, "'References' is empty", "## References"
    ),
    "sections in another order": Defect(
        "section",
        STATEMENT_FILE,
        {"## Common pitfalls": "## X", "## The task": "## Common pitfalls", "## X": "## The task"},
        "stands where",
        "## The task",
    ),
    "too few hints": Defect(
        "hints", STATEMENT_FILE, {"3. An exponential makes weights of distances.\n": ""}, "2 hints", "## Hints"
    ),
    "no tags": Defect("front-matter", STATEMENT_FILE, {"tags: [toy]": "tags: []"}, "no tags", "tags:"),
    "no line for what comes before": Defect(
        "front-matter", STATEMENT_FILE, {"after: []\n": ""}, "needs a line `after: [...]`", "---"
    ),
    "an unknown difficulty": Defect(
        "front-matter",
        STATEMENT_FILE,
        {"difficulty: easy": "difficulty: mild"},
        "choose one of easy, medium, hard",
        "---",
    ),
    "an unknown problem before it": Defect(
        "after", STATEMENT_FILE, {"after: []": "after: [nowhere]"}, "'nowhere', which is no problem", "after:"
    ),
    "a link that leads nowhere": Defect(
        "link", STATEMENT_FILE, {"(README.md)": "(../elsewhere/README.md)"}, "'../elsewhere/README.md'", "elsewhere"
    ),
    "a gap that is left": Defect(
        "gap", STUB_FILE, {'"""The weighed': '"""TODO: say more. The weighed'}, "say more", "TODO"
    ),
    "a reference that does not import": Defect(
        "reference", REFERENCE_FILE, {"import jax.numpy": "import jaxx.numpy"}, "jaxx", "import jaxx"
    ),
    "a reference that raises": Defect(
        "reference", REFERENCE_FILE, {"arange(T))\n": "arange(T))\n    x = x.at_all(T)\n"}, "AttributeError", "at_all"
    ),
    "a reference that is not flat": Defect(
        "reference", REFERENCE_FILE, {"return table.reshape(-1)": "return table"}, "one 1-D array", "def distance_decay"
    ),
    "a reference that changes": Defect(
        "deterministic",
        REFERENCE_FILE,
        {
            "import jax.numpy": "import random\n\nimport jax.numpy",
            "places = jnp.arange(T)": "places = jnp.arange(T) * random.random()",
        },
        "called twice",
        "def distance_decay",
    ),
    "a reference with infinities that nobody announces": Defect(
        "finite",
        REFERENCE_FILE,
        {"table = weights": "table = jnp.where(apart > 3, -jnp.inf, 0.0) + weights"},
        "does not say that some values are",
        "def distance_decay",
        more={"(weights * x)": "(jnp.where(abs(places[:, None] - places) > 3, -jnp.inf, 0.0) + weights * x)"},
    ),
    "an unstable element": Defect(
        "unstable",
        REFERENCE_FILE,
        {"return table": "table = table + jnp.floor(jnp.exp(jnp.log(apart + 3.0)))\n    return table"},
        "rounding noise alone",
        "def distance_decay",
        more={"(weights * x)": "(weights * x + jnp.floor(jnp.exp(jnp.log(abs(places[:, None] - places) + 3.0))))"},
    ),
    "a knob whose default is wrong": Defect(
        "knob-default", REFERENCE_FILE, {"width=4.0": "width=2.0"}, "turns width to 2.0, its default", '"too-narrow"'
    ),
    "a pitfall equal to the truth": Defect(
        "pitfall-is-right",
        REFERENCE_FILE,
        {
            "rows=False)": "rows=False, sign=1)",
            "places[:, None] - places[None, :]": "sign * (places[:, None] - places[None, :])",
            PITFALL: PITFALL + '        Pitfall("backwards", why="It is backwards.", hint="Which way?", sign=-1),\n',
        },
        "'backwards' (sign=-1) is nowhere 64 tolerances off the truth",
        '"backwards"',
    ),
    "two equal pitfalls": Defect(
        "equal-pitfalls",
        REFERENCE_FILE,
        {PITFALL: PITFALL + '        Pitfall("half", why="Half as wide.", hint="How wide?", width=2.0),\n'},
        "'half' and 'too-narrow' give the same numbers",
        '"half"',
    ),
    "two pitfalls that cancel": Defect(
        "pair-is-right",
        REFERENCE_FILE,
        {
            "rows=False)": "rows=False, scale=1.0)",
            "/ width)": "/ width * scale)",
            PITFALL: PITFALL + '        Pitfall("halved", why="It is halved.", hint="Is it halved?", scale=0.5),\n',
        },
        "'halved' and 'too-narrow' together are nowhere",
        '"halved"',
    ),
    "a bound that no case reaches, so that a mutant lives": Defect(
        "survivor",
        REFERENCE_FILE,
        {"jnp.abs(places[:, None] - places[None, :])": "jnp.minimum(jnp.abs(places[:, None] - places[None, :]), 4)"},
        "no case tells `abs dropped` from the truth",
        "apart = ",
    ),
    "arguments that are not declared": Defect(
        "arguments",
        REFERENCE_FILE,
        {'    arguments={"T": Whole(2, reach=5)},\n': "", ", Whole\n": "\n"},
        'add arguments={"T": Whole(...)}',
        "def distance_decay",
    ),
    "a legal extreme that no case has": Defect(
        "uncrossed",
        REFERENCE_FILE,
        {"[(0, 2), (0, 3), (1, 5)]": "[(0, 3), (1, 5)]"},
        "no case has T=2, which is legal: add a case such as (0, 2)",
        "def distance_decay",
    ),
    "a statement without a fact that is declared": Defect(
        "inputs",
        STATEMENT_FILE,
        {"how many there are, at least 2": "how many there are"},
        "it is at least 2",
        "## Inputs",
    ),
    "an explanation of what does not survive": Defect(
        "stale-explanation",
        REFERENCE_FILE,
        {"places = jnp.arange(T)": "places = jnp.arange(T)  # survives iota-of-nothing: nobody knows"},
        "no mutant 'iota-of-nothing' of this line survives",
        "iota-of-nothing",
    ),
    "a name that is no name": Defect(
        "name", REFERENCE_FILE, {'"not-squared"': '"NotSquared"'}, "kebab-case", '"NotSquared"'
    ),
    "a why that is no sentence": Defect(
        "advice", REFERENCE_FILE, {"are not squared.": "are not squared"}, "does not end as a sentence", '"not-squared"'
    ),
    "no hint": Defect(
        "advice", REFERENCE_FILE, {'hint="Whose input is weighed?"': 'hint=""'}, "has no hint", '"rows-for-columns"'
    ),
    "a hint with the right constant": Defect(
        "gives-away",
        REFERENCE_FILE,
        {"By what is the square divided?": "Is it divided by 4?"},
        "holds 4",
        '"too-narrow"',
    ),
    "a hint with a line of code": Defect(
        "gives-away",
        REFERENCE_FILE,
        {"Which power does the formula have?": "Is it (places[:, None] - places[None, :]) ** 2?"},
        "a piece of the worked answer",
        '"not-squared"',
    ),
}
