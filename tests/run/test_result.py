"""What goes to the process of an answer arrives there as it was sent."""

from __future__ import annotations

from dataclasses import fields

import pytest

from grader.run.protocol import Likely, Setup, Task
from grader.values import frames
from grader.values.codec import encode, from_frame

TASK = Task(b"x = 1", "a.py", "toy", ("seed", "rate"), ((0, 0.5), (1, 2.0)), contract="grad", endless=((2, 3),))


@pytest.mark.parametrize("sent", [TASK, Setup("cpu", Likely(("normal",), TASK), "B", 1 << 40)], ids=str)
def test_what_is_sent_arrives(sent: Task | Setup) -> None:
    assert from_frame(type(sent), *frames.decode(encode(sent))) == sent


@pytest.mark.parametrize(
    "text", ["gr\u00f6\u00dfe", "half: \ud83d", "\ud83d\ude00", "\x00\x1b", "x" * (1 << 21)], ids=ascii
)
def test_a_text_of_any_characters_and_any_length_arrives(text: str) -> None:
    sent = Task(text.encode("utf-8", "surrogatepass"), "a.py", "toy", (), ())
    arrived = from_frame(Task, *frames.decode(encode(sent)))
    assert arrived.text.encode("utf-8", "surrogatepass") == sent.source


def test_a_task_holds_no_language() -> None:
    assert not [one.name for one in fields(Task) if "lang" in one.name]
