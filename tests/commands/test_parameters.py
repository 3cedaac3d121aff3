"""What several commands take: times and sizes as people write them, and options as values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import pytest

from grader import cli
from grader.commands.parameters import CommonOptions, Seconds, Size
from grader.options import Limits, Options, Policy
from tests.author import toys


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Seconds(), "20", 20.0),
        (Seconds(), "2.5s", 2.5),
        (Seconds(), "2m", 120.0),
        (Size(), "512M", 512 << 20),
        (Size(), "1.5gb", 3 << 29),
        (Size(), "2GiB", 2 << 30),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_a_value_is_read_as_people_write_it(kind: click.ParamType[float], text: str, value: float) -> None:
    assert kind.convert(text, None, None) == value


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Seconds(), "soon", "is not a time"),
        (Seconds(), "0", "is not a time"),
        (Size(), "4X", "is not a size"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_what_cannot_be_meant_is_refused(kind: click.ParamType[float], text: str, said: str) -> None:
    with pytest.raises(click.BadParameter, match=said):
        kind.convert(text, None, None)


def test_shared_options_are_the_values_of_a_command(tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    limits = Limits(20.0, 1 << 30, 50.0)
    given = CommonOptions(kit, colour=False, json=True, limits=limits, confine="C", seed=3, feedback="verdict")
    options = given.options()
    assert options == Options(options.kit, "cpu", limits, Policy("C", 3, "verdict"), json=True, colour=False)
    assert options.kit.root == kit
    assert (options.kit.state / "stubs").exists(), "else any text that looks like a stub would be taken for one"


@pytest.mark.parametrize(
    ("confine", "fresh", "seed", "drawn"),
    [
        ("", None, None, False),
        ("best", None, None, True),
        ("best", False, None, False),
        ("", True, None, True),
        ("", None, 0, True),
        ("best", True, 7, True),
    ],
)
def test_fresh_inputs_are_drawn_if_asked_for_and_for_confined_answers(
    confine: str, fresh: bool | None, seed: int | None, drawn: bool, tmp_path: Path
) -> None:
    given = CommonOptions(toys.make(tmp_path / "kit"), confine=confine, fresh=fresh, seed=seed)
    policies = [given.options().policy, given.options().policy]
    assert [one.fresh is not None for one in policies] == [drawn, drawn]
    assert (policies[0] == policies[1]) == (seed is not None or not drawn), "without a seed, each run draws another"
    assert replace(policies[0], fresh=seed) == Policy(confine, seed)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check toy --no-fresh --seed 7", "--seed is for fresh inputs, and --no-fresh draws none"),
        ("check toy --seed -1", "-1 is not in the range"),
        ("check toy --seed 2147483648", "2147483648 is not in the range"),
        ("watch toy --device gpu --confine", "Answers are confined on the cpu"),
        ("run toy --device gpu --tier A", "Answers are confined on the cpu"),
    ],
)
def test_options_that_do_not_fit_are_one_line(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(line.split()) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1


def test_a_command_that_has_to_know_where_to_write_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", "week1", "csv"]) == 2
    assert "Missing option '-o' / '--out'" in capsys.readouterr().err
