"""Dask as the engine: a scheduler that runs already, and its workers."""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
import warnings
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from grader.classroom.engines.shard_loop import EngineError
from grader.classroom.engines.worker import Probed, Reply, host, probe, run_shard, versions
from grader.classroom.plan import PlannedAnswer
from grader.classroom.shard import RefusedShard, head_of, shard_document
from grader.values.decode import Malformed, decode, parse

CONNECT = 10.0
"""Seconds to wait for a scheduler, and for its first worker."""

AFRESH = 1.0
"""Seconds for which the list of workers is not asked for again."""

CONFINED = ("best", "A", "B")
"""How answers must be confined: else one could connect to the scheduler, and whoever does that can run anything there."""


def require() -> None:
    """Check that the package is there.

    Raises:
        EngineError: if it is not.
    """
    try:
        import distributed  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        try:
            version("grader")
            package = "grader[dask]"
        except (
            PackageNotFoundError
        ):  # a checkout that is not installed: the index may have another package of this name
            package = "distributed"
        raise EngineError(f"--engine dask needs a package that is not installed: pip install '{package}'") from None


@contextlib.contextmanager
def connected(scheduler: str, jobs: int | None) -> Generator[DaskEngine]:
    """The engine of a scheduler. At the end, whatever is still graded there is ended.

    Args:
        scheduler: its address, or the file that it wrote its address to (`--scheduler-file`).
        jobs: answers at once in a shard; None for a fair part of a machine's cores.

    Raises:
        EngineError: if the package is missing, or nothing answers.
    """
    require()
    from distributed import Client

    _silence()
    where: dict[str, Any] = {"scheduler_file": scheduler} if Path(scheduler).is_file() else {"address": scheduler}
    try:
        with warnings.catch_warnings(action="ignore"):  # it compares versions of packages that change no verdict
            client: Any = Client(**where, timeout=CONNECT, set_as_default=False, name="grader")
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        said = " ".join(f"{error}".split()) or type(error).__name__
        raise EngineError(
            f"No scheduler of Dask answers at {scheduler} ({said[:200]}): start one with `dask scheduler`, and give the "
            "address that it prints."
        ) from None
    engine = DaskEngine(client, scheduler, jobs)
    try:
        yield engine
    finally:
        engine.close()


class DaskEngine:
    """Sends shards to the workers of a scheduler (see `shard_loop.Engine`).

    A worker that refuses a shard gets no other one, as long as there are workers that did not. It came after `check`.

    Attributes:
        notes: which workers those are, and why, in one line each.
    """

    def __init__(self, client: Any, scheduler: str, jobs: int | None) -> None:
        self._client, self._scheduler, self._jobs = client, scheduler, jobs
        self._run = secrets.token_hex(8)
        self.notes: list[str] = []
        self._futures: dict[str, tuple[Any, list[str]]] = {}
        self._refusing: set[str] = set()
        self._places: Mapping[str, int] = {}
        self._asked = -AFRESH

    def check(self, work: Sequence[PlannedAnswer]) -> None:
        """Ask every worker what it is, before any answer is sent.

        Raises:
            EngineError: if there is none, or one would judge otherwise, or cannot confine answers as asked.
        """
        until = time.monotonic() + CONNECT
        while not self.workers()[0]:
            if time.monotonic() > until:
                raise EngineError(
                    f"The scheduler at {self._scheduler} has no workers: start some with `dask worker`, and run this again."
                )
            time.sleep(0.1)
        empty = shard_document("probe", work, answers=False)
        try:
            told: dict[str, Any] = self._client.run(probe, empty, on_error="return")
        except (OSError, TimeoutError) as error:
            raise EngineError(f"The workers at {self._scheduler} do not answer: {error}.") from None
        refused = [f"{address} {why}" for address, reply in sorted(told.items()) if (why := _refused(reply))]
        if refused:
            more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
            raise EngineError(f"Nothing was sent, because of the worker {refused[0]}{more}")

    def workers(self) -> tuple[int, int]:
        if time.monotonic() - self._asked >= AFRESH:
            try:
                self._places = dict(self._client.nthreads())
            except (OSError, TimeoutError, RuntimeError):
                self._places = {}  # it may come back: the client tries to connect again
            if self._client.status in ("closed", "closing"):
                raise EngineError(
                    f"The scheduler at {self._scheduler} is gone. What was done is kept: start it again with its workers, "
                    "and run the same command again."
                )
            self._asked = time.monotonic()
        fit = [self._places[address] for address in self._fit()]
        return len(fit), sum(fit)

    def _fit(self) -> list[str]:
        """The addresses of the workers that get shards."""
        return [address for address in self._places if address not in self._refusing] or list(self._places)

    def send(self, name: str, text: str, rank: int) -> None:
        machines = Counter[str]()
        for address, places in self._places.items():
            machines[host(address)] += places
        only = self._fit() if self._refusing.intersection(self._places) else []
        future = self._client.submit(
            *(run_shard, text, self._jobs, dict(machines)),
            key=("grader", self._run, int(name)), pure=False, priority=-rank, retries=0, workers=only or None,
        )  # fmt: skip
        self._futures[name] = future, only

    def ended(self) -> Sequence[tuple[str, Reply]]:
        replies: list[tuple[str, Reply]] = []
        for name, (future, only) in list(self._futures.items()):
            if future.status != "pending":
                reply = _reply(future)
            elif only and not set(only).intersection(self._places):
                reply = Reply("", "", "the workers that it was sent to are gone")
            else:
                continue
            replies.append((name, reply))
            del self._futures[name]
            future.release()
            if reply.refused and reply.address not in self._refusing:
                self._refusing.add(reply.address)
                self.notes.append(f"The worker {reply.worker} at {reply.address} refused its shard: {reply.error}")
        return replies

    def close(self) -> None:
        """End what is still graded, and leave."""
        with contextlib.suppress(Exception):
            self._client.cancel([future for future, _ in self._futures.values()])
        with contextlib.suppress(Exception):
            self._client.close(timeout=CONNECT)


def _reply(future: Any) -> Reply:
    """What came of a shard; in place of a result, why there is none."""
    try:
        reply: Reply = decode(Reply, parse(future.result(timeout=CONNECT).encode()))
        return reply
    except Malformed as error:
        return Reply("", "", f"a worker sent no reply, but something {error}")
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        if type(error).__name__ == "KilledWorker":
            return Reply("", "", "the workers that graded it ended, again and again")
        if type(error).__name__ in ("CancelledError", "FutureCancelledError"):
            return Reply("", "", "the scheduler dropped it")
        return Reply("", "", f"{type(error).__name__}: {' '.join(f'{error}'.split())}"[:500])


def _refused(told: Any) -> str:
    """Why a worker does not grade, after its address; empty if it does."""
    if isinstance(told, ModuleNotFoundError):
        return f"lacks the grader, or this version of it ({told}): install the same there."
    if isinstance(told, BaseException):
        return f"fails before any work, with {type(told).__name__}: {' '.join(f'{told}'.split())[:300]}"
    try:
        probed: Probed = decode(Probed, parse(str(told).encode()))
        here = versions()
        name = f"({probed.reply.worker})" if probed.reply.worker else ""
        for package, wanted in here.items():
            if (there := probed.versions.get(package)) != wanted:
                return f"{name} has {package} {there}, and here is {wanted}: install the same there and here."
        if probed.reply.error:
            return f"{name}: {probed.reply.error}"
        head_of(probed.reply.output.encode().partition(b"\n")[0])
    except (Malformed, RefusedShard) as error:
        return f"does not say how it grades: {error}"
    return ""


def _silence() -> None:
    """Let Dask print nothing: what matters is told in one line."""
    for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
