"""What a notebook and the process that judges send each other arrives as it was."""

from __future__ import annotations

import math

import pytest

from grader.kit.decode import Malformed
from grader.marking.verdict import CaseResult, Status, Verdict
from grader.notebooks.messages import Asked, Told, asked, line, told
from grader.values.message import verbatim


def test_a_request_arrives_on_one_line() -> None:
    message = Asked("/kit", "rope", "x = '\u2028'\n", "{}", "notebook", "best", 3, 60.0, "full")
    assert asked(line(message)) == message
    assert line(message).count(b"\n") == 1


def test_a_reply_arrives_with_its_numbers() -> None:
    verdict = Verdict("rope", Status.WRONG, verbatim("Wrong."), cases=(CaseResult({"T": 3}, False, math.inf, 0.1),))
    message = Told(verdict, "Next", notes=("a", "b"))
    assert told(line(message)) == message


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"verdict": 3}'])
def test_anything_else_is_none(data: bytes) -> None:
    with pytest.raises(Malformed):
        told(data)
