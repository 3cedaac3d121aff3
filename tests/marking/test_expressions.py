"""The expression at a place of a text, and the variable that it is assigned to."""

from __future__ import annotations

import ast
import gc
import sys
from pathlib import Path
from threading import Thread

import pytest

from grader.values.places import LONGEST_TEXT, Expression, Expressions, Place, parsed, while_around
from tests.conftest import ROOT

TEXT = """
q, k = f(x), "é" + g(x)
mask = keep = a < b
r, s = h(
    x,
)
total += step(r)
if (n := len(q)):
    y: float = (
        q
        .sum(axis=1)
    )
    return y @ k
"""


def at(text: str, expression: str) -> Place:
    """The place of an expression on one line of a text."""
    start = text.encode().index(expression.encode())
    line, column = text.encode()[:start].count(b"\n") + 1, start - text.encode().rfind(b"\n", 0, start) - 1
    return Place(line, column, line, column + len(expression.encode()))


def found(text: str, expression: str) -> Expression | None:
    return Expressions(text).at(at(text, expression))


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("f(x)", "q"),
        ('"é" + g(x)', "k"),
        ("g(x)", ""),
        ("a < b", "mask"),
        ("total += step(r)", "total"),
        ("len(q)", "n"),
        ("y @ k", ""),
        ("r, s", "r, s"),
    ],
)
def test_an_expression_has_the_name_that_its_value_is_assigned_to(expression: str, name: str) -> None:
    one = found(TEXT, expression)
    assert one is not None
    assert one.name == name


def test_a_method_on_a_line_of_its_own_is_found_where_python_says_that_it_is() -> None:
    one = Expressions(TEXT).at(Place(11, 9, 11, 20))
    assert one is not None
    assert isinstance(one.node, ast.Call)
    assert one.name == "y"


def test_a_place_that_is_no_expression_has_none() -> None:
    assert Expressions(TEXT).at(Place(2, 0, 2, 2)) is None


@pytest.mark.parametrize("text", ["def f(:", "\0", "-" * 50_000 + "1", "(" * 5000, "a = 1\n" + "#" * LONGEST_TEXT])
def test_a_text_that_is_not_python_or_is_very_long_has_none(text: str) -> None:
    assert Expressions(text).at(Place(1, 4, 1, 5)) is None


LOOPS = """
def f(n):
    while n:
        for i in range(3):
            n += 1
        while True: n -= 1
    else:
        n = 2
    return n
"""


@pytest.mark.parametrize(("line", "begins"), [(2, 0), (3, 3), (5, 3), (6, 6), (8, 0), (9, 0)])
def test_the_innermost_while_loop_around_a_line_is_found(line: int, begins: int) -> None:
    assert while_around(LOOPS, line) == begins


def test_a_text_that_is_no_python_has_no_loop() -> None:
    assert while_around("while (:", 1) == 0
    assert while_around("while 1: pass\n" + "#" * LONGEST_TEXT, 1) == 0


class _Finalised:
    """Part of a circle with a finaliser in Python, at which another thread may take over."""

    def __init__(self) -> None:
        self.circle = self

    def __del__(self) -> None:
        for _ in range(20):
            pass


def test_threads_parse_texts_side_by_side() -> None:
    text, errors, thresholds = Path(__file__).read_text(), list[SystemError](), gc.get_threshold()

    def parse() -> None:
        for _ in range(50):
            _Finalised()
            try:
                parsed(text)
            except SystemError as error:
                errors.append(error)

    before = sys.getswitchinterval()
    try:
        gc.set_threshold(5, 1, 1)
        sys.setswitchinterval(1e-6)
        threads = [Thread(target=parse) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(before)
    assert errors == []


def test_every_text_is_parsed_where_threads_wait_for_each_other() -> None:
    found = [path for path in sorted((ROOT / "grader").rglob("*.py")) if "ast.parse(" in path.read_text()]
    assert found == [ROOT / "grader/values/places.py"]
