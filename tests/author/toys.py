"""A small sound problem, and for each kind of defect the same problem with it: an audit must find that alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

STATEMENT = """---
title: Distance decay
track: 0 Toys
difficulty: easy
minutes: 5
aim: "weigh inputs by their distance"
tags: [toy]
after: []
---

# Distance decay

## Why it matters

Near things matter more than far ones.

## The idea and the formula

$$y_{i,j} = e^{-(i - j)^2 / 4} x_j$$

| Symbol | In code | Shape |
|---|---|---|
| $x$ | `x` | `(T,)` |
| - | `T` | a whole number |

```flow
x (T,) -> weigh -> y (T, T)
```

## A worked example

```python
import math

print(f"{math.exp(-1 / 4):.4f}")
```

```text
0.7788
```

## Before you code

How large is a weight at most?

## Common pitfalls

- A weight is above one: a square is never negative.
  **Check:** print the largest.

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

## In real use

`jnp.exp(-x**2)` is the same.

## When it passes

**Answer:** one.

**Try:** another width.

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

ANSWER = '''"""Distance decay, as somebody answers it."""

import jax.numpy as jnp


def distance_decay(seed, T):
    x = jnp.cos(3.0 * jnp.arange(T))
    places = jnp.arange(T)
    weights = jnp.exp(-((places[:, None] - places[None, :]) ** 2) / 4)
    return (weights * x).reshape(-1)
'''

WORKED = '''"""Distance decay."""

import jax.numpy as jnp

from grader import Problem, Whole


def distance_decay(seed, T):
    x = jnp.cos(3.0 * jnp.arange(T))
    places = jnp.arange(T)
    apart = jnp.abs(places[:, None] - places[None, :])
    weights = jnp.exp(-(apart**2) / 4.0)
    #: not-squared: apart**2 -> apart
    #: too-narrow: 4.0 -> 2.0
    table = weights * x
    #: rows-for-columns: * x -> * x[:, None]
    return table.reshape(-1)


problem = Problem(
    arguments={"T": Whole(2, reach=5)},
    cases=[(0, 2), (0, 3), (1, 5)],
)
'''

WORDS = """- A weight is above one ... : advice

## not-squared

The distances are not squared.

> Which power does the formula have?

## too-narrow

The weights fall too fast.

> By what is the square divided?

## rows-for-columns

Each row has one input.

> Whose input is weighed?
"""

FIGURE = '''"""The decay, drawn."""

from grader.page.figure import same


def figures(reference):
    same([2.0], reference(0, 1))
    return []
'''

FILES = {
    "problems/distance_decay/README.md": STATEMENT,
    "problems/distance_decay/stub.py": STUB,
    "solutions/distance_decay/answer.py": WORKED,
    "solutions/distance_decay/mistakes.md": WORDS,
}

STATEMENT_FILE, STUB_FILE, WORKED_FILE, WORDS_FILE = FILES
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
    WORKED_FILE: WORKED.replace(
        "    return table",
        "    table = table + 0.3 * jnp.maximum(seed - 5, 0)  # late\n    #: too-late: 0.3 -> 0.2\n    return table",
    ),
    WORDS_FILE: f"{WORDS}\n## too-late\n\nIt is less.\n\n> How much is it?\n",
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
    words: str = ""
    """A mistake that the words say, so that only the changed file is at fault."""

    def files(self) -> dict[str, str]:
        changed = dict(FILES)
        for old, new in self.changes.items():
            assert old in changed.setdefault(self.file, ""), old
            changed[self.file] = changed[self.file].replace(old, new)
        if self.words:
            changed[WORDS_FILE] += f"\n## {self.words}\n\nIt is so.\n\n> Is it so?\n"
        return changed


APART, BACK = "places[:, None] - places[None, :]", "places[None, :] - places[:, None]"
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
    "an answer that does not trace": Defect(
        "reference",
        WORKED_FILE,
        {"weights * x\n": "weights * float(x[0]) / float(x[0]) * x\n"},
        "ConcretizationTypeError",
        "float(x[0])",
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
    "a statement without the section of the formula": Defect(
        "section", STATEMENT_FILE, {"## The idea and the formula\n": "## Formula\n"}, "no section `## The idea"
    ),
    "a statement without a worked example": Defect(
        "section",
        STATEMENT_FILE,
        {"## A worked example\n\n```python\nimport math": "## Example\n\n```py\nimport math"},
        "no section `## A worked example`",
    ),
    "an empty question": Defect(
        "section",
        STATEMENT_FILE,
        {"How large is a weight at most?\n": ""},
        "'Before you code' is empty",
        "## Before you code",
    ),
    "an empty section": Defect(
        "section", STATEMENT_FILE, {"- Anonymous, 2026, section 1.\n": ""}, "'References' is empty", "## References"
    ),
    "sections in another order": Defect(
        "section",
        STATEMENT_FILE,
        {
            "## In real use\n\n`jnp.exp(-x**2)` is the same.\n\n": "",
            "## Hints\n": "## In real use\n\n`jnp.exp(-x**2)` is the same.\n\n## Hints\n",
        },
        "stands where",
        "## In real use",
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
    "a worked answer that does not import": Defect(
        "reference", WORKED_FILE, {"import jax.numpy": "import jaxx.numpy"}, "jaxx", "import jaxx"
    ),
    "a worked answer that raises": Defect(
        "reference", WORKED_FILE, {"arange(T))\n": "arange(T))\n    x = x.at_all(T)\n"}, "AttributeError", "at_all"
    ),
    "a worked answer of two arrays": Defect(
        "reference", WORKED_FILE, {"return table.reshape(-1)": "return table, table"}, "one array", "def distance_decay"
    ),
    "a worked answer of another shape": Defect(
        "answer",
        WORKED_FILE,
        {"return table.reshape(-1)": "return table"},
        "The array has shape (2, 2). It should have shape (4,). End what it returns with `.reshape(-1)`",
        "return table",
    ),
    "a table of symbols without a row": Defect(
        "form",
        STATEMENT_FILE,
        {"| - | `T` | a whole number |\n": ""},
        "no row for `T`, an argument and a size in `(T,)` and a size in a flow: add one such as | - | `T` |",
        "## The idea",
    ),
    "an arrow without spaces": Defect(
        "reference", WORKED_FILE, {"4.0 -> 2.0": "4.0->2.0"}, "write `#: too-narrow: 4.0 -> 2.0`", "#: too-narrow"
    ),
    "a mistake in another column": Defect(
        "reference",
        WORKED_FILE,
        {"    #: too-narrow": "#: too-narrow"},
        "'too-narrow' begins in column 1, and the statement that ends above it, in line 12, in column 5: write `#:` there",
        "#: too-narrow",
    ),
    "a part that stands twice": Defect(
        "reference",
        WORKED_FILE,
        {"apart**2 -> apart": "apart -> apart**2", "(apart**2)": "(apart * apart)"},
        "`apart`, which stands 2 times in line 12: write more of what stands around it, such as `(apart` for the first",
        "#: not-squared",
    ),
    "a worked answer that changes": Defect(
        "deterministic",
        WORKED_FILE,
        {
            "import jax.numpy": "import random\n\nimport jax.numpy",
            "places = jnp.arange(T)": "places = jnp.arange(T) * random.random()",
        },
        "called twice",
        "def distance_decay",
    ),
    "a worked answer with infinities that nobody announces": Defect(
        "finite",
        WORKED_FILE,
        {"table = weights": "table = jnp.where(apart > 3, -jnp.inf, 0.0) + weights"},
        "does not say that some values are",
        "def distance_decay",
    ),
    "an unstable element": Defect(
        "unstable",
        WORKED_FILE,
        {"return table": "table = table + jnp.floor(jnp.exp(jnp.log(apart + 3.0)))\n    return table"},
        "rounding noise alone",
        "def distance_decay",
    ),
    "a mistake equal to the truth": Defect(
        "pitfall-is-right",
        WORKED_FILE,
        {"    weights =": f"    #: backwards: {APART} -> {BACK}\n    weights ="},
        f"'backwards' ({APART} -> {BACK}) is nowhere 64 tolerances off",
        "#: backwards",
        words="backwards",
    ),
    "a mistake that gives NaN, and does not say so": Defect(
        "unguarded",
        WORKED_FILE,
        {"    table =": "    #: no-width: 4.0 -> 0.0\n    table ="},
        "'no-width' gives NaN or infinity at (0, 2), in each of its forms: add a form that avoids it",
        "#: no-width",
        words="no-width",
    ),
    "a pitfall without a mistake": Defect(
        "pitfall",
        STATEMENT_FILE,
        {"\n## The task": "- No weight is left: all are 0.\n  **Check:** print them.\n\n## The task"},
        "no mistake is named for the pitfall that begins 'No weight is left: all are'",
        "- No weight is left",
    ),
    "a pitfall with an unknown mistake": Defect(
        "pitfall", WORDS_FILE, {": advice": ": too-wide"}, "'too-wide' is no mistake of this problem", "too-wide"
    ),
    "a mistake that belongs to no pitfall": Defect(
        "pitfall",
        WORDS_FILE,
        {": advice\n": ": advice\n- A row is above one ... : too-narrow\n"},
        "no pitfall of the statement begins with 'A row is above one'",
        "A row is above one",
    ),
    "two equal mistakes": Defect(
        "equal-pitfalls",
        WORKED_FILE,
        {"    table =": "    #: half: 4.0 -> (1.0 + 1.0)\n    table ="},
        "'too-narrow' and 'half' give the same numbers",
        "#: too-narrow",
        words="half",
    ),
    "two forms of a mistake that are equal": Defect(
        "equal-forms",
        WORKED_FILE,
        {"4.0 -> 2.0": "4.0 -> 2.0, or (1.0 + 1.0)"},
        "'too-narrow' gives the same numbers for 4.0 -> (1.0 + 1.0) and 4.0 -> 2.0",
        "#: too-narrow",
    ),
    "two mistakes that cancel": Defect(
        "pair-is-right",
        WORKED_FILE,
        {"    table =": "    #: halved: (apart**2) -> (apart**2 * 0.5)\n    table ="},
        "'too-narrow' and 'halved' together are nowhere",
        "#: too-narrow",
        words="halved",
    ),
    "a mistake without words": Defect(
        "reference",
        WORKED_FILE,
        {"#: too-narrow": "#: too-small"},
        "'too-small' has no words: write a section `## too-small`",
        "#: too-small",
    ),
    "a mistake that is not Python": Defect(
        "reference", WORKED_FILE, {"4.0 -> 2.0": "4.0 -> (2.0"}, "'too-narrow' is not Python", "#: too-narrow"
    ),
    "a bound that no case reaches, so that a mutant lives": Defect(
        "survivor",
        WORKED_FILE,
        {"jnp.abs(places[:, None] - places[None, :])": "jnp.minimum(jnp.abs(places[:, None] - places[None, :]), 4)"},
        "no case tells `abs dropped` from the truth",
        "apart = ",
    ),
    "arguments that are not declared": Defect(
        "arguments",
        WORKED_FILE,
        {'    arguments={"T": Whole(2, reach=5)},\n': "", ", Whole\n": "\n"},
        'add arguments={"T": Whole(...)}',
        "def distance_decay",
    ),
    "a legal extreme that no case has": Defect(
        "uncrossed",
        WORKED_FILE,
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
        WORKED_FILE,
        {"places = jnp.arange(T)": "places = jnp.arange(T)  # survives iota-of-nothing: nobody knows"},
        "no mutant 'iota-of-nothing' of this line survives",
        "iota-of-nothing",
    ),
    "a name that is no name": Defect(
        "name",
        WORKED_FILE,
        {"    #: not-squared": "    #: NotSquared: apart**2 -> apart**3\n    #: not-squared"},
        "kebab-case",
        "#: NotSquared",
        words="NotSquared",
    ),
    "a why that is no sentence": Defect(
        "advice", WORDS_FILE, {"are not squared.": "are not squared"}, "does not end as a sentence", "## not-squared"
    ),
    "no hint": Defect("advice", WORDS_FILE, {"> Whose input is weighed?": ""}, "has no hint", "## rows-for-columns"),
    "a hint with the right constant": Defect(
        "gives-away", WORDS_FILE, {"By what is the square divided?": "Is it divided by 4?"}, "holds 4", "## too-narrow"
    ),
    "a hint with a line of code": Defect(
        "gives-away",
        WORDS_FILE,
        {"Which power does the formula have?": "Is it places[:, None] - places[None, :]?"},
        "a piece of the worked answer",
        "## not-squared",
    ),
}
