"""Where the judging process gets an oracle from: a saved file, and an oracle child for whatever is not in it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from grader.kit.kit import Kit
from grader.kit.origin import Origin
from grader.kit.problem import ProblemError
from grader.marking.diagnose import Mistake, Truth
from grader.marking.facts import Facts
from grader.marking.judge import Expected
from grader.options import NoSuchDevice
from grader.oracle import draws, saved, store
from grader.oracle.answer_key import KeyOracle
from grader.oracle.store import Fresh, Oracle
from grader.run import frames
from grader.run.child import Child, Launcher


class _LostChild(ProblemError):
    """The oracle child was ended from outside: an answer has ended the template that it came from."""


def open_oracle(kit: Kit, name: str, device: str, launcher: Callable[[], Launcher]) -> OracleClient | KeyOracle:
    """The oracle of a problem: from its reference, else from its key.

    Raises:
        ProblemError: where the kit has neither, or a key that does not fit.
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
    """The sample of draws of what is installed here, made by a process of its own.

    Raises:
        ProblemError: where that process ends without one.
    """
    child = launcher.start("oracle", ["flax.nnx"] if layers else [])
    try:
        frames.write(child.request, frames.encode({"sample": layers}))
        frame = frames.read(child.result)
    finally:
        child.close()
    if frame is None:
        raise ProblemError(f"the process that draws ended without an answer{_how_it_ended(child)}")
    if "fault" in frame[0]:
        raise _fault(frame[0])
    return draws.from_json(frame[0]["sample"])


def _fault(header: dict[str, Any]) -> ProblemError:
    """The fault that a child has sent; `GRADER_DEBUG=1` prints where it arose."""
    if os.environ.get("GRADER_DEBUG"):
        print(header["traceback"], file=sys.stderr)
    return ProblemError(str(header["fault"]))


def _how_it_ended(child: Child) -> str:
    """The signal or the status that a child ended with, and what it printed last."""
    status = child.status or 0
    how = f"signal {-status}" if status < 0 else f"status {status}"
    said = bytes(child.output).decode("utf-8", "replace").strip().splitlines()
    return f" ({how}{f': {said[-1]}' if said else ''})"


class OracleClient:
    """The oracle of one problem on one device. Safe to share between threads.

    What an oracle child computes is kept in the saved file, so the second run computes nothing.
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
        """What the problem declares: known before the expected values are."""
        with self._lock:
            if self._facts is None:
                self._start(truth=True)
            assert self._facts is not None
            return self._facts

    def truth(self) -> Truth:
        """The expected values, once they are computed."""
        return self._whole().truth

    @property
    def telling(self) -> int:
        return self._whole().telling

    def level(self, size: int) -> Sequence[Mistake]:
        with self._lock:
            oracle = self._whole()
            if size not in oracle.levels:
                header, arrays = self._ask({"level": size, "telling": oracle.telling})
                expected = store.unpack(arrays)
                keys: list[Any] = header["mutants"]
                oracle.levels[size] = [
                    Mistake(tuple(names), setting, one) for (names, setting), one in zip(keys, expected, strict=True)
                ]
                self._add(header)
            return oracle.levels[size]

    def confirm(self, mutant: Mistake) -> Sequence[Expected]:
        with self._lock:
            oracle = self._whole()
            key = (mutant.names, mutant.setting)
            if key not in oracle.confirmed:
                header, arrays = self._ask({"confirm": [list(mutant.names), mutant.setting]})
                oracle.confirmed[key] = store.unpack(arrays)
                self._add(header)
            return oracle.confirmed[key]

    def sets_for_key(self, size: int) -> tuple[list[Mistake], dict[store.MistakeKey, list[Expected]]]:
        """Every set of `size` pitfalls on the telling case, and a sample of what it gives on all cases."""
        with self._lock:
            oracle = self._whole()
            header, arrays = self._ask({"key": size, "telling": oracle.telling})
        first, all_cases = store.unpack(arrays[: store.ARRAYS]), store.unpack(arrays[store.ARRAYS :])
        keys: list[store.MistakeKey] = [(tuple(names), setting) for names, setting in header["mutants"]]
        level = [Mistake(*key, one) for key, one in zip(keys, first, strict=True)]
        count = len(oracle.facts.cases)
        confirmed = {key: all_cases[index * count : (index + 1) * count] for index, key in enumerate(keys)}
        return level, confirmed

    def fresh(self, seed: int) -> Fresh | None:
        """Calls beyond the cases, as a seed draws them, with what is expected of them; drawn once for all answers."""
        with self._lock:
            if seed not in self._fresh:
                self._whole()  # what was asked for before comes first
                header, arrays = self._ask({"fresh": seed})
                cases = tuple(tuple(case) for case in header["cases"])
                self._fresh[seed] = Fresh(cases, store.truth_from(header, arrays))
            return self._fresh[seed]

    def _has_layers(self) -> bool:
        return "flax" in self._reference.read_text(encoding="utf-8", errors="replace")

    def origin(self) -> Origin:
        """The software that computed what is known."""
        return self._whole().origin

    def sample(self) -> draws.Sample:
        """What this software draws, with layers where the reference has some."""
        with self._lock:
            self._whole()
            return draws.from_json(self._ask({"sample": self._has_layers()})[0]["sample"])

    def examine(self, place: str, **arguments: str | bool) -> dict[str, Any]:
        """Have a function called with the problem, in the process that has loaded its reference. Nothing of it is kept.

        Args:
            place: the function as `module:name`. This process does not import the module.
            arguments: more of its arguments.

        Returns:
            the document for JSON that the function gives.
        """
        with self._lock:
            return self._ask({"examine": place, "arguments": arguments})[0]

    def _whole(self) -> Oracle:
        with self._lock:
            if self._oracle is None:
                facts = self.facts()
                if self._coming:
                    try:
                        header, arrays = self._receive()
                    except _LostChild:
                        self._start(truth=True)
                        header, arrays = self._receive()
                else:
                    header, arrays = self._ask({"truth": self._device})
                self._oracle = Oracle(facts, store.truth_from(header, arrays), header["telling"])
                self._add(header)
            return self._oracle

    def _add(self, header: dict[str, Any]) -> None:
        """Note that more is known than is kept, and what software has said it."""
        assert self._oracle is not None
        self._oracle.origin = Origin.from_json(header["origin"])
        self._changed = True

    def _start(self, *, truth: bool) -> None:
        self._child = self._launcher().start("oracle", ["flax.nnx"] if self._has_layers() else [])
        opening = {
            "reference": str(self._reference),
            "shown": self._kit.shown(self._reference),
            "device": self._device,
            "truth": truth,
        }
        frames.write(self._child.request, frames.encode(opening))
        self._coming = truth
        header, _ = self._receive()
        self._facts = store.facts_from_json(header["facts"])

    def _ask(self, question: dict[str, Any]) -> tuple[dict[str, Any], list[frames.Array]]:
        for last in (False, True):
            try:
                if self._child is None:
                    self._start(truth=False)
                assert self._child is not None
                frames.write(self._child.request, frames.encode(question))
                return self._receive()
            except (_LostChild, BrokenPipeError):
                if last:
                    raise
                self._child = None
        raise AssertionError("unreachable")

    def _receive(self) -> tuple[dict[str, Any], list[frames.Array]]:
        assert self._child is not None
        try:
            frame = frames.read(self._child.result)
        except frames.FrameError:
            frame = None
        if frame is None:
            self._child.close()
            if self._child.status is None:
                raise _LostChild(f"{self._kit.shown(self._reference)}: the process of its oracle was ended twice")
            raise ProblemError(
                f"{self._kit.shown(self._reference)}: its process ended without an answer{_how_it_ended(self._child)}"
            )
        if "fault" in frame[0]:
            raise _fault(frame[0])
        if "no-device" in frame[0]:
            raise NoSuchDevice(frame[0]["no-device"])
        return frame

    def close(self) -> str | None:
        """End the oracle child and keep what was computed; where that cannot be written, the reason."""
        with self._lock:
            if self._child is not None:
                self._child.close()
                self._child = None
            return self.keep()

    def keep(self) -> str | None:
        """Keep what was computed so far; where that cannot be written, the reason."""
        if self._oracle is None or not self._changed:
            return None
        self._changed = False
        try:
            store.save(self.path, self._oracle)
            store.remove_stale(self.path.parent, self._name, self.path)
        except OSError as error:
            return f"{self._kit.shown(self.path.parent)} cannot be written ({error.strerror}): nothing is kept for next time"
        return None
