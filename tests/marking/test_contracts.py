"""Contracts beyond the values: what the real command reports about answers that keep or break them."""

from __future__ import annotations

import pkgutil
from typing import Any

import numpy as np
import pytest

from grader.kit.problem_error import ProblemError
from grader.marking.facts import Truth
from grader.marking.requirements import CONTRACTS, DIFFERS, GRAD, JIT, Contract, Violation
from grader.values.arrays import Expected
from tests.conftest import Command
from tests.toy import problem_of

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"
X = "    x = jax.random.normal(jax.random.key(seed), (T,))\n"
TWO = "    key = jax.random.key(seed)\n    a, b = jax.random.split(key)\n"

TOYS: dict[str, tuple[str, str, str, str]] = {
    # name: parameters, given lines, right lines, declaration
    "jitted": ("seed, T, p", X, "return jnp.where(x > p, x, 0.0)", 'cases=[(0, 3, 0.1), (1, 5, 0.2)], contract="jit"'),
    "mapped": ("seed, T", X, "return jnp.cumsum(x)", 'cases=[(0, 3), (1, 3), (2, 5), (0, 5)], contract="vmap"'),
    "derived": (
        "seed, T, t",
        X,
        "return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0) * t), 0.0)",
        'cases=[(0, 7, 0.5), (1, 5, 2.0)], contract="grad", wrt="t", axes=("place",)',
    ),
    "keyed": (
        "seed, T",
        TWO,
        "return jax.random.normal(a, (T,)) + jax.random.uniform(b, (T,))",
        'cases=[(0, 3), (1, 5)], contract="keys"',
    ),
    "scanned": (
        "seed, T",
        X,
        "return jax.lax.scan(lambda s, v: (s + v, s + v), jnp.float32(0.0), x)[1]",
        'cases=[(0, 3), (1, 5), (2, 12), (1, 20)], contract="trace", trace=Trace(needs=["scan"], forbids=["while"], '
        'largest=lambda seed, T: 4 * T, grows="no", size="T")',
    ),
    "bounded": (
        "seed, T, t",
        X,
        "return jnp.cumsum(x) * t**2",
        'cases=[(0, 3, 0.5), (1, 9, 2.0), (0, 12, 0.5)], contract="grad", wrt="t", trace=Trace(grows="no", size="T")',
    ),
}


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Command:
    kit = tmp_path_factory.mktemp("toys")
    for name, (parameters, given, right, declared) in TOYS.items():
        for folder in ("problems", "solutions"):
            (kit / folder / name).mkdir(parents=True)
        front = f"---\ntitle: {name}\ntrack: Toys\ndifficulty: easy\ntags: [toy]\nafter: []\n---\n\n# {name}\n"
        (kit / "problems" / name / "README.md").write_text(front)
        stub = f"{HEAD}\ndef {name}({parameters}):\n{given}    raise NotImplementedError\n"
        (kit / "problems" / name / "stub.py").write_text(stub)
        (kit / "solutions" / name / "answer.py").write_text(
            f"{HEAD}from grader import Problem, Trace\n\ndef {name}({parameters}):\n{given}    {right}\n"
            f"    #: doubled: return 2.0 * ({right.removeprefix('return ')})\n\nproblem = Problem({declared})\n"
        )
        (kit / "solutions" / name / "mistakes.md").write_text("## doubled\n\nAll is doubled.\n\n> Once?\n")
    return Command(kit)


def answer(name: str, body: str) -> str:
    parameters, given, _, _ = TOYS[name]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}\ndef {name}({parameters}):\n{given}{lines}"


class Graded(dict[str, dict[str, Any]]):
    """Verdicts by title. The first question about a toy grades all its answers in one run."""

    def __init__(self, toys: Command) -> None:
        self.toys = toys

    def __missing__(self, title: str) -> dict[str, Any]:
        name = title.split(":")[0]
        bodies = {**RIGHT, **{title: body for title, (body, *_) in WRONG.items()}}
        texts = {one: answer(name, body) for one, body in bodies.items() if one.startswith(f"{name}:")}
        self.update(self.toys.verdicts(texts, name=name))
        return self[title]


@pytest.fixture(scope="module")
def graded(toys: Command) -> Graded:
    return Graded(toys)


RIGHT = {
    "jitted: the worked answer": TOYS["jitted"][2],
    "jitted: a compiled choice": "return jax.vmap(lambda v: jax.lax.cond(v > p, lambda: v, lambda: 0.0))(x)",
    "mapped: the worked answer": TOYS["mapped"][2],
    "mapped: a Python loop over a size": "return jnp.stack([x[: t + 1].sum() for t in range(T)])",
    "derived: the worked answer": TOYS["derived"][2],
    "derived: a rule of its own": "f = jax.custom_vjp(lambda v, t: jnp.sqrt(v * t))\n"
    "f.defvjp(lambda v, t: (f(v, t), (v, t)), lambda kept, g: (g * 0, (g * 0.5 * jnp.sqrt(kept[0] / kept[1])).sum()))\n"
    "return jnp.where(x > 0, f(jnp.where(x > 0, x, 1.0), t), 0.0)",
    "scanned: the worked answer": TOYS["scanned"][2],
    "scanned: a loop of a known length": "step = lambda i, s: s.at[i].set(s[i - 1] + x[i])\n"
    "return jax.lax.fori_loop(1, T, step, x)",
    "bounded: the worked answer": TOYS["bounded"][2],
    "bounded: a scan": "return jax.lax.scan(lambda s, v: (s + v, s + v), 0.0, x)[1] * t**2",
    "keyed: the worked answer": TOYS["keyed"][2],
    "keyed: keys of a loop, by index": "ks = jax.random.split(jax.random.fold_in(key, 7), 3)\n"
    "unused = jax.lax.fori_loop(0, 3, lambda i, s: s + jax.random.normal(ks[i], ()), 0.0)\n"
    "return jax.random.normal(a, (T,)) + jax.random.uniform(b, (T,))",
    "keyed: many keys of one, folded": "[jax.random.normal(jax.random.fold_in(key, 9 + i), (2,)) for i in range(3)]\n"
    "return jax.random.normal(a, (T,)) + jax.random.uniform(b, (T,))",
}


@pytest.mark.few(0, 3)
@pytest.mark.parametrize("title", RIGHT)
def test_a_right_answer_keeps_its_contract(graded: Graded, title: str) -> None:
    given = graded[title]
    assert (given["status"], given["pitfalls"]) == ("correct", [])


WRONG = {
    "jitted: chooses in Python": (
        "return jnp.stack([v if v > p else 0.0 for v in x])",
        ["breaks-under-jit"],
        "Right on all 2 cases as written, but it raises an exception under jax.jit.",
    ),
    "jitted: chooses in Python, and doubles": (
        "return 2 * jnp.stack([v if v > p else 0.0 for v in x])",
        ["breaks-under-jit", "doubled"],
        "Right on 0 of 2 cases. The smallest that fails is seed=0, T=3, p=0.1. Moreover, it raises an exception under "
        "jax.jit.",
    ),
    "jitted: a shape that depends on values": (
        "return jnp.zeros(T).at[jnp.nonzero(x > p)[0]].set(x[x > p])",
        ["breaks-under-jit"],
        "Right on all 2 cases as written, but it raises an exception under jax.jit.",
    ),
    "jitted: asks whether the seed is a number": (
        "return jnp.where(x > p, x, 0.0) + (0 if isinstance(seed, int) else jnp.arange(T))",
        ["breaks-under-jit"],
        "Right on all 2 cases as written, but it gives other numbers under jax.jit.",
    ),
    "scanned: in one operation": (
        "return jnp.cumsum(x)",
        ["trace-lacks-scan"],
        "Right on all 4 cases, but a `jax.lax.scan` is missing.",
    ),
    "scanned: in one operation, and doubled": (
        "return 2 * jnp.cumsum(x)",
        ["trace-lacks-scan", "doubled"],
        "Right on 0 of 4 cases. The smallest that fails is seed=0, T=3. Moreover, a `jax.lax.scan` is missing.",
    ),
    "scanned: as long as a value says": (
        "step = lambda one: (one[0] + 1, one[1].at[one[0]].add(one[1][one[0] - 1]))\n"
        "return jax.lax.while_loop(lambda one: one[0] < T, step, (1, x))[1]",
        ["trace-holds-while"],
        "Right on all 4 cases, but its program has a `jax.lax.while_loop`.",
    ),
    "scanned: and a square table": (
        "ones = jnp.ones((T, T))\n"
        "return jax.lax.scan(lambda s, v: (s + v, s + v), jnp.float32(0.0), x)[1] + (ones.sum() - T * T)",
        ["array-too-large"],
        "Right on all 4 cases, but one of its arrays is too large.",
    ),
    "scanned: and a loop in Python": (
        "for t in range(T):\n    x = x.at[t].add(1.0).at[t].add(-1.0)\n"
        "return jax.lax.scan(lambda s, v: (s + v, s + v), jnp.float32(0.0), x)[1]",
        ["trace-grows"],
        "Right on all 4 cases, but its program grows with T.",
    ),
    "scanned: leaves JAX": (
        "return np.cumsum(np.asarray(x))",
        ["does-not-trace"],
        "Right on all 4 cases, but JAX cannot trace it.",
    ),
    "bounded: a loop in Python": (
        "return jnp.stack([x[: i + 1].sum() for i in range(T)]) * t**2",
        ["trace-grows"],
        "Right on all 3 cases, but its program grows with T.",
    ),
    "bounded: a loop in Python, and no derivative": (
        "return jnp.stack([x[: i + 1].sum() for i in range(T)]) * jax.lax.stop_gradient(t) ** 2",
        ["trace-grows", "wrong-gradient"],
        "Right on all 3 cases as written, but its derivative is not right. Moreover, its program grows with T.",
    ),
    "mapped: leaves JAX": (
        "return np.cumsum(np.asarray(x))",
        ["breaks-under-vmap"],
        "Right on all 4 cases as written, but it raises an exception under jax.vmap.",
    ),
    "mapped: looks up what it was called with": (
        "return jnp.cumsum(x) if isinstance(seed, int) else jnp.cumsum(x) ** 2",
        ["breaks-under-vmap"],
        "Right on all 4 cases as written, but it gives other numbers under jax.vmap.",
    ),
    "derived: leaves JAX": (
        "return np.where(x > 0, np.sqrt(np.where(x > 0, x, 1) * t), 0).astype(np.float32)",
        ["wrong-gradient"],
        "Right on all 2 cases as written, but JAX cannot differentiate it.",
    ),
    "derived: cut": (
        "return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0) * jax.lax.stop_gradient(t)), 0.0)",
        ["wrong-gradient"],
        "Right on all 2 cases as written, but its derivative is not right.",
    ),
    "derived: hidden, and infinite where hidden": (
        "return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 0.0) * t), 0.0)",
        ["wrong-gradient", "not-finite"],
        "Right on all 2 cases as written, but its derivative is not right.",
    ),
    "derived: doubled": (
        "return 2 * jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0) * t), 0.0)",
        ["doubled"],
        "Right on 0 of 2 cases. The smallest that fails is seed=1, T=5, t=2.0.",
    ),
    "keyed: one draw too many": (
        "jax.random.normal(b, (T,))\nreturn jax.random.normal(a, (T,)) + jax.random.uniform(b, (T,))",
        ["key-reused"],
        "Right on all 2 cases as written, but a key is used more than once.",
    ),
    "keyed: in a loop": (
        "jax.lax.scan(lambda s, _: (s + jax.random.normal(b, ()), None), 0.0, length=3)\n"
        "return jax.random.normal(a, (T,)) + jax.random.uniform(b, (T,))",
        ["key-reused"],
        "Right on all 2 cases as written, but a key is used more than once.",
    ),
    "keyed: a key made a second time": (
        "jax.random.normal(jax.random.key(seed), (T,))\n"
        "return jax.random.normal(a, (T,)) + jax.random.uniform(b, (T,))",
        ["key-reused"],
        "Right on all 2 cases as written, but a key is used more than once.",
    ),
    "keyed: does not trace": (
        "return jax.random.normal(a, (T,)) + np.asarray(jax.random.uniform(b, (T,)))",
        ["does-not-trace"],
        "Right on all 2 cases as written, but its keys cannot be followed: it does not trace under jax.jit.",
    ),
}


PLAIN = ("jitted", "keyed")
"""A plain run of the tests grades the answers to these toys."""


@pytest.mark.few(0, 8)
@pytest.mark.parametrize(
    "title", [pytest.param(one, marks=() if one.split(":")[0] in PLAIN else pytest.mark.slow) for one in WRONG]
)
def test_the_verdict_on_a_broken_contract_names_the_mistake(graded: Graded, title: str) -> None:
    _, pitfalls, message = WRONG[title]
    given = graded[title]
    assert (given["status"], given["pitfalls"], given["message"]) == ("wrong", pitfalls, message)


@pytest.mark.slow
def test_what_stops_a_trace_is_told_once(graded: Graded) -> None:
    given = graded["scanned: leaves JAX"]
    assert "TracerArrayConversionError" in f"{given['raised']}"
    assert given["insights"] == []


def test_a_level_without_values_keeps_what_is_said_of_a_program(toys: Command) -> None:
    file = toys.kit / "table.py"
    file.write_text(answer("scanned", WRONG["scanned: and a square table"][0]))
    (given,) = toys.json("check", "scanned", "--answer", str(file), "--feedback", "diagnosis")["verdicts"]
    assert "Line 7 makes an array of shape (5, 5), with 25 elements. With T=5, no array" in given["mistakes"][0]["why"]


@pytest.mark.slow
def test_the_lines_that_use_one_key_are_shown(toys: Command) -> None:
    file = toys.kit / "lines.py"
    file.write_text(answer("keyed", WRONG["keyed: one draw too many"][0]))
    printed = " ".join(toys("check", "keyed", "--answer", str(file)).stdout.split())
    assert "One key is used twice, at lines 8 and 9: the numbers drawn from it are not independent." in printed


@pytest.mark.slow
def test_the_line_of_the_learner_is_shown_and_no_line_of_the_grader(toys: Command) -> None:
    file = toys.kit / "raises.py"
    file.write_text(answer("jitted", WRONG["jitted: chooses in Python"][0]))
    printed = toys("check", "jitted", "--answer", str(file)).stdout
    assert "v if v > p else 0.0" in printed
    assert "contracts.py" not in printed


def test_values_are_the_first_half_of_a_value_and_its_derivative() -> None:
    truth = Truth([Expected(np.arange(6.0), np.arange(1.0, 7.0))], [(2, 3)], ["float32"], [{}])
    of_call = GRAD.truth_of_call(truth)
    (half,) = of_call.expected
    assert half.values.tolist() == [0.0, 1.0, 2.0]
    assert (half.largest_tolerance, of_call.shapes) == (3.0, [(3,)])
    assert JIT.truth_of_call(truth) is truth


@pytest.mark.parametrize("contract", CONTRACTS.values(), ids=CONTRACTS.keys())
def test_the_functions_that_a_contract_names_exist(contract: Contract) -> None:
    assert not contract.transform or callable(pkgutil.resolve_name(contract.transform))
    assert bool(contract.transform) == (contract.raises is not None)
    assert contract.compares == (contract.differs is not None)


def f(seed: int, T: int, t: float) -> Any:
    raise AssertionError("nothing calls it")


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"contract": "pmap"}, "choose one of 'jit', 'vmap', 'grad', 'keys'"),
        ({"contract": "grad"}, "says by which parameter"),
        ({"wrt": "t"}, "says by which parameter"),
        ({"contract": "grad", "wrt": "x"}, "has no parameter 'x'"),
        ({"contract": "grad", "wrt": "T"}, "no float in every case: give floats"),
        ({"contract": "vmap"}, "no two cases of f differ in the seed alone"),
    ],
)
def test_a_contract_that_cannot_be_graded_is_refused(declared: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        problem_of(f, cases=[(0, 2, 0.5), (1, 3, 0.5)], **declared)


def test_the_hint_on_a_derivative_is_about_the_rule_that_is_wrong_if_one_is() -> None:
    hints = [str(contract.unmet(Violation(DIFFERS), 3, "rate", "q").named.hint) for contract in (GRAD, JIT)]
    assert ["`q`" in hint for hint in hints] == [True, False]
    assert all(hints)
    assert "rate" in str(GRAD.unmet(Violation(DIFFERS), 3, "rate").named.hint)
