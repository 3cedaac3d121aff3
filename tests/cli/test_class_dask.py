"""A class graded by a real cluster of two worker processes: the gradebook of a local run, also after kills."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.author import toys
from tests.cli.test_class import FIRST, HEAD, SECOND, WRONG, assert_same_outcomes, hand_in, left_in
from tests.conftest import Command, clean_environment

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines answers"),
]

CLUSTER = """
import sys
import dask

if __name__ == "__main__":
    from distributed import LocalCluster

    with dask.config.set({"distributed.scheduler.worker-saturation": 1.0, "distributed.scheduler.allowed-failures": 10}):
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0)
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
    cluster.close()
"""

SLEEPS = toys.ANSWER.replace("    x = ", "    import time\n    time.sleep(0.5)\n    x = ", 1)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A class of 32 texts in a kit of two toy problems, graded here."""
    folder = tmp_path_factory.mktemp("dask") / "kit"
    for name in (FIRST, SECOND):
        toys.make(folder, name)
    kit = Command(folder, process=True)
    texts = {f"s{n:02}": f"{WRONG if n % 3 else SLEEPS if n < 9 else toys.ANSWER}# {n}\n" for n in range(14)}
    others = {
        "dan": toys.STUB,
        "eve": f"{HEAD}    import os\n    os._exit(3)\n",
        "hal": "def distance_decay(seed, T)\n",
    }
    for name in (FIRST, SECOND):
        hand_in(kit, {**texts, **others}, name)
    done = kit("class", "grade", "week1", "--gradebook", "local.gradebook", "--seed", "7")
    assert done.returncode == 0, done.stderr
    return kit


@pytest.fixture(scope="module")
def scheduler(kit: Command, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers in the folder of the kit. In the end, no process is left there."""
    script = tmp_path_factory.mktemp("cluster") / "cluster.py"
    script.write_text(CLUSTER)
    with subprocess.Popen(
        [sys.executable, str(script)], cwd=kit.kit, env=clean_environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate(timeout=60)
    assert left_in(kit.kit) == []


def start(kit: Command, scheduler: str, gradebook: str) -> subprocess.Popen[str]:
    line = f"class grade week1 --gradebook {gradebook} --seed 7 --engine dask --scheduler {scheduler}".split()
    return subprocess.Popen(
        [sys.executable, "-m", "grader", *line], cwd=kit.kit, env={**clean_environment(), "GRADER_KIT": "."}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    return out, errors


def shards(kit: Command) -> list[psutil.Process]:
    """The processes that grade shards with the kit, in the order of their start. Their current folder is a neutral one."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        try:
            if "shard_process" in " ".join(process.cmdline()) and process.environ().get("GRADER_KIT") == str(kit.kit):
                found.append(process)
        except psutil.Error:
            continue
    return sorted(found, key=psutil.Process.create_time)


def until(true: Callable[[], Any], seconds: float = 60.0) -> Any:
    limit = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < limit
        time.sleep(0.1)
    return found


def answering(kit: Command, process: psutil.Process) -> list[psutil.Process]:
    """The answers that run in a shard: what its template forked and is confined in its own namespaces, or waits to be."""
    templates = [one for one in process.children() if "template" in " ".join(one.cmdline())]
    return [child for one in templates for child in one.children(recursive=True)]


def in_mid_shard(kit: Command) -> psutil.Process:
    """A shard that has graded an answer, and grades others. One that only asks what a worker is has printed no answer."""

    def graded() -> psutil.Process | None:
        for one in shards(kit):
            with contextlib.suppress(psutil.Error, OSError):
                printed = Path(f"/proc/{one.pid}/fd/1").read_bytes().splitlines()
                if any(b'"verdict"' in line for line in printed) and answering(kit, one):
                    return one
        return None

    return until(graded)


def test_the_gradebook_is_that_of_a_local_run(kit: Command, scheduler: str) -> None:
    out, errors = end(start(kit, scheduler, "two.gradebook"))
    assert_same_outcomes(kit, "two.gradebook", "local.gradebook")
    *progress, told = errors.splitlines()
    assert all(" done, " in line and " sent to 2 workers, " in line for line in progress), errors
    assert told == f" Kit: {kit.kit}"
    assert "Confined: tier" in out
    assert shards(kit) == []
    with sqlite3.connect(kit.kit / "two.gradebook") as database:
        before = database.execute("SELECT * FROM outcome").fetchall()
    end(start(kit, scheduler, "two.gradebook"))
    with sqlite3.connect(kit.kit / "two.gradebook") as database:
        assert database.execute("SELECT * FROM outcome").fetchall() == before, "nothing is graded twice"


def test_a_worker_that_is_killed_in_mid_shard_costs_nothing(kit: Command, scheduler: str) -> None:
    process = start(kit, scheduler, "killed.gradebook")
    shard = in_mid_shard(kit)
    worker = psutil.Process(shard.ppid())
    tree = [shard, *shard.children(recursive=True)]
    worker.send_signal(signal.SIGKILL)
    assert psutil.wait_procs(tree, timeout=10)[1] == [], "the shard ends with its worker"
    end(process)
    assert_same_outcomes(kit, "killed.gradebook", "local.gradebook")
    assert shards(kit) == []


def test_a_template_and_an_answer_that_are_killed_cost_nothing(kit: Command, scheduler: str) -> None:
    process = start(kit, scheduler, "hurt.gradebook")
    shard = in_mid_shard(kit)
    until(lambda: answering(kit, shard))[-1].send_signal(signal.SIGKILL)
    time.sleep(1)
    (template, *_) = [one for one in in_mid_shard(kit).children() if "template" in " ".join(one.cmdline())]
    template.send_signal(signal.SIGKILL)
    end(process)
    assert_same_outcomes(kit, "hurt.gradebook", "local.gradebook")
    assert shards(kit) == []


def test_when_the_coordinator_is_killed_the_shards_end_and_the_same_command_goes_on(
    kit: Command, scheduler: str
) -> None:
    process = start(kit, scheduler, "again.gradebook")
    in_mid_shard(kit)
    running = [one for shard in shards(kit) for one in (shard, *shard.children(recursive=True))]
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert psutil.wait_procs(running, timeout=15)[1] == [], "nobody waits for them"
    assert shards(kit) == [], "no other shard is begun"
    end(start(kit, scheduler, "again.gradebook"))
    assert_same_outcomes(kit, "again.gradebook", "local.gradebook")


def test_ctrl_c_says_what_is_kept_and_ends_the_shards(kit: Command, scheduler: str) -> None:
    process = start(kit, scheduler, "stopped.gradebook")
    in_mid_shard(kit)
    running = [one for shard in shards(kit) for one in (shard, *shard.children(recursive=True))]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    *before, last = errors.split("\n\n")[0].splitlines()
    assert last.startswith("Stopped. ")
    assert last.endswith(" of 32 are done and kept: the same command goes on with the rest.")
    assert all(" sent to 2 workers, " in line for line in before), errors
    assert psutil.wait_procs(running, timeout=15)[1] == []


def test_a_worker_with_another_kit_is_refused_by_name(kit: Command, scheduler: str) -> None:
    reference = kit.kit / "solutions" / FIRST / "answer.py"
    other = toys.make(kit.kit.parent / "other")
    for folder in ("problems", "solutions"):
        (other / folder / SECOND).symlink_to(kit.kit / folder / SECOND)
    theirs = other / reference.relative_to(kit.kit)
    theirs.write_text(theirs.read_text().replace("4.0", "3.0"))
    done = kit(
        *("class", "grade", "week1", "--gradebook", "other.gradebook", "--engine", "dask", "--scheduler", scheduler),
        GRADER_KIT=str(other),
    )
    (line,) = done.stderr.splitlines()
    assert (done.returncode, line.startswith("Nothing was sent, because of the worker tcp://127.0.0.1:")) == (
        2,
        True,
    ), line
    assert f"{FIRST} is judged otherwise here" in line
