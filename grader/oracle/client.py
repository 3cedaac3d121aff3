"""The oracle of the judging process: it reads the saved file, and asks an oracle child for what the file does not hold."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

from grader.kit.kit import Kit
from grader.kit.origin import Origin
from grader.kit.problem import ProblemError
from grader.marking.facts import Facts, Fresh, Mistake, Truth
from grader.marking.judge import Expected
from grader.options import NoSuchDevice
from grader.oracle import draws, messages, saved, saved_fresh, saved_steps, store
from grader.oracle.answer_key import KeyOracle
from grader.oracle.connection import Connection, LostChild, ask_all, how_it_ended, reply_of
from grader.oracle.store import SavedOracle
from grader.run.child import Launcher, started
from grader.where.packed import Packed


def open_oracle(kit: Kit, name: str, device: str, launcher: Callable[[], Launcher]) -> OracleClient | KeyOracle:
    """The oracle of a problem: from its reference if there is one, else from its key.

    Raises:
        ProblemError: if the kit has neither, or if the key does not fit.
    """
    if kit.reference(name).is_file():
        return OracleClient(kit, name, device, launcher)
    if os.path.lexists(kit.key(name)):
        keyed = KeyOracle(kit, name)
        keyed.check_draws(lambda layers: _sample(launcher, layers))
        return keyed
    raise ProblemError(
        f"{kit.shown(kit.reference(name))}: there is no such file, and no {kit.shown(kit.key(name))} in its place: "
        f"{name} cannot be graded. Whoever has the solutions makes a kit that can, with `python -m grader key --export DIR`"
    )


def _sample(launcher: Callable[[], Launcher], layers: bool) -> draws.Sample:
    """The sample of draws of the software that is installed here. A new process makes it.

    Raises:
        ProblemError: if that process ends without a sample.
    """
    child = started(launcher, "oracle", ["flax.nnx"] if layers else [])
    try:
        # If the child has ended, `read` finds the end as well.
        with contextlib.suppress(BrokenPipeError):
            messages.write(child.request, messages.AskDraws(layers))
        message = messages.read(child.result)
    finally:
        child.close()
    if message is None:
        raise ProblemError(f"the process that draws ended without an answer{how_it_ended(child)}")
    return reply_of(message[0], messages.DrawsReply).sample


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
        self._connection, self._second = self._connect(), self._connect()
        self._facts: Facts | None = self._oracle.facts if self._oracle else None
        self._fresh: dict[int, Fresh] = {}
        self._changed = False
        self._lock = threading.RLock()

    def facts(self) -> Facts:
        """What the problem declares. It is known before the expected values are."""
        with self._lock:
            if self._facts is None:
                self._facts = self._connection.facts()
            return self._facts

    def truth(self) -> Truth:
        """The expected values, once they are computed."""
        return self._whole().truth

    @property
    def precision(self) -> float:
        return 0.0

    @property
    def screening_case(self) -> int:
        return self._whole().screening_case

    def level(self, size: int) -> Sequence[Mistake]:
        with self._lock:
            oracle = self._whole()
            if size not in oracle.levels:
                oracle.levels[size] = self._compute_level(size, oracle.screening_case)
            return oracle.levels[size]

    def _compute_level(self, size: int, case: int) -> list[Mistake]:
        # There are hundreds of sets, and somebody waits for the verdict: two children share them.
        shared = size > 1 and (os.cpu_count() or 1) > 1
        connections = [self._connection, self._second] if shared else [self._connection]
        parts = len(connections)
        questions = [messages.AskLevel(size, case, part, parts) for part in range(parts)]
        replies = ask_all(connections, questions, messages.LevelReply)
        for reply, _ in replies:
            self._add(reply.origin)
        found = [
            Mistake(*key, one) for reply, expected in replies for key, one in zip(reply.keys, expected, strict=True)
        ]
        return sorted(found, key=lambda mistake: mistake.setting)

    def confirm(self, mistake: Mistake) -> Sequence[Expected | None]:
        with self._lock:
            oracle = self._whole()
            key = (mistake.names, mistake.setting)
            if key not in oracle.confirmed:
                reply, oracle.confirmed[key] = self._connection.ask(
                    messages.AskConfirmation(*key), messages.ConfirmationReply
                )
                self._add(reply.origin)
            return oracle.confirmed[key]

    def sets_for_key(self, size: int, cases: Sequence[int]) -> dict[store.MistakeKey, Sequence[Expected | None]]:
        """Every set of `size` pitfalls, with a sample of what it gives on each of these cases."""
        with self._lock:
            count = len(self._whole().facts.cases)
            reply, expected = self._connection.ask(messages.AskSets(size, list(cases)), messages.SetsReply)
        values = iter(expected)
        return {key: store.on_cases(values, cases, count) for key in reply.keys}

    def fresh(self, seed: int) -> Fresh:
        """Calls beyond the cases, drawn with a seed, and their expected values. They are drawn once for all answers."""
        with self._lock:
            if seed not in self._fresh:
                kept = saved_fresh.load(saved_fresh.beside(self.path, seed), self.facts())
                self._fresh[seed] = kept or self._draw(seed)
            return self._fresh[seed]

    def _draw(self, seed: int) -> Fresh:
        reply, expected = self._connection.ask(messages.AskFresh(seed), messages.FreshReply)
        truth = Truth(expected, reply.shapes, reply.dtypes, [{} for _ in reply.cases])
        return Fresh(tuple(reply.cases), truth)

    def keep_fresh(self, seed: int) -> None:
        """The same, and save them: a later run with this seed computes nothing."""
        with self._lock:
            path = saved_fresh.beside(self.path, seed)
            drawn = self.fresh(seed)
            if saved_fresh.load(path, self.facts()) is None:
                with contextlib.suppress(OSError):  # they are drawn again next time
                    saved_fresh.save(path, drawn, self._whole().origin)

    def steps(self, *, of_value: bool) -> Packed | None:
        """The steps of the reference, or those of the value alone; None if they cannot be computed.

        They have a file of their own, since right answers do not need them.
        """
        path = saved_steps.beside(self.path, of_value=of_value)
        with self._lock:
            data = saved_steps.load(path)
            if data is None:
                try:
                    data = self.steps_for_key(of_value=of_value, most=None).data
                except LostChild:
                    raise
                except (ProblemError, NoSuchDevice):  # the oracle is saved, and its child does not start here
                    return None
                with contextlib.suppress(OSError):  # they are computed again next time
                    saved_steps.save(path, data)
        return Packed(data, tuple(range(len(self.facts().cases)))) if data else None

    def steps_for_key(self, *, of_value: bool, most: int | None) -> Packed:
        """The same, for as many cases as at most `most` bytes hold; for none if they cannot be computed."""
        with self._lock:
            reply, _ = self._connection.ask(messages.AskSteps(of_value, most), messages.StepsReply)
        return Packed(reply.data, tuple(reply.cases))

    @property
    def has_layers(self) -> bool:
        """Whether the reference uses layers of Flax."""
        return self._connection.has_layers

    def origin(self) -> Origin:
        """The software that computed the known values."""
        return self._whole().origin

    def sample(self) -> draws.Sample:
        """The sample of draws of this software, with layers of Flax if the reference uses some."""
        with self._lock:
            self._whole()
            return self._connection.ask(messages.AskDraws(self.has_layers), messages.DrawsReply)[0].sample

    def examine(self, place: str, **arguments: str | bool) -> dict[str, Any]:
        """Call a function with the problem, in the process that has loaded its reference. The result is not saved.

        Args:
            place: the function as `module:function`. This process does not import the module.
            arguments: its other arguments.

        Returns:
            the JSON document that the function returns.
        """
        with self._lock:
            return self._connection.ask(messages.AskExamination(place, arguments), messages.ExaminationReply)[
                0
            ].document

    def _whole(self) -> SavedOracle:
        with self._lock:
            if self._oracle is None:
                facts = self.facts()
                reply, expected = self._connection.truth()
                self._oracle = SavedOracle(facts, reply.truth(expected), reply.screening_case)
                self._add(reply.origin)
            return self._oracle

    def _add(self, origin: Origin) -> None:
        """Record that more is known than is saved, and which software computed it."""
        assert self._oracle is not None
        self._oracle.origin = origin
        self._changed = True

    def _connect(self) -> Connection:
        return Connection(self._kit, self._reference, self._device, self._launcher)

    def close(self) -> str | None:
        """End the oracle child and save what was computed. Returns the reason if the file cannot be written."""
        with self._lock:
            self._connection.close()
            self._second.close()
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
