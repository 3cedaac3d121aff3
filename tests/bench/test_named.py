"""What `python -m tests.bench.named` counts, on a problem of which next to nothing is computed."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import pytest

from grader.kit.problem import Pitfall, Problem
from tests.bench.named import Count, is_named, names_of, row, sets_of
from tests.computed import Computed

X = (0.5, -1.25, 2.0)


def toy(n: int, *, factor: float = 3.0, shift: float = 1.0, doubled: bool = False) -> Any:
    return (jnp.sin(jnp.array(X)) * factor + shift) * (2.0 if doubled else 1.0) + n


def pitfall(name: str, **knobs: Any) -> Pitfall:
    return Pitfall(name, why="Why.", hint="Hint?", **knobs)


@pytest.fixture(scope="module")
def oracle() -> Computed:
    slight = pitfall("slight", factor=3.00001)
    return Computed(
        Problem(
            toy,
            cases=[(0,), (1,)],
            axes=["i"],
            pitfalls=[pitfall("shifted", shift=2.0), slight, pitfall("twice", doubled=True)],
        )
    )


def test_rounding_hides_from_the_values_what_programs_show(oracle: Computed) -> None:
    knobs = {"shift": 2.0, "factor": 3.00001}
    by_values, by_programs = (names_of(oracle, knobs, programs=programs) for programs in (False, True))
    assert by_values == ("shifted",)
    assert by_programs == ("shifted", "slight")
    assert not is_named(oracle, ("shifted", "slight"), knobs, by_values)
    assert is_named(oracle, ("shifted", "slight"), knobs, by_programs)


@pytest.mark.parametrize(("named", "counts"), [(("twice",), False), ((), False), (("constant-factor",), False)])
def test_another_set_counts_only_if_it_gives_the_same_numbers(
    oracle: Computed, named: tuple[str, ...], counts: bool
) -> None:
    assert is_named(oracle, ("shifted",), {"shift": 2.0}, named) is counts
    assert is_named(oracle, ("a name that is not declared",), {"shift": 2.0}, ("shifted",))


def test_random_sets_are_the_same_in_every_run(oracle: Computed) -> None:
    assert len(sets_of(oracle.problem, 2, 10)) == 3
    assert sets_of(oracle.problem, 2, 2) == sets_of(oracle.problem, 2, 2)
    assert len(sets_of(oracle.problem, 2, 2)) == 2


def test_a_row_gives_shares() -> None:
    pairs = Count(3, 1, 2) + Count(1, 0, 1)
    pairs.add(True, True)
    assert row("rope", pairs, Count()).split() == ["rope", "5", "40.0%", "80.0%", "0", "-", "-"]
