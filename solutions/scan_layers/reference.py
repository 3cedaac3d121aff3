"""Layers with a residual (He et al., 2015, equation 1), their weights drawn as `nnx.split_rngs` and `nnx.vmap` draw them."""

from functools import cache

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Trace, Whole, any_of


@cache
def keys(seed, L, drawn):
    """The key of each layer's kernel, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        key = jax.random.key(seed)
        rngs = nnx.Rngs(key)
        if drawn == "split":
            own = nnx.split_rngs(splits=L)(nnx.vmap(lambda rngs: rngs.params()))(rngs)
        elif drawn == "one for all":
            own = [rngs.params()] * L
        elif drawn == "one by one":
            # A layer takes a second key for its bias, which is zero.
            own = [rngs.params() for _ in range(2 * L)][::2]
        else:
            own = [nnx.Rngs(split).params() for split in jax.random.split(key, L)]
        return jnp.stack(list(own))


def scan_layers(
    seed,
    L,
    T,
    d,
    *,
    drawn="split",
    order="first to last",
    run="one after another",
    residual="own input",
    activation="tanh",
    layers="all",
    times=1,
):
    """`(T, d)`: `L` times `x + tanh(x K)`, each time with another kernel."""
    seed, L, T, d = int(seed), int(L), int(T), int(d)
    x = jax.random.normal(jax.random.key(seed), (T, d), dtype=jnp.float32)
    draw = jax.nn.initializers.lecun_normal()
    kernels = jax.vmap(lambda key: draw(key, (d, d), jnp.float32))(keys(seed, L, drawn))
    bend = {"tanh": jnp.tanh, "relu": jax.nn.relu, "gelu": jax.nn.gelu, "none": lambda h: h}[activation]
    if layers == "all but one":
        kernels = kernels[: L - 1]
    if order == "last to first":
        kernels = kernels[::-1]

    def applied_once(h, kernel):
        if residual == "in the tanh":
            return bend(h + h @ kernel)
        kept = {"own input": h, "none": 0.0, "first input": x}[residual]
        return kept + bend(h @ kernel)

    def layer(h, kernel):
        for _ in range(times):
            h = applied_once(h, kernel)
        return h

    if run == "one after another":
        return jax.lax.scan(lambda h, kernel: (layer(h, kernel), None), x, kernels)[0].reshape(-1)
    each = jax.vmap(lambda kernel: layer(x, kernel))(kernels)
    return {"mean": each.mean(axis=0), "sum": each.sum(axis=0), "last": each[-1], "first": each[0]}[run].reshape(-1)


problem = Problem(
    reference=scan_layers,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    contract="trace",
    trace=Trace(needs=["scan"], grows="no", size="L"),
    arguments={"L": Whole(), "T": Whole(), "d": Whole()},
    cases=[
        (2, 4, 3, 1),
        (4, 6, 2, 2),
        (2, 1, 2, 3),
        (5, 10, 1, 9),
        (3, 4, 5, 3),
        (3, 2, 4, 4),
        (2, 1, 9, 2),
        (2, 16, 3, 1),
    ],
    by_row=True,
    pitfalls=[
        Pitfall(
            "identical-layers",
            why="All layers have the same weights: those that the first key of the stream gives.",
            hint="Which line gives each layer a stream of its own, and which axis of the streams does `nnx.vmap` go along?",
            drawn="one for all",
        ),
        Pitfall(
            "made-one-by-one",
            why="The weights are those of layers that were made one after another, from one stream.",
            hint="How many calls make your layers, and which of the stub's lines stand above that function?",
            drawn="one by one",
        ),
        Pitfall(
            "split-by-hand",
            why="The seed's key was split, and each layer got a stream from its split. `nnx.split_rngs` splits the next key "
            "of the stream.",
            hint="Which line of the stub splits the stream?",
            drawn="seed split",
        ),
        Pitfall(
            "reversed-layers",
            why="The last layer was applied first, and the first one last.",
            hint="In which order does your scan go through the layers?",
            order="last to first",
        ),
        Pitfall(
            "one-layer-only",
            why="The result is that of one layer, the last or the first: nothing was handed on from layer to layer.",
            hint="What does each layer get as its input, x or the result of the layer before it?",
            run=any_of("last", alone=["first"]),
        ),
        Pitfall(
            "averaged-layers",
            why="Each layer was applied to x itself, and their results were averaged or added up.",
            hint="Do your layers stand side by side, or one after another?",
            run=any_of("mean", "sum"),
        ),
        Pitfall(
            "one-layer-short",
            why="One layer is missing at the end.",
            hint="How many layers does your program make?",
            layers="all but one",
        ),
        Pitfall(
            "missing-residual",
            why="Each layer replaces its input by its result. The input should be added.",
            hint="If all kernels were zero, what should come out?",
            residual="none",
        ),
        Pitfall(
            "first-input-added",
            why="Each layer adds x, the input of the first layer, and not its own input.",
            hint="Which vector does the formula of a layer add?",
            residual="first input",
        ),
        Pitfall(
            "residual-in-the-tanh",
            why="The input was added before the activation, and should be added after it.",
            hint="What does the tanh of the formula take in?",
            residual="in the tanh",
        ),
        Pitfall(
            "no-activation",
            why="The layers have no tanh, so together they are one linear map.",
            hint="Which function does a layer apply to the result of its linear part?",
            activation="none",
        ),
        Pitfall(
            "relu",
            why="In each layer, negative numbers became zero before the sum: that is a relu.",
            hint="Which function does the task name?",
            activation="relu",
        ),
        Pitfall(
            "gelu",
            why="Each layer bends its linear part with a gelu, and not with a tanh.",
            hint="Which function does the task name?",
            activation="gelu",
        ),
        Pitfall(
            "each-layer-twice",
            why="Each layer was applied two times before the next one.",
            hint="How often does one round of your scan call the layer?",
            times=2,
            run="one after another",
        ),
    ],
)
