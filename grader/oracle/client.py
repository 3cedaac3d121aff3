"""The oracle of the judging process: it reads the saved file, and asks an oracle child for what the file does not hold."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from grader.kit.kit import Kit
from grader.kit.origin import Origin
from grader.kit.problem import ProblemError
from grader.kit.state import warn_later
from grader.marking.facts import Facts, Fresh, Mistake, Truth
from grader.marking.judge import Expected
from grader.options import NoSuchDevice
from grader.oracle import draws, messages, saved, store
from grader.oracle.answer_key import KeyOracle
from grader.oracle.messages import Question, Reply
from grader.oracle.store import SavedOracle
from grader.run.child import Child, Launcher
from grader.run.frames import FrameError

T = TypeVar("T")
R = TypeVar("R", bound=Reply)


class _LostChild(ProblemError):
    """The oracle child was killed: an answer may have ended the template, and every child of the template with it."""


def open_oracle(kit: Kit, name: str, device: str, launcher: Callable[[], Launcher]) -> OracleClient | KeyOracle:
    """The oracle of a problem: from its reference if there is one, else from its key.

    Raises:
        ProblemError: if the kit has neither, or if the key does not fit.
    """
    if kit.reference(name).is_file():
        return OracleClient(kit, name, device, launcher)
    if os.path.lexists(kit.key(name)):
        keyed = KeyOracle(kit, name)
        keyed.check_draws(lambda layers: _sample(launcher(), layers))
        return keyed
    raise ProblemError(
        f"{kit.shown(kit.reference(name))}: there is no such file, and no {kit.shown(kit.key(name))} in its place: "
        f"{name} cannot be graded. Whoever has the solutions makes a kit that can, with `python -m grader key --export DIR`"
    )


def _sample(launcher: Launcher, layers: bool) -> draws.Sample:
    """The sample of draws of the software that is installed here. A new process makes it.

    Raises:
        ProblemError: if that process ends without a sample.
    """
    child = launcher.start("oracle", ["flax.nnx"] if layers else [])
    try:
        # If the child has ended, `read` finds the end as well.
        with contextlib.suppress(BrokenPipeError):
            messages.write(child.request, messages.AskDraws(layers))
        message = messages.read(child.result)
    finally:
        child.close()
    if message is None:
        raise ProblemError(f"the process that draws ended without an answer{_how_it_ended(child)}")
    return _reply(message[0], messages.DrawsReply).sample


def _reply(message: Question | Reply, kind: type[R]) -> R:
    """The reply, which should be of this kind.

    Raises:
        ProblemError: if it reports a fault of the kit. With `GRADER_DEBUG=1` this prints the traceback first.
        NoSuchDevice: if it reports that there is no such device.
    """
    match message:
        case messages.FaultReply(text, traceback):
            if os.environ.get("GRADER_DEBUG"):
                print(traceback, file=sys.stderr)
            raise ProblemError(text)
        case messages.NoDeviceReply(text):
            raise NoSuchDevice(text)
        case _:
            assert isinstance(message, kind), f"the reply is {type(message).__name__}, not {kind.__name__}"
            return message


def _how_it_ended(child: Child) -> str:
    """The signal or the exit status of a child, and the last line that it printed."""
    status = child.status or 0
    how = f"signal {-status}" if status < 0 else f"status {status}"
    printed = bytes(child.output).decode("utf-8", "replace").strip().splitlines()
    return f" ({how}{f': {printed[-1]}' if printed else ''})"


class OracleClient:
    """The oracle of one problem on one device. Safe to share between threads.

    `close` saves what the oracle child computed, so a second run computes nothing.
    """

    def __init__(self, kit: Kit, name: str, device: str, launcher: Callable[[], Launcher]) -> None:
        self._kit, self._name, self._device, self._launcher = kit, name, device, launcher
        self._reference = kit.reference(name)
        fingerprint = store.fingerprint(self._reference, device)
        self.path = kit.state / "oracles" / f"{name}-{device}-{fingerprint}.npz"
        self._oracle = saved.load(self.path)
        self._child: Child | None = None
        self._facts: Facts | None = self._oracle.facts if self._oracle else None
        self._fresh: dict[int, Fresh] = {}
        self._changed = self._coming = False
        self._lock = threading.RLock()

    def facts(self) -> Facts:
        """What the problem declares. It is known before the expected values are."""
        with self._lock:
            if self._facts is None:
                self._twice(lambda: self._start(truth=True))
            assert self._facts is not None
            return self._facts

    def truth(self) -> Truth:
        """The expected values, once they are computed."""
        return self._whole().truth

    @property
    def screening_case(self) -> int:
        return self._whole().screening_case

    def level(self, size: int) -> Sequence[Mistake]:
        with self._lock:
            oracle = self._whole()
            if size not in oracle.levels:
                reply, expected = self._ask(messages.AskLevel(size, oracle.screening_case), messages.LevelReply)
                oracle.levels[size] = [Mistake(*key, one) for key, one in zip(reply.keys, expected, strict=True)]
                self._add(reply.origin)
            return oracle.levels[size]

    def confirm(self, mistake: Mistake) -> Sequence[Expected | None]:
        with self._lock:
            oracle = self._whole()
            key = (mistake.names, mistake.setting)
            if key not in oracle.confirmed:
                reply, oracle.confirmed[key] = self._ask(messages.AskConfirmation(*key), messages.ConfirmationReply)
                self._add(reply.origin)
            return oracle.confirmed[key]

    def sets_for_key(self, size: int, cases: Sequence[int]) -> dict[store.MistakeKey, Sequence[Expected | None]]:
        """Every set of `size` pitfalls, with a sample of what it gives on each of these cases."""
        with self._lock:
            count = len(self._whole().facts.cases)
            reply, expected = self._ask(messages.AskSets(size, list(cases)), messages.SetsReply)
        values = iter(expected)
        return {key: store.on_cases(values, cases, count) for key in reply.keys}

    def fresh(self, seed: int) -> Fresh | None:
        """Calls beyond the cases, drawn with a seed, and their expected values. They are drawn once for all answers."""
        with self._lock:
            if seed not in self._fresh:
                self._whole()  # the reply with the truth may be in the pipe, and has to be read first
                reply, expected = self._ask(messages.AskFresh(seed), messages.FreshReply)
                truth = Truth(expected, reply.shapes, reply.dtypes, [{} for _ in reply.cases])
                self._fresh[seed] = Fresh(tuple(reply.cases), truth)
            return self._fresh[seed]

    @property
    def has_layers(self) -> bool:
        """Whether the reference uses layers of Flax."""
        return "flax" in self._reference.read_text(encoding="utf-8", errors="replace")

    def origin(self) -> Origin:
        """The software that computed the known values."""
        return self._whole().origin

    def sample(self) -> draws.Sample:
        """The sample of draws of this software, with layers of Flax if the reference uses some."""
        with self._lock:
            self._whole()
            return self._ask(messages.AskDraws(self.has_layers), messages.DrawsReply)[0].sample

    def examine(self, place: str, **arguments: str | bool) -> dict[str, Any]:
        """Call a function with the problem, in the process that has loaded its reference. The result is not saved.

        Args:
            place: the function as `module:function`. This process does not import the module.
            arguments: its other arguments.

        Returns:
            the JSON document that the function returns.
        """
        with self._lock:
            return self._ask(messages.AskExamination(place, arguments), messages.ExaminationReply)[0].document

    def _whole(self) -> SavedOracle:
        with self._lock:
            if self._oracle is None:
                facts = self.facts()
                reply, expected = self._twice(self._receive_truth)
                self._oracle = SavedOracle(facts, reply.truth(expected), reply.screening_case)
                self._add(reply.origin)
            return self._oracle

    def _receive_truth(self) -> tuple[messages.TruthReply, list[Expected]]:
        if not self._coming:
            return self._ask(messages.AskTruth(self._device), messages.TruthReply)
        self._coming = False
        return self._receive(messages.TruthReply)

    def _add(self, origin: Origin) -> None:
        """Record that more is known than is saved, and which software computed it."""
        assert self._oracle is not None
        self._oracle.origin = origin
        self._changed = True

    def _start(self, *, truth: bool) -> None:
        self._child = self._launcher().start("oracle", ["flax.nnx"] if self.has_layers else [])
        shown = self._kit.shown(self._reference)
        self._send(messages.OpenReference(str(self._reference), shown, self._device, truth))
        self._coming = truth
        reply, _ = self._receive(messages.FactsReply)
        for warning in reply.warnings:
            warn_later(f"{self._kit.opened(self._reference)}: {warning}")
        self._facts = reply.facts

    def _ask(self, question: Question, kind: type[R]) -> tuple[R, list[Expected]]:
        if self._coming:
            self._whole()  # the truth is on its way, and comes before any reply

        def ask() -> tuple[R, list[Expected]]:
            if self._child is None:
                self._start(truth=False)
            self._send(question)
            return self._receive(kind)

        return self._twice(ask)

    def _twice(self, work: Callable[[], T]) -> T:
        """Do some work; if the child was lost, do it once more with a new child."""
        try:
            return work()
        except _LostChild:
            self._child = None
            return work()

    def _send(self, question: Question) -> None:
        assert self._child is not None
        try:
            messages.write(self._child.request, question)
        except BrokenPipeError as error:
            self._child.close()
            raise self._lost() from error

    def _lost(self) -> _LostChild:
        return _LostChild(f"{self._kit.shown(self._reference)}: the process of its oracle was ended twice")

    def _receive(self, kind: type[R]) -> tuple[R, list[Expected]]:
        assert self._child is not None
        try:
            message = messages.read(self._child.result)
        except FrameError:
            message = None
        if message is None:
            self._child.close()
            if self._child.status is None:
                raise self._lost()
            raise ProblemError(
                f"{self._kit.shown(self._reference)}: its process ended without an answer{_how_it_ended(self._child)}"
            )
        return _reply(message[0], kind), message[1]

    def close(self) -> str | None:
        """End the oracle child and save what was computed. Returns the reason if the file cannot be written."""
        with self._lock:
            if self._child is not None:
                self._child.close()
                self._child = None
            return self.keep()

    def keep(self) -> str | None:
        """Save what was computed so far. Returns the reason if the file cannot be written."""
        if self._oracle is None or not self._changed:
            return None
        self._changed = False
        try:
            store.save(self.path, self._oracle)
            store.remove_stale(self.path.parent, self._name, self.path)
        except OSError as error:
            folder = self._kit.opened(self.path.parent)
            return f"{folder} cannot be written ({error.strerror}): nothing is kept for next time"
        return None
