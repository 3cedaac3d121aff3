"""Every problem, from its declaration: the diagnosis of every pitfall and of sets of pitfalls, and the report on them.

The checks of `audit` are not repeated here: `.ci/run` audits the whole kit.
"""

from __future__ import annotations

import ast
import io
import itertools
import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from grader.author.outputs import diagnosis_of
from grader.kit.kit import Kit
from grader.kit.mistakes import Form, pitfall_sets
from grader.kit.origin import Origin
from grader.kit.problem import Problem
from grader.kit.versions import installed
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt
from grader.marking.conclude import conclude
from grader.marking.contracts import GRAD
from grader.marking.detectors import NAMES as NAMES_OF_ANY
from grader.marking.judge import IMPRECISE, Answered
from grader.marking.pitfall_sets import LARGEST_SET, ROUNDING, Diagnosis
from grader.oracle import mistakes, saved, store
from grader.oracle.expect import expect, expect_mistake, trace_once
from grader.oracle.server import load
from grader.program.arithmetic import Noisy
from grader.report.terminal import Terminal
from tests.computed import Computed
from tests.conftest import FLAGSHIP, ROOT, worked_answer

KIT = Kit(ROOT)
NAMES = KIT.names
PAIRS, TRIPLES = 6, 1
"""How many sets of a problem other than the flagship are graded, unless `--every-set` is given."""
EVERY = 5
"""A plain run of the tests grades every fifth set of several pitfalls of the flagship."""
GOLDEN = Path(__file__).parent / "golden"
REVIEWED_WITH = "0.10.2"
"""The version of jax that the golden texts were written with."""


@cache
def computed(name: str) -> Computed:
    return Computed(load(KIT.answer(name)))


def in_float32(problem: Problem, forms: tuple[Form, ...]) -> list[np.ndarray[Any, Any]]:
    """The outputs of a float32 answer that makes these mistakes: every operation is rounded, and nothing is compiled."""
    traced = [trace_once(problem, case, forms) for case in problem.cases]
    return [one.evaluate(Noisy(2026)).astype(one.dtype) for one in traced]


def others_are_slow(name: str) -> Any:
    """A plain run of the tests examines the flagship; `pytest -m slow` examines the other problems, and `audit` does."""
    return () if name == FLAGSHIP else pytest.mark.slow


def closely(names: Sequence[str]) -> list[Any]:
    """Problems as parameters. All but the flagship are slow."""
    return [pytest.param(name, id=name, marks=others_are_slow(name)) for name in names]


def sets_of(name: str, size: int, count: int) -> list[Any]:
    """Sets of pitfalls of one size: all, or `count` random ones, which are the same in every run."""
    listed = [
        pytest.param(
            name,
            names,
            forms,
            id=f"{name}-{'+'.join(names)}-{setting}",
            marks=pytest.mark.slow if size > 1 and setting % EVERY else others_are_slow(name),
        )
        for setting, (names, forms) in enumerate(pitfall_sets(computed(name).problem.pitfalls, size))
    ]
    return listed if len(listed) <= count else random.Random(7).sample(listed, count)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every pitfall of every problem; every pair and many triples of the flagship; some sets of the other problems, since
    `audit` proves that all of them are wrong. With `pytest --every-set`, every set of every problem."""
    if "forms" in metafunc.fixturenames:
        every = metafunc.config.getoption("every_set")
        chosen: list[Any] = []
        for name in NAMES:
            pairs, triples = (10**6, 10**6) if every else (10**6, 50) if name == FLAGSHIP else (PAIRS, TRIPLES)
            chosen += [*sets_of(name, 1, 10**6), *sets_of(name, 2, pairs), *sets_of(name, LARGEST_SET, triples)]
        metafunc.parametrize(("name", "names", "forms"), chosen)


def assert_explained(name: str, names: tuple[str, ...], forms: tuple[Form, ...]) -> None:
    """A single pitfall is named. For a set, the diagnosis names the set, or another one of at most its size with the same
    numbers; or rounding leaves nothing to compare."""
    oracle = computed(name)
    outputs = in_float32(oracle.problem, forms)
    diagnosis = diagnosis_of(outputs, oracle)
    assert diagnosis is not None, "a mistake passes"
    if len(names) == 1:
        assert diagnosis.names == names
        return
    if diagnosis.names in (("all-zeros",), ("all-equal",), ("same-along-axis",)):
        return  # such numbers show no more than that
    assert diagnosis.explained or sensitive(oracle, names, forms), "not explained"
    assert len(diagnosis.named) <= len(names) or not diagnosis.explained
    if diagnosis.explained and names not in (diagnosis.names, *diagnosis.alternatives):
        assert_same_numbers(oracle, diagnosis, outputs)


def sensitive(oracle: Computed, names: tuple[str, ...], forms: tuple[Form, ...]) -> bool:
    """Whether rounding leaves nothing to compare: growing frequencies turn sines into noise, or all values are NaN."""
    from grader.marking.pitfall_sets import MIN_COMPARABLE, _comparable  # pyright: ignore[reportPrivateUsage]

    problem = oracle.problem
    outputs = [expect(trace_once(problem, case, forms)) for case in problem.cases]
    rough = mistakes.rough(trace_once(problem, problem.cases[oracle.screening_case], forms))
    return bool(_comparable(rough, oracle.truth().expected[oracle.screening_case]).mean() < MIN_COMPARABLE) or not any(
        np.isfinite(one.values).any() for one in outputs
    )


def assert_same_numbers(oracle: Computed, diagnosis: Diagnosis, outputs: list[np.ndarray[Any, Any]]) -> None:
    """The named set gives the same numbers in float32 too, where rounding leaves something to compare."""
    pitfalls = tuple(name for name in diagnosis.names if name not in NAMES_OF_ANY)
    assert pitfalls == diagnosis.names, "a common mistake is named that the answer does not make"
    made = [forms for names, forms in pitfall_sets(oracle.problem.pitfalls, len(pitfalls)) if names == pitfalls]
    assert any(same_numbers(oracle.problem, forms, outputs) for forms in made), "an innocent pitfall is named"


def same_numbers(problem: Problem, forms: tuple[Form, ...], outputs: list[np.ndarray[Any, Any]]) -> bool:
    for case, other, output in zip(problem.cases, in_float32(problem, forms), outputs, strict=True):
        each = expect_mistake(trace_once(problem, case, forms)).tolerance
        assert isinstance(each, np.ndarray)
        comparable = each <= 0.01
        scale = np.abs(other).max(initial=1.0, where=np.isfinite(other))
        bound = max(each[comparable].max(initial=0.0), ROUNDING * scale)
        if not np.allclose(other[comparable], output[comparable], rtol=0, atol=2 * IMPRECISE * bound, equal_nan=True):
            return False
    return True


def test_a_set_of_pitfalls_is_wrong_and_explained(name: str, names: tuple[str, ...], forms: tuple[Form, ...]) -> None:
    assert_explained(name, names, forms)


def as_answered(oracle: Computed, outputs: list[np.ndarray[Any, Any]]) -> Attempt:
    """The attempt of an answer with these outputs; under a `grad` contract they hold values and derivatives."""
    answered = [Answered(output, output.dtype.name) for output in outputs]
    if oracle.facts().contract != GRAD.name:
        return Attempt(answered=answered)
    values = [Answered(output[: output.size // 2], output.dtype.name) for output in outputs]
    return Attempt(answered=values, transformed=answered)


def unmarked(text: str) -> str:
    """A report without the marks under wrong values: with another JAX, a value that is hardly wrong may pass."""
    return re.sub(r"^[ ^]*\^[ ^]*$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", closely(NAMES))
def test_the_report_on_every_pitfall_is_the_reviewed_text(name: str, pytestconfig: pytest.Config) -> None:
    """One golden text for each form of a pitfall that is combined: `pytest -m '' --bless` rewrites them, `git diff`
    shows what changed. The forms that are tried alone would repeat the text dozens of times, so a pitfall that has no
    others has one text, of its first form."""
    oracle = computed(name)
    listed = [
        (pitfall.name, (form,))
        for pitfall in oracle.problem.pitfalls
        for form in [one for one in pitfall.forms if not one.alone] or pitfall.forms[:1]
    ]
    for index, (pitfall, forms) in enumerate(listed):
        traced = [trace_once(oracle.problem, case, forms) for case in oracle.problem.cases]
        outputs = [one.exact.astype(one.dtype) for one in traced]
        verdict = conclude(AnswerEvidence(as_answered(oracle, outputs), oracle.facts(), oracle))
        console = Console(file=io.StringIO(), width=80, no_color=True, highlight=False)
        Terminal(console).verdict(verdict, device="cpu")
        text = "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())
        golden = GOLDEN / name / f"{index:02}-{pitfall}.txt"
        if pytestconfig.getoption("bless"):
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text)
        reviewed = golden.read_text()
        if installed("jax") != REVIEWED_WITH:
            text, reviewed = unmarked(text), unmarked(reviewed)
        assert text == reviewed, f"{golden} differs: review it, or run pytest -m '' --bless"


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_describes_each_of_its_arguments(name: str) -> None:
    module = ast.parse(KIT.stub(name).read_text())
    (function,) = (node for node in module.body if isinstance(node, ast.FunctionDef))
    arguments, _, _ = (ast.get_docstring(function) or "").partition("Args:")[2].partition("Returns:")
    described = re.findall(r"^    (\w+): .+", arguments, flags=re.MULTILINE)
    assert described == [argument.arg for argument in function.args.args]


@pytest.mark.parametrize("name", closely(NAMES))
def test_the_cases_are_plain_numbers_as_the_stub_says(name: str) -> None:
    assert {type(number) for case in load(KIT.answer(name)).cases for number in case} <= {int, float}


@pytest.mark.parametrize(
    ("name", "sizes", "length"),
    [
        ("learned_pos", (2, 3, 4, 6), 2 * 3 * 6),
        ("transformer_block", (3, 4, 2), 3 * 4),
        ("mini_gpt", (1, 2, 3, 4, 2, 1), 2 * 3),
    ],
)
def test_layers_of_flax_can_be_made_from_a_traced_seed(name: str, sizes: tuple[int, ...], length: int) -> None:
    """As the stub makes them: `nnx.Rngs` takes a traced key, but no traced seed."""
    import jax

    assert "nnx.Rngs(jax.random.key(seed))" in KIT.stub(name).read_text()
    namespace: dict[str, Any] = {}
    exec(worked_answer(KIT, name), namespace)
    assert jax.eval_shape(lambda seed: namespace[name](seed, *sizes), 0).shape == (length,)


def test_a_saved_oracle_has_the_values_of_the_problem(tmp_path: Path) -> None:
    oracle = computed(NAMES[0])
    made = Origin.of_this_process()
    whole = store.SavedOracle(
        oracle.facts(), oracle.truth(), oracle.screening_case, {1: list(oracle.level(1))}, origin=made
    )
    store.save(tmp_path / "some.oracle", whole)
    again = saved.load(tmp_path / "some.oracle")
    assert again is not None
    assert [m.names for m in again.levels[1]] == [m.names for m in oracle.level(1)]
    pairs = itertools.zip_longest(again.truth.expected, oracle.truth().expected)
    assert all(np.array_equal(a.values, b.values) and np.array_equal(a.tolerance, b.tolerance) for a, b in pairs)
