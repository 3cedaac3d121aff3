"""A one-block GPT as a module of Flax, trained with dropout and evaluated without (Radford et al., 2018, section 3.1)."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from grader import Curve, Problem, Whole


class GPT(nnx.Module):
    def __init__(self, V: int, T: int, d: int, *, rngs: nnx.Rngs):
        self.words = nnx.Embed(V, d, rngs=rngs)
        #: layers-out-of-order (alone):
        #:     self.head = nnx.Linear(d, V, use_bias=False, rngs=rngs)
        #:     self.words = nnx.Embed(V, d, rngs=rngs)
        self.places = nnx.Embed(T, d, rngs=rngs)
        self.norm = nnx.RMSNorm(d, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(num_heads=1, in_features=d, use_bias=False, decode=False, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.last = nnx.RMSNorm(d, rngs=rngs)
        self.head = nnx.Linear(d, V, use_bias=False, rngs=rngs)
        #: layers-out-of-order (alone): -

    def __call__(self, words: jax.Array) -> jax.Array:
        h = self.words(words) + self.places(jnp.arange(words.shape[-1]))
        #: no-positions (alone): + self.places(jnp.arange(words.shape[-1])) ->
        mask = nnx.make_causal_mask(words)
        #: sees-the-future: nnx.make_causal_mask(words) -> None
        found = self.attention(self.norm(h), mask=mask)
        #: norm-skipped (alone): self.norm(h) -> h
        #: norm-kept (alone):
        #:     h = self.norm(h)
        #:     found = self.attention(h, mask=mask)
        h = h + self.dropout(found)
        #: no-attention (alone): -
        #: residual-missing (alone): h + self.dropout -> self.dropout
        #: dropout-on-the-sum (alone): h + self.dropout(found) -> self.dropout(h + found)
        return self.head(self.last(h))


def loss_on(model: GPT, text: jax.Array) -> jax.Array:
    inputs, targets = text[:, :-1], text[:, 1:]
    #: predicts-its-input (alone): text[:, 1:] -> text[:, :-1]
    return optax.softmax_cross_entropy_with_integer_labels(model(inputs), targets).mean()
    #: summed-loss (alone): .mean() -> .sum(), or .sum(-1).mean()


@nnx.scan(in_axes=(nnx.Carry, 0, None), out_axes=(nnx.Carry, 0))
def train_step(carry, batch, new):
    model, optimizer = carry
    model.train()
    #: trained-without-dropout (not with dropout-in-eval, first-loss-with-dropout): -
    grads = nnx.grad(loss_on)(model, batch)
    #: training-loss-reported (alone): cost, grads = nnx.value_and_grad(loss_on)(model, batch)
    #: same-mask-each-step (not with trained-without-dropout): (model, batch) -> (nnx.clone(model), batch)
    #: gradient-ascent (alone): grads = jax.tree.map(jnp.negative, nnx.grad(loss_on)(model, batch))
    optimizer.update(model, grads)
    #: nothing-learned (alone): -
    # What is reported is the loss of the whole model, on texts that it has not seen.
    model.eval()
    #: dropout-in-eval: -
    return carry, loss_on(model, new)
    #: training-loss-reported (alone): loss_on(model, new) -> cost
    #: loss-on-the-batch: new -> batch
    #: loss-on-the-batch: new -> batch


def nnx_gpt_train(seed, B, T, V, d, steps):
    k1, k2 = jax.random.split(jax.random.key(seed))
    # Batches of texts: the first two words are any, and each later one follows from the word two back.
    follows = jax.random.permutation(k1, V)
    written = list(jax.random.randint(k2, (2, steps + 1, B), 0, V))
    for _ in range(T - 1):
        written.append(follows[written[-2]])
    text = jnp.stack(written, axis=-1)  # (steps + 1, B, T + 1)
    rngs = nnx.Rngs(params=jax.random.key(seed), dropout=jax.random.key(seed + 1))
    rule = optax.sgd(0.1, momentum=0.9)
    #: fresh-momentum: 0.1, momentum=0.9 -> 0.1
    model = GPT(V, T, d, rngs=rngs)
    optimizer = nnx.Optimizer(model, rule, wrt=nnx.Param)
    model.eval()
    #: dropout-in-eval: -
    #: first-loss-with-dropout (not with dropout-in-eval): -
    first = loss_on(model, text[-1])
    #: loss-on-the-batch: text[-1] -> text[0]
    #: loss-on-the-batch: =
    _, losses = train_step((model, optimizer), text[:-1], text[-1])
    #: dropout-in-the-first-step (alone):
    #:     (model, optimizer), one = train_step((model, optimizer), text[:1], text[-1])
    #:     model.dropout.rate = 0.0
    #:     _, others = train_step((model, optimizer), text[1:-1], text[-1])
    #:     losses = jnp.append(one, others)
    #: same-batch-again (alone): text[:-1] -> jnp.broadcast_to(text[0], text[:-1].shape)
    #: trained-on-the-new-texts (alone): text[:-1] -> text[1:]
    return jnp.append(first, losses)


problem = Problem(
    axes=("step",),
    picture=Curve("step"),
    arguments={
        "B": Whole(2, reach=3),
        "T": Whole(2, reach=4),
        "V": Whole(3, reach=5),
        "d": Whole(2, reach=4),
        "steps": Whole(2, reach=3),
    },
    cases=[
        (1, 2, 3, 4, 3, 3),
        (1, 3, 3, 5, 4, 2),
        (3, 3, 2, 4, 3, 3),
        (4, 3, 4, 5, 2, 3),
        (4, 3, 4, 3, 4, 3),
        (1, 3, 4, 5, 4, 3),
        (1, 2, 3, 4, 2, 5),
    ],
)
