"""A small GPT with fresh weights and a tied head (Vaswani et al., 2017, section 3.4; Radford et al., 2019, section 2.3)."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Whole


class Block(nnx.Module):
    def __init__(self, d_model: int, heads: int, *, rngs: nnx.Rngs):
        self.ln1 = nnx.LayerNorm(d_model, rngs=rngs)
        #: other-epsilon (alone): d_model -> d_model, epsilon=1e-5, or d_model, epsilon=1e-3
        #: other-epsilon (alone): d_model -> d_model, epsilon=1e-8, or d_model, epsilon=1e-12
        self.attn = nnx.MultiHeadAttention(num_heads=heads, in_features=d_model, decode=False, rngs=rngs)
        self.ln2 = nnx.LayerNorm(d_model, rngs=rngs)
        #: other-epsilon (alone): d_model -> d_model, epsilon=1e-5, or d_model, epsilon=1e-3
        #: other-epsilon (alone): d_model -> d_model, epsilon=1e-8, or d_model, epsilon=1e-12
        self.up = nnx.Linear(d_model, 4 * d_model, rngs=rngs)
        self.down = nnx.Linear(4 * d_model, d_model, rngs=rngs)

    def __call__(self, x, mask):
        h = x + self.attn(self.ln1(x), mask=mask)
        #: post-norm (alone): h = self.ln1(x + self.attn(x, mask=mask))
        # If nothing is said, jax.nn.gelu takes the form with tanh.
        wide = jax.nn.gelu(self.up(self.ln2(h)), approximate=False)
        #: post-norm (alone): self.ln2(h) -> h
        #: parallel-block (alone): h -> x
        #: tanh-gelu: False -> True
        #: other-activation (alone): wide = jax.nn.relu(self.up(self.ln2(h)))
        #: other-activation (alone): wide = jax.nn.silu(self.up(self.ln2(h)))
        #: other-activation (alone):
        #:     wide = self.up(self.ln2(h))
        #:     wide = wide * jax.nn.sigmoid(1.702 * wide)
        return h + self.down(wide)
        #: post-norm (alone): return self.ln2(h + self.down(wide))


class GPT(nnx.Module):
    def __init__(self, vocabulary: int, length: int, d_model: int, heads: int, depth: int, *, rngs: nnx.Rngs):
        # In this order: each layer takes the next numbers of the stream.
        self.embed = nnx.Embed(vocabulary, d_model, rngs=rngs)
        #: layers-out-of-order: -
        #: layers-out-of-order:
        #:     self.embed = nnx.Embed(vocabulary, d_model, rngs=rngs)
        #:     self.norm = nnx.LayerNorm(d_model, rngs=rngs)
        #: layers-out-of-order: =
        #: learned-positions (alone):
        #:     self.embed = nnx.Embed(vocabulary, d_model, rngs=rngs)
        #:     self.places = nnx.Embed(length, d_model, rngs=rngs).embedding[...]
        #: learned-positions (alone): =
        self.blocks = nnx.List([Block(d_model, heads, rngs=rngs) for _ in range(depth)])
        #: blocks-alike: self.blocks = nnx.List([Block(d_model, heads, rngs=rngs)] * depth)
        #: blocks-alike: rngs=rngs -> rngs=nnx.Rngs(rngs.default.key[...])
        #: layers-out-of-order: =
        #: layers-out-of-order: =
        #: layers-out-of-order:
        #:     self.blocks = nnx.List([Block(d_model, heads, rngs=nnx.Rngs(0)) for _ in range(depth)])
        #:     for block in self.blocks:
        #:         block.ln1 = nnx.LayerNorm(d_model, rngs=rngs)
        #:     for block in self.blocks:
        #:         block.attn = nnx.MultiHeadAttention(num_heads=heads, in_features=d_model, decode=False, rngs=rngs)
        #:     for block in self.blocks:
        #:         block.ln2 = nnx.LayerNorm(d_model, rngs=rngs)
        #:     for block in self.blocks:
        #:         block.up = nnx.Linear(d_model, 4 * d_model, rngs=rngs)
        #:     for block in self.blocks:
        #:         block.down = nnx.Linear(4 * d_model, d_model, rngs=rngs)
        self.norm = nnx.LayerNorm(d_model, rngs=rngs)
        #: layers-out-of-order:
        #:     self.norm = nnx.LayerNorm(d_model, rngs=rngs)
        #:     self.embed = nnx.Embed(vocabulary, d_model, rngs=rngs)
        #: layers-out-of-order: -
        #: layers-out-of-order: =
        #: other-epsilon (alone): d_model -> d_model, epsilon=1e-5, or d_model, epsilon=1e-3
        #: other-epsilon (alone): d_model -> d_model, epsilon=1e-8, or d_model, epsilon=1e-12
        self.places = positions(length, d_model)
        #: learned-positions (alone): -
        #: learned-positions (alone): self.places = nnx.Embed(length, d_model, rngs=rngs).embedding[...]
        self.scale = d_model**0.5
        #: untied-head:
        #:     self.scale = d_model**0.5
        #:     self.head = nnx.Linear(d_model, vocabulary, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens) * self.scale
        #: missing-scale: x = self.embed(tokens)
        #: scaled-positions: x = self.embed(tokens)
        x = x + self.places
        #: scaled-positions: x = (x + self.places) * self.scale
        #: missing-positions: -
        #: positions-after-blocks: -
        #: repeated-positions (alone): -
        mask = nnx.make_causal_mask(tokens)
        #: not-causal: mask = None
        for block in self.blocks:
            x = block(x, mask)
            #: repeated-positions (alone): (x, -> (x + self.places,
        x = self.norm(x)
        #: missing-final-norm: -
        #: positions-after-blocks: x = self.norm(x + self.places)
        #: positions-after-blocks: =
        #: post-norm (alone): =
        #: post-norm (alone): -
        # One matrix twice: a token's row is what it means as input, and what is looked for as output.
        return self.embed.attend(x)
        #: untied-scale: self.embed.attend -> self.scale * self.embed.attend, or 1 / self.scale * self.embed.attend
        #: untied-head: self.embed.attend -> self.head
        #: positions-after-blocks: =
        #: positions-after-blocks: (x) -> (x + self.places)


def positions(T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)


def mini_gpt(seed, B, T, V, d_model, H, L):
    tokens = jax.random.randint(jax.random.key(seed), (B, T), 0, V, dtype=jnp.int32)
    rngs = nnx.Rngs(jax.random.key(seed))
    logits = GPT(V, T, d_model, H, L, rngs=rngs)(tokens)
    return logits.reshape(-1)
    #: softmax-taken: logits -> jax.nn.softmax(logits), or jax.nn.log_softmax(logits)


problem = Problem(
    axes=("sequence", "position", "token"),
    picture=Heatmap("position", "token"),
    arguments={
        "B": Whole(),
        "T": Whole(),
        "V": Whole(2),
        "d_model": Whole(2, step=2),
        "H": Whole(),
        "L": Whole(reach=3),
    },
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (1, 2, 9, 3, 2, 2, 2),
        (133418300, 1, 2, 3, 4, 2, 1),  # token and position nearly cancel: the norms' epsilon shows
        (3, 2, 1, 3, 12, 12, 2),
        (2, 1, 2, 3, 10, 10, 3),
        (2, 2, 2, 3, 18, 2, 3),
        (326, 1, 3, 5, 4, 1, 2),  # of many seeds, one that shows the approximate gelu well, in every version of JAX
        (4, 9, 2, 2, 12, 12, 3),
        (0, 3, 3, 2, 2, 2, 1),
        (2, 5, 2, 3, 10, 1, 2),
        (3, 9, 1, 4, 2, 1, 3),
        (0, 3, 5, 6, 12, 2, 2),
        (3, 6, 5, 9, 8, 4, 3),
        (1, 2, 16, 11, 12, 4, 1),
    ],
)
