"""Each habit of PyTorch, as an answer that raises, gets advice; and what the advice says to write runs."""

from __future__ import annotations

import linecache
import re
from typing import Any

import pytest

from grader.marking.advice import TORCH_HABITS, KnownError, raised_from
from grader.marking.verdict import Raised
from grader.run.answer.exceptions import describe

BEFORE = """
import jax, optax
import jax.numpy as jnp
import numpy as np
from flax import nnx

class Scale(nnx.Module):
    def __init__(self, rngs):
        self.rngs, self.weight = rngs, nnx.Param(jnp.ones(3))
    def __call__(self, x):
        return x * weight
    def draw(self):
        return jax.random.bernoulli(self.rngs(), 0.5, (3,))
    def named(self):
        return jax.random.bernoulli(self.rngs.dropout(), 0.5, (3,))

class Forward(nnx.Module):
    def forward(self, x):
        return x

def loss(model):
    return model(x).sum()

low, high, rate, seed, count, size, rows, columns, parts, i, value, axis = 0, 1, 0.5, 0, 3, 4, 2, 3, 3, 0, 1.0, 0
shape, mask = (2, 3), jnp.array([[True, False, True]] * 2)
rngs = nnx.Rngs(0)
x = a = b = jnp.arange(6.0).reshape(2, 3)
cube = jnp.ones((2, 3, 4))
model = nnx.Linear(3, 1, rngs=rngs)
grads = nnx.grad(loss)(model)
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
"""

LAST = "jnp.swapaxes(cube, -2, -1) + cube.mT"
AXES = "x[None], x[:, None], jnp.expand_dims(x, axis)"
GRADIENTS = "jax.grad(jnp.sum)(x), nnx.grad(loss)(model)"
LIST = "jnp.vstack([a, b]), jnp.hstack([a, b]), jnp.stack([a, b]), jnp.concatenate([a, b])"
OPTIMIZER = "nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)"
DRAWN = "jax.random.normal(jax.random.key(seed), (rows, columns))"

TABLE: list[tuple[str, str, str]] = [
    ("torch.ones(3)", r"jax\.numpy for torch", "jnp.ones(3)"),
    ("__import__('torch')", r"jax\.numpy for torch", "jnp.ones(3)"),
    ("F.softmax(x, -1)", r"jax\.nn for torch\.nn\.functional", "jax.nn.softmax(x, -1)"),
    ("jnp.cat([x, x])", r"jnp\.concatenate\(\[a, b\], axis=0\)", "jnp.concatenate([a, b], axis=0)"),
    ("jnp.rand_like(x)", r"jax\.random\.normal", DRAWN),
    ("jnp.randn(2, 3)", r"jax\.random\.normal", DRAWN),
    ("jnp.random.normal(3)", r"jax\.random\.normal", DRAWN),
    ("jax.manual_seed(3)", r"jax\.random\.key", DRAWN),
    ("jnp.tensor([1.0])", r"jnp\.array", "jnp.array([1.0, 2.0])"),
    ("jnp.unsqueeze(x, 0)", r"jnp\.expand_dims", AXES),
    ("jnp.bmm(cube, cube.mT)", "a @ b", "cube @ cube.mT"),
    ("jnp.clamp(x, 0, 1)", r"jnp\.clip", "jnp.clip(x, low, high)"),
    ("jax.no_grad()", "Leave it out", "x"),
    ("nnx.Parameter(x)", r"nnx\.Param\(array\)", "nnx.Param(x)"),
    ("nnx.ModuleList([model])", r"nnx\.List", "nnx.List([model])"),
    ("nnx.Embedding(3, 4)", r"nnx\.Embed\(", "nnx.Embed(count, size, rngs=rngs)"),
    ("nnx.ReLU()(x)", r"nnx\.relu", "nnx.relu(x), nnx.gelu(x), nnx.softmax(x)"),
    ("nnx.functional.relu(x)", r"nnx\.relu", "nnx.relu(x)"),
    ("nnx.optim.Adam(model)", r"wrt=nnx\.Param", OPTIMIZER),
    ("x.numpy()", r"Leave out \.numpy\(\)", "jnp.sum(x)"),
    ("jax.jit(lambda x: x.numpy())(x)", r"Leave out \.numpy\(\)", "jnp.sum(x)"),
    ("x.to('cpu')", "Leave", "x.astype(jnp.float32)"),
    ("x.detach()", "stop_gradient", "jax.lax.stop_gradient(x)"),
    ("x.float()", r"astype\(jnp\.float32\)", "x.astype(jnp.float32), x.astype(jnp.int32)"),
    ("x.unsqueeze(0)", r"jnp\.expand_dims", AXES),
    ("np.ones(3).unsqueeze(0)", r"jnp\.expand_dims", AXES),
    ("cube.permute(0, 2, 1)", "transpose", "cube.transpose(0, 2, 1), jnp.transpose(cube, (0, 2, 1))"),
    ("x.t()", r"x\.T", "x.T"),
    ("x.expand(2, 3)", "broadcast_to", "jnp.broadcast_to(x, shape)"),
    ("x.masked_fill(mask, 0)", r"jnp\.where", "jnp.where(mask, value, x)"),
    ("x.chunk(3)", r"jnp\.split", "jnp.split(x, parts, axis=-1)"),
    ("x.clamp(0, 1)", r"jnp\.clip", "jnp.clip(x, low, high)"),
    ("x.matmul(x.T)", "a @ b", "x @ x.T"),
    ("x.sum().backward()", r"jax\.grad\(loss\)\(x\)", GRADIENTS),
    ("x.norm()", r"jnp\.linalg\.norm", "jnp.linalg.norm(x)"),
    ("x.softmax(-1)", r"jax\.nn\.softmax\(x\)", "jax.nn.softmax(x)"),
    ("x.exp()", r"jnp\.exp\(x\)", "jnp.exp(x)"),
    ("x.add_(1)", "in place", "x + 1, x.at[i].set(value)"),
    ("x.view(3, 2)", "x.reshape", "x.reshape(columns, rows), x.reshape(-1)"),
    ("x.view(-1)", "x.reshape", "x.reshape(-1)"),
    ("jax.jit(lambda x: x.view(3, 2))(x)", "x.reshape", "x.reshape(-1)"),
    ("np.ones((2, 3)).view(3, 2)", "x.reshape", "x.reshape(-1)"),
    ("cube.transpose(-2, -1)", "jnp.swapaxes", LAST),
    ("np.ones((2, 3, 4)).transpose(-2, -1)", "jnp.swapaxes", LAST),
    ("jnp.transpose(cube, -2, -1)", "jnp.swapaxes", LAST),
    ("x @ x.transpose(-2, -1)", "jnp.swapaxes", LAST),
    ("x.size()", r"x\.shape", "x.size + x.shape[0]"),
    ("x.size(0)", r"x\.shape\[0\]", "x.shape[0]"),
    ("x.shape()", r"x\.shape", "x.shape[0]"),
    ("optimizer.step()", r"optimizer\.update\(model, grads\)", "optimizer.update(model, grads)"),
    ("optimizer.zero_grad()", "Leave zero_grad", "nnx.grad(loss)(model)"),
    ("Forward()(x)", "`__call__`", "model(x)"),
    ("model.forward(x)", "`__call__`", "model(x)"),
    ("model.parameters()", r"nnx\.state", "nnx.state(model, nnx.Param)"),
    ("model.weight", "`kernel`", "model.kernel[...].T"),
    ("nnx.LayerNorm(3, rngs=rngs).weight", "`scale`", "nnx.LayerNorm(3, rngs=rngs).scale[...]"),
    ("nnx.Embed(3, 4, rngs=rngs).weight", "`embedding`", "nnx.Embed(3, 4, rngs=rngs).embedding[...]"),
    ("nnx.Optimizer(model, optax.sgd(0.1))", r"wrt=nnx\.Param", OPTIMIZER),
    ("nnx.Linear(3, 1, rngs)", "rngs=rngs", "nnx.Linear(3, 1, rngs=rngs)"),
    ("nnx.Linear(3, 1)", "rngs=rngs", "nnx.Linear(3, 1, rngs=rngs)"),
    ("nnx.Linear(3, 1, rngs=0)", r"rngs=nnx\.Rngs\(seed\)", "nnx.Linear(3, 1, rngs=nnx.Rngs(seed))"),
    (
        "nnx.Dropout(0.5)(x)",
        r"model\.eval\(\)",
        "nnx.Dropout(rate, rngs=rngs)(x), (off := nnx.Dropout(rate)).eval(), off(x)",
    ),
    ("Scale(nnx.Rngs(dropout=0)).draw()", r"self\.rngs\.dropout\(\)", "Scale(nnx.Rngs(dropout=0)).named()"),
    ("Scale(rngs)(x)", "", "x * Scale(rngs).weight"),
    ("optax.adam(lr=0.1)", "learning_rate", "optax.adam(learning_rate=1e-3)"),
    *((f"jnp.{name}(a, b)", "one list", LIST) for name in ("concatenate", "stack", "vstack", "hstack")),
    *(
        (f"jax.jit(lambda a, b: jnp.{name}(a, b))(a, b)", "one list", LIST)
        for name in ("concatenate", "stack", "vstack", "hstack")
    ),
    ("jnp.sum(x, 0, True)", "keepdims=True", "jnp.sum(x, axis=-1, keepdims=True)"),
    ("jax.jit(lambda x: x.sum().item() * x)(x)", r"leave \.item\(\) out", "jax.jit(lambda x: x.sum() * x)(x)"),
    ("jax.jit(lambda x: sum(x.tolist()) * x)(x)", r"leave \.tolist\(\) out", "jax.jit(lambda x: x.sum() * x)(x)"),
    ("jax.jit(lambda x: float(x.sum()) * x)(x)", "leave the call out", "jax.jit(lambda x: x.sum() * x)(x)"),
    ("jnp.sum(x, dim=0)", "`axis`", "jnp.sum(x, axis=0)"),
    ("x.mean(-1, keepdim=True)", "`keepdims`", "x.mean(-1, keepdims=True)"),
]
"""An expression of an answer, a part of the advice for it, and what the advice says to write."""


def ran(expression: str) -> Any:
    """What an answer that returns an expression gives: a value, or an exception as it is reported."""
    text = f"{BEFORE}\ndef answer(x):\n    return {expression}\n"
    linecache.cache["habit.py"] = (len(text), None, text.splitlines(keepends=True), "habit.py")
    namespace: dict[str, Any] = {"__name__": "habit"}
    exec(compile(text, "habit.py", "exec"), namespace)
    try:
        return namespace["answer"](namespace["x"])
    except Exception as error:
        return raised_from(describe(error, "habit.py"))
    finally:
        del linecache.cache["habit.py"]


@pytest.mark.few(8)
@pytest.mark.parametrize(("written", "told", "instead"), TABLE, ids=[row[0] for row in TABLE])
def test_a_habit_gets_advice_that_runs(written: str, told: str, instead: str) -> None:
    raised = ran(written)
    assert isinstance(raised, Raised), raised
    assert re.search(told, str(raised.advice)), raised
    assert not isinstance(right := ran(instead), Raised), right


@pytest.fixture(scope="module")
def given() -> set[str]:
    """The texts of the advice for all answers of the table."""
    return {raised.advice.text for written, _, _ in TABLE if isinstance(raised := ran(written), Raised)}


@pytest.mark.slow
@pytest.mark.parametrize("habit", TORCH_HABITS)
def test_every_piece_of_advice_is_given_for_an_answer_of_the_table(habit: KnownError, given: set[str]) -> None:
    assert habit.advice in given
    assert "\n" not in habit.advice
    assert habit.advice.endswith(".")


def test_a_name_that_self_has_is_suggested() -> None:
    assert str(ran("Scale(rngs)(x)").message).endswith("Did you mean: 'self.weight'?")
