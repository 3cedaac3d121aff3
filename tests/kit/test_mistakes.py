"""Mistakes in comments: what each changes, which can be made at once, and errors that say the line."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import pytest

from grader.kit.mistakes import MistakeForm, MistakeWords, Pitfall, changed, combined, pitfall_sets, read_forms
from grader.kit.problem_error import ProblemError

TEXT = """import math


def f(seed, n):
    k = range(n)
    #: shifted: n -> 1, n + 1
    total = 0
    for i in k:
        total += math.sin(
            2 * i
        ) + i
        #: halved: 2 * i -> i
        #: dropped: -
        #: guarded:
        #:     if i:
        #:         total += i
        #:
        #:     total += 1
    #: backwards: for i in k -> for i in reversed(k)
    #: at-once: total = sum(k)
    # An ordinary comment.
    return total
    #: shifted: =
    #: halved (not with backwards): return total -> return total / 2
    #: other-base (alone): total -> total * 2.0, or total * 3.0
"""


def forms_of(text: str = TEXT) -> dict[str, list[MistakeForm]]:
    return read_forms(text)


def lines_changed(*names: str) -> dict[int, str]:
    """The lines that the first forms of some mistakes change, stripped."""
    forms = forms_of()
    made = changed(TEXT, [forms[name][0] for name in names]).split("\n")
    pairs = zip(made, TEXT.split("\n"), strict=True)
    return {number: line.strip() for number, (line, before) in enumerate(pairs, start=1) if line != before}


@pytest.mark.parametrize(
    ("names", "due"),
    [
        (["shifted"], {5: "k = range(1, n + 1)"}),
        (["halved"], {10: "i", 22: "return total / 2"}),
        (["dropped"], {9: "pass", 10: "", 11: ""}),
        (["guarded"], {9: "if i:", 10: "total += i", 11: "", 12: "total += 1"}),
        (["backwards"], {8: "for i in reversed(k):"}),
        (["shifted", "backwards"], {5: "k = range(1, n + 1)", 8: "for i in reversed(k):"}),
        (["backwards", "dropped"], {8: "for i in reversed(k):", 9: "pass", 10: "", 11: ""}),
    ],
)
def test_a_mistake_changes_its_statement_and_every_other_line_keeps_its_number(
    names: Sequence[str], due: dict[int, str]
) -> None:
    assert lines_changed(*names) == due
    ast.parse(changed(TEXT, [forms_of()[name][0] for name in names]))


def test_a_statement_that_holds_others_is_replaced_with_them() -> None:
    assert lines_changed("at-once") == {8: "total = sum(k)", 9: "", 10: "", 11: ""}


def test_one_comment_may_hold_several_forms() -> None:
    two, three = forms_of()["other-base"]
    assert "total * 2.0" in changed(TEXT, [two])
    assert "total * 3.0" in changed(TEXT, [three])
    assert (two.alone, two.line, three.shown) == (True, 25, "total -> total * 3.0")


@pytest.mark.parametrize(
    ("comment", "due"),
    [
        ("-2 -> 2, and k -> j", ["a = 2 * j / d**3"]),
        ("-2 -> 2, or 4, and k -> j", ["a = 2 * j / d**3", "a = 4 * j / d**3"]),
        ("/ d**3 ->", ["a = -2 * k"]),
        ("/ d**3 ->, and -2 -> 2", ["a = 2 * k"]),
        ("* -> +", ["a = -2 + k / d**3"]),
        ("d -> d, None", ["a = -2 * k / d, None**3"]),
    ],
)
def test_a_comment_may_change_several_parts_and_leave_one_out(comment: str, due: list[str]) -> None:
    text = f"a = -2 * k / d**3\n#: m: {comment}\n"
    made = [changed(text, [form]).split("\n")[0].rstrip() for form in forms_of(text)["m"]]
    assert made == due


def test_decorators_belong_to_their_statement() -> None:
    text = "@cache(2)\ndef f():\n    pass\n#: m: 2 -> 3\n"
    (form,) = forms_of(text)["m"]
    assert changed(text, [form]).startswith("@cache(3)\ndef f():")


def test_forms_of_several_statements_belong_together_by_their_labels() -> None:
    text = "a = 1\n#: m/two: 1 -> 2\n#: m/three: 1 -> 3\n#: m: 1 -> 9\nb = 1\n#: m/three: 1 -> 3, or 4\n"
    made = {
        (form.label, changed(text, [form]).split("\n")[4]): changed(text, [form])[:5] for form in forms_of(text)["m"]
    }
    assert made == {
        ("two", "b = 1"): "a = 2",
        ("three", "b = 3"): "a = 3",
        ("three", "b = 4"): "a = 3",
        ("", "b = 1"): "a = 9",
    }


def test_a_form_may_keep_a_statement() -> None:
    text = "a = 1\n#: m: 1 -> 2\n#: m: 1 -> 3\nb = 1\n#: m: =\n#: m: b = 4\n"
    first, second = forms_of(text)["m"]
    assert changed(text, [first]).split("\n")[::3][:2] == ["a = 2", "b = 1"]
    assert changed(text, [second]).split("\n")[::3][:2] == ["a = 3", "b = 4"]


@pytest.mark.parametrize(
    ("names", "possible"),
    [
        (["shifted", "halved"], True),
        (["halved", "dropped"], False),
        (["dropped", "guarded"], False),
        (["at-once", "halved"], False),
        (["at-once", "shifted"], True),
        (["backwards", "halved"], False),
        (["other-base", "shifted"], False),
    ],
)
def test_two_that_change_the_same_part_or_say_so_are_never_combined(names: Sequence[str], possible: bool) -> None:
    assert combined([forms_of()[name][0] for name in names]) is possible


def test_sets_keep_the_declared_order_and_hold_every_form() -> None:
    pitfalls = [Pitfall(name, tuple(forms), MistakeWords("So.", "So?")) for name, forms in forms_of().items()]
    singles = [names for names, _ in pitfall_sets(pitfalls, 1)]
    assert singles == [
        *(("shifted",), ("halved",), ("dropped",), ("guarded",), ("backwards",), ("at-once",)),
        *[("other-base",)] * 2,
    ]
    pairs = [names for names, _ in pitfall_sets(pitfalls, 2)]
    assert ("shifted", "backwards") in pairs
    assert not any("other-base" in names for names in pairs)
    assert ("shifted", "dropped", "backwards") in [names for names, _ in pitfall_sets(pitfalls, 3)]


@pytest.mark.parametrize("old", ["k", "1", "10.0"])
def test_a_part_is_made_of_whole_words(old: str) -> None:
    text = f"kk = 10.0 * k + 0.1 + 11 + 1\n#: m: {old} -> 7\n"
    (form,) = forms_of(text)["m"]
    assert changed(text, [form]).split("\n")[0].count("7") == 1
    assert changed(text, [form]).split("\n")[0].startswith("kk = ")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("#: m: a = 1\n", 1, "no statement stands above 'm': write it below one"),
        (
            "def f():\n    a = 1\n  #: m: a = 2\n",
            3,
            "'m' begins in column 3, and the statement that ends above it, in line 2, in column 1 or 5: write `#:` there",
        ),
        (
            "b = 1\ndef f():\n    a = 1\n#: m: b = 2\n    return a\n",
            4,
            "'m' begins in column 1, and the statement that ends above it, in line 3, in column 5: write `#:` there",
        ),
        ("a = 1\n#: m: b -> c\n", 2, "`b`, which does not stand in line 1: write a piece of code that stands there"),
        ("a = f(b, 2)\n#: m: f(b,2) -> c\n", 2, "does not stand in line 1: write `f(b, 2)`, as it stands there"),
        ("a = f(\n    b)\n#: m: f(b) -> c\n", 3, "`f(b)`, which does not stand in lines 1 to 2: write a piece of code"),
        (
            "a = 2 * k + k\n#: m: k -> c\n",
            2,
            "stands 2 times in line 1: write more of what stands around it, such as `* k`",
        ),
        ("a = k\n#: m: k->c\n", 2, "an arrow of 'm' lacks a space: write `#: m: k -> c`"),
        ("a = k\n#: m: a = k->\n", 2, "lacks a space: write `#: m: a = k ->`"),
        ("a = 2 * k\n#: m: 2 -> 3, and k->c\n", 2, "lacks a space: write `#: m: 2 -> 3, and k -> c`"),
        ('a = f("i->j")\n#: m: "i->j"->"j->i"\n', 2, """lacks a space: write `#: m: "i->j" -> "j->i"`"""),
        ("a = 1\n#: m:\n    #:     a = 2\n", 2, "'m' changes nothing: write `#: m: old -> new`, or lines below it"),
        ("a = 1\n#: m: 1 -> 1\n", 2, "changes `1` to itself"),
        ("a = 1\n#: m:\n", 2, "'m' changes nothing"),
        ("a = 1\n#: m: =\n", 2, "'m' changes nothing"),
        ("a = 1\n#: m: a = 2\n#:     a = 3\n", 2, "holds a change in its first line and lines below it"),
        ("a = 1\n#: m: 1 -> (\n", 2, "'m' is not Python"),
        ("a = 1\n#: m: 1 -> 2\n#: m: a = 2\n", 3, "stands there already, in line 2"),
        ("a = 1\n#: a mistake\n", 2, "begins no mistake: write it as in"),
        ("a = 1\n#: m (never): 1 -> 2\n", 2, r"says (never): write (alone), or (not with NAME)"),
        ("a = 1\n#: m (not with n): 1 -> 2\n", 2, "'m' says (not with n), and there is no such mistake"),
        ('a = f(x)\n#: m: a = f("i -> j", x)\n', 2, "write a statement that holds ` -> ` as a block"),
        (
            "a = 1\n#: m: 1 -> 2, or 3, or 4\nb = 1\n#: m: 1 -> 2, or 3\n",
            4,
            "3 forms under one statement and 2 under this",
        ),
    ],
)
def test_what_cannot_be_read_is_one_line_with_its_place(text: str, line: int, said: str) -> None:
    with pytest.raises(ProblemError) as raised:
        read_forms(text)
    assert said in str(raised.value)
    assert raised.value.line == line


@pytest.mark.parametrize("change", ['a = f("i->j")', "i->j -> j->i"])
def test_an_arrow_without_spaces_may_stand_in_a_string(change: str) -> None:
    text = f'a = f("i->j", 2)\n#: m: {change}\n'
    assert len(read_forms(text)["m"]) == 1


def test_a_mark_in_a_string_or_after_code_is_no_mistake() -> None:
    assert read_forms('a = "#: m: 1 -> 2"  #: n: 1 -> 2\nb = """\n#: m: 1 -> 2\n"""\n') == {}
