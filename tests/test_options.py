"""The options of a command as values: the limits as a user writes them are the limits."""

from __future__ import annotations

from grader.commands.parameters import Seconds, Size
from grader.options import Limits


def test_on_the_clock_an_answer_may_take_five_times_its_processor_time_unless_another_limit_is_given() -> None:
    assert (Limits(20.0).clock, Limits(20.0, timeout=30.0).clock) == (100.0, 30.0)


def test_the_limits_as_text_are_read_as_the_limits() -> None:
    seconds, memory = Limits().as_text()
    assert Limits(Seconds().convert(seconds, None, None), Size().convert(memory, None, None)) == Limits()
