"""A worker's part: a shard in a process of its own, which ends when nobody wants it any more."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from grader.classroom.engines import worker
from grader.classroom.engines.worker import Reply, host, run_program, share
from tests.author import toys
from tests.classroom.engines.test_shard_process import LOOP, lines, shard_of
from tests.cli.test_class import left_in
from tests.conftest import Command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines answers")


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    made = toys.make(tmp_path / "kit")
    monkeypatch.chdir(made)
    monkeypatch.delenv("GRADER_KIT", raising=False)
    return Command(made)


@pytest.mark.slow
def test_what_the_process_prints_comes_back(kit: Command) -> None:
    reply = run_program(shard_of(kit, toys.ANSWER), "w", 1, lambda: True)
    head, outcome, end = lines(reply.output)
    assert (reply.worker, reply.error, head["id"], end) == ("w", "", "one", {"end": 1})
    assert outcome["verdict"]["status"] == "correct"


@pytest.mark.nightly
@pytest.mark.slow
def test_once_nobody_wants_it_the_shard_ends_with_its_processes(kit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.monotonic()
    reply = run_program(shard_of(kit, LOOP), "w", 1, lambda: time.monotonic() < start + 3)
    assert reply.error == "it was stopped"
    assert time.monotonic() - start < 15, "the answer may take 30 s"
    monkeypatch.chdir("/")  # else this process is found there
    assert left_in(kit.kit) == []


def test_what_is_refused_comes_back_as_one_line(kit: Command) -> None:
    told = json.loads(shard_of(kit, toys.ANSWER))
    told["problems"] = dict.fromkeys(told["problems"], "0" * 16)
    reply = run_program(json.dumps(told), "w", 1, lambda: True)
    assert (reply.output, reply.error[:38], reply.refused) == ("", "distance_decay is judged otherwise her", True)


def test_a_worker_without_a_kit_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    monkeypatch.delenv("GRADER_KIT", raising=False)
    reply = run_program("{}", "w", 1, lambda: True)
    assert reply == Reply("w", "", reply.error, refused=True)
    assert reply.error.endswith("Start this worker in the folder of the kit, or with GRADER_KIT=DIR.")


def test_the_shards_on_one_machine_share_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "cores_here", lambda: 8)
    assert host("tcp://10.0.0.7:3000") == "10.0.0.7"
    assert share("tcp://10.0.0.7:3000", {"10.0.0.7": 2, "10.0.0.8": 5}) == 4
    assert share("tcp://10.0.0.8:3000", {"10.0.0.8": 20}) == 1
    assert share("tcp://10.0.0.9:3000", {}) == 8
