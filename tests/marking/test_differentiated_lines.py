"""The lines that an answer differentiates: the function that is given, and those of the answer that it may call."""

from __future__ import annotations

import pytest

from grader.marking.answer_text import differentiated

TRAINED = """import jax
from flax import nnx

class Model(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(2, 3, rngs=rngs)

    def __call__(self, x):
        return scaled(self.first(x))

def scaled(x):
    return x * 2

def toy(seed, n):
    def loss(model, x):
        return (model(x) ** 2).mean()

    model = Model(nnx.Rngs(seed))
    gradient = nnx.grad(loss)(model, n)
    return after(gradient)

def after(x):
    return x
"""


def lines(text: str) -> list[str]:
    return [line.strip() for at, line in enumerate(text.splitlines(), 1) if at in differentiated(text)]


def test_a_loss_the_model_that_it_calls_and_what_that_calls() -> None:
    assert lines(TRAINED) == [
        "def __call__(self, x):",
        "return scaled(self.first(x))",
        "def scaled(x):",
        "return x * 2",
        "def loss(model, x):",
        "return (model(x) ** 2).mean()",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def toy(x):\n    return x * 2\n", []),
        ("def toy(x):\n    return jax.grad(lambda y: y * 2)(x)\n", ["return jax.grad(lambda y: y * 2)(x)"]),
        ("half = lambda x: x / 2\n\ndef toy(x):\n    return vjp(half, x)\n", ["half = lambda x: x / 2"]),
        ("@jax.grad\ndef f(x):\n    return x\n\ny = f(3)\n", ["def f(x):", "return x"]),
        (
            "@partial(jax.jit)\n@partial(jax.value_and_grad, argnums=1)\ndef f(x):\n    return x\n",
            ["def f(x):", "return x"],
        ),
        ("y = 1\nz = jax.grad(make())(y)\n", ["y = 1", "z = jax.grad(make())(y)"]),
        ("def f(x):\n    return (\n", []),
    ],
)
def test_every_way_to_ask_for_a_derivative(text: str, found: list[str]) -> None:
    assert lines(text) == found


def test_of_a_very_long_text_every_line_counts() -> None:
    assert differentiated("x = 1\n" * 20_000) >= set(range(1, 20_001))
