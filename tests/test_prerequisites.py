"""What a lesson builds on: a worked answer uses no function that neither its own lesson nor one before it shows.

A lesson shows what its statement writes out. The lessons before it are those of `after`, and those that these build on. What
the first steps teach (keys, grad, scan and their like) is not only shown before it is used: the lesson that teaches it comes
before.
"""

from __future__ import annotations

import ast
import re

import pytest

from grader.kit import statement
from grader.kit.kit import Kit
from grader.oracle.server import load
from tests.conftest import ROOT

KIT = Kit(ROOT)
LIBRARIES = re.compile(r"(jax|nnx|optax)\.(?!numpy\b)")
"""Names that count. Arrays of `jax.numpy` are taken for granted: a lesson may use what NumPy has."""


def dotted(node: ast.expr) -> str:
    """The name `a.b.c` of an expression; empty if it is another expression."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""


def used(text: str) -> set[str]:
    """The functions of libraries that a file uses, by their whole names."""
    names = {dotted(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
    names = {name for name in names if LIBRARIES.match(name)}
    return {name for name in names if not any(other.startswith(f"{name}.") for other in names)}


def before(name: str) -> set[str]:
    """A lesson, and all lessons that it builds on."""
    found, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(statement.read(KIT.statement(one)).after)
    return found


def test_names_are_whole_and_arrays_are_taken_for_granted() -> None:
    assert used("jax.lax.scan(f, jnp.ones(2), x)\nnnx.Linear(2, 3)\njax.numpy.ones(3)") == {
        "jax.lax.scan",
        "nnx.Linear",
    }


@pytest.mark.parametrize("name", KIT.names)
def test_a_worked_answer_uses_only_what_was_shown(name: str) -> None:
    given, worked = (used(path.read_text(encoding="utf-8")) for path in (KIT.stub(name), KIT.answer(name)))
    shown = "\n".join(KIT.statement(one).read_text(encoding="utf-8") for one in before(name))
    assert sorted(one for one in worked - given if one not in shown) == []


TAUGHT = {
    r"jax\.random\.(split|fold_in)": "first_keys",
    r"jax\.vmap": "vmap_pairwise",
    r"(jax|nnx)\.jit": "first_jit",
    r"(jax|nnx)\.(grad|value_and_grad)": "first_grad",
    r"jax\.tree\.\w+": "first_trees",
    r"jax\.lax\.scan": "gae_scan",
}
"""The lesson that teaches each function of JAX that later lessons take for granted."""

TAUGHT_OF_CONTRACT = {"keys": "first_keys", "vmap": "vmap_pairwise", "jit": "first_jit", "grad": "first_grad"}


@pytest.mark.few(20)
@pytest.mark.parametrize("name", KIT.names)
def test_what_the_first_steps_teach_is_taught_before_it_is_used(name: str) -> None:
    given, worked = (used(path.read_text(encoding="utf-8")) for path in (KIT.stub(name), KIT.answer(name)))
    needed = {lesson for wanted, lesson in TAUGHT.items() if any(re.fullmatch(wanted, one) for one in worked - given)}
    needed |= {TAUGHT_OF_CONTRACT[one] for one in [load(KIT.answer(name)).contract] if one in TAUGHT_OF_CONTRACT}
    assert sorted(needed - before(name)) == []
