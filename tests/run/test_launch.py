"""The choice of a launcher: the system and the environment decide, and a template that was started early is taken once."""

from __future__ import annotations

from typing import Any

import pytest

from grader.run import launch


class Started:
    """A launcher that starts nothing."""

    def __init__(self, *, clean: bool = False) -> None:
        self.clean, self.closed = clean, 0

    def close(self) -> None:
        self.closed += 1


class Forking(Started):
    pass


class Spawning(Started):
    pass


@pytest.fixture(autouse=True)
def _nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "Forking", Forking)
    monkeypatch.setattr(launch, "Spawning", Spawning)
    monkeypatch.setattr(launch, "guard_memory", lambda: None)
    monkeypatch.setattr(launch, "LINUX", True)
    monkeypatch.setattr(launch, "_early", None)
    monkeypatch.delenv("GRADER_START", raising=False)


@pytest.mark.parametrize(
    ("linux", "start", "kind"),
    [(True, "", Forking), (True, "fork", Forking), (True, "spawn", Spawning), (False, "fork", Spawning)],
)
def test_children_are_forked_on_linux_unless_the_environment_asks_otherwise(
    linux: bool, start: str, kind: type[Started], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "LINUX", linux)
    if start:
        monkeypatch.setenv("GRADER_START", start)
    made: Any = launch.launcher(clean=True)
    assert type(made) is kind
    assert made.clean


def test_the_memory_of_the_judge_is_guarded_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    monkeypatch.setattr(launch, "guard_memory", lambda: steps.append("guarded"))
    monkeypatch.setattr(launch, "Forking", lambda *, clean: steps.append("started"))
    launch.launcher()
    assert steps == ["guarded", "started"]


def test_a_template_that_was_started_early_is_taken_once() -> None:
    end = launch.start_early()
    first: Any = launch.launcher()
    second: Any = launch.launcher()
    assert first is not second
    end()
    assert first.closed == 0  # the owner of the launcher closes it


def test_a_template_that_nobody_took_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    end = launch.start_early(clean=True)
    early: Any = launch._early  # pyright: ignore[reportPrivateUsage]
    assert launch.launcher(clean=False) is not early  # its environment does not fit
    end()
    assert early.closed == 1


def test_nothing_starts_early_where_nothing_is_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_START", "spawn")
    launch.start_early()()
    assert launch._early is None  # pyright: ignore[reportPrivateUsage]


def test_what_was_started_is_not_started_again_unless_answers_are_confined() -> None:
    launch.start_early()
    first = launch.__dict__["_early"]
    launch.start_early()
    assert launch.__dict__["_early"] is first
    end = launch.start_early(clean=True)
    assert (launch.__dict__["_early"].clean, first.closed) == (True, 1)
    end()
    end()
    assert launch.__dict__["_early"] is None
