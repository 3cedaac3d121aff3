"""The cores of a machine are shared out to the answers that run at once, and one answer alone may use all of them."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.classroom.row import read_verdict
from grader.run.child import Child
from grader.run.judge import cores as module
from grader.run.judge.cores import Cores, shared
from tests.author import toys
from tests.cli.test_class import FIRST, HEAD, hand_in
from tests.conftest import Command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere cores are not shared out")


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> dict[int, Sequence[int]]:
    """Eight cores, of which none is 3. What each process is bound to, by its id; 404 has ended."""
    found: dict[int, Sequence[int]] = {}

    def bind(pid: int, mask: Sequence[int]) -> None:
        if pid == 404:
            raise ProcessLookupError
        found[pid] = mask

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 4, 5, 6, 7, 8})
    monkeypatch.setattr(os, "sched_setaffinity", bind)
    monkeypatch.setattr(module, "cores_here", lambda: 8)
    return found


def child(pid: int) -> Child:
    return Child(pid, -1, lambda: None)


@pytest.mark.parametrize(
    ("jobs", "each", "groups"), [(8, 1, 8), (4, 2, 4), (3, 2, 4), (2, 4, 2), (5, 1, 8), (20, 1, 8)]
)
def test_each_answer_gets_its_part_and_no_core_is_in_two(
    jobs: int, each: int, groups: int, bound: dict[int, Sequence[int]]
) -> None:
    found = shared(jobs)
    assert found is not None
    assert [len(one) for one in found.groups] == [each] * groups
    used = Counter(core for one in found.groups for core in one)
    assert set(used) <= {0, 1, 2, 4, 5, 6, 7, 8}
    assert set(used.values()) == {1}


def test_one_answer_at_a_time_may_use_all_cores(bound: dict[int, Sequence[int]]) -> None:
    assert shared(1) is None


def test_a_quota_below_the_number_of_cores_counts(
    bound: dict[int, Sequence[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "cores_here", lambda: 4)
    found = shared(2)
    assert found is not None
    assert {len(one) for one in found.groups} == {2}


def test_the_cores_that_the_fewest_use_are_next_and_those_of_the_dead_are_free(bound: dict[int, Sequence[int]]) -> None:
    found = Cores([(0,), (1,)])
    children = [child(pid) for pid in (10, 11, 12)]
    for one in children:
        found.bind(one)
    assert bound == {10: (0,), 11: (1,), 12: (0,)}
    for one in (children[0], children[2]):
        one.ended.set()
    found.bind(child(13))
    assert bound[13] == (0,)
    found.bind(child(404))  # it has ended meanwhile, and its end is told elsewhere


COUNTS = f"""{HEAD}    import os
    raise ValueError(f"{{len(os.sched_getaffinity(0))}} cores")
"""
COMPUTES = f"""{HEAD}    import jax
    big = jnp.ones((1200, 1200))
    for _ in range(6):
        big = jnp.tanh(big @ big)
    big.block_until_ready()
    raise ValueError("done")
"""


@pytest.mark.slow
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core")
def test_an_answer_of_a_class_uses_one_core_and_one_that_is_checked_alone_all(tmp_path: Path) -> None:
    toys.make(tmp_path / "kit", FIRST)
    kit = Command(tmp_path / "kit")
    hand_in(kit, {"ana": COUNTS, "ben": COMPUTES})
    kit.json("class", "grade", "week1", "--jobs", str(len(os.sched_getaffinity(0))))
    report = kit.json("class", "report", "week1")
    assert {one["raised"] for one in report["problems"][0]["groups"]} == {"ValueError: 1 cores", "ValueError: done"}
    with sqlite3.connect(kit.kit / "week1.gradebook") as database:
        ran = [read_verdict(text) for (text,) in database.execute("SELECT verdict FROM outcome")]
    assert all(verdict.run.processor <= 1.1 * verdict.run.seconds for verdict in ran)
    alone = kit.verdicts({"ana": COUNTS}, name=FIRST)["ana"]
    assert alone["raised"]["message"] == f"{len(os.sched_getaffinity(0))} cores"
