"""Where a program can be changed: the line that made an operation, draws left alone, changes at any depth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.author.mutate import mutations
from grader.author.mutation_points import Evaluated, Site, sites
from grader.author.mutation_score import changeable, explanations, mutants
from grader.author.probe_cases import probes
from grader.jaxpr.interpret import Exact, replay
from grader.oracle.expect import Traced, trace
from grader.oracle.server import load

TEXT = """import jax
import jax.numpy as jnp

from grader import Problem


def sample(seed, T, *, knob=0):
    x = jax.random.normal(jax.random.key(seed), (T,))
    y = jnp.where(x > 0, x, -x)  # where

    def step(total, value):
        total = total + 2.0 * value  # step
        return total, total

    _, sums = jax.lax.scan(step, 0.0, y)
    return jnp.sin(sums).reshape(-1)  # sine


problem = Problem(reference=sample, cases=[(0, 3), (1, 6)])
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Traced, Path, Any]:
    file = tmp_path_factory.mktemp("sites") / "sample" / "reference.py"
    file.parent.mkdir()
    file.write_text(TEXT)
    problem = load(file)
    return trace(problem, problem.cases[0]), file, problem


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(TEXT.splitlines(), start=1) if text in line)


def found(sample: tuple[Traced, Path, Any]) -> list[Site]:
    traced, file, _ = sample
    return list(sites(traced.program, str(file)))


@pytest.mark.parametrize(
    ("operation", "text", "inside"),
    [("sin", "# sine", False), ("select_n", "# where", True), ("gt", "# where", False), ("mul", "# step", False)],
)
def test_an_operation_is_at_the_line_of_the_reference_that_made_it(
    operation: str, text: str, inside: bool, sample: tuple[Traced, Path, Any]
) -> None:
    (site,) = [site for site in found(sample) if site.eqn.primitive.name == operation]
    assert (site.line, site.inside) == (line_of(text), inside)


def test_nothing_of_a_draw_is_a_site(sample: tuple[Traced, Path, Any]) -> None:
    names = {site.eqn.primitive.name for site in found(sample)}
    assert not names & {"erf_inv", "random_bits", "shift_right_logical"}


def test_a_change_within_a_scan_changes_every_round_and_nothing_else(sample: tuple[Traced, Path, Any]) -> None:
    traced, _, _ = sample
    (site,) = [site for site in found(sample) if site.eqn.primitive.name == "mul"]
    (doubled,) = [one for one in mutations(site.eqn) if one.name == "constant-doubled"]
    evaluated = Evaluated(traced.program)
    assert np.array_equal(evaluated.changed([], doubled.change), replay(traced.program, Exact())[0])
    draws = np.asarray(load_draws(3))
    assert np.allclose(evaluated.changed([site.path], doubled.change), np.sin(np.cumsum(4 * np.abs(draws))), atol=1e-6)


def load_draws(size: int) -> Any:
    import jax

    return jax.random.normal(jax.random.key(0), (size,))


def test_the_same_mutant_is_found_in_the_programs_of_all_cases(sample: tuple[Traced, Path, Any]) -> None:
    _, file, problem = sample
    there = [changeable(trace(problem, case), str(file)) for case in problem.cases]
    listed = mutants(there)
    assert {one.found.mutation.name for one in listed} >= {
        "cos-for-sin",
        "dropped-neg",
        "constant-doubled",
        "ge-for-gt",
    }
    assert all(one.paths(each) for one in listed for each in there)


def test_explanations_are_read_with_their_lines() -> None:
    text = "a = 1\nb = a + 1  # survives sub-for-add: b is never read\n# survives of nothing\n"
    assert explanations(text) == {(2, "sub-for-add"): "b is never read"}


def test_probes_are_no_cases_and_keep_the_divisors_of_sizes(sample: tuple[Traced, Path, Any]) -> None:
    from grader import Problem

    def even(seed: int, T: int, d: int) -> None: ...

    problem = Problem(reference=even, cases=[(0, 1, 2), (0, 5, 6), (0, 4, 10)])
    listed = list(probes(problem))
    assert len(listed) > 10
    assert not set(listed) & set(problem.cases)
    assert all(d % 2 == 0 and T > 0 for _, T, d in listed)
