"""Every problem, from its declaration: the diagnosis of sets of pitfalls, and the reports on single ones.

The checks of `audit` are not repeated here: `.ci/run` audits the whole kit.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from grader.author import statement_checks
from grader.author.calls import diagnosis_of
from grader.author.example_checks import blocks
from grader.author.lesson_form import check_form, check_symbols
from grader.author.statement_checks import check_inputs
from grader.kit.arguments import related
from grader.kit.kit import Kit
from grader.kit.mistakes import MistakeForm, pitfall_sets
from grader.kit.problem import Problem
from grader.kit.software import SoftwareOrigin, installed_version
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.conclude import conclude
from grader.marking.diagnosis import DETECTED_MISTAKES as NAMES_OF_ANY
from grader.marking.diagnosis import LARGEST_SET, ROUNDING, Diagnosis
from grader.marking.requirements import CONTRACTS, GRAD
from grader.oracle import documents, mistakes, store
from grader.oracle.expect import expect, expect_mistake, trace_once
from grader.oracle.server import load
from grader.program.arithmetic import Noisy
from grader.report.terminal import Terminal
from grader.values.arrays import Answered
from tests.computed import Computed
from tests.conftest import FLAGSHIP, ROOT, closely, worked_answer

KIT = Kit(ROOT)
NAMES = KIT.names
SETS, FEW = 25, 6
"""How many sets of each size are graded: of the flagship, and of another problem. `audit` proves that all are wrong."""
GOLDEN = Path(__file__).parent / "golden" / "reports"
REVIEWED_WITH = "0.10.2"
"""The version of jax that the golden texts were written with."""


@cache
def computed(name: str) -> Computed:
    return Computed(load(KIT.answer(name)))


def in_float32(problem: Problem, forms: tuple[MistakeForm, ...]) -> list[np.ndarray[Any, Any]]:
    """The outputs of a float32 answer that makes these mistakes: every operation is rounded, and nothing is compiled."""
    traced = [trace_once(problem, case, forms) for case in problem.cases]
    return [one.evaluate(Noisy(2026)).astype(one.dtype) for one in traced]


def some_sets(problem: Problem, size: int, count: int) -> list[tuple[tuple[str, ...], tuple[MistakeForm, ...]]]:
    """Sets of so many pitfalls: all, or `count` random ones, which are the same in every run."""
    every = list(pitfall_sets(problem.pitfalls, size))
    return every if len(every) <= count else random.Random(7).sample(every, count)


def assert_explained(name: str, names: tuple[str, ...], forms: tuple[MistakeForm, ...]) -> None:
    """The diagnosis names the set, or another one of at most its size with the same numbers; or rounding leaves nothing to
    compare."""
    oracle = computed(name)
    outputs = in_float32(oracle.problem, forms)
    diagnosis = diagnosis_of(outputs, oracle)
    assert diagnosis is not None, f"{names}: mistakes pass"
    if diagnosis.names in (("all-zeros",), ("all-equal",), ("same-along-axis",)):
        return  # such numbers show no more than that
    assert diagnosis.explained or sensitive(oracle, names, forms), f"{names} are not explained"
    assert len(diagnosis.named) <= len(names) or not diagnosis.explained, names
    if diagnosis.explained and names not in (diagnosis.names, *diagnosis.alternatives):
        assert_same_numbers(oracle, diagnosis, outputs)


def sensitive(oracle: Computed, names: tuple[str, ...], forms: tuple[MistakeForm, ...]) -> bool:
    """Whether rounding leaves nothing to compare: growing frequencies turn sines into noise, or all values are NaN."""
    from grader.marking.diagnosis import (
        MIN_COMPARABLE,
        _comparable,  # pyright: ignore[reportPrivateUsage]
    )

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


def same_numbers(problem: Problem, forms: tuple[MistakeForm, ...], outputs: list[np.ndarray[Any, Any]]) -> bool:
    for case, other, output in zip(problem.cases, in_float32(problem, forms), outputs, strict=True):
        each = expect_mistake(trace_once(problem, case, forms)).tolerance
        assert isinstance(each, np.ndarray)
        comparable = each <= 0.01
        scale = np.abs(other).max(initial=1.0, where=np.isfinite(other))
        bound = max(each[comparable].max(initial=0.0), ROUNDING * scale)
        if not np.allclose(
            other[comparable], output[comparable], rtol=0, atol=2 * MOST_TOLERANCES_WITH_PROGRAM * bound, equal_nan=True
        ):
            return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [2, *(pytest.param(size, marks=pytest.mark.nightly) for size in range(3, LARGEST_SET + 1))]
)
@pytest.mark.parametrize("name", closely(NAMES))
def test_sets_of_pitfalls_are_wrong_and_explained(name: str, size: int) -> None:
    """`audit` proves that each single pitfall is named."""
    for names, forms in some_sets(computed(name).problem, size, SETS if name == FLAGSHIP else FEW):
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


def report_on(name: str, form: MistakeForm) -> str:
    """The report on an answer that makes one mistake, without rounding."""
    oracle = computed(name)
    traced = [trace_once(oracle.problem, case, (form,)) for case in oracle.problem.cases]
    outputs = [one.exact.astype(one.dtype) for one in traced]
    verdict = conclude(AnswerEvidence(as_answered(oracle, outputs), oracle.facts(), oracle))
    console = Console(file=io.StringIO(), width=80, no_color=True, highlight=False)
    Terminal(console).verdict(verdict, device="cpu")
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("name", closely(NAMES))
def test_the_report_on_every_form_of_a_pitfall_has_its_words(name: str) -> None:
    for pitfall in computed(name).problem.pitfalls:
        for form in pitfall.forms:
            told = " ".join(report_on(name, form).split())
            for words in (pitfall.words.why, pitfall.words.notes.get(form.label, ""), pitfall.words.hint):
                assert " ".join(words.split()) in told, (pitfall.name, form)


REVIEWED = {
    "aliasing": ["neighbours-too"],
    "alibi_bias": ["blind-to-itself"],
    "causal_attention": ["sums-of-other-rows"],
    "gae_scan": ["carry-returned"],
    "grad_masked_entropy": ["infinite-where-hidden", "gradient-stopped"],
    "grouped_query": ["reshape-without-transpose"],
    "jit_safe_nucleus": ["fraction-of-tokens"],
    "match_brackets": ["no-match-is-zero"],
    "positional_dropout": ["shared-mask"],
    "scan_layers": ["one-layer-short"],
    "sinusoidal_freqs": ["power-forgotten"],
    "sinusoidal_pos": ["half-exponent", "whole-frequencies"],
    "softmax_rows": ["raw-exponents"],
}
"""One pitfall for each form that a report can take: with rows that are cut, infinities, NaN, derivatives, alternatives."""


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one == FLAGSHIP else pytest.mark.slow) for one in REVIEWED]
)
def test_a_report_of_each_form_is_the_reviewed_text(name: str, pytestconfig: pytest.Config) -> None:
    """`pytest -m '' --bless tests/test_problems.py -k reviewed` rewrites them, `git diff` shows what changed."""
    for pitfall in computed(name).problem.pitfalls:
        if pitfall.name not in REVIEWED[name]:
            continue
        text = report_on(name, pitfall.forms[0])
        golden = GOLDEN / f"{name}-{pitfall.name}.txt"
        if pytestconfig.getoption("bless"):
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(text)
        reviewed = golden.read_text()
        if installed_version("jax") != REVIEWED_WITH:
            text, reviewed = unmarked(text), unmarked(reviewed)
        assert text == reviewed, f"{golden} differs: review it, or bless it"


def test_each_reviewed_report_is_tested() -> None:
    due = {f"{name}-{pitfall}.txt" for name, pitfalls in REVIEWED.items() for pitfall in pitfalls}
    assert {path.name for path in GOLDEN.iterdir()} == due


def function_in(file: Path, name: str) -> ast.FunctionDef:
    listed = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)]
    (function,) = (one for one in listed if one.name == name)
    return function


def parameters_in(file: Path, name: str) -> list[str]:
    return [argument.arg for argument in function_in(file, name).args.args]


@pytest.mark.parametrize("name", NAMES)
def test_the_texts_of_a_problem_have_their_form(name: str) -> None:
    """`.ci/run` audits the problems of `SAMPLE` whole. This and the next test are the part of an audit for all problems."""
    parameters = tuple(parameters_in(KIT.answer(name), name))
    assert [
        *statement_checks.gaps(KIT, name),
        *statement_checks.check_statement(KIT, name),
        *statement_checks.check_stub(KIT, name, parameters),
        *check_form(KIT, name),
        *check_symbols(KIT, name, parameters),
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_statement_says_what_is_declared(name: str) -> None:
    problem = computed(name).problem
    facts = {argument: [*map(list, one.facts)] for argument, one in problem.arguments.items()}
    assert [*check_inputs(KIT, name, facts, [[*related(relation)] for relation in problem.legal])] == []
    if contract := CONTRACTS.get(problem.contract):
        assert [*statement_checks.check_task(KIT, name, contract, computed(name).facts().asked)] == []


@pytest.mark.few(0, 10)
@pytest.mark.parametrize("name", NAMES)
def test_the_code_of_a_statement_prints_what_stands_there(name: str) -> None:
    """In this process, which has JAX already. `audit` gives each statement a process of its own."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with np.printoptions():
        for block in blocks(KIT.statement(name).read_text(encoding="utf-8")):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile("\n" * block.line + block.code, KIT.statement(name), "exec"), namespace)
            assert printed.getvalue() == (block.shown or ""), f"line {block.line}"


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_describes_each_of_its_arguments(name: str) -> None:
    arguments, _, _ = (
        (ast.get_docstring(function_in(KIT.stub(name), name)) or "").partition("Args:")[2].partition("Returns:")
    )
    described = re.findall(r"^    (\w+): .+", arguments, flags=re.MULTILINE)
    assert described == parameters_in(KIT.stub(name), name)


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


@pytest.mark.slow
def test_a_saved_oracle_has_the_values_of_the_problem(tmp_path: Path) -> None:
    oracle = computed(FLAGSHIP)
    made = SoftwareOrigin.of_this_process()
    whole = store.SavedOracle(
        oracle.facts(), oracle.truth(), oracle.screening_case, {1: list(oracle.level(1))}, origin=made
    )
    store.save(tmp_path / "some.oracle", whole)
    again = documents.load(tmp_path / "some.oracle")
    assert again is not None
    assert [m.names for m in again.levels[1]] == [m.names for m in oracle.level(1)]
    pairs = itertools.zip_longest(again.truth.expected, oracle.truth().expected)
    assert all(np.array_equal(a.values, b.values) and np.array_equal(a.tolerance, b.tolerance) for a, b in pairs)
