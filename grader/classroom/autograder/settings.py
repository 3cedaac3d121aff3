"""What an autograder was asked for when it was made: a file in its bundle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grader.classroom.points import DEFAULT, Points, Rule, in_text, parsed
from grader.kit.kit import KitError
from grader.options import Limits, Policy

FILE = "autograder.json"
SCHEMA = "grader/autograder/1"


@dataclass(frozen=True)
class Settings:
    """How answers are graded there.

    Attributes:
        problems: in the order in which they are graded and listed.
        points: the rule for all problems, as text.
        own: the rules of single problems, as text.
    """

    problems: tuple[str, ...]
    points: str = DEFAULT
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=lambda: Policy("best"))

    @property
    def rules(self) -> Points:
        return Points(parsed(self.points), {name: parsed(text) for name, text in self.own.items()})

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=1, sort_keys=True) + "\n"


def in_words(rule: Rule) -> str:
    """A rule as the text that `points.parsed` reads."""
    return ",".join(f"{name}={in_text(points)}" for name, points in rule.values.items())


def read(bundle: Path) -> Settings:
    """The settings of an unpacked bundle.

    Raises:
        KitError: there are none, or they are not whole.
    """
    path = bundle / FILE
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        if given.pop("schema") != SCHEMA:
            raise ValueError("made by another version of the grader")
        limits, policy = Limits(**given.pop("limits")), Policy(**given.pop("policy"))
        return Settings(tuple(given.pop("problems")), limits=limits, policy=policy, **given)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise KitError(f"{path} is not what the exporter wrote ({error}): make the autograder again.") from None
