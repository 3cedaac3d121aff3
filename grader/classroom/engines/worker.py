"""What runs on a worker of an engine: the process that grades a shard, which ends with the worker."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from grader.kit.kit import KitError, find
from grader.kit.software import DECISIVE, installed_version
from grader.run.judge.cores import cores_here
from grader.run.python import start

LARGEST_RESULTS = 1 << 28
"""The most bytes of results that are read."""

LONGEST_ERROR = 500
"""The most characters of an error that are told."""

REFUSED = 2
"""The exit status of the process if it does not begin."""

SECONDS_BETWEEN_LOOKS, SECONDS_TO_END = 0.5, 5.0
"""Seconds between two looks at whether a shard is still wanted, and that it has to end."""


@dataclass(frozen=True)
class Reply:
    """What came of a shard.

    Attributes:
        worker: the name of the worker; empty where nobody knows.
        error: why it did not come to its end, in one line; empty if it did.
        refused: whether this worker cannot grade it, and another one perhaps can.
        address: that of the worker, for its engine.
    """

    worker: str
    output: str
    error: str = ""
    refused: bool = False
    address: str = ""


@dataclass(frozen=True)
class Probed:
    """What a worker is: the versions that it grades with, and what came of a shard without answers."""

    versions: dict[str, str]
    reply: Reply


def versions() -> dict[str, str]:
    """Of all that can change a verdict."""
    return {name: installed_version(name) for name in ("grader", "python", *DECISIVE)}


def run_shard(text: str, jobs: int | None, places: Mapping[str, int]) -> str:
    """Grade a shard on a worker of Dask. The shard ends when the worker does, and when nobody waits for it any more.

    Args:
        jobs: answers at once; None for a fair part of the machine's cores.
        places: for each machine, how many shards its workers grade at once.

    Returns:
        a `Reply` as JSON.
    """
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        # A key whose futures are all gone is `cancelled` while its function runs on.
        task = worker.state.tasks.get(key)
        return (
            task is not None and task.state == "executing" and worker.status.name not in ("closing", "closed", "failed")
        )

    reply = run_program(text, str(worker.name), jobs or share(worker.address, places), wanted)
    return json.dumps(asdict(replace(reply, address=worker.address)))


async def probe(text: str, dask_worker: Any) -> str:
    """A `Probed` of a worker of Dask as JSON.

    Args:
        text: a shard without answers.
    """
    reply = await asyncio.to_thread(run_program, text, str(dask_worker.name), 1, lambda: True)
    return json.dumps(asdict(Probed(versions(), reply)))


def host(address: str) -> str:
    """The machine in the address of a worker."""
    return urlsplit(address).hostname or address


def share(address: str, places: Mapping[str, int]) -> int:
    """How many answers a shard may run at once, so that all shards on the machine together use its cores."""
    return max(1, cores_here() // max(1, places.get(host(address), 1)))


def run_program(text: str, worker: str, jobs: int, wanted: Callable[[], bool]) -> Reply:
    """Grade a shard in a process of its own, which ends when this one does: its input is then closed.

    Args:
        wanted: asked now and then; once it says no, the process is ended.
    """
    try:
        kit = find(None)
    except KitError as error:
        why = f"{error}".partition(". ")[0]
        return Reply(worker, "", f"{why}. Start this worker in the folder of the kit, or with GRADER_KIT=DIR.", True)
    program = ("-m", "grader.classroom.engines.shard_process", "--jobs", str(jobs))
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        status = _ended(program, kit.root, f"{text}\n".encode(), output, errors, wanted)
        output.seek(0)
        errors.seek(0)
        said = errors.read(1 << 16).decode(errors="replace")
        printed = output.read(LARGEST_RESULTS).decode(errors="replace")
        return Reply(worker, printed, _error(status, said), status == REFUSED and not printed)


def _ended(
    program: Sequence[str], kit: Path, text: bytes, output: Any, errors: Any, wanted: Callable[[], bool]
) -> int | None:
    """The exit status of the program; None if it was ended because nobody wants it."""
    variables = {"GRADER_KIT": str(kit)}
    process = start(program, variables=variables, stdin=subprocess.PIPE, stdout=output, stderr=errors)
    assert process.stdin is not None
    try:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(text)
            process.stdin.flush()
        while wanted():
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(SECONDS_BETWEEN_LOOKS)
        return None
    finally:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _error(status: int | None, said: str) -> str:
    if status == 0:
        return ""
    if status is None:
        return "it was stopped"
    if status < 0:
        return f"the process of the shard was ended by signal {-status}"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:LONGEST_ERROR] if lines else f"the process of the shard ended with the status {status}"
