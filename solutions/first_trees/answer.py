"""One step of gradient descent on a tree of parameters (Bottou, Curtis and Nocedal, SIAM Review 2018, section 3)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def first_trees(seed, N, d, H, rate):
    k1, k2, k3, k4, k5, k6 = jax.random.split(jax.random.key(seed), 6)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    t = jax.random.normal(k2, (N,), dtype=jnp.float32)
    parameters = {
        "out": {"weight": jax.random.normal(k3, (H,)), "bias": jax.random.normal(k4, ())},
        "hidden": {"weight": jax.random.normal(k5, (d, H)), "bias": jax.random.normal(k6, (H,))},
    }

    def loss(parameters):
        hidden, out = parameters["hidden"], parameters["out"]
        units = jnp.tanh(x @ hidden["weight"] + hidden["bias"])
        #: tanh-forgotten: jnp.tanh( -> (
        #: hidden-bias-forgotten: + hidden["bias"] ->
        predicted = units @ out["weight"] + out["bias"]
        #: output-bias-forgotten: + out["bias"] ->
        return jnp.mean((predicted - t) ** 2)
        #: summed-loss: jnp.mean -> jnp.sum
        #: halved-loss: jnp.mean((predicted - t) ** 2) -> jnp.mean((predicted - t) ** 2) / 2

    gradient = jax.grad(loss)(parameters)
    new = jax.tree.map(lambda p, g: p - rate * g, parameters, gradient)
    #: step-uphill: p - -> p +
    #: rate-left-out: rate * g -> g
    #: gradients-returned: p - rate * g -> g
    #: parameters-not-changed: p - rate * g -> p
    leaves = jax.tree.leaves(new)
    #: layer-after-layer (alone):
    #:     out = {**parameters, "out": new["out"]}
    #:     new = {**out, "hidden": jax.tree.map(lambda p, g: p - rate * g, out["hidden"], jax.grad(loss)(out)["hidden"])}
    #:     leaves = jax.tree.leaves(new)
    #: layer-after-layer (alone):
    #:     hidden = {**parameters, "hidden": new["hidden"]}
    #:     new = {**hidden, "out": jax.tree.map(lambda p, g: p - rate * g, hidden["out"], jax.grad(loss)(hidden)["out"])}
    #:     leaves = jax.tree.leaves(new)
    #: order-as-written: leaves = [new[layer][name] for layer in ("out", "hidden") for name in ("weight", "bias")]
    #: weights-before-biases: leaves = [new[layer][name] for layer in ("hidden", "out") for name in ("weight", "bias")]
    #: output-before-hidden: leaves = [new[layer][name] for layer in ("out", "hidden") for name in ("bias", "weight")]
    return jnp.concatenate([leaf.reshape(-1) for leaf in leaves])
    #: weight-transposed: leaf.reshape(-1) -> leaf.T.reshape(-1)


problem = Problem(
    axes=("number",),
    arguments={"N": Whole(), "d": Whole(), "H": Whole(), "rate": Real(0.125, most=1.0)},
    cases=[
        (0, 3, 2, 3, 0.5),
        (1, 1, 3, 4, 0.25),
        (2, 4, 1, 3, 0.75),
        (3, 3, 5, 1, 0.5),
        (4, 2, 4, 5, 0.75),
        (5, 9, 3, 4, 0.125),
        (8, 3, 4, 2, 0.25),
        (9, 3, 4, 5, 0.25),
        (6, 3, 9, 4, 1.0),
        (7, 5, 2, 9, 0.5),
    ],
)
