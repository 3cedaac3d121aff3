"""Answers as people write them, through the real command: right ones pass, wrong ones are named, nobody is blamed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import answers
from tests.answers import Written
from tests.conftest import Command

PROBLEMS = sorted(folder.name for folder in answers.HERE.iterdir() if (folder / "right.txt").is_file())
NOT_AS_ONE_PROGRAM = {
    "a double loop with at-set": "long-trace",
    "rows appended and stacked": "long-trace",
    "converts with float(), so it does not trace": "not-traceable",
}


def listed(kind: str) -> list[Any]:
    return [
        pytest.param(problem, written, id=f"{problem}: {written.title}")
        for problem in PROBLEMS
        for written in answers.read(problem, kind)
    ]


@cache
def verdicts(kit: Path, problem: str, kind: str) -> dict[str, Any]:
    """All answers of a file in one go, as an instructor would grade them."""
    folder = kit / "answers" / problem / kind
    folder.mkdir(parents=True, exist_ok=True)
    written = answers.read(problem, kind)
    options: list[str] = []
    for number, one in enumerate(written):
        (folder / f"{number}.py").write_text(one.text)
        options += ["--answer", str(folder / f"{number}.py")]
    document = Command(kit).json("check", problem, *options)
    return {one.title: verdict for one, verdict in zip(written, document["verdicts"], strict=True)}


@pytest.mark.parametrize(("problem", "written"), listed("right"))
def test_a_right_answer_passes(problem: str, written: Written, shared_kit: Path) -> None:
    verdict = verdicts(shared_kit, problem, "right")[written.title]
    assert (verdict["status"], verdict["pitfalls"]) == ("correct", [])
    expected = NOT_AS_ONE_PROGRAM.get(written.title)
    assert [insight["name"] for insight in verdict["insights"]] == ([expected] if expected else [])


@pytest.mark.parametrize(("problem", "written"), listed("wrong"))
def test_a_wrong_answer_is_named(problem: str, written: Written, shared_kit: Path) -> None:
    verdict = verdicts(shared_kit, problem, "wrong")[written.title]
    assert verdict["status"] == "wrong"
    assert sorted(verdict["pitfalls"]) == sorted(written.names)
    assert verdict["explained"] is written.explained
    assert verdict["alternatives"] == []


@pytest.mark.parametrize("problem", PROBLEMS)
def test_there_are_at_least_thirty_right_styles(problem: str) -> None:
    titles = [written.title for written in answers.read(problem, "right")]
    assert len(titles) >= 30
    assert len(set(titles)) == len(titles)
