"""A feed-forward block with a SwiGLU (Shazeer, 2020, arXiv:2002.05202, equation 6), normalised first, with a residual."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Whole


class SwiGLU(nnx.Module):
    def __init__(self, d_model: int, d_ff: int, *, rngs: nnx.Rngs):
        # In this order: each layer takes the next number of the stream.
        self.norm = nnx.RMSNorm(d_model, rngs=rngs)
        #: norm-made-last: -
        #: stream-restarted: rngs=rngs -> rngs=nnx.Rngs(rngs)
        #: layer-norm: nnx.RMSNorm(d_model -> nnx.LayerNorm(d_model, or nnx.LayerNorm(d_model, use_bias=False
        self.gate = nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        #: gate-and-up-swapped (not with norm-made-last, stream-restarted): gate -> up
        #: biases-made (not with stream-restarted): use_bias=False -> use_bias=True
        #: stream-restarted: rngs=rngs -> rngs=nnx.Rngs(rngs)
        self.up = nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
        #: gate-and-up-swapped: up -> gate
        #: biases-made: use_bias=False -> use_bias=True
        #: stream-restarted: rngs=rngs -> rngs=nnx.Rngs(rngs)
        self.down = nnx.Linear(d_ff, d_model, use_bias=False, rngs=rngs)
        #: norm-made-last:
        #:     self.down = nnx.Linear(d_ff, d_model, use_bias=False, rngs=rngs)
        #:     self.norm = nnx.RMSNorm(d_model, rngs=rngs)
        #: biases-made: use_bias=False -> use_bias=True
        #: stream-restarted: rngs=rngs -> rngs=nnx.Rngs(rngs)

    #: layers-out-of-order (alone):
    #:     def __init__(self, d_model, d_ff, *, rngs, order):
    #:         for name in order:
    #:             if name == "n":
    #:                 self.norm = nnx.RMSNorm(d_model, rngs=rngs)
    #:             if name == "g":
    #:                 self.gate = nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
    #:             if name == "u":
    #:                 self.up = nnx.Linear(d_model, d_ff, use_bias=False, rngs=rngs)
    #:             if name == "d":
    #:                 self.down = nnx.Linear(d_ff, d_model, use_bias=False, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        normed = self.norm(x)
        #: norm-skipped (not with layer-norm): self.norm(x) -> x
        gate, up = self.gate(normed), self.up(normed)
        # The function names the member of the family: with a sigmoid it is a GLU, with a gelu a GEGLU.
        act = jax.nn.silu
        #: sigmoid-gate: silu -> sigmoid
        #: gelu-gate: jax.nn.silu -> jax.nn.gelu, or lambda h: jax.nn.gelu(h, approximate=False)
        #: relu-gate: silu -> relu
        #: no-activation: silu -> identity
        inner = act(gate) * up
        #: silu-of-the-product: act(gate) * up -> act(gate * up)
        #: both-bent: act(gate) * up -> act(gate) * act(up)
        #: ungated: act(gate) * up -> act(gate), or act(up)
        #: sum-for-product: act(gate) * up -> act(gate) + up
        return x + self.down(inner)
        #: missing-residual: x + self.down -> self.down
        #: normed-residual (not with layer-norm, norm-skipped): x + self.down -> normed + self.down


def swiglu_block(seed, T, d_model, d_ff):
    x = 1 + jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    #: stream-restarted: nnx.Rngs(jax.random.key(seed)) -> jax.random.key(seed)
    block = SwiGLU(d_model, d_ff, rngs=rngs)
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="ngdu", or rngs=rngs, order="nudg"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="ndgu", or rngs=rngs, order="ndug"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="gnud", or rngs=rngs, order="gndu"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="gund", or rngs=rngs, order="gdnu"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="gdun", or rngs=rngs, order="ungd"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="undg", or rngs=rngs, order="ugnd"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="ugdn", or rngs=rngs, order="udng"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="udgn", or rngs=rngs, order="dngu"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="dnug", or rngs=rngs, order="dgnu"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="dgun", or rngs=rngs, order="dung"
    #: layers-out-of-order (alone): rngs=rngs -> rngs=rngs, order="dugn"
    return block(x).reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "d_ff": Whole()},
    cases=[
        (0, 1, 3, 4),
        (3, 2, 2, 9),
        (1, 2, 9, 2),
        (5, 9, 2, 2),
        (0, 10, 1, 9),
        (2, 3, 4, 5),
        (5, 3, 9, 1),
    ],
    by_row=True,
)
