"""The process of a reference as the judging process sees it: started when it is first called, and again if it is lost."""

from __future__ import annotations

import contextlib
import os
import pkgutil
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from grader.kit.kit import Kit
from grader.kit.problem import Problem
from grader.kit.problem_error import ProblemError
from grader.options import NoSuchDevice
from grader.run.child import TRIES, Child, Killed, Launcher, started
from grader.values import codec, frames
from grader.values.arrays import Array
from grader.values.decode import decode


@dataclass(frozen=True)
class Served:
    """What the process gets first: the path of the reference that it loads, or None, and the platform that is judged."""

    reference: str | None
    device: str


@dataclass(frozen=True)
class Call:
    """A call of the function at `place` (`module:function`): with a problem, and with these arguments, which are JSON."""

    place: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def made(self, *problem: Problem) -> Reply:
        """What the function returns, here and now."""
        return codec.to_frame(pkgutil.resolve_name(self.place)(*problem, **self.arguments))


Reply = tuple[Any, Sequence[Array]]
"""What a call returns, as a JSON document and arrays (see `values/codec.py`): the caller knows of which type it is."""


@dataclass(frozen=True)
class ReferenceFault:
    """A fault of the kit or of the grader, and the line that it is about, of the reference or of a file beside it."""

    text: str
    line: int | None
    file: str
    traceback: str


class ReplyHeader(TypedDict, total=False):
    """The header of a reply: of what was returned, or why nothing was."""

    document: Any
    fault: ReferenceFault
    no_device: str


class LostChild(ProblemError):
    """The oracle child was killed: by the system, or an answer ended the template, and all its children with it."""


def how_it_ended(child: Child) -> str:
    """The signal or the exit status of a child, and the last line that it printed."""
    status = child.status or 0
    how = f"signal {-status}" if status < 0 else f"status {status}"
    printed = bytes(child.output).decode("utf-8", "replace").strip().splitlines()
    return f" ({how}{f': {printed[-1]}' if printed else ''})"


def has_layers(reference: Path) -> bool:
    """Whether a reference uses layers of Flax."""
    return "flax" in reference.read_text(encoding="utf-8", errors="replace")


class Connection:
    """One oracle child.

    Args:
        launcher: gives the launcher that starts the child.
        shown: what it is about, at the beginning of every fault: the path of the reference.
        opened: the path of the reference as people can open it.
        reference: the file of the reference; None for calls that need no problem.
        device: the platform whose numbers are judged.
        layers: whether it needs layers of Flax.
    """

    def __init__(
        self,
        launcher: Callable[[], Launcher],
        shown: str,
        *,
        reference: Path | None = None,
        device: str = "cpu",
        layers: bool = False,
    ) -> None:
        self._launcher, self._shown = launcher, shown
        self._served = Served(None if reference is None else str(reference), device)
        self._imports = ["flax.nnx"] if layers else []
        self._child: Child | None = None
        self._sent: list[Call] = []
        self._replies: list[tuple[Call, Reply]] = []

    def call(self, call: Call, then: Call | None = None) -> Reply:
        """Make a call.

        Args:
            then: a call that the child makes next, before anybody asks for it.

        Raises:
            ProblemError: for a fault of the kit, or if the child was lost again and again. With `GRADER_DEBUG=1`, the
                traceback of a fault is printed.
            NoSuchDevice: if this machine does not have the device.
            LaunchError: if no child can be started.
        """
        for _ in range(TRIES - 1):
            with contextlib.suppress(LostChild, Killed):
                return self._reply(call, then)
        return self._reply(call, then)

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        self._sent.clear()
        if child is not None:
            child.close()

    def _reply(self, call: Call, then: Call | None) -> Reply:
        if all(answered != call for answered, _ in self._replies):
            self._send([wanted for wanted in (call, then) if wanted is not None and wanted not in self._sent])
        while all(answered != call for answered, _ in self._replies):
            reply = self._receive()
            self._replies.append((self._sent.pop(0), reply))
        found = next(pair for pair in self._replies if pair[0] == call)
        self._replies.remove(found)
        return found[1]

    def _send(self, calls: Sequence[Call]) -> None:
        sent: list[Served | Call] = [*calls]
        if self._child is None:
            self._child = started(self._launcher, "oracle", self._imports)
            sent.insert(0, self._served)
        with contextlib.suppress(BrokenPipeError):  # it has ended, and what can be read says how
            for message in sent:
                frames.write(self._child.request, codec.encode(message))
        self._sent += calls

    def _receive(self) -> Reply:
        """The next reply. If there is none, the child is closed."""
        assert self._child is not None
        try:
            message = frames.read(self._child.result)
        except frames.FrameError:
            message = None
        if message is None:
            child, killed = self._child, self._child.was_killed()
            self.close()
            if killed:
                raise LostChild(
                    f"{self._shown}: its process was ended from outside {TRIES} times, perhaps for want of memory"
                )
            raise ProblemError(f"{self._shown}: its process ended without an answer{how_it_ended(child)}")
        header: ReplyHeader = decode(ReplyHeader, message[0])
        if "document" not in header:
            self.close()
            raise self._refusal(header)
        return header["document"], message[1]

    def _refusal(self, header: ReplyHeader) -> Exception:
        if "fault" not in header:
            return NoSuchDevice(header.get("no_device", ""))
        fault = header["fault"]
        if os.environ.get("GRADER_DEBUG"):
            print(fault.traceback, file=sys.stderr)
        shown = str(Path(self._shown).with_name(fault.file)) if fault.file else self._shown
        return ProblemError(f"{shown}{f':{fault.line}' if fault.line else ''}: {fault.text}")


class Processes:
    """The processes of one reference: two, where there are cores for both."""

    def __init__(self, kit: Kit, reference: Path, device: str, launcher: Callable[[], Launcher]) -> None:
        def connection() -> Connection:
            shown, layers = kit.shown(reference), has_layers(reference)
            return Connection(launcher, shown, reference=reference, device=device, layers=layers)

        self._all = [connection(), connection()]

    @property
    def at_once(self) -> int:
        """How many calls are made at the same time."""
        return min(len(self._all), os.cpu_count() or 1)

    def call(self, call: Call, then: Call | None = None) -> Reply:
        """Make a call (see `Connection.call`)."""
        return self._all[0].call(call, then)

    def calls(self, calls: Sequence[Call]) -> list[Reply]:
        """Make at most `at_once` calls at the same time."""
        if len(calls) == 1:
            return [self.call(calls[0])]
        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(Connection.call, self._all, calls))

    def close(self) -> None:
        """End them."""
        for connection in self._all:
            connection.close()
