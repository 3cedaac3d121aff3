"""The section "In real use" of the lessons: each call that it shows runs with the libraries that are installed."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest

from grader.kit import statement
from grader.kit.kit import Kit
from grader.kit.statement import Heading
from tests.conftest import ROOT

KIT = Kit(ROOT)


def pieces(text: str) -> list[str]:
    """What is between backticks and is a call, or a name of a library."""
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]
    return [span for span in spans if "(" in span.lstrip("(") or re.match(r"(jax|jnp|nnx|optax)\.", span)]


def names() -> dict[str, Any]:
    """What the lines take for granted: the arrays, sizes and layers of the lessons."""
    import jax
    import jax.numpy as jnp
    import optax
    from flax import nnx

    B, T, H, d_head, V, d_ff = 2, 4, 3, 2, 5, 7
    d_model, max_len = H * d_head, 3
    rngs, key = nnx.Rngs(0), jax.random.key(0)
    q = k = v = jnp.ones((B, T, H, d_head))
    x, y = jnp.ones((B, T, d_model)), jnp.ones((V, d_model))
    table, encoding = jnp.ones((max_len, d_model)), jnp.ones((T, d_model))
    logits, tokens, lengths = jnp.ones((B, T, V)), jnp.ones((B, T), dtype=int), jnp.array([2, 4])
    bias, blocks, limit, rate, seed, temperature = jnp.ones((H, T, T)), [jnp.eye(2)] * 3, 1.0, 0.5, 0, 2.0
    w, t, step = jnp.ones(d_model), jnp.ones((B, T)), 3
    tree = parameters = updates = {"weight": jnp.ones((T, V)), "bias": jnp.ones(V)}
    a = b = scores = labels = predictions = targets = jnp.ones(T)
    documents = jnp.array([[0, 0, 1, -1], [0, 1, 1, 1]])
    shares, gradients, seen = logits / V, jnp.ones((4, d_model)), jnp.array(True)
    up, down = nnx.Linear(d_model, d_ff, rngs=rngs), nnx.Linear(d_ff, d_model, rngs=rngs)
    layer = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=True, rngs=rngs)
    model = nnx.Linear(d_model, 1, rngs=rngs)
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    grads = nnx.grad(lambda model: model(x).mean())(model)

    P, auto, d = jax.sharding.PartitionSpec, jax.sharding.AxisType.Auto, d_model
    mesh = jax.make_mesh((2, 2, 1), ("x", "y", "i"), axis_types=(auto,) * 3)
    w1, w2 = jnp.ones((d_model, d_ff)), jnp.ones((d_ff, d_model))
    placed = jax.device_put(targets, jax.NamedSharding(mesh, P("x")))

    def turned(rows: Any) -> Any:
        return rows

    return {**locals()}


@pytest.mark.few(6, 24)
@pytest.mark.parametrize("name", KIT.names)
def test_each_call_runs(name: str) -> None:
    import jax

    calls = pieces(statement.read(KIT.statement(name)).sections[Heading.IN_REAL_USE].text)
    assert any(isinstance(node, ast.Call) for piece in calls for node in ast.walk(ast.parse(piece)))

    def run() -> None:
        namespace = names()
        for piece in calls:
            exec(piece, namespace)

    jax.eval_shape(run)  # shapes alone: nothing is compiled
