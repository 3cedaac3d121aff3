"""What the page reads and writes of a kit: the file is the truth, and no text is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from grader.commands.stub_grading import WatchSession
from grader.kit.kit import Kit, KitError
from grader.options import Options
from grader.serve.live_lessons import LiveLessons
from grader.serve.texts import digest_of
from tests.commands.test_check import HALF_AND_STACKED, RIGHT
from tests.conftest import FLAGSHIP, Command
from tests.early import Waiting

TAB = "0123456789abcdef"
Story = Callable[[LiveLessons, asyncio.Queue[dict[str, Any]]], Awaitable[None]]


def told(kit: Path, story: Story, name: str = FLAGSHIP, session_type: type[WatchSession] = WatchSession) -> None:
    """Run a story with live lessons on a kit, and a tab that shows a problem."""
    options = Options(Kit(kit))

    async def run() -> None:
        with session_type(options.kit) as session:
            lessons = LiveLessons(options, session)
            running = asyncio.create_task(lessons.run())
            try:
                with lessons.tab(name) as events:
                    await asyncio.wait_for(story(lessons, events), 60)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())


async def until(events: asyncio.Queue[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The next event of this kind; of verdicts, the next that stays."""
    while True:
        event = await events.get()
        if event["kind"] == kind and not event.get("provisional"):
            return event


@pytest.mark.slow
def test_a_save_is_graded_and_told_with_the_digest_of_its_text(own_kit: Command) -> None:
    async def story(lessons: LiveLessons, events: asyncio.Queue[dict[str, Any]]) -> None:
        before = await until(events, "text")
        lessons.save(FLAGSHIP, HALF_AND_STACKED, before["digest"], TAB)
        assert (await until(events, "running"))["name"] == FLAGSHIP
        verdict = await until(events, "verdict")
        assert (verdict["status"], verdict["digest"]) == ("wrong", digest_of(HALF_AND_STACKED))
        assert (verdict["picture"], verdict["passed"]) == (None, None)
        seen: dict[str, dict[str, Any]] = {}
        while not seen.keys() >= {"picture", "progress"}:  # whichever comes first
            event = await events.get()
            seen[event["kind"]] = event
        picture = seen["picture"]
        assert picture["picture"]["spec"]
        assert [(one["status"], one["solved"]) for one in seen["progress"]["rows"]] == [("wrong", False)]
        lessons.grade(FLAGSHIP)  # the same text: what is known is told at once
        assert (await until(events, "verdict")) == {**verdict, "picture": picture["picture"]}
        lessons.save(FLAGSHIP, RIGHT, digest_of(HALF_AND_STACKED), TAB)
        while (verdict := await until(events, "verdict"))["status"] != "correct":
            pass
        assert lessons.solution_is_open(FLAGSHIP) == "open"

    told(own_kit.kit, story)


@pytest.mark.slow
def test_what_a_program_shows_is_told_before_its_values_are_there(own_kit: Command) -> None:
    async def story(lessons: LiveLessons, events: asyncio.Queue[dict[str, Any]]) -> None:
        before = await until(events, "text")
        lessons.save(FLAGSHIP, HALF_AND_STACKED, before["digest"], TAB)
        while not (early := await events.get()).get("provisional"):
            pass
        assert (early["kind"], early["status"], early["passed"]) == ("verdict", "wrong", None)
        assert "Provisional" in early["html"]
        with lessons.tab(FLAGSHIP) as others:
            assert "verdict" not in [one["kind"] for one in iter_now(others)]
        verdict = await until(events, "verdict")
        assert (verdict["status"], verdict["says"]) == ("wrong", early["says"])
        assert "Provisional" not in verdict["html"]
        lessons.save(FLAGSHIP, RIGHT, verdict["digest"], TAB)
        while not (early := await events.get()).get("provisional") or early["digest"] == verdict["digest"]:
            pass
        assert (early["called"], early["passed"]) == ("right so far", None)
        assert "Provisional" in early["html"]
        assert "correct" not in early["html"]
        assert not any(row["solved"] for row in lessons.rows())
        verdict = await until(events, "verdict")
        assert (verdict["called"], verdict["passed"] is None) == ("correct", False)

    told(own_kit.kit, story, session_type=Waiting)


def test_hints_are_told_one_by_one_to_every_tab_of_the_lesson(own_kit: Command) -> None:
    async def story(lessons: LiveLessons, events: asyncio.Queue[dict[str, Any]]) -> None:
        assert (await until(events, "hints"))["html"] == []
        with lessons.tab("") as others:
            lessons.hints(FLAGSHIP, one=True)
            event = await until(events, "hints")
            assert (len(event["html"]), event["all"]) == (1, 3)
            assert [one["kind"] for one in iter_now(others)] == ["progress"]

    told(own_kit.kit, story)


@pytest.mark.slow
def test_a_hint_between_two_texts_does_not_mix_their_verdicts(own_kit: Command) -> None:
    async def story(lessons: LiveLessons, events: asyncio.Queue[dict[str, Any]]) -> None:
        shipped = await until(events, "text")
        lessons.save(FLAGSHIP, RIGHT, shipped["digest"], TAB)
        while (await until(events, "verdict"))["status"] != "correct":
            pass
        lessons.save(FLAGSHIP, shipped["text"], digest_of(RIGHT), TAB)
        assert (await until(events, "verdict"))["status"] == "unattempted"
        lessons.hints(FLAGSHIP, one=True)
        lessons.save(FLAGSHIP, RIGHT, shipped["digest"], TAB)
        while (verdict := await until(events, "verdict"))["digest"] != digest_of(RIGHT):
            pass
        assert verdict["status"] == "correct"

    told(own_kit.kit, story)


def iter_now(events: asyncio.Queue[dict[str, Any]]) -> list[dict[str, Any]]:
    return [events.get_nowait() for _ in range(events.qsize())]


def test_a_stub_that_cannot_be_read_is_told_with_the_reason(own_kit: Command) -> None:
    stub = Kit(own_kit.kit).stub(FLAGSHIP)
    stub.write_bytes(b"\xff")

    async def story(lessons: LiveLessons, events: asyncio.Queue[dict[str, Any]]) -> None:
        event = await until(events, "text")
        assert (event["text"], "UTF-8" in event["fault"]) == ("", True)

    told(own_kit.kit, story)


def test_a_kit_without_a_sound_problem_is_refused(tmp_path: Path) -> None:
    (tmp_path / "problems" / "toy").mkdir(parents=True)
    (tmp_path / "problems" / "toy" / "README.md").write_text("nothing")
    (tmp_path / "problems" / "toy" / "stub.py").write_text("")

    async def run() -> None:
        options = Options(Kit(tmp_path))
        with WatchSession(options.kit) as session, pytest.raises(KitError, match="no sound problem"):
            LiveLessons(options, session)

    asyncio.run(run())


@pytest.mark.nightly
@pytest.mark.slow
def test_a_run_and_a_trace_wait_for_the_grading_and_take_the_text_that_is_typed(own_kit: Command) -> None:
    async def story(lessons: LiveLessons, events: asyncio.Queue[dict[str, Any]]) -> None:
        before = await until(events, "text")
        lessons.save(FLAGSHIP, HALF_AND_STACKED, before["digest"], TAB)
        assert (await until(events, "running"))["doing"] == "grading"
        lessons.run_answer(FLAGSHIP, RIGHT, ["T=2"], 80)
        assert (await until(events, "verdict"))["status"] == "wrong"
        ran = await until(events, "ran")
        assert ran["arguments"] == {"seed": "0", "T": "2", "d_model": "4"}
        assert "0.8415 0.5403" in ran["text"]
        assert ran["picture"]["said"] == ""  # nobody has judged these values
        lessons.trace_answer(FLAGSHIP, RIGHT, None, 80)
        traced = await until(events, "traced")
        assert {"line": 7, "text": "int32(3, 1) 0 1 2"} in traced["remarks"]

    told(own_kit.kit, story)


@pytest.mark.slow
def test_a_save_takes_the_place_of_a_run_and_a_stop_ends_what_waits(own_kit: Command) -> None:
    async def story(lessons: LiveLessons, events: asyncio.Queue[dict[str, Any]]) -> None:
        before = await until(events, "text")
        endless = RIGHT.replace("    positions =", "    while True: pass\n    positions =", 1)
        lessons.run_answer(FLAGSHIP, endless, [], 80)
        assert (await until(events, "running"))["doing"] == "running"
        lessons.save(FLAGSHIP, RIGHT, before["digest"], TAB)
        assert (await until(events, "stopped"))["doing"] == "running"
        assert (await until(events, "verdict"))["status"] == "correct"
        lessons.run_answer(FLAGSHIP, endless, [], 80)
        lessons.stop()
        assert (await until(events, "stopped"))["doing"] == "running"

    told(own_kit.kit, story)
