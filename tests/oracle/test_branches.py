"""Sets of mistakes that are traced together give what each gives alone, whatever the worked answer does."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.kit.mistakes import pitfall_sets, read_forms
from grader.kit.problem import Problem, graded
from grader.kit.problem_error import ProblemError
from grader.kit.solution import read
from grader.oracle import server
from grader.oracle.branches import Forms, in_order, returned_with
from grader.oracle.expect import Raises, TracedReference, trace, trace_sets
from grader.program.arithmetic import RepeatedNoise
from grader.values.arrays import UNIT_ROUNDOFF
from tests.conftest import PROBLEMS, ROOT, closely, spread
from tests.toy import problem_of

CASE = (3, 4)


def all_sets(problem: Problem) -> list[Forms]:
    return [forms for size in (1, 2, 3) for _, forms in pitfall_sets(problem.pitfalls, size)]


def outcome(call: Any) -> Any:
    try:
        return np.asarray(call()).tolist()
    except Exception as error:
        return type(error).__name__, str(error)


def straight(seed: int, n: int) -> Any:
    x = jax.random.normal(jax.random.key(seed), (n, 2))
    #: uniform: normal -> uniform
    y = 2.0 * x
    #: tripled: 2.0 -> 3.0
    #: renamed: y = x = 3.0 * x
    z = y + x
    #: subtracted: + -> -
    return z.sum(axis=0)
    #: other-axis: axis=0 -> axis=1
    #: shape-of-both (alone): z.sum(axis=0) -> z


def changes_a_list(seed: int, n: int) -> Any:
    rows = [jnp.float32(seed)]
    same = rows
    #: another: same = list(rows)
    rows.append(jnp.float32(n))
    #: twice: n -> n + n
    same.append(jnp.float32(7))
    #: eight: 7 -> 8
    held = {"rows": rows}
    held["rows"].append(jnp.float32(1))
    #: two: 1 -> 2
    return jnp.stack(rows)
    #: same: rows -> same


def changes_an_array_of_numpy(seed: int, n: int) -> Any:
    table = np.zeros(n, np.float32)
    table[0] = 1
    #: one: 1 -> 11
    table[1] = 2
    #: two: 2 -> 12
    table[2] = 3
    #: three: 3 -> 13
    return jnp.asarray(table)


def reads_later(seed: int, n: int) -> Any:
    scale = 2.0
    #: three: 2.0 -> 3.0

    def scaled(x: Any) -> Any:
        return scale * x
        #: added: scale * x -> scale + x

    first = scaled(jnp.arange(n))
    #: backwards: jnp.arange(n) -> jnp.arange(n)[::-1]
    scale = 5.0
    #: seven: 5.0 -> 7.0
    return first + scaled(jnp.ones(n))
    #: twos: jnp.ones(n) -> 2 * jnp.ones(n)


def reads_what_changes(seed: int, n: int) -> Any:
    seen: list[float] = []

    def noted(x: float) -> int:
        seen.append(x)
        return len(seen)

    first = noted(1.0)
    #: two: 1.0 -> 2.0
    second = noted(3.0)
    #: four: 3.0 -> 4.0
    third = noted(5.0)
    #: six: 5.0 -> 6.0
    return jnp.asarray([first, second, third, *seen])


def closes_over_what_changes(seed: int, n: int) -> Any:
    def counter() -> Any:
        held = [0]

        def step() -> int:
            held[0] += 1
            return held[0]

        return step

    step = counter()
    first = step() * 1
    #: ten: 1 -> 10
    second = step() * 1
    #: hundred: 1 -> 100
    return jnp.asarray([first, second, step()])
    #: backwards: [first, second, step()] -> [step(), second, first]


def reads_lazily(seed: int, n: int) -> Any:
    scale = 2
    #: three: 2 -> 3
    rows = (scale * k for k in range(n))
    #: fours: scale * k -> 4 * k
    first = next(rows)
    #: shifted: next(rows) -> next(rows) + 1
    scale = 5
    #: six: 5 -> 6
    return jnp.asarray([first, *rows])


def returns_from_within(seed: int, n: int) -> Any:
    x = jnp.arange(n)
    #: ones: jnp.arange(n) -> jnp.ones(n)
    if n > 2:
        return x + 1
        #: two: 1 -> 2
    return x
    #: none: x -> -x


def raises(seed: int, n: int) -> Any:
    x = jnp.arange(n)
    #: nothing: -
    y = x[:2]
    #: longer: x[:2] -> x[:3]
    z = y + jnp.ones(2)
    #: doubled: y -> 2 * y
    return z
    #: divided: z -> z / (n - 4)
    #: no-name: z -> unknown


def branches_in_python(seed: int, n: int) -> Any:
    groups = seed - 2
    #: two: 2 -> 1
    x = jnp.ones(n)
    #: twos: jnp.ones(n) -> 2 * jnp.ones(n)
    if groups == 2:
        x = x - 3
        #: four: 3 -> 4
    for k in range(groups):
        x = x + k
        #: more: + k -> + k + 1
    return x / groups
    #: undivided: x / groups -> x


def sets_a_name_of_its_module(seed: int, n: int) -> Any:
    x = jnp.arange(n)
    #: ones: jnp.arange(n) -> jnp.ones(n)
    np = 3
    #: four: 3 -> 4
    return x + np
    #: less: + -> -


def reads_all_names(seed: int, n: int) -> Any:
    x = 1
    #: two: 1 -> 2
    y = 3 * len(locals())
    #: four: 3 -> 4
    return jnp.arange(n) * y + x
    #: less: + x -> - x


def calls_itself_in_a_list(seed: int, n: int) -> Any:
    x = jnp.ones(1) * seed
    #: twice: seed -> 2 * seed
    return sum([calls_itself_in_a_list(seed, k) for k in range(n)], x)
    #: less: range(n) -> range(n - 1)


def calls_itself(seed: int, n: int) -> Any:
    x = jnp.ones(1) * seed
    #: twice: seed -> 2 * seed
    return x if n == 0 else x + calls_itself(seed, n - 1)
    #: minus: x + -> x -


WORKED = (
    *(straight, changes_a_list, changes_an_array_of_numpy, reads_later, reads_what_changes, closes_over_what_changes),
    *(reads_lazily, returns_from_within, raises, branches_in_python, sets_a_name_of_its_module),
    *(reads_all_names, calls_itself, calls_itself_in_a_list),
)


@pytest.mark.parametrize("worked", WORKED, ids=lambda worked: worked.__name__)
def test_what_runs_together_returns_what_each_returns_alone(worked: Any) -> None:
    problem = problem_of(worked, cases=[CASE])
    assert problem.solution is not None
    sets = all_sets(problem)
    assert len(sets) > 2
    alone = [outcome(lambda forms=forms: graded(problem, forms)(*CASE)) for forms in sets]
    for order in (range(len(sets)), in_order(problem.solution, sets)):
        found = returned_with(problem, CASE, [sets[number] for number in order])
        for number, returned in zip(order, found, strict=True):
            assert outcome(lambda returned=returned: raise_or(returned)) == alone[number], sets[number]


def raise_or(returned: Any) -> Any:
    if isinstance(returned, Exception):
        raise returned
    return returned


def test_what_texts_begin_with_in_common_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    for name in ("normal", "uniform"):
        draw = getattr(jax.random, name)
        monkeypatch.setattr(jax.random, name, lambda *args, draw=draw: drawn.append(draw.__name__) or draw(*args))
    problem = problem_of(straight, cases=[CASE])
    sets = all_sets(problem)
    returned_with(problem, CASE, sets)
    assert len(sets) > 20
    assert sorted(drawn) == ["normal", "uniform"]


def test_a_set_with_which_the_reference_raises_says_so_and_the_others_have_their_values() -> None:
    problem = problem_of(raises, cases=[CASE])
    sets = all_sets(problem)
    outcomes = trace_sets(problem, CASE, sets)
    for forms, traced in zip(sets, outcomes, strict=True):
        if isinstance(traced, Raises):
            with pytest.raises(Raises, match=re.escape(str(traced))):
                trace(problem, CASE, forms)
        else:
            assert traced.exact.tobytes() == trace(problem, CASE, forms).exact.tobytes()
    assert {type(traced) for traced in outcomes} == {Raises, TracedReference}


ONES = """
def ones(seed, n):
    x = jnp.ones(n)
    #: zeros: ones -> zeros
    y = x + seed
    #: less: + -> -
    return y
    #: twice: y -> 2 * y
"""
BESIDE = {
    "other parameters": ONES + "#: another: seed, n -> seed, n, m\n#: default: seed, n -> seed, n, m=2\n",
    "another function": ONES + "#: range: ones = lambda seed, n: jnp.arange(n)\n",
    "a function that something made": ONES
    + "ones = jax.jit(ones, static_argnums=(0, 1))\n#: made: ones, -> (lambda *_: 7.0),\n",
    "a function around it": (
        "def doubled(f):\n    return wraps(f)(lambda *given: 2 * f(*given))\n    #: tripled: 2 -> 3\n"
        + ONES
        + "ones = doubled(ones)\n"
    ),
    "a helper": "def one():\n    return 1.0\n    #: two: 1.0 -> 2.0\n" + ONES.replace("+ seed", "+ seed * one()"),
    "a decorator": "def same(f):\n    return f\n" + ONES.replace("def ones", "@same\ndef ones"),
    "a list of the module": "SEEN = []\n" + ONES.replace("x + seed", "x + (SEEN.append(seed) or len(SEEN))"),
}
"""What can stand beside a function, or be made of it."""


@pytest.mark.parametrize("beside", BESIDE)
def test_what_stands_beside_a_function_is_as_it_is_alone(beside: str) -> None:
    # Two problems: each text of a set runs once for each.
    (problem, sets), (other, _) = (of_text(BESIDE[beside]) for _ in range(2))
    found = [outcome(lambda returned=returned: raise_or(returned)) for returned in returned_with(problem, CASE, sets)]
    assert found == [outcome(lambda forms=forms: graded(other, forms)(*CASE)) for forms in sets]
    assert len({str(one) for one in found}) > 3


def of_text(text: str) -> tuple[Problem, list[Forms]]:
    text = f"from functools import wraps\nimport jax\nimport jax.numpy as jnp\n{text}"
    words = "".join(f"## {name}\nThese numbers.\n\n> Which?\n\n" for name in read_forms(text))
    problem = Problem(solution=read("ones", "ones.py", text, words), cases=[CASE])
    return problem, all_sets(problem)


def test_what_is_no_array_of_real_numbers_is_a_fault() -> None:
    def two(seed: int, n: int) -> Any:
        x = jnp.arange(n) * 1.0
        return x
        #: both: return x, x
        #: complex: x -> x * 1j

    problem = problem_of(two, cases=[CASE])
    for name, message in (("both", "should return one array"), ("complex", "returns complex64")):
        (forms,) = (made for names, made in pitfall_sets(problem.pitfalls, 1) if names == (name,))
        with pytest.raises(ProblemError, match=message):
            trace_sets(problem, CASE, [forms])


@pytest.mark.parametrize("name", closely(sorted(PROBLEMS)))
def test_sets_of_mistakes_of_this_kit_give_together_what_each_gives_alone(name: str) -> None:
    problem = server.load(ROOT / "solutions" / name / "answer.py")
    sets = [forms for size in (1, 2, 3) for forms in some(problem, size)]
    for case in {problem.cases[0], problem.cases[-1]}:
        for forms, traced in zip(sets, trace_sets(problem, case, sets), strict=True):
            if isinstance(traced, Raises):
                with pytest.raises(Raises):
                    trace(problem, case, forms)
                continue
            alone = trace(problem, case, forms)
            assert traced.exact.tobytes() == alone.exact.tobytes(), (case, forms)
            assert traced.dtype == alone.dtype
            noisy = alone.evaluate(RepeatedNoise(1, UNIT_ROUNDOFF))
            assert traced.shared(RepeatedNoise, 1, UNIT_ROUNDOFF).tobytes() == noisy.tobytes(), (case, forms)


def some(problem: Problem, size: int) -> list[Forms]:
    """Some of the sets of a size, far apart."""
    sets = [forms for _, forms in pitfall_sets(problem.pitfalls, size)]
    return [sets[number] for number in sorted(spread(len(sets), 16))] if sets else []
