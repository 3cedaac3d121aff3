"""What a statement binds and loads."""

from __future__ import annotations

import ast

import pytest

from grader.kit.names import Names, names_of, names_of_both


def names(text: str) -> Names:
    (statement,) = ast.parse(text).body
    return names_of(statement)


@pytest.mark.parametrize(
    ("text", "binds", "now", "later"),
    [
        ("import a.b, c as d", "a d", "", ""),
        ("x, (y, *z) = f(w)", "x y z", "f w", ""),
        ("x: int = y", "x", "int y", ""),
        ("x += 1", "x", "x", ""),
        ("x[i].a = y", "x", "i x y", ""),
        ("@g\ndef f(a=b):\n    c = d\n    return a + c + e", "f", "b g", "d e"),
        ("f = lambda a: a + b", "f", "", "b"),
        ("x = [a * k for k in b]", "x", "a b", ""),
        ("x = [k for k in k for j in k]", "x", "k", ""),
        ("def f(a):\n    return [k + b for k in a]", "f", "", "b"),
        ("class A(B):\n    c = d\n    def f(self):\n        self.x = e", "A", "B d", "e"),
        ("if a:\n    x = b\nelse:\n    x = x + 1", "x", "a b x", ""),
        ("try:\n    import a\n    b = a.c\nexcept E:\n    a = None", "a b", "E", ""),
    ],
)
def test_names(text: str, binds: str, now: str, later: str) -> None:
    found = names(text)
    assert [" ".join(sorted(part)) for part in (found.binds, found.now, found.later)] == [binds, now, later]
    assert found.simple


@pytest.mark.parametrize(
    "text", ["for i in a:\n    x = i", "with a as x:\n    pass", "while a:\n    x = 1", "if a:\n    for x in b: pass"]
)
def test_what_runs_more_than_an_assignment_is_not_simple(text: str) -> None:
    assert not names(text).simple
    assert "x" in names(text).binds


def test_a_star_and_what_is_imported() -> None:
    assert names("from a import *").star
    assert names("from a import b as c").imported == {"c"}
    assert names("b = 1").imported == set()


def test_two_statements_one_after_the_other() -> None:
    both = names_of_both(names("x = y"), names("z = x"))
    assert (both.binds, both.now) == ({"x", "z"}, {"y"})


def test_what_is_nested_very_deep_is_read_without_a_crash() -> None:
    assert names("x = " + "+".join("a" for _ in range(900))).now == {"a"}


def test_what_python_refuses_is_still_read() -> None:
    assert "y" in names("return y").now


@pytest.mark.parametrize("text", ["jax.config.update('jax_enable_x64', True)", "config.update('jax_debug_nans', x)"])
def test_an_option_of_jax_is_set(text: str) -> None:
    assert names(text).sets


@pytest.mark.parametrize("text", ["wandb.config.update('lr', 1)", "options.update(a=1)", "f('jax_a')"])
def test_other_options_are_none_of_jax(text: str) -> None:
    assert not names(text).sets


def test_what_is_deleted_is_not_bound() -> None:
    assert names("del x, y[0]").binds == set()
