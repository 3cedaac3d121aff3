"""Factors of matrices, and systems of equations, as JAX's primitives give them, in NumPy. Matrices may be stacked."""

from __future__ import annotations

import contextlib

import numpy as np

from grader.values.arrays import Array


def lu(x: Array) -> tuple[Array, Array, Array]:
    """LU with partial pivoting (Golub and Van Loan, Matrix Computations, algorithm 3.4.1).

    Args:
        x: matrices of shape (..., m, n).

    Returns:
        Both factors in one array of the shape of x, without the ones on the diagonal of the first; the row that each row
        was exchanged with, int32 of shape (..., min(m, n)); and the rows in their new order, int32 of shape (..., m).
    """
    *stack, rows, columns = x.shape
    factors = x.reshape(-1, rows, columns).copy()
    order = np.tile(np.arange(rows, dtype=np.int32), (len(factors), 1))
    pivots = np.zeros((len(factors), min(rows, columns)), np.int32)
    every = np.arange(len(factors))
    for at in range(min(rows, columns)):
        pivot = at + np.argmax(np.abs(factors[:, at:, at]), axis=1)
        pivots[:, at] = pivot
        for array in (factors, order):
            array[every, at], array[every, pivot] = array[every, pivot].copy(), array[every, at].copy()
        below = factors[:, at + 1 :, at]
        divisor = factors[:, at, at, None]
        below[...] = np.where(divisor == 0, below, below / np.where(divisor == 0, 1, divisor))
        factors[:, at + 1 :, at + 1 :] -= below[..., None] * factors[:, at, None, at + 1 :]
    return (
        factors.reshape(x.shape),
        pivots.reshape(*stack, min(rows, columns)),
        order.reshape(*stack, rows),
    )


def triangular_solve(
    a: Array, b: Array, *, left_side: bool, lower: bool, transpose_a: bool, conjugate_a: bool, unit_diagonal: bool
) -> Array:
    """The x of `a @ x = b`, or of `x @ a = b` without `left_side`, for triangular a.

    Args:
        a: matrices of shape (..., n, n). The other triangle is not read, nor is the diagonal if it is one of ones.
        b: matrices of shape (..., n, m), or (..., m, n) without `left_side`.
    """
    a = np.conj(a) if conjugate_a else a
    if transpose_a:
        a, lower = a.swapaxes(-1, -2), not lower
    if not left_side:
        a, b, lower = a.swapaxes(-1, -2), b.swapaxes(-1, -2), not lower
    if not lower:
        a, b = a[..., ::-1, ::-1], b[..., ::-1, :]
    x = np.zeros_like(b)
    for row in range(a.shape[-1]):
        rest = b[..., row, :] - np.matmul(a[..., row, None, :row], x[..., :row, :])[..., 0, :]
        x[..., row, :] = rest if unit_diagonal else rest / a[..., row, row, None]
    x = x if lower else x[..., ::-1, :]
    return x if left_side else x.swapaxes(-1, -2)


def cholesky(x: Array) -> Array:
    """The lower triangular factor of matrices of shape (..., n, n), NaN where one is not positive definite.

    The upper triangle is not read.
    """
    matrices = x.reshape(-1, *x.shape[-2:])
    factors = np.full_like(matrices, np.nan)
    for at, matrix in enumerate(matrices):
        with contextlib.suppress(np.linalg.LinAlgError):
            factors[at] = np.linalg.cholesky(matrix)
    return factors.reshape(x.shape)


def svd(x: Array, *, full_matrices: bool, compute_uv: bool) -> tuple[Array, ...]:
    """The singular values of matrices of shape (..., m, n), the largest first; with `compute_uv` also both other factors.

    The sign of a pair of singular vectors may be another than JAX gives.
    """
    if not compute_uv:
        return (np.linalg.svd(x, compute_uv=False),)
    left, values, right = np.linalg.svd(x, full_matrices=full_matrices)
    return values, left, right
