"""The engine of Dask, by a client that runs nothing: who is refused before work, and how a shard may end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest

from grader.classroom.engines import dask
from grader.classroom.engines.dask import DaskEngine
from grader.classroom.engines.shard_loop import EngineError
from grader.classroom.engines.worker import Probed, Reply, probe, run_shard, versions
from grader.classroom.shard import head_line, read_shard
from tests.classroom.engines.test_shard_loop import work_of


class Client:
    """Two workers on one machine, each with a place. `answers` is what each says of itself."""

    def __init__(self, answers: Any = None) -> None:
        self.status, self.answers = "running", answers
        self.places: Any = {"tcp://10.0.0.7:1": 1, "tcp://10.0.0.7:2": 1}
        self.submitted: list[Any] = []
        self.cancelled: list[Any] = []

    def nthreads(self) -> dict[str, int]:
        if isinstance(self.places, Exception):
            raise self.places
        return self.places

    def run(self, function: Any, text: str, on_error: str) -> dict[str, Any]:
        assert (function, on_error) == (probe, "return")
        shard = read_shard(text.encode())
        assert shard.answers == [], "nobody sees an answer before all are checked"
        return {name: self.answers(head_line(shard, "A", 1)) for name in self.places}

    def submit(self, function: Any, *arguments: Any, **named: Any) -> Any:
        future = SimpleNamespace(status="pending", released=False, function=function, arguments=arguments, named=named)
        future.release = lambda: setattr(future, "released", True)
        self.submitted.append(future)
        return future

    def cancel(self, futures: list[Any]) -> None:
        self.cancelled += futures

    def close(self, timeout: float) -> None:
        self.status = "closed"


def engine(client: Client) -> DaskEngine:
    return DaskEngine(client, "tcp://10.0.0.1:8786", None)


def sound(first: str, **changed: str) -> str:
    return json.dumps(asdict(Probed({**versions(), **changed}, Reply("lab-3", first + '\n{"end": 0}\n'))))


def test_sound_workers_are_asked_once_before_any_answer_is_sent() -> None:
    client = Client(sound)
    engine(client).check(work_of(3))
    assert client.submitted == []


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (lambda first: sound(first, jax="0.9.0"), "(lab-3) has jax 0.9.0, and here is"),
        (lambda first: sound(first, grader="0.0.1"), "(lab-3) has grader 0.0.1"),
        (lambda first: sound(first.replace('"confinement": "A"', '"confinement": "C"')), "confinement 'C'"),
        (lambda _: json.dumps(asdict(Probed(versions(), Reply("lab-3", "", "no tier"))))[:], "(lab-3): no tier"),
        (lambda _: ModuleNotFoundError("No module named 'grader'"), "lacks the grader, or this version of it"),
        (lambda _: OSError("gone"), "fails before any work, with OSError: gone"),
        (lambda _: "{}", "does not say how it grades"),
        (lambda _: 7, "does not say how it grades"),
    ],
)
def test_a_worker_that_would_judge_otherwise_is_refused_by_name_in_one_line(
    answers: Callable[[str], Any], said: str
) -> None:
    with pytest.raises(EngineError) as raised:
        engine(Client(answers)).check(work_of(3))
    text = str(raised.value)
    assert text.startswith("Nothing was sent, because of the worker tcp://10.0.0.7:1 ")
    assert said in text
    assert text.endswith("(and 1 more)")
    assert len(text.splitlines()) == 1


def test_without_workers_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECT", 0.05)
    client = Client(sound)
    client.places = {}
    with pytest.raises(EngineError, match="has no workers: start some with `dask worker`"):
        engine(client).check(work_of(3))


def test_a_shard_is_sent_as_text_to_a_function_of_the_grader_and_released_when_it_is_done() -> None:
    client = Client()
    sender = engine(client)
    assert sender.workers() == (2, 2)
    sender.send("1", "{}", 1)
    sender.send("2", "{}", 2)
    first, second = client.submitted
    assert first.function is run_shard
    assert first.arguments == ("{}", None, {"10.0.0.7": 2}), "both workers share one machine"
    assert "resources" not in first.named
    assert (first.named["pure"], first.named["priority"], second.named["priority"]) == (False, -1, -2)
    assert first.named["key"] != second.named["key"]
    assert sender.ended() == []
    first.status, first.result = "finished", lambda timeout: json.dumps(asdict(Reply("w", "lines")))
    assert sender.ended() == [("1", Reply("w", "lines"))]
    assert (first.released, second.released) == (True, False)
    sender.close()
    assert client.cancelled == [second], "what still runs is ended"
    assert client.status == "closed"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("KilledWorker", "the workers that graded it ended, again and again"),
        ("CancelledError", "the scheduler dropped it"),
        ("ValueError", "ValueError: two lines"),
    ],
)
def test_a_shard_that_failed_is_no_result_but_a_reason(kind: str, said: str) -> None:
    def fails(timeout: float) -> str:
        raise type(kind, (Exception,), {})("two\nlines")

    client = Client()
    sender = engine(client)
    sender.send("1", "{}", 1)
    client.submitted[0].status, client.submitted[0].result = "error", fails
    ((_, reply),) = sender.ended()
    assert (reply.output, reply.error) == ("", said)


def test_a_worker_that_came_later_and_refuses_gets_no_other_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "AFRESH", 0.0)
    client = Client()
    good, late = client.places
    sender = engine(client)
    sender.workers()
    sender.send("1", "{}", 1)
    refusal = Reply("late", "", "another kit", refused=True, address=late)
    client.submitted[0].status, client.submitted[0].result = "finished", lambda timeout: json.dumps(asdict(refusal))
    assert sender.ended() == [("1", refusal)]
    assert sender.notes == [f"The worker late at {late} refused its shard: another kit"]
    assert sender.workers() == (1, 1)
    sender.send("2", "{}", 2)
    assert [one.named["workers"] for one in client.submitted] == [None, [good]]
    assert sender.ended() == []
    client.places = {late: 1}
    assert sender.workers() == (1, 1), "where nobody else is, it is asked again"
    ((_, reply),) = sender.ended()
    assert "the workers that it was sent to are gone" in reply.error
    sender.send("3", "{}", 3)
    assert client.submitted[2].named["workers"] == [late]


@pytest.mark.parametrize("sent", ["no JSON", "[]", '{"worker": "w"}'])
def test_a_reply_that_is_none_is_not_believed(sent: str) -> None:
    client = Client()
    sender = engine(client)
    sender.send("1", "{}", 1)
    client.submitted[0].status, client.submitted[0].result = "finished", lambda timeout: sent
    ((_, reply),) = sender.ended()
    assert reply.error.startswith("a worker sent no reply")


def test_a_scheduler_that_is_gone_ends_the_run_and_one_that_hesitates_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "AFRESH", 0.0)
    client = Client()
    client.places = OSError("timed out")
    sender = engine(client)
    assert sender.workers() == (0, 0)
    client.status = "closed"
    with pytest.raises(EngineError, match=r"is gone. What was done is kept"):
        sender.workers()


CONNECT = """
import sys
from grader.classroom.engines import dask

dask.CONNECT = 0.2
try:
    with dask.connected(sys.argv[1], 1):
        print("connected")
except dask.EngineError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", ["nonsense", "smoke://x:1", "tcp://127.0.0.1:9"])
def test_a_scheduler_that_does_not_answer_is_one_line(scheduler: str) -> None:
    pytest.importorskip("distributed")
    # In a process of its own, as a command is: Dask closes a client that failed while the next one starts, and hangs.
    command = [sys.executable, "-c", CONNECT, scheduler]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.startswith(f"No scheduler of Dask answers at {scheduler} ("), done.stderr
    assert len(done.stdout.splitlines()) == 1
