"""A causal transformer block with its norms before its layers (Xiong et al., 2020, figure 1b)."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Whole


class Block(nnx.Module):
    def __init__(self, d_model: int, heads: int, *, rngs: nnx.Rngs):
        # In this order: each layer takes the next numbers of the stream.
        self.ln1 = nnx.LayerNorm(d_model, rngs=rngs)
        #: stream-restarted: rngs=rngs -> rngs=nnx.clone(rngs)
        #: layers-out-of-order:
        #:     layers = {
        #:         "n": lambda: nnx.LayerNorm(d_model, rngs=rngs),
        #:         "a": lambda: nnx.MultiHeadAttention(num_heads=heads, in_features=d_model, decode=False, rngs=rngs),
        #:         "m": lambda: nnx.LayerNorm(d_model, rngs=rngs),
        #:         "u": lambda: nnx.Linear(d_model, 4 * d_model, rngs=rngs),
        #:         "d": lambda: nnx.Linear(4 * d_model, d_model, rngs=rngs),
        #:     }
        #:     made = {letter: layers[letter]() for letter in order}
        #:     self.ln1, self.attn, self.ln2, self.up, self.down = (made[letter] for letter in "namud")
        self.attn = nnx.MultiHeadAttention(num_heads=heads, in_features=d_model, decode=False, rngs=rngs)
        #: stream-restarted: rngs=rngs -> rngs=nnx.clone(rngs)
        #: layers-out-of-order: -
        self.ln2 = nnx.LayerNorm(d_model, rngs=rngs)
        #: stream-restarted: rngs=rngs -> rngs=nnx.clone(rngs)
        #: layers-out-of-order: -
        #: one-norm-for-both: =
        #: one-norm-for-both: self.ln2 = self.ln1
        #: one-norm-for-both: -
        self.up = nnx.Linear(d_model, 4 * d_model, rngs=rngs)
        #: stream-restarted: rngs=rngs -> rngs=nnx.clone(rngs)
        #: layers-out-of-order: -
        self.down = nnx.Linear(4 * d_model, d_model, rngs=rngs)
        #: stream-restarted: rngs=rngs -> rngs=nnx.clone(rngs)
        #: layers-out-of-order: -

    #: layers-out-of-order: heads: int -> heads: int, order: str

    def __call__(self, x, mask):
        read = self.ln1(x)
        #: post-norm: read = x
        #: norm-skipped: =
        #: norm-skipped: read = x
        #: norm-skipped: read = x
        h = x + self.attn(read, mask=mask)
        #: normed-residual (not with post-norm, norm-skipped, one-norm-for-both): x -> read
        #: missing-residual: =
        #: missing-residual: x + self.attn -> self.attn
        #: missing-residual: x + self.attn -> self.attn
        read = self.ln2(h)
        #: post-norm: read = h = self.ln1(h)
        #: one-norm-for-both: pass
        #: one-norm-for-both: =
        #: one-norm-for-both: pass
        #: norm-skipped: read = h
        #: norm-skipped: =
        #: norm-skipped: read = h
        # The default of jax.nn.gelu is the tanh approximation.
        wide = jax.nn.gelu(self.up(read), approximate=False)
        #: tanh-gelu: approximate=False -> approximate=True
        #: relu: jax.nn.gelu(self.up(read), approximate=False) -> jax.nn.relu(self.up(read))
        y = h + self.down(wide)
        #: normed-residual: h -> read
        #: missing-residual: h + self.down -> self.down
        #: missing-residual: =
        #: missing-residual: h + self.down -> self.down
        #: stale-residual (not with missing-residual): h -> x
        return y
        #: post-norm: y -> self.ln2(y)


def transformer_block(seed, T, d_model, H):
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    block = Block(d_model, H, rngs=rngs)
    #: layers-out-of-order: H -> H, "nmaud", or H, "anudm", or H, "audnm", or H, "udnam"
    #: layers-out-of-order (alone): H -> H, "namdu", or H, "naumd", or H, "nadmu", or H, "nadum", or H, "nmadu"
    #: layers-out-of-order (alone): H -> H, "nmuad", or H, "nmuda", or H, "nmdau", or H, "nmdua", or H, "nuamd"
    #: layers-out-of-order (alone): H -> H, "nuadm", or H, "numad", or H, "numda", or H, "nudam", or H, "nudma"
    #: layers-out-of-order (alone): H -> H, "ndamu", or H, "ndaum", or H, "ndmau", or H, "ndmua", or H, "nduam"
    #: layers-out-of-order (alone): H -> H, "nduma", or H, "anmud", or H, "anmdu", or H, "anumd", or H, "andmu"
    #: layers-out-of-order (alone): H -> H, "andum", or H, "aunmd", or H, "aundm", or H, "adnmu", or H, "adnum"
    #: layers-out-of-order (alone): H -> H, "adunm", or H, "unamd", or H, "unadm", or H, "unmad", or H, "unmda"
    #: layers-out-of-order (alone): H -> H, "undam", or H, "undma", or H, "uanmd", or H, "uandm", or H, "uadnm"
    #: layers-out-of-order (alone): H -> H, "udnma", or H, "udanm", or H, "dnamu", or H, "dnaum", or H, "dnmau"
    #: layers-out-of-order (alone): H -> H, "dnmua", or H, "dnuam", or H, "dnuma", or H, "danmu", or H, "danum"
    #: layers-out-of-order (alone): H -> H, "daunm", or H, "dunam", or H, "dunma", or H, "duanm"
    mask = nnx.make_causal_mask(jnp.ones(T))
    #: not-causal: mask = None
    #: mask-flipped: mask = nnx.make_causal_mask(jnp.ones(T)).mT
    return block(x, mask).reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (2, 1, 3, 3),
        (0, 1, 4, 2),
        (0, 3, 2, 2),
        (1794, 3, 1, 1),
        (1794, 3, 4, 1),  # one row of h is nearly constant, so that the epsilon of its norm shows
        (5, 2, 9, 9),
        (6, 17, 16, 4),
    ],
    by_row=True,
)
