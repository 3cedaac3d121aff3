"""A loop is endless only if the text alone shows that nothing but an error ends it."""

from __future__ import annotations

import time

import pytest

from grader.marking.endless_loops import MOST_LOOPS, EndlessLoop, endless_loops

HEAD = "import jax.numpy as jnp\n\ndef toy(seed, T):\n"


def loops(body: str, head: str = HEAD) -> list[EndlessLoop]:
    return endless_loops(head + "".join(f"    {line}\n" for line in body.splitlines()), "toy")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("while True:\n    pass", EndlessLoop(4, 5)),
        ("while 1: pass", EndlessLoop(4, 4)),
        ("k = 0\nwhile k < T:\n    x = jnp.sin(k)", EndlessLoop(5, 6, ("T", "k"))),
        ("T = int(T)\nk, n = 0, 0\nj = 1\nwhile j < T + 1:\n    n += 1", EndlessLoop(7, 8, ("T", "j"))),
        ("rows = []\nk = 0\nwhile k < len(rows) or k < T:\n    rows.append(k)", None),
        ("k = 0\nk += 1\nwhile not k > T:\n    for i in range(3):\n        break", EndlessLoop(6, 8, ("T", "k"))),
        ("n = len([seed]) * 2\nwhile n:\n    continue\nreturn n", EndlessLoop(5, 6, ("n",))),
    ],
)
def test_a_loop_whose_condition_nothing_changes_is_found(body: str, found: EndlessLoop | None) -> None:
    assert loops(body) == ([found] if found else [])


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n    break",
        "while True:\n    if T:\n        return T",
        "while True:\n    raise ValueError",
        "while True:\n    assert T",
        "while True:\n    yield T",
        "while True:\n    for i in range(T):\n        pass\n    else:\n        break",
        "while False:\n    pass",
        "k = 0\nwhile k < T:\n    k += 1",
        "k = 0\nwhile k < T:\n    for k in range(3):\n        pass",
        "k = 0\nwhile k < T:\n    if (k := k + 1):\n        pass",
        "k = 0\nwhile k < T:\n    import os as k",
        "k = 0\nwhile k < T:\n    def k(): pass",
        "k = 0\nwhile (k := k + 1) < T:\n    pass",
        "k = [0]\nwhile k < T:\n    k.append(1)",
        "k = jnp.zeros(3)\nwhile k < T:\n    pass",
        "for k in toys:\n    pass\nwhile k:\n    pass",
        "while queue:\n    pass",
        "import numpy as np\nk = abs(np.zeros(1))\nwhile k < T:\n    k[0] += 1",
        "k = round(jnp.zeros(1))\nwhile k < T:\n    pass",
        "len = list\nk = len([1])\nwhile k:\n    k.pop()",
        "def inner(int):\n    k = int(3)\n    while k:\n        k.pop()",
        "it = iter([1])\ndef drain(_):\n    while True:\n        next(it)\nlist(map(drain, [0]))",
        "class Rows:\n    def __getitem__(self, i):\n        while True:\n            [][i]",
        "import os\nwhile True:\n    os.execv('a', [])",
        "while next(T):\n    pass",
        "while T.shape:\n    pass",
        "try:\n    while True:\n        pass\nexcept ValueError:\n    pass",
        "with T:\n    while True:\n        pass",
        "for i in range(T):\n    while i < 3:\n        pass",
        "for i in range(T):\n    while True:\n        pass",
        "k = 0\ndef more():\n    nonlocal k\n    k += 1\nwhile k < T:\n    more()",
        "import sys\nwhile True:\n    sys.exit()",
        "while True\n    pass",
    ],
)
def test_nothing_is_said_of_any_other_loop(body: str) -> None:
    assert loops(body) == []


def test_only_the_arguments_of_the_answer_itself_are_numbers() -> None:
    helper = "def other(T):\n    while T:\n        T.pop\n\n"
    assert endless_loops(helper + "def toy(T):\n    return other([1, 2])\n", "toy") == []
    assert len(endless_loops(helper, "other")) == 1
    assert endless_loops("while True:\n    pass\n", "toy") == [], "the names of a module may change elsewhere"


@pytest.mark.parametrize(
    "body",
    [
        "\n".join(f"k{n} = k{n + 1} + k{n + 1}" for n in range(300)) + "\nwhile k0: pass",
        "k = " + "+".join(["1"] * 900) + "\nwhile k: pass",
        "k = 0\n" + "while k: pass\n" * 3000,
        "k = 0\nwhile " + "-" * 80 + "k: pass",
    ],
    ids=["a chain", "a long sum", "many loops", "many signs"],
)
def test_a_hostile_text_is_read_quickly(body: str) -> None:
    start = time.process_time()
    loops(body)
    assert time.process_time() - start < 2.0


def test_names_from_a_star_may_be_any() -> None:
    assert loops("k = len(T)\nwhile k:\n    k.pop()", f"from toys import *\n{HEAD}") == []


def test_the_sentence_names_what_the_condition_reads() -> None:
    assert (
        str(EndlessLoop(4, 5).message)
        == "It was in a `while` loop that only an error could end: the loop has no `break` and no `return`."
    )
    assert "nothing in it changes `T`, and the loop has" in str(EndlessLoop(4, 5, ("T",)).message)
    assert "nothing in it changes `T`, `j` or `k`, and" in str(EndlessLoop(4, 5, ("T", "j", "k")).message)


def test_a_text_with_very_many_loops_is_not_looked_at() -> None:
    """Each loop is read once for each that is around it."""
    nested = "".join(f"{'    ' * depth}while 1:\n" for depth in range(MOST_LOOPS + 1))
    assert loops(f"{nested}{'    ' * (MOST_LOOPS + 1)}pass") == []
