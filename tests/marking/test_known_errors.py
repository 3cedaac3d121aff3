"""Each piece of advice is for an error that is really raised, and its sentence stands on one line."""

from __future__ import annotations

import pytest

from grader.marking.advice import KNOWN_ERRORS, KnownError, advice_for
from tests.marking.test_error_advice import ERRORS


@pytest.fixture(scope="module")
def given() -> set[str]:
    """The texts of the advice for every error that the tests raise."""
    found: set[str] = set()
    for function, _ in ERRORS.values():
        try:
            function()
        except BaseException as error:
            lineage = [one.__name__ for one in type(error).__mro__]
            found.add(advice_for(lineage, str(error)).text)
    return found


@pytest.mark.parametrize("known", [one for one in KNOWN_ERRORS if not one.line])
def test_the_advice_is_given_for_an_error_that_is_raised(known: KnownError, given: set[str]) -> None:
    """Advice that depends on the learner's line is tested in `test_error_advice.py`."""
    assert known.advice in given, f"no test raises a {known.error} like {known.message!r}"


@pytest.mark.parametrize("known", KNOWN_ERRORS)
def test_advice_is_one_line_of_whole_sentences(known: KnownError) -> None:
    assert "\n" not in known.advice
    assert known.advice.endswith((".", "?"))


def test_advice_that_depends_on_the_line_comes_before_the_advice_for_any_line() -> None:
    for place, known in enumerate(KNOWN_ERRORS):
        if known.line:
            same = [
                one for one in KNOWN_ERRORS[place + 1 :] if (one.error, one.message) == (known.error, known.message)
            ]
            assert same
            assert not same[-1].line
