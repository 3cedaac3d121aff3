"""Remarks on the text of an answer."""

from __future__ import annotations

import pytest

from grader.run.remarks import remarks


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = 2 ** 3  # 2 ^ 3", []),
        ("x = '^'", []),
        ("x = 3\ny = 10000 ^ (x * 2)", ["xor"]),
        ("x = 3\nx ^= 2", ["xor"]),
        ("def toy(seed):\n    breakpoint()\n    return print", ["prints"]),
        ("from pprint import pprint\npprint(3 ^ 4)", ["prints", "xor"]),
        ("import jax\ndef toy(seed):\n    jax.debug.print('{}', seed)", ["prints"]),
        ("printed = 3", []),
        ("x.at[0].set(1)", ["unused-update"]),
        (
            "def toy(seed):\n    for i in y:\n        pe.at[:, i::2].add(1, mode='drop')\n    return pe",
            ["unused-update"],
        ),
        ("x = x.at[0].set(1)\nx.at[0].get()\nx.set(1)\nf(x.at[0].set(1))", []),
    ],
)
def test_a_remark_is_made_on_what_the_code_uses_and_not_on_comments_and_texts(text: str, names: list[str]) -> None:
    assert [one.name for one in remarks(text)] == names


def test_the_first_line_with_an_exclusive_or_is_named_with_what_it_means() -> None:
    (only,) = remarks("x = 1\n\nf = lambda: x ^ 2 ^ 3\ny = x ^ 2\n")
    assert only.line == 3
    assert (
        only.message == "The code at line 3 uses `^`. In Python this is bitwise exclusive or; a power is written `**`."
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [("print(3)", "print"), ("jax.debug.print('{}', 3)", "jax.debug.print"), ("f().print(3)", "print")],
)
def test_what_prints_is_named_as_it_is_written(text: str, name: str) -> None:
    assert remarks(text)[0].message.startswith(f"It uses `{name}`. Its cases ran as written")
