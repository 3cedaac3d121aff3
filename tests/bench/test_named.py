"""What `python -m tests.bench.named` counts, on a problem of which next to nothing is computed."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import pytest

from tests.bench.named import Count, is_named, names_of, row, sets_of
from tests.computed import Computed
from tests.toy import forms, problem_of


def toy(n: int) -> Any:
    values = jnp.sin(jnp.array((0.5, -1.25, 2.0))) * 3.0 + 1.0
    #: shifted: 1.0 -> 2.0
    #: slight: 3.0 -> 3.00001
    return values + n
    #: twice: values -> 2.0 * values


@pytest.fixture(scope="module")
def oracle() -> Computed:
    return Computed(problem_of(toy, cases=[(0,), (1,)], axes=["i"]))


def test_rounding_hides_from_the_values_what_programs_show(oracle: Computed) -> None:
    made = forms(oracle.problem, "shifted", "slight")
    by_values, by_programs = (names_of(oracle, made, programs=programs) for programs in (False, True))
    assert by_values == ("shifted",)
    assert by_programs == ("shifted", "slight")
    assert not is_named(oracle, ("shifted", "slight"), made, by_values)
    assert is_named(oracle, ("shifted", "slight"), made, by_programs)


@pytest.mark.parametrize(("named", "counts"), [(("twice",), False), ((), False), (("constant-factor",), False)])
def test_another_set_counts_only_if_it_gives_the_same_numbers(
    oracle: Computed, named: tuple[str, ...], counts: bool
) -> None:
    assert is_named(oracle, ("shifted",), forms(oracle.problem, "shifted"), named) is counts
    assert is_named(oracle, ("a name that is not declared",), forms(oracle.problem, "shifted"), ("shifted",))


def test_random_sets_are_the_same_in_every_run(oracle: Computed) -> None:
    assert len(sets_of(oracle.problem, 2, 10)) == 3
    assert sets_of(oracle.problem, 2, 2) == sets_of(oracle.problem, 2, 2)
    assert len(sets_of(oracle.problem, 2, 2)) == 2


def test_a_row_gives_shares() -> None:
    pairs = Count(3, 1, 2) + Count(1, 0, 1)
    pairs.add(True, True)
    assert row("rope", pairs, Count()).split() == ["rope", "5", "40.0%", "80.0%", "0", "-", "-"]
