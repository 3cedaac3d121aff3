"""Softmax of rows by a kernel over blocks of rows (the documentation of Pallas, "Grids and BlockSpecs")."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

from grader import Heatmap, Problem, Trace, Whole


def pallas_softmax(seed, N, V, block):
    x = 4 * jax.random.normal(jax.random.key(seed), (N, V), dtype=jnp.float32)

    def kernel(x_ref, out_ref):
        rows = x_ref[...]  # of this block
        #: blocks-of-columns/masked:
        #:     inside = pl.program_id(1) * block + jnp.arange(block) < V
        #:     rows = jnp.where(inside, x_ref[...], -jnp.inf)
        powers = jnp.exp(rows - rows.max(axis=1, keepdims=True))
        #: over-columns: axis=1 -> axis=0
        out_ref[...] = powers / powers.sum(axis=1, keepdims=True)
        #: over-columns: axis=1 -> axis=0

    # The map gives the number of a block along each axis, and not that of a row.
    blocks = pl.BlockSpec((block, V), lambda i: (i, 0))
    #: element-for-block-index: (i, 0) -> (i * block, 0)
    #: blocks-of-columns/whole: pl.BlockSpec((block, V), lambda i: (i, 0)) -> pl.BlockSpec((N, block), lambda i: (0, i))
    #: blocks-of-columns/masked: (block, V), lambda i: (i, 0) -> (block, block), lambda i, j: (i, j)
    grid = (pl.cdiv(N, block),)
    #: first-block-only (not with element-for-block-index): pl.cdiv(N, block) -> 1
    #: nan-in-last-block (not with over-columns): pl.cdiv(N, block) -> N // block, or max(N // block, 1)
    #: blocks-of-columns/whole: pl.cdiv(N, block) -> pl.cdiv(V, block)
    #: blocks-of-columns/masked: (pl.cdiv(N, block),) -> (pl.cdiv(N, block), pl.cdiv(V, block))
    form = jax.ShapeDtypeStruct(x.shape, x.dtype)
    run = pl.pallas_call(kernel, grid=grid, in_specs=[blocks], out_specs=blocks, out_shape=form, interpret=True)
    #: element-for-block-index: =
    #: element-for-block-index: out_specs=blocks -> out_specs=pl.BlockSpec((block, V), lambda i: (i, 0))
    #: element-for-block-index: in_specs=[blocks] -> in_specs=[pl.BlockSpec((block, V), lambda i: (i, 0))]
    return run(x).reshape(-1)


problem = Problem(
    axes=("row", "column"),
    picture=Heatmap("row", "column"),
    contract="trace",
    trace=Trace(needs=["pallas"]),
    arguments={"N": Whole(), "V": Whole(), "block": Whole()},
    cases=[
        (0, 3, 2, 2),
        (1, 5, 3, 2),
        (2, 9, 4, 2),
        (3, 4, 9, 1),
        (4, 1, 3, 3),
        (5, 2, 5, 9),
        (6, 5, 1, 3),
        (7, 1, 3, 1),
        (8, 2, 9, 3),
        (9, 7, 2, 4),
        (10, 7, 5, 3),
    ],
)
