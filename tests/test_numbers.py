"""Figures that public lessons print, right and wrong, compared with the references and the diagnosis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.author.calls import diagnosis_of
from tests.test_problems import computed
from tests.toy import forms

FLAGSHIP = "sinusoidal_pos"


def table(T: int, d_model: int) -> np.ndarray[Any, Any]:
    return np.asarray(computed(FLAGSHIP).problem.reference(0, T, d_model)).reshape(T, d_model)


def test_the_worked_example_with_four_positions_and_eight_dimensions() -> None:
    rows = table(4, 8)
    assert rows[1].round(2).tolist() == pytest.approx([0.84, 0.54, 0.10, 1.00, 0.01, 1.00, 0.00, 1.00])
    assert rows[3].round(2).tolist() == pytest.approx([0.14, -0.99, 0.30, 0.96, 0.03, 1.00, 0.00, 1.00])


def test_the_worked_example_with_four_positions_and_four_dimensions() -> None:
    rows = table(4, 4)
    assert rows[0].tolist() == [0, 1, 0, 1]
    assert rows[1].round(3).tolist() == pytest.approx([0.841, 0.540, 0.010, 1.000])


@pytest.mark.nightly
@pytest.mark.slow
def test_a_notebook_with_a_cosine_on_its_own_index_is_per_dim_exponent() -> None:
    oracle = computed(FLAGSHIP)
    assert oracle.problem.solution is not None
    mistaken = oracle.problem.solution.function(forms(oracle.problem, "per-dim-exponent"))
    wrong = np.asarray(mistaken(0, 12, 6)).reshape(12, 6)
    assert wrong[3].round(4).tolist() == pytest.approx([0.1411, 0.7983, 0.1388, 0.9996, 0.0065, 1.0000])
    assert [wrong[3] @ wrong[4], wrong[3] @ wrong[10]] == pytest.approx([2.4374, 1.5401], abs=5e-5)
    right = table(12, 6)
    assert [right[3] @ right[4], right[3] @ right[10]] == pytest.approx([2.5392, 2.7015], abs=5e-5)
    outputs = [np.asarray(mistaken(*case)) for case in oracle.problem.cases]
    diagnosis = diagnosis_of(outputs, oracle)
    assert diagnosis is not None
    assert diagnosis.names == ("per-dim-exponent",)


def test_compare_positions_gives_the_figures_of_an_interactive_lesson() -> None:
    dot, cosine, distance = np.asarray(computed("compare_positions").problem.reference(0, 64, 0, 1))
    assert [dot, cosine, distance] == pytest.approx([30.9168, 0.9662, 1.4718], abs=5e-5)


def test_the_longest_wavelength_tends_to_two_pi_times_ten_thousand() -> None:
    longest = [
        float(np.asarray(computed("sinusoidal_freqs").problem.reference(0, d_model))[-1]) for d_model in (64, 512, 4096)
    ]
    assert longest == sorted(longest)
    assert longest[-1] == pytest.approx(62832, rel=0.005)
    shortest = np.asarray(computed("sinusoidal_freqs").problem.reference(0, 512))[256]
    assert shortest == pytest.approx(2 * np.pi)


@pytest.mark.few(1)
@pytest.mark.parametrize(("d_model", "delta"), [(6, 2), (10, 7), (64, 100)])
def test_a_shift_maps_every_row_to_a_later_one(d_model: int, delta: int) -> None:
    matrix = np.asarray(computed("sinusoidal_shift").problem.reference(0, d_model, delta)).reshape(d_model, d_model)
    rows = table(delta + 20, d_model)
    assert np.abs(rows[:20] @ matrix.T - rows[delta:]).max() < 1e-5


def test_positions_zero_and_one_have_the_figures_of_an_interactive_lesson() -> None:
    p, q = table(2, 64)
    cosine = p @ q / (np.linalg.norm(p) * np.linalg.norm(q))
    assert [p @ q, cosine, np.linalg.norm(p - q)] == pytest.approx([30.9168, 0.9662, 1.4718], abs=5e-5)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([2, 4, 6, 10, 64]))
def test_the_dot_product_depends_on_the_distance_alone(p: int, q: int, d_model: int) -> None:
    rows = table(61, d_model).astype(np.float64)
    omega = 10000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    assert rows[p] @ rows[q] == pytest.approx(np.cos(omega * (p - q)).sum(), abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 40), st.integers(1, 20), st.sampled_from([2, 4, 10]))
def test_a_shift_is_a_rotation_of_every_pair(p: int, delta: int, d_model: int) -> None:
    rows = table(61, d_model)
    for k in range(d_model // 2):
        turned = delta * 10000.0 ** (-2 * k / d_model)
        rotation = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
        pair = slice(2 * k, 2 * k + 2)
        assert rows[p + delta, pair] == pytest.approx(rotation @ rows[p, pair], abs=1e-5)


def test_values_lie_in_the_unit_interval_and_rows_are_distinct() -> None:
    rows = table(200, 128)
    assert float(np.abs(rows).max()) <= 1.0
    assert len(np.unique(rows.round(5), axis=0)) == 200
    assert rows[0].tolist() == [0, 1] * 64


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("T", "apart"), [(128, 1.5e-5), (5000, 9.8e-4), pytest.param(65536, 1.2e-2, marks=pytest.mark.slow)]
)
def test_right_float32_answers_of_any_size_are_within_the_tolerance(T: int, apart: float) -> None:
    from grader.oracle.expect import expect, trace

    oracle = computed(FLAGSHIP)
    d_model = 512 if T < 10000 else 64  # the errors are in the fast pairs; more slow pairs only cost time
    due = expect(trace(oracle.problem, (0, T, d_model)))
    p, k = np.arange(T, dtype=np.float32)[:, None], np.arange(d_model // 2, dtype=np.float32)
    errors = []
    for omega in (
        np.float32(10000) ** (np.float32(-2) * k / np.float32(d_model)),
        np.exp(k * np.float32(-2 * np.log(10000) / d_model)),
        np.exp2(k * np.float32(-2 * np.log2(10000) / d_model)),
    ):
        angle = p * omega.astype(np.float32)
        flat = np.stack([np.sin(angle), np.cos(angle)], -1).reshape(-1)
        errors.append(float(np.abs(flat - due.values).max()))
    assert max(errors) <= due.tolerance
    assert due.tolerance > apart / 2, "the figure that the lessons report would fail"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rounded", "error"),
    [
        (lambda x: x.round(4), 5.0e-5),
        (lambda x: x.astype(np.float16).astype(np.float32), 2.4e-4),
        (lambda x: (x.view(np.uint32) & 0xFFFF0000).view(np.float32), 3.9e-3),
    ],
    ids=["4 decimals", "float16", "bfloat16"],
)
def test_rounded_values_are_wrong_and_named_low_precision(rounded: Any, error: float) -> None:
    oracle = computed(FLAGSHIP)
    assert np.abs(rounded(table(128, 512)) - table(128, 512)).max() == pytest.approx(error, rel=0.1)
    diagnosis = diagnosis_of(
        [rounded(np.array(oracle.problem.reference(*case))) for case in oracle.problem.cases], oracle
    )
    assert diagnosis is not None
    assert diagnosis.names == ("low-precision",)


def drawn(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    """Normal numbers in float64, from a key each, as a stub draws them."""
    import jax

    keys = jax.random.split(jax.random.key(seed), len(shapes)) if len(shapes) > 1 else [jax.random.key(seed)]
    return [np.asarray(jax.random.normal(k, shape), np.float64) for k, shape in zip(keys, shapes, strict=True)]


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "levels", "scale"), [(0, 5, 1, 0.7), (1, 40, 4, 1.5), (2, 300, 15, 0.4)])
def test_rounding_passes_the_derivative_of_its_clip(seed: int, N: int, levels: int, scale: float) -> None:
    import jax

    (z,) = drawn(seed, (N,))
    steps = np.linspace(-1, 1, 2 * levels + 1)
    nearest = steps[np.abs(z[:, None] * scale - steps).argmin(axis=1)]
    ours = computed("straight_through").problem.reference
    assert np.asarray(ours(seed, N, levels, scale)) == pytest.approx(nearest, abs=1e-6)
    apart = 1e-6
    slope = (np.clip(z * (scale + apart), -1, 1) - np.clip(z * (scale - apart), -1, 1)) / (2 * apart)
    assert np.asarray(jax.jacrev(lambda s: ours(seed, N, levels, s))(scale)) == pytest.approx(slope, abs=1e-5)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "d"), [(0, 1, 3), (1, 6, 5), (2, 40, 12)])
def test_a_hessian_times_a_vector_is_a_difference_of_gradients(seed: int, N: int, d: int) -> None:
    import jax

    X, _, w, v = drawn(seed, (N, d), (N,), (d,), (d,))
    t = np.where(jax.random.bernoulli(jax.random.split(jax.random.key(seed), 4)[1], 0.5, (N,)), 1, -1)

    def gradient(w: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return -X.T @ (t / (1 + np.exp(t * (X @ w)))) / N

    w, apart = w / d**0.5, 1e-5
    due = (gradient(w + apart * v) - gradient(w - apart * v)) / (2 * apart)
    assert np.asarray(computed("hessian_vector").problem.reference(seed, N, d)) == pytest.approx(due, abs=1e-5)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "d", "theta"), [(0, 1, 0.3), (3, 4, 1.2), (5, 20, 2.0)])
def test_the_derivative_of_a_fixed_point_is_a_difference_of_fixed_points(seed: int, d: int, theta: float) -> None:
    import jax

    W, b = drawn(seed, (d, d), (d,))

    def solved(theta: float) -> np.ndarray[Any, Any]:
        x = np.zeros(d)
        for _ in range(300):
            x = np.tanh(W @ x / (4 * d**0.5) + theta * b)
        return x

    ours = computed("implicit_fixed_point").problem.reference
    assert np.asarray(ours(seed, d, theta)) == pytest.approx(solved(theta), abs=2e-6)
    due = (solved(theta + 1e-5) - solved(theta - 1e-5)) / 2e-5
    assert np.asarray(jax.jacrev(lambda theta: ours(seed, d, theta))(theta)) == pytest.approx(due, abs=1e-5)


def until_the_end(row: list[int]) -> list[int]:
    """A row of tokens up to its first 0, and then -1."""
    kept = row[: row.index(0) + 1] if 0 in row else row
    return kept + [-1] * (len(row) - len(kept))


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "B", "V", "max_len"), [(6, 2, 3, 4), (5, 9, 12, 7), (0, 3, 4, 1), (1, 40, 30, 20)])
def test_a_loop_that_stops_early_writes_what_each_row_writes_alone(seed: int, B: int, V: int, max_len: int) -> None:
    import jax

    k1, k2 = jax.random.split(jax.random.key(seed))
    following = np.asarray(jax.random.normal(k1, (V, V))).argmax(axis=1)
    rows, needed = [], 0
    for token in np.asarray(jax.random.randint(k2, (B,), 1, V)):
        row = [int(token := following[token]) for _ in range(max_len)]
        needed = max(needed, row.index(0) + 1 if 0 in row else max_len)
        rows.append(until_the_end(row))
    due = [*np.concatenate(rows).tolist(), needed]
    assert np.asarray(computed("while_decode").problem.reference(seed, B, V, max_len)).tolist() == due


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    ("seed", "B", "V", "max_len", "temperature"),
    [(0, 1, 3, 3, 1.0), (5, 4, 9, 12, 0.7), (1, 3, 7, 5, 0.0), (2, 9, 2, 6, 3.0)],
)
def test_a_sampled_token_has_the_largest_score_after_noise(
    seed: int, B: int, V: int, max_len: int, temperature: float
) -> None:
    """The largest of scores with Gumbel noise has the probabilities of their softmax."""
    import jax

    k1, k2, key = jax.random.split(jax.random.key(seed), 3)
    table = 2 * np.asarray(jax.random.normal(k1, (V, V)), np.float64)
    tokens, columns = np.asarray(jax.random.randint(k2, (B,), 1, V)), []
    for _ in range(max_len):
        key, sub = jax.random.split(key)
        noise = np.asarray(jax.random.gumbel(sub, (B, V)), np.float64)
        tokens = (table[tokens] + temperature * noise).argmax(axis=1)
        columns.append(tokens)
    due = [until_the_end(row) for row in np.stack(columns, axis=1).tolist()]
    ours = computed("sample_text").problem.reference(seed, B, V, max_len, temperature)
    assert np.asarray(ours).reshape(B, max_len).tolist() == due
