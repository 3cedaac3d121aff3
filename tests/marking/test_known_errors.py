"""Each piece of advice is for an error that is really raised, and its sentence stands on one line."""

from __future__ import annotations

import re

import pytest

from grader.marking.error_advice import advice
from grader.marking.known_errors import ADVICE
from tests.marking.test_error_advice import ERRORS


@pytest.fixture(scope="module")
def given() -> set[str]:
    """The advice for every error that the tests raise."""
    found: set[str] = set()
    for function, _ in ERRORS.values():
        try:
            function()
        except BaseException as error:
            lineage = [one.__name__ for one in type(error).__mro__]
            found.add(advice(lineage, str(error)))
    return found


OF_LINES = ("nn.[A-Z]", "nn.[a-z]")
"""What the learner's line alone shows is tested in `test_error_advice.py`."""


@pytest.mark.parametrize(
    ("name", "pattern", "sentence"), [one for one in ADVICE if not one[1].replace("\\", "").endswith(OF_LINES)]
)
def test_the_advice_is_given_for_an_error_that_is_raised(
    name: str, pattern: str, sentence: str, given: set[str]
) -> None:
    filled = re.escape(sentence).replace(r"\\1", ".+")
    assert any(re.fullmatch(filled, one) for one in given), f"no test raises a {name} like {pattern!r}"
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))
