"""Untrusted text is safe to print, different names look different, numbers are readable."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.kit.text import clean, folded, number, plain, visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\rb\x08c\x00d", "abcd"),
        ("\u202eright to left", "right to left"),
        ("one\r\ntwo\tthree", "one\ntwo three"),
        ("\x9b31mc1", "31mc1"),
        ("π ≈ 3.14", "π ≈ 3.14"),
    ],
)
def test_characters_that_control_a_terminal_are_removed(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs") for c in clean(text) if c != "\n")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("alice.py", "alice.py"),
        ("my answer.py", "my answer.py"),
        ("al\u200bice.py", "al<U+200B>ice.py"),
        ("\x1b[31malice.py", "<U+001B>[31malice.py"),
        ("a\nb.py", "a<U+000A>b.py"),
        ("a\u202eb.py", "a<U+202E>b.py"),
        ("a\u00a0b.py", "a<U+00A0>b.py"),
        ("a   b.py", "a <U+0020><U+0020>b.py"),
        ("\udcff.py", "<U+DCFF>.py"),
        ("größe.py", "größe.py"),
    ],
)
def test_a_name_shows_every_character(name: str, shown: str) -> None:
    assert visible(name) == shown


@given(st.text(), st.text())
def test_names_that_differ_look_different_unless_one_spells_out_the_other(one: str, other: str) -> None:
    if "<U+" not in one + other:
        assert (visible(one) == visible(other)) is (one == other)


@given(st.text())
def test_a_folded_sentence_is_one_line(text: str) -> None:
    assert len(folded(text).splitlines()) <= 1


@given(st.text())
def test_plain_text_is_ascii(text: str) -> None:
    assert plain(text).isascii()


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.5, 4, "0.5000"),
        (-1e-9, 4, "-0.0000"),
        (2.5e7, 2, "2.50e+07"),
        (float("nan"), 4, "nan"),
        (float("inf"), 4, "inf"),
    ],
)
def test_numbers_are_fixed_point_unless_they_are_large(value: float, digits: int, shown: str) -> None:
    assert number(value, digits) == shown


def test_a_text_of_lines_keeps_its_spaces_and_shows_what_cannot_be_seen() -> None:
    assert visible_lines("def f(x):\r\n\treturn  x\x1b[31m\u202e\n") == [
        "def f(x):",
        "    return  x<U+001B>[31m<U+202E>",
    ]
    assert visible_lines(" \u2028\r\n\n") == [" <U+2028>", ""]
    assert visible_lines("") == [""]
