"""The feed-forward layer of a transformer (Vaswani et al., 2017, section 3.3), with gelu."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def gelu(h):
    # If nothing is said, jax.nn.gelu takes the form with tanh.
    return jax.nn.gelu(h, approximate=False)
    #: tanh-gelu: return jax.nn.gelu(h)
    #: sigmoid-gelu: return h * jax.nn.sigmoid(1.702 * h)
    #: silu: return jax.nn.silu(h)
    #: relu: return jax.nn.relu(h)
    #: erf-unscaled: return h * (1 + jax.lax.erf(h)) / 2
    #: gate-alone: return (1 + jax.lax.erf(h / 2**0.5)) / 2
    #: no-activation (not with activation-on-output, bias-after-activation): return h


def feed_forward(seed, N, d_model, d_ff):
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    W1 = jax.random.normal(k2, (d_model, d_ff), dtype=jnp.float32) / d_model**0.5
    b1 = jax.random.normal(k3, (d_ff,), dtype=jnp.float32)
    W2 = jax.random.normal(k4, (d_ff, d_model), dtype=jnp.float32) / d_ff**0.5
    b2 = jax.random.normal(k5, (d_model,), dtype=jnp.float32)

    hidden = gelu(x @ W1 + b1)
    #: bias-after-activation (not with activation-on-output): gelu(x @ W1 + b1) -> gelu(x @ W1) + b1
    #: activation-on-output: gelu( -> (
    #: activation-on-output: =
    #: missing-bias: =
    #: missing-bias: W1 + b1 -> W1
    #: missing-bias: W1 + b1 -> W1
    output = hidden @ W2 + b2
    #: missing-bias: W2 + b2 -> W2
    #: missing-bias: =
    #: missing-bias: W2 + b2 -> W2
    return output.reshape(-1)
    #: activation-on-output: output -> gelu(output)
    #: residual-added: .reshape(-1) -> .reshape(-1) + x.reshape(-1)


problem = Problem(
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_model": Whole(), "d_ff": Whole()},
    cases=[
        (0, 1, 2, 3),
        (5, 9, 2, 2),
        (0, 2, 9, 9),
        (3, 1, 9, 2),
        (2, 10, 1, 9),
        (2, 3, 4, 1),
        (1, 4, 3, 5),
    ],
)
