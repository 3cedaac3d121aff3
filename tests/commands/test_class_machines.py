"""The command lines of `class shards`, `class record` and `shard`: which options reach which function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader import cli
from grader.commands import class_record, class_shards, shard
from grader.commands.class_grade import Asked
from grader.options import Limits, Policy
from tests.author import toys


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the functions behind the commands were called with; the current folder is a kit, and is named."""
    calls: list[Any] = []
    monkeypatch.chdir(toys.make(tmp_path / "kit"))
    monkeypatch.setenv("GRADER_KIT", ".")
    for module, name in ((class_shards, "write_shards"), (class_record, "record_results"), (shard, "grade_shard")):
        monkeypatch.setattr(module, name, lambda *given, **named: calls.append((*given, *named.values())) or 0)
    return calls


def test_shards_are_of_twenty_answers_and_confined_unless_more_is_asked(asked: list[Any]) -> None:
    assert cli.run(["class", "shards", "week1", "--out", "round1"]) == 0
    assert (
        cli.run(
            [
                "class",
                "shards",
                "week1",
                "--out",
                "r",
                "--size",
                "40",
                "--time-limit",
                "20",
                "--problems",
                "a,b",
                "--fresh",
                "7",
            ]
        )
        == 0
    )
    (options, what, out, size), (other, named, _, forty) = asked
    assert (options.policy, options.limits, out, size) == (Policy("best"), Limits(), Path("round1"), 20)
    assert what == Asked(Path("week1"), None, [], [], None, None)
    assert (other.limits.seconds, named.problems, named.fresh, forty) == (20.0, ["a", "b"], 7, 40)


def test_results_are_recorded_in_the_gradebook_that_is_named(asked: list[Any]) -> None:
    assert cli.run(["class", "record", "week1", "1.jsonl", "round2", "--json"]) == 0
    assert asked == [(Path("week1"), (Path("1.jsonl"), Path("round2")), True, True)]
    assert cli.run(["class", "record", "week1"]) == 2


def test_a_shard_needs_its_document(asked: list[Any]) -> None:
    assert cli.run(["shard"]) == 2
    assert cli.run(["shard", "-", "--jobs", "2"]) == 0
    assert asked[0][1:] == ("-", 2)
