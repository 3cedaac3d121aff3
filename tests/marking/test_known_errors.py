"""Each known error by its examples: a wrong program raises it and gets this advice, and the right one beside it runs."""

from __future__ import annotations

import platform
import re
from importlib.metadata import version

import pytest

from grader.marking.advice import KNOWN_ERRORS, known_error, raised_from
from grader.marking.known_errors.entry import KnownError
from tests.conftest import ROOT
from tests.marking.examples import raised_by

SOFTWARE = " ".join(
    ["python", platform.python_version(), *(f"{one} {version(one)}" for one in ("jax", "flax", "numpy"))]
)
TABLE = ROOT / "tests" / "golden" / "errors" / f"jax-{version('jax')}.txt"


@pytest.mark.few(12, 36)
@pytest.mark.parametrize("known", KNOWN_ERRORS, ids=lambda known: f"{known.error} {known.message} {known.line}")
def test_a_wrong_program_gets_this_advice_and_the_right_one_runs(known: KnownError) -> None:
    assert known.examples
    for wrong, right in known.examples.items():
        described = raised_by(wrong)
        assert described is not None, f"it raises nothing: {wrong}"
        found = known_error(described)
        assert found is not None, f"no advice for {described}"
        assert found[0] is known, f"other advice for {described}: {found[0]}"
        assert (raised := raised_by(right)) is None, f"{raised} is raised by {right}"


def table() -> str:
    """What JAX says in each example, and the advice: the class, the message as it is shown, an empty line."""
    blocks: list[str] = []
    for known in KNOWN_ERRORS:
        for wrong in known.examples:
            described = raised_by(wrong)
            assert described is not None
            raised = raised_from(described)
            blocks.append(f"{known.message!r}\n{raised.kind}: {raised.message}\n-> {raised.advice}")
    return re.sub("0x[0-9a-f]+", "0x", "\n\n".join([SOFTWARE, *blocks, ""]))


@pytest.mark.nightly
@pytest.mark.slow
def test_what_jax_says_is_the_reviewed_table(pytestconfig: pytest.Config) -> None:
    """`pytest -m '' --bless tests/marking/test_known_errors.py` writes the table for the versions that are installed."""
    if pytestconfig.getoption("bless"):
        TABLE.write_text(table(), encoding="utf-8")
    reviewed = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    if not reviewed.startswith(f"{SOFTWARE}\n"):
        pytest.skip(f"no table is reviewed for {SOFTWARE}")
    assert table() == reviewed


@pytest.mark.parametrize("known", KNOWN_ERRORS)
def test_advice_is_one_line_of_whole_sentences(known: KnownError) -> None:
    assert "\n" not in known.advice
    assert known.advice.endswith((".", "?", "..."))


def test_advice_that_depends_on_the_line_comes_before_the_advice_for_any_line() -> None:
    for place, known in enumerate(KNOWN_ERRORS):
        if not known.line:
            later = {(one.error, one.message) for one in KNOWN_ERRORS[place + 1 :]}
            assert (known.error, known.message) not in later, known
