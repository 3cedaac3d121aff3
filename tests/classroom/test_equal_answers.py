"""Texts are equal up to names, comments and layout, and in nothing else; and no text ends the report."""

from __future__ import annotations

import ast
import time

import pytest

from grader.classroom.equal_answers import Equal, equal, normal
from grader.kit.files import LARGEST_ANSWER
from grader.kit.kit import Kit
from grader.marking.verdict import Status
from tests.classroom.exports.rows import row, verdict_of
from tests.conftest import ROOT, worked_answer

ANSWER = '''
"""Rope."""
import jax.numpy as jnp
from functools import partial as part

BASE = 10_000

def angle(i, d: int, *, base=BASE):
    """The angle."""
    return 1 / base ** (2 * i / d)

@part
def rope(x, positions):
    total = 0
    for i in range(3):
        total += angle(i, d=4)
    table = [angle(j, 4) for j in positions if (k := j)]
    scaled = list(map(lambda a, *b, **c: a * k, table))
    try:
        with open(x) as file:
            file.read(total)
    except ValueError as error:
        print(error)
    def inner():
        nonlocal total
        total = x.shape
    match x:
        case [first, *rest] | {"a": first, **rest}:
            return jnp.sin(first) + total
    return scaled
'''
RENAMED = '''
import jax.numpy as jnp
from functools import partial as part
CONSTANT = 10000  # tuned
def helper(n, d: int, *, base=CONSTANT):
    return (1 / base ** (2*n / d))
@part
def rope(u, p):
    # mine
    acc = 0
    for n in range(3):
        acc += helper(n, d=4)
    t = [helper(q, 4) for q in p if (w := q)]
    s = list(map(lambda one, *two, **three: one * w, t))
    try:
        with open(u) as handle: handle.read(acc)
    except ValueError as e:
        print(e)
    def f():
        """Changes acc."""
        nonlocal acc
        acc = u.shape
    match u:
        case [head, *tail] | {"a": head, **tail}:
            return jnp.sin(
                head) + acc
    return s
'''


def test_a_text_is_the_same_under_other_names_comments_and_layout() -> None:
    assert normal(ANSWER) == normal(RENAMED) is not None
    assert normal(ANSWER) == normal(ast.unparse(ast.parse(ANSWER)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("jnp.sin", "jnp.cos"),
        ("numpy as jnp", "numpy as np"),
        ("range(3)", "range(4)"),
        ("range(3)", "range(3.0)"),
        ("range(3)", "list(3)"),
        ("d=4", "e=4"),
        ("a * k", "k * a"),
        ("a * k", "b * k"),
        ("nonlocal total", "global total"),
        ("total += angle", "total -= angle"),
        ("return scaled", "return table"),
        ("return scaled", "return"),
        ('{"a": first', '{"b": first'),
        ("i, d: int", "i, d: float"),
        ("*, base", "base"),
        ("as error:", "as error:\n        x = 1"),
    ],
)
def test_what_computes_otherwise_differs(old: str, new: str) -> None:
    assert old in ANSWER
    assert normal(ANSWER) != normal(ANSWER.replace(old, new, 1))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("def f(x): return x", "def g(y): return y", True),
        ("def f(x, y): return x", "def f(y, x): return x", False),
        ("def f(x):\n a = x\n b = a\n return b", "def f(x):\n a = x\n a = a\n return a", False),
        ("def f(x): return y", "def f(x): return z", False),
        ("def f(x): return x.shape", "def f(x): return x.size", False),
        ("class A:\n x = 1\n def m(self): return self.x", "class B:\n x = 1\n def m(me): return me.x", True),
        ("class A:\n x = 1", "class A:\n y = 1", False),
        ("class A:\n def m(self): return 1", "class A:\n def n(self): return 1", False),
        ("def f(x): return [x for x in x]", "def f(a): return [b for b in a]", True),
        ("def f(x): return [x for x in x]", "def f(a): return [a for b in a]", False),
        ("def f(i):\n return i\ndef g(i): return i", "def f(j):\n return j\ndef g(k): return k", True),
        ("x = 1\ndef f():\n global x\n x = 2", "y = 1\ndef f():\n global y\n y = 2", True),
        ("x = 1\ndef f():\n global x\n x = 2", "x = 1\ndef f():\n x = 2", False),
        ("def f(): pass", "def f(): 'text'", True),
        ("f(1, 2)", "f(1)", False),
        ("x = '1'", "x = 1", False),
        ("x = 1", "x = True", False),
        ("x = f'{x!r:>3}'", "x = f'{x!s:>3}'", False),
        ("import os\nos = 1", "import os\nso = 1", False),
        (f"x = 0x{'f' * 9000}", f"y = 0x{'f' * 9000}", True),
    ],
)
def test_names_are_renamed_everywhere_alike(one: str, other: str, same: bool) -> None:
    assert normal(one) is not None
    assert (normal(one) == normal(other)) is same


@pytest.mark.parametrize(
    "text",
    [
        "def f(:",
        "x = \0",
        "x = '\ud800'",
        "(" * 5000,
        "x = " + "-" * (LARGEST_ANSWER - 5) + "1",
        "x = 1" + "+1" * (LARGEST_ANSWER // 2 - 3),
        "x" + ".x" * (LARGEST_ANSWER // 2 - 1),
        "lambda:" * (LARGEST_ANSWER // 7 - 1) + "0",
        "lambda x:" * 80 + "x\n" * 1,
        "x\n" * (LARGEST_ANSWER // 2),
        "if x: 1\n" + "elif x: 1\n" * (LARGEST_ANSWER // 10 - 1),
        "x = 9" + "9" * 5000,
        "def f(" + ",".join(f"a{n}" for n in range(8000)) + "): return " + "a1" + "\n",
    ],
)
def test_no_text_takes_long_or_ends_in_an_error(text: str) -> None:
    start = time.process_time()
    normal(text)
    assert time.process_time() - start < 5


def test_only_what_different_students_share_is_told() -> None:
    texts = {
        "a": ANSWER,
        "b": ANSWER,
        "c": RENAMED,
        "d": "x = 1",
        "e": "x = 1",
        "f": "y = (1)",
        "g": "def (",
        "h": "def (",
    }
    rows = [row(name, verdict_of()) for name in texts]
    digests = {ANSWER: "1", "x = 1": "2"}
    rows = [row(name, verdict_of(), digest=digests.get(text, name)) for name, text in texts.items()]
    by = {digests.get(text, name): text for name, text in texts.items()}

    def found(*more: object, **teams: str) -> tuple[Equal, ...]:
        changed = [row(one.student, one.verdict, digest=one.digest, team=teams.get(one.student, "")) for one in rows]
        return equal(changed, by.__getitem__)

    long, short = found()
    assert (long.same_text, long.students) == (False, (("a",), ("b",), ("c",)))
    assert (short.same_text, short.statements, short.students) == (False, 1, (("d",), ("e",), ("f",)))
    long, short = found(a="team", b="team", d="t", e="t", f="t2")
    assert long.students == (("a", "b"), ("c",))
    assert short.students == (("d", "e"), ("f",))
    assert found(a="team", b="team", c="team", d="x", e="x", f="x") == ()
    assert equal(rows[:2], by.__getitem__) == (Equal(True, long.statements, (("a",), ("b",))),)


def test_stubs_are_left_out_and_what_is_due_is_not() -> None:
    stub = verdict_of(Status.UNATTEMPTED)
    rows = [row("ana", stub), row("ben", stub), row("cy"), row("dan", state="fault")]
    assert [one.students for one in equal(rows, lambda _: "x = 1")] == [(("cy",), ("dan",))]


def test_no_two_worked_answers_are_equal_and_each_equals_its_own_other_layout() -> None:
    kit = Kit(ROOT)
    texts = [worked_answer(kit, name) for name in kit.names]
    forms = [normal(text) for text in texts]
    assert len({*forms}) == len(forms) > 50
    assert forms == [normal(ast.unparse(ast.parse(text))) for text in texts]


STUB = '''"""Rotate."""
import jax.numpy as jnp
from jax import Array

BASE = 10_000


def rope(x: Array, positions: Array) -> Array:
    """Rotate it."""
    raise NotImplementedError
'''


def test_statements_are_those_that_the_stub_lacks() -> None:
    body = "    angles = positions / BASE\n    return x * jnp.cos(angles)\n"
    texts = {"a": STUB.replace("    raise NotImplementedError\n", body)}
    texts["b"] = texts["a"].replace("angles", "turned").replace("positions: Array", "places: Array")
    texts["b"] = texts["b"].replace("= positions", "= places")
    rows = [row(name, verdict_of(), digest=name) for name in texts]
    (one,) = equal(rows, texts.__getitem__, STUB)
    assert (one.statements, one.same_text, one.students) == (2, False, (("a",), ("b",)))
    (one,) = equal(rows, texts.__getitem__)
    assert one.statements == 6  # nobody knows the stub


def test_what_the_stub_has_once_counts_where_an_answer_has_it_twice() -> None:
    stub, answer = normal("x = 1\ndef f(): return x"), normal("x = 1\nx = 1\ndef f(): return x")
    assert stub is not None
    assert answer is not None
    assert (answer.beyond(stub), answer.beyond(None), stub.beyond(answer)) == (1, 4, 0)


def test_stubs_in_another_layout_and_the_worked_answer_are_left_out() -> None:
    worked = STUB.replace("raise NotImplementedError", "return x + positions")
    rows = [row(name, verdict_of(), digest=name) for name in "abcd"]
    texts = {"a": f"# mine\n{STUB}", "b": STUB, "c": worked.replace("positions", "places"), "d": worked}
    assert equal(rows, texts.__getitem__, STUB, worked) == ()
    assert [one.students for one in equal(rows, texts.__getitem__, STUB)] == [(("c",), ("d",))]
