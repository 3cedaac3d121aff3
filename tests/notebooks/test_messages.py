"""What a notebook and the process that judges send each other arrives as it was."""

from __future__ import annotations

import math

import pytest

from grader.marking.verdict import CaseResult, Status, Verdict
from grader.notebooks.messages import JudgeReply, JudgeRequest, line_of_json
from grader.values.decode import Malformed, from_json
from grader.values.message import verbatim


def test_a_request_arrives_on_one_line() -> None:
    message = JudgeRequest("/kit", "rope", "x = '\u2028'\n", "{}", "notebook", "best", 3, 60.0, "full")
    assert from_json(JudgeRequest, line_of_json(message)) == message
    assert line_of_json(message).count(b"\n") == 1


def test_a_reply_arrives_with_its_numbers() -> None:
    verdict = Verdict("rope", Status.WRONG, verbatim("Wrong."), cases=(CaseResult({"T": 3}, False, math.inf, 0.1),))
    message = JudgeReply(verdict, "Next", notes=("a", "b"))
    assert from_json(JudgeReply, line_of_json(message)) == message


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"verdict": 3}'])
def test_anything_else_is_none(data: bytes) -> None:
    with pytest.raises(Malformed):
        from_json(JudgeReply, data)
