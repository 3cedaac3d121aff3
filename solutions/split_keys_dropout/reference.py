"""Dropout in a stack of layers, each mask drawn from a key of its own (JAX's pseudo-random numbers, JEP 263)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Real, Whole, any_of

CHAINED = {
    # Of the first pair, the input's key and the one to split next, if any; then, of each pair, the layer's key.
    "chained": (1, 0, 1),
    "chained from the input on": (0, 1, 1),
    "chained, first for next": (0, 1, 0),
    "chained after a split": (0, None, 1),
}


def keys_of(key, L, kind):
    """The key of the input, then a key for each of `L` layers: right for "split", and as people get them wrong."""
    if kind == "key for everything":
        return [key] * (L + 1)
    if kind in CHAINED:
        input_at, next_at, key_at = CHAINED[kind]
        pair = jax.random.split(key, 2)
        keys, key = [pair[input_at]], key if next_at is None else pair[next_at]
        for _ in range(L):
            pair = jax.random.split(key, 2)
            key, own = pair[1 - key_at], pair[key_at]
            keys.append(own)
        return keys
    keys = jax.random.split(key, L + 1)
    match kind:
        case "one for all layers":
            return [keys[0], *[keys[1]] * L]
        case "the input's for all layers":
            return [keys[0]] * (L + 1)
        case "the input's for the first layer":
            return [keys[0], keys[0], *keys[2:]]
        case "one behind":
            return [keys[0], *keys[:-1]]
        case "parent for the input":
            return [key, *keys[1:]]
        case "parent for the input, one behind":
            return [key, *keys[:-1]]
        case "input last":
            return [keys[-1], *keys[:-1]]
        case _:
            return keys


def split_keys_dropout(
    seed,
    T,
    d_model,
    L,
    rate,
    *,
    made="split",
    mask="keep",
    drawn="each number",
    rescale="divided",
    residual="kept",
    activation="tanh",
):
    """The `(T, d_model)` rows after `L` layers that each add `dropout(tanh(x))`, the mask of layer l drawn from key l."""
    T, d_model, L = int(T), int(d_model), int(L)
    key = jax.random.key(seed)
    keys = keys_of(key, L, made)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    shape = (T, d_model) if drawn == "each number" else (T, 1)
    for layer in range(1, L + 1):
        keep = jax.random.bernoulli(keys[layer], rate if mask in ("rate", "drop") else 1 - rate, shape)
        if mask in ("drop", "inverted"):
            keep = ~keep
        branch = jnp.tanh(x) if activation == "tanh" else x
        if residual == "dropped":
            branch = x + branch
        if rescale == "divided":
            branch = branch / (1 - rate)
        elif rescale == "by rate":
            branch = branch / rate
        branch = jnp.where(keep, branch, 0.0)
        x = x + branch if residual == "kept" else branch
    return x.reshape(-1)


problem = Problem(
    reference=split_keys_dropout,
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    contract="keys",
    arguments={"T": Whole(), "d_model": Whole(), "L": Whole(), "rate": Real(above=0.0, below=1.0)},
    cases=[
        (2, 2, 1, 4, 0.6),
        (1, 3, 1, 1, 0.025),
        (2, 1, 4, 1, 0.25),
        (1, 3, 2, 1, 0.4),
        (4, 1, 11, 5, 0.96),
        (0, 3, 4, 2, 0.4),
        (4, 5, 3, 4, 0.6),
        (4, 2, 10, 9, 0.025),
        (1, 11, 2, 3, 0.96),
    ],
    pitfalls=[
        Pitfall(
            "same-mask-everywhere",
            why="All layers draw from one key, and so from one mask: what the first layer drops, every layer drops.",
            hint="A number that the first layer drops: what is its chance to be dropped by the second?",
            made=any_of("one for all layers", "the input's for all layers"),
        ),
        Pitfall(
            "key-for-everything",
            why="The input and all masks were drawn from the key of the seed itself, which was never split.",
            hint="How many independent draws are there in all, and how many keys have you made?",
            made="key for everything",
        ),
        Pitfall(
            "input-key-again",
            why="The mask of the first layer was drawn from the key that had drawn the input.",
            hint="Which key belongs to the input, and which is the first that is left for the layers?",
            made=any_of("the input's for the first layer", "one behind"),
        ),
        Pitfall(
            "parent-key-for-input",
            why="The input was drawn from the key of the seed itself, the one that was split into the others.",
            hint="Once a key has been split, what may still be drawn from it?",
            made=any_of("parent for the input", "parent for the input, one behind"),
        ),
        Pitfall(
            "chained-splits",
            why="The keys were split off one by one, each from what the last split had left: they are not the keys that one "
            "split into all of them gives, so the numbers are different.",
            hint="How many splits does the task ask for, and of which key?",
            made=any_of("chained", "chained from the input on", "chained, first for next", "chained after a split"),
        ),
        Pitfall(
            "rate-for-keep",
            why="The masks keep a number with the probability `rate`, which is that of dropping it.",
            hint="At a small rate, should most numbers survive, or few?",
            mask="rate",
        ),
        Pitfall(
            "mask-of-the-dropped",
            why="What is kept is what masks of drops leave. That is as random, but the task draws masks of what is kept.",
            hint="Which call of bernoulli does the task ask for, and with which probability?",
            mask="drop",
        ),
        Pitfall(
            "mask-inverted",
            why="What should be kept is dropped, and what should be dropped is kept.",
            hint="Which branch of `where` is taken where the mask is True?",
            mask="inverted",
        ),
        Pitfall(
            "whole-rows-dropped",
            why="A row gains in all its numbers or in none: a mask holds one choice for each row.",
            hint="Which shape must a mask have for each number to be chosen on its own?",
            drawn="each row",
        ),
        Pitfall(
            "missing-rescale",
            why="What survives the masks is as large as before: on average every layer adds too little.",
            hint="If some of the numbers are gone, what must happen to the others for the average to stay?",
            rescale=None,
        ),
        Pitfall(
            "rescaled-by-rate",
            why="What survives is divided by the share that is dropped.",
            hint="Which share of the numbers has to make up for the whole?",
            rescale="by rate",
        ),
        Pitfall(
            "dropped-residual",
            why="The masks fall on the sum: where a layer drops a number, the number that came in is gone as well.",
            hint="What should be left of a number that every layer drops?",
            residual="dropped",
        ),
        Pitfall(
            "no-residual",
            why="Each layer gives only what it should add: the numbers that came in are lost.",
            hint="What should be left of a number that every layer drops?",
            residual="lost",
        ),
        Pitfall(
            "tanh-forgotten",
            why="The layers add x itself, rescaled and masked: nothing bounds what is added.",
            hint="Which function does a layer apply before it drops?",
            activation="none",
        ),
        # The order of the masks' keys shows in no value: a number depends on how many masks keep it, and not on which.
        Pitfall(
            "input-key-last",
            why="The input was drawn from the last of the keys, and the masks from those before it.",
            hint="Of the keys that your split gave, which draw took the first, and which the last?",
            made="input last",
        ),
    ],
)
