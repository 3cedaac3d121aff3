"""Where a wrong answer goes wrong, from a file to its verdict, with all processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grade import grade
from grader.kit.kit import Kit
from grader.marking.verdict import Status, Verdict
from grader.report.places import messages
from grader.session import Session
from tests import answers
from tests.conftest import copy_kit


def graded(tmp_path: Path, name: str, title: str) -> tuple[Verdict, str]:
    """The verdict on a written answer, graded twice: the second time, everything is saved."""
    (text,) = [one.text for one in answers.read(name, "wrong") if one.title == title]
    kit = Kit(copy_kit(tmp_path / "kit", name))
    file = tmp_path / "answer.py"
    file.write_text(text)
    found: list[Verdict] = []
    for _ in range(2):
        with Session(kit) as session:
            found.append(grade(session, name, file))
    assert found[0].where == found[1].where
    return found[1], text


def expression(verdict: Verdict) -> str:
    (where,) = verdict.where
    span = where.span
    assert span.line == span.end_line
    return span.text[0][span.column : span.end_column]


@pytest.mark.nightly
@pytest.mark.slow
def test_the_mask_of_a_local_window_is_found_though_no_pitfall_explains_it(tmp_path: Path) -> None:
    verdict, _ = graded(tmp_path, "causal_attention", "a window of two keys")
    assert (verdict.status, verdict.diagnosis.explained) == (Status.WRONG, False)
    assert expression(verdict) == "away < 2"
    assert "all 6 cases" in str(messages(verdict.where)[0])


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("up to the length, and the length too", "jnp.arange(V) <= lengths[:, None]"),
        ("a sum taken for a constant", "logits / temperature"),
    ],
)
def test_under_a_derivative_the_place_is_in_the_value_or_in_its_derivative(
    title: str, shown: str, tmp_path: Path
) -> None:
    verdict, _ = graded(tmp_path, "grad_masked_entropy", title)
    assert verdict.status is Status.WRONG
    assert expression(verdict) == shown
