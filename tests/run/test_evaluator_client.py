"""The evaluator as the judging process sees it: it asks each question once, and goes on without an evaluator that ended."""

from __future__ import annotations

import os
import signal
import time

import pytest

from grader.run.child import Child
from grader.run.judge.evaluator_client import LARGEST_PROGRAMS, EvaluatorClient
from tests.run.test_evaluator import evaluating, programs


def test_noise_is_computed_once() -> None:
    with evaluating(programs()) as client:
        assert client.rounding() is client.rounding()
        assert client.values() is client.values()


def test_an_evaluator_that_has_ended_gives_nothing() -> None:
    result, results = os.pipe()
    requests, request = os.pipe()
    os.close(requests)
    os.close(results)
    child = Child(-1, request, lambda: None, result, status=-signal.SIGXCPU)
    child.ended.set()
    client = EvaluatorClient(lambda: child, programs(), [{}, {}], [2, 3], True)
    assert client.values() is None
    assert client.rounding() is None
    client.close()


@pytest.mark.parametrize("sent", [0, LARGEST_PROGRAMS], ids=["no reply", "it reads nothing"])
def test_an_evaluator_that_takes_too_long_gives_nothing(sent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.run.judge.evaluator_client.SECONDS_FOR_A_QUESTION", 0.05)
    result, results = os.pipe()
    requests, request = os.pipe()

    def kill() -> None:
        child.ended.set()
        for one in (requests, results):
            os.close(one)

    child = Child(-1, request, kill, result)
    start = time.monotonic()
    client = EvaluatorClient(lambda: child, bytes(sent), [], [], True)
    assert client.values() is None
    assert time.monotonic() - start < 5
    assert child.ended.is_set()
    client.close()
    assert (child.request, child.result) == (-1, -1)
