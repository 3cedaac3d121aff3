"""The words of pitfalls: a name in kebab-case, whole sentences, and no hint that gives the answer away."""

from __future__ import annotations

import pytest

from grader import Problem
from grader.author.wording_checks import check_wording
from grader.kit.mistakes import MistakeWords, Pitfall, read_forms
from grader.kit.solution import Solution

ANSWER = """def scaled(seed, T):
    values = jnp.cos(seed + 3.0 * jnp.arange(T))
    return values / jnp.sqrt(T)
"""


def found(
    name: str = "half-base",
    why: str = "The base is halved.",
    hint: str = "Which base is it?",
    answer: str = ANSWER,
    change: str = "10000.0 -> 5000.0",
) -> list[tuple[str, str]]:
    """The checks and messages for one mistake."""
    text = f"def scaled(seed, T):\n    return 10000.0 ** (-2 * T) + 0.5\n    #: m: {change}\n"
    pitfall = Pitfall(name, tuple(read_forms(text)["m"]), MistakeWords(why, hint))
    problem = Problem(cases=[(0, 1)], solution=Solution("scaled", "answer.py", text, (pitfall,)))
    listed = list(check_wording(problem, answer))
    assert {pitfall.name for pitfall, _, _ in listed} <= {name}
    return [(check, message) for _, check, message in listed]


def test_careful_words_have_no_finding() -> None:
    assert found() == []
    assert found(hint="It starts at 2, not at 1: why?") == []


@pytest.mark.parametrize("name", ["HalfBase", "half_base", "half base", "half-", "-half", "2nd-base", "half--base", ""])
def test_a_name_is_small_words_joined_by_hyphens(name: str) -> None:
    ((check, message),) = found(name)
    assert (check, repr(name) in message) == ("name", True)


@pytest.mark.parametrize(
    ("why", "hint", "said"),
    [
        ("", "Which base is it?", "has no why"),
        ("The base is halved.", "  ", "has no hint"),
        ("The base is halved", "Which base is it?", "the why of 'half-base' does not end as a sentence"),
        ("Is the base halved?", "Which base is it?", "the why of 'half-base' does not end as a sentence"),
        ("The base is halved.", "Look at the base", "the hint of 'half-base' does not end as a sentence"),
    ],
)
def test_a_why_is_a_sentence_and_a_hint_is_one_or_a_question(why: str, hint: str, said: str) -> None:
    ((check, message),) = found(why=why, hint=hint)
    assert check == "advice"
    assert said in message


@pytest.mark.parametrize(
    ("hint", "change", "constant"),
    [
        ("Is the base 10000?", "10000.0 -> 5000.0", "10000"),
        ("Is the base 1e4, not 5000?", "10000.0 -> 5000.0", "10000"),
        ("Does it start at -2?", "-2 * T -> T", "-2"),
        ("Is it 0.5?", "0.5 -> 1.0", "0.5"),
    ],
)
def test_a_hint_does_not_hold_a_number_that_the_mistake_changes(hint: str, change: str, constant: str) -> None:
    ((check, message),) = found(hint=hint, change=change)
    assert check == "gives-away"
    assert f"holds {constant}," in message


@pytest.mark.parametrize(
    ("hint", "change"),
    [
        ("Is it x10000, or 10000x?", "10000.0 -> 5000.0"),
        ("Is the base 10000?", "-2 * T -> T"),
        ("Is the base 10000?", "10000.0 ** (-2 * T) -> 10000.0 ** T"),
        ("Is the base 10000?", "return 10000.0 ** T"),
    ],
)
def test_parts_of_words_and_numbers_that_the_mistake_keeps_give_nothing_away(hint: str, change: str) -> None:
    assert found(hint=hint, change=change) == []


def test_a_hint_does_not_hold_a_piece_of_the_worked_answer() -> None:
    ((check, message),) = found(hint="Is it values/jnp.sqrt( T )?")
    assert check == "gives-away"
    assert "`values/jnp.sqrt(T)`" in message
    assert found(hint="Do you mean jnp.sqrt(T)?") == []  # short pieces are in every program


def test_an_answer_that_is_not_python_is_not_compared() -> None:
    assert found(hint="Is it values / jnp.sqrt(T)?", answer="def scaled(:") == []
