"""Messages between the judging process and the process of a reference arrive as they were sent."""

from __future__ import annotations

import os

import numpy as np
import pytest

from grader.kit.origin import Origin
from grader.marking.draws import Draw
from grader.marking.facts import Facts
from grader.marking.judge import Expected
from grader.marking.verdict import Named
from grader.oracle import messages
from grader.oracle.messages import Question, Reply

ORIGIN = Origin("3.11", {"jax": "0.10.2"}, {"a.py": "00"}, {"JAX_X": "1"})
FACTS = Facts("f", ("seed", "t"), ((0, 0.5),), ("row",), (Named("a", "b", "c"),), "grad", "t")
KEYS = [(("a", "b"), 1)]
ALL: list[Question | Reply] = [
    messages.OpenReference("/kit/reference.py", "reference.py", "cpu", True),
    messages.AskDraws(False),
    messages.AskTruth("gpu"),
    messages.AskLevel(2, 0),
    messages.AskConfirmation(("a", "b"), 1),
    messages.AskSets(3, [0, 2]),
    messages.AskFresh(7),
    messages.AskSteps(True, 1000),
    messages.AskExamination("module:function", {"file": "x", "whole": True}),
    messages.FactsReply(FACTS, ["line 3: rename it"]),
    messages.TruthReply([(2, 3)], ["float32"], [{"float16": 0.5}], [[Draw("00ff", 6)]], [["normal:0:6"]], 1, ORIGIN),
    messages.LevelReply(KEYS, ORIGIN),
    messages.ConfirmationReply(ORIGIN),
    messages.SetsReply(KEYS),
    messages.FreshReply([(1, 0.5)], [(3,)], ["int32"]),
    messages.StepsReply([0, 2], b"\x00steps"),
    messages.DrawsReply({"normal": [0.25]}),
    messages.ExaminationReply({"findings": [{"line": 3, "of": None}]}),
    messages.NoDeviceReply("there is no gpu"),
    messages.FaultReply("line 3", "Traceback"),
]


def test_every_message_is_tried() -> None:
    assert {type(one) for one in ALL} == {*Question.__args__, *Reply.__args__}


@pytest.mark.parametrize("message", ALL, ids=lambda one: type(one).__name__)
def test_a_message_arrives_with_its_expected_values(message: Question | Reply) -> None:
    expected = [Expected(np.arange(3.0), 0.5), Expected(np.arange(2), np.array([0.0, 1.0]))]
    reading, writing = os.pipe()
    try:
        messages.write(writing, message, expected)
        os.close(writing)
        arrived = messages.read(reading)
        assert arrived is not None
        assert arrived[0] == message
        for got, sent in zip(arrived[1], expected, strict=True):
            assert got.values.dtype == sent.values.dtype
            assert np.array_equal(got.values, sent.values)
            assert np.array_equal(got.tolerance, sent.tolerance)
        assert messages.read(reading) is None
    finally:
        os.close(reading)
