"""A worked answer: what learners see of it, the functions that its mistakes are, and the words that belong to them."""

from __future__ import annotations

import pytest

from grader.kit.mistakes import pitfall_sets
from grader.kit.problem_error import ProblemError
from grader.kit.solution import Solution, bare, read

TEXT = '''"""Doubled (somebody, 2026)."""

import math

from grader import Problem

FACTOR = 2
#: tripled: 2 -> 3


def doubled(seed, n):
    # survives add: nobody sees it
    return [
        math.floor(FACTOR * k)  # survives mul: nor this
        for k in range(n)
    ]
    #: shifted/one: range(n) -> range(1, n + 1)
    #: shifted/two: range(n) -> range(2, n + 2)


problem = Problem(
    cases=[(0, 2)],
)
'''
WORDS = """# Words

## tripled

All is three times
what it was.

> How often
> is it?

## shifted

It begins late.

> Where does it begin?

### one

It begins at 1.

### two

It begins at 2.
"""


def worked(text: str = TEXT, words: str | None = WORDS) -> Solution:
    return read("doubled", "answer.py", text, words)


def test_learners_see_the_answer_alone() -> None:
    assert bare(TEXT) == (
        '"""Doubled (somebody, 2026)."""\n\nimport math\n\n\nFACTOR = 2\n\n\ndef doubled(seed, n):\n    return [\n'
        "        math.floor(FACTOR * k)\n        for k in range(n)\n    ]\n"
    )


def test_what_is_left_out_leaves_no_wide_gap() -> None:
    text = "class A:\n    x = 1\n    #: m: 1 -> 2\n\n\n    def f(self):\n        pass\n"
    assert bare(text) == "class A:\n    x = 1\n\n    def f(self):\n        pass\n"


def test_each_line_can_keep_its_number() -> None:
    numbered = bare(TEXT, numbered=True).split("\n")
    assert len(numbered) == len(TEXT.split("\n"))
    assert [line for line in numbered if line.strip()] == [line for line in bare(TEXT).split("\n") if line.strip()]
    assert numbered[12].strip() == TEXT.split("\n")[12].partition("  #")[0].strip()


def test_every_set_of_mistakes_is_a_function() -> None:
    solution = worked()
    given = {names: solution.function(forms)(0, 3) for names, forms in pitfall_sets(solution.pitfalls, 2)}
    assert solution.function()(0, 3) == [0, 2, 4]
    assert given == {("tripled", "shifted"): [6, 9, 12]}
    assert solution.function() is solution.function()


def test_a_function_has_the_lines_of_the_file() -> None:
    solution = worked()
    for forms in ((), *(forms for _, forms in pitfall_sets(solution.pitfalls, 1))):
        code = solution.function(forms).__code__
        assert (code.co_filename, TEXT.split("\n")[code.co_firstlineno - 1]) == ("answer.py", "def doubled(seed, n):")


def test_words_belong_to_the_mistakes_in_the_order_of_the_words() -> None:
    tripled, shifted = worked().pitfalls
    assert (tripled.name, tripled.words.why, tripled.words.hint) == (
        "tripled",
        "All is three times what it was.",
        "How often is it?",
    )
    assert shifted.words.notes == {"one": "It begins at 1.", "two": "It begins at 2."}
    assert [form.label for form in shifted.forms] == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "words", "file", "said"),
    [
        (TEXT, None, "mistakes.md", "there is no such file"),
        (TEXT, WORDS.replace("## tripled", "## other"), "", "'tripled' has no words: write a section `## tripled`"),
        (TEXT.replace("#: tripled: 2 -> 3\n", ""), WORDS, "mistakes.md", "'tripled' stands under no statement"),
        (TEXT, WORDS.replace("## tripled", "## "), "mistakes.md", "this heading has no name: write `## NAME`"),
        (TEXT, f"{WORDS}\n> Where?\n", "mistakes.md", "shifted/two has a question"),
        (TEXT, WORDS.replace("### two", "### three"), "mistakes.md", "no form of 'shifted' is called shifted/three"),
    ],
)
def test_a_mistake_without_words_or_words_without_a_mistake_are_refused(
    text: str, words: str | None, file: str, said: str
) -> None:
    with pytest.raises(ProblemError) as raised:
        worked(text, words)
    assert said in str(raised.value)
    assert raised.value.file == file


def test_the_function_has_the_name_of_the_folder() -> None:
    with pytest.raises(ProblemError, match="there is no function 'other'"):
        read("other", "answer.py", TEXT, WORDS).function()
