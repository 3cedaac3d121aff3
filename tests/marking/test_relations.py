"""How values follow from others, and which of them differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.values.places import Relation
from grader.values.relations import differing, relation, reordered


@pytest.mark.parametrize(
    ("needed", "found"),
    [
        (lambda x: 1 / x, Relation.INVERSE),
        (lambda x: -x, Relation.NEGATED),
        (lambda x: x * x, Relation.SQUARE),
        (np.sqrt, Relation.ROOT),
        (lambda x: 2 * x, Relation.TWICE),
        (lambda x: x / 2, Relation.HALF),
        (lambda x: 1 - x, Relation.COMPLEMENT),
        (lambda x: 3 * x, None),
    ],
)
def test_a_relation_that_holds_at_every_element_is_found(needed: Any, found: Relation | None) -> None:
    values = np.array([0.3, 0.7, 2.5])
    assert relation(values, needed(values)) is found
    off = needed(values) + np.array([0.0, 0.0, 1e-3])
    assert relation(values, off) is None


def test_numbers_that_a_mask_hides_hide_no_relation() -> None:
    scores = np.array([0.3, 0.7, -np.inf])
    assert relation(scores, 2 * scores) is Relation.TWICE
    assert relation(scores, np.array([-0.3, -0.7, -np.inf])) is None, "the last one keeps its sign"
    assert relation(scores, np.array([0.6, 1.4, np.inf])) is None


def test_a_relation_of_one_number_or_that_could_be_another_is_none() -> None:
    assert relation(np.array([0.0625] * 2), np.array([0.25] * 2)) is None
    assert relation(np.array([0.0, 2.0]), np.array([0.0, 4.0])) is None, "twice, or the square"
    assert relation(np.array([True, False]), np.array([False, True])) is None


def test_values_in_another_order_are_seen_in_any_shape() -> None:
    assert reordered(np.array([[1.0, 2.0]]), np.array([2.0, 1.0]))
    assert not reordered(np.array([1.0, 2.0]), np.array([2.0, 1.1]))
    assert not reordered(np.array([1.0, 1.0]), np.array([1.0, 1.0])), "all are equal"


def test_rounding_is_no_difference_unless_there_is_no_other() -> None:
    one = np.array([1.0, 2.0, np.nan, np.inf, -np.inf])
    tiny = one + np.array([1e-9, 0.0, 0.0, 0.0, 0.0])
    far = tiny + np.array([0.0, 1.0, 0.0, 0.0, 0.0])
    assert differing(one, far).tolist() == [False, True, False, False, False]
    assert differing(one, tiny).tolist() == [True, False, False, False, False]
