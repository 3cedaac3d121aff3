"""The oracle of a problem: what is saved of it, and a source of what is not: mostly the process of its reference."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from grader.kit.kit import Kit
from grader.kit.problem import Problem
from grader.kit.problem_error import ProblemError
from grader.kit.software import SoftwareOrigin
from grader.kit.state import read_or_set_aside
from grader.marking.facts import Facts, Fresh, MistakeKey, MistakeSet, Truth
from grader.options import NoSuchDevice
from grader.oracle import answer_key, documents, store
from grader.oracle.connection import Call, Connection, LostChild, Processes, Reply
from grader.oracle.documents import FreshReply, MistakesReply, ScreenedReply, StepsReply, TruthReply
from grader.oracle.draws import Sample, from_json
from grader.oracle.store import SavedOracle
from grader.run.child import Launcher
from grader.values import frames
from grader.values.arrays import Expected
from grader.values.codec import from_frame
from grader.values.decode import Malformed
from grader.where.steps import Packed

T = TypeVar("T")
D = TypeVar("D")
S = TypeVar("S", FreshReply, StepsReply)

CALLS = "grader.oracle.calls"
"""The module of what a source is called for. It imports JAX, so only the process of the reference imports it."""

SCREENED = Call(f"{CALLS}:screened")
"""The call for the screening case, and for the single pitfalls on it."""


class Source(Protocol):
    """Computes what is not saved."""

    @property
    def at_once(self) -> int:
        """How many calls it makes at the same time."""
        ...

    def call(self, call: Call, then: Call | None = None) -> Reply:
        """Make a call (see `Connection.call`)."""
        ...

    def calls(self, calls: Sequence[Call]) -> list[Reply]:
        """Make at most `at_once` calls at the same time."""
        ...

    def close(self) -> None:
        """Give back what it holds. The next call gets it again."""
        ...


@dataclass(frozen=True)
class InThisProcess:
    """Computes in this process, with a problem that is loaded."""

    problem: Problem
    at_once: int = 1

    def call(self, call: Call, then: Call | None = None) -> Reply:
        """Make a call."""
        document, arrays = call.made(self.problem)
        return json.loads(json.dumps(document)), arrays

    def calls(self, calls: Sequence[Call]) -> list[Reply]:
        """Make calls, one after the other."""
        return [self.call(call) for call in calls]

    def close(self) -> None:
        """Nothing: it holds nothing."""


def open_oracle(kit: Kit, name: str, device: str, launcher: Callable[[], Launcher]) -> Oracle:
    """The oracle of a problem: of its reference if there is one, else of its key.

    Raises:
        ProblemError: if the kit has neither, or if the key does not fit.
    """
    if kit.answer(name).is_file():
        return of_reference(kit, name, device, launcher)
    if answer_key.is_there(kit, name):
        return Oracle(
            answer_key.opened(kit, name, lambda layers: sample(launcher, layers)), precision=answer_key.IN_KEYS
        )
    raise ProblemError(
        f"{kit.shown(kit.answer(name))}: there is no such file, and no {kit.shown(kit.key(name))} in its place: "
        f"{name} cannot be graded. Ask for a kit with keys: whoever has the solutions makes one with "
        "`python -m grader release DIR`"
    )


def of_reference(kit: Kit, name: str, device: str, launcher: Callable[[], Launcher]) -> Oracle:
    """The oracle of a reference: what the kit's `.grader/` holds of it, and processes of its own for all the rest."""
    reference = kit.answer(name)
    fingerprint = store.fingerprint(reference, device)
    path = kit.state / "oracles" / f"{name}-{device}-{fingerprint}.oracle"
    return Oracle(documents.load(path), Processes(kit, reference, device, launcher), path, device=device)


def sample(launcher: Callable[[], Launcher], layers: bool) -> Sample:
    """The sample of draws of the software that is installed here. A new process makes it.

    Raises:
        ProblemError: if that process ends without a sample.
    """
    child = Connection(launcher, "the draws of this JAX", layers=layers)
    try:
        return from_json(child.call(Call("grader.oracle.draws:sample", {"layers": layers}))[0])
    finally:
        child.close()


class Oracle:
    """What is known of one problem, and where the rest comes from. Safe to share between threads.

    Args:
        known: what is saved, or what a key holds.
        source: computes what is not known; None for a key, which holds all that is asked of it.
        path: the file in which to save what was computed. Beside it stand fresh inputs and steps: few answers need them.
        device: the platform on which the compiled reference has to be right; without one, nobody looks.
        precision: how precisely `known` has the values of mistakes (see `grader.marking.facts.ExpectedValues`).
        samples: from how many noisy evaluations the tolerances of a confirmed mistake come, if not from the usual number.
    """

    def __init__(
        self,
        known: SavedOracle | None = None,
        source: Source | None = None,
        path: Path | None = None,
        *,
        device: str = "",
        precision: float = 0.0,
        samples: int | None = None,
    ) -> None:
        self._known, self._source, self.path, self.precision = known, source, path, precision
        self._truth_call = Call(f"{CALLS}:truth", {"device": device})
        self._of_samples = {} if samples is None else {"samples": samples}
        self._facts = None if known is None else known.facts
        self._steps = {} if known is None else dict(known.steps)
        self._fresh: dict[int, Fresh] = {}
        self._unsaved: dict[int, Reply] = {}
        self._changed = False
        self._lock = threading.RLock()

    def facts(self) -> Facts:
        """What the problem declares. It is known before the expected values are, which are computed next."""
        with self._lock:
            if self._facts is None:
                self._facts = _value(self._reply(Call(f"{CALLS}:facts"), self._truth_call), Facts, lambda it: it)
            return self._facts

    def truth(self) -> Truth:
        """The expected values, once they are computed."""
        return self._whole().truth

    @property
    def screening_case(self) -> int:
        """The index of the case on which all sets of pitfalls are compared first."""
        with self._lock:
            oracle = self._whole()
            if oracle.screening_case is None:
                self._screen(oracle)
            assert oracle.screening_case is not None
            return oracle.screening_case

    def origin(self) -> SoftwareOrigin:
        """The software that computed the known values."""
        return self._whole().origin

    def level(self, size: int) -> Sequence[MistakeSet]:
        """Every set of `size` pitfalls, on the screening case (see `grader.marking.facts.ExpectedValues`)."""
        with self._lock:
            oracle, case = self._whole(), self.screening_case
            if size not in oracle.levels and self._source is not None:
                oracle.levels[size] = self._compute_level(size, case, oracle)
            return oracle.levels.get(size, [])

    def _screen(self, oracle: SavedOracle) -> None:
        """Find the screening case. With it comes the level of single pitfalls."""

        def found(document: ScreenedReply) -> tuple[int, list[MistakeSet]]:
            store.require(document.case in range(len(oracle.facts.cases)), "its screening case")
            return document.case, self._mistakes(document)

        oracle.screening_case, oracle.levels[1] = _value(self._reply(SCREENED), ScreenedReply, found)

    def _mistakes(self, document: MistakesReply) -> list[MistakeSet]:
        self._add(document.origin)
        return documents.mistakes_of(document.keys, document.expected, self._whole().truth, self._whole().facts)

    def _compute_level(self, size: int, case: int, oracle: SavedOracle) -> list[MistakeSet]:
        assert self._source is not None
        # There are hundreds of sets, and somebody waits for the verdict: several processes share them.
        parts = self._source.at_once if size > 1 else 1
        asked = {"size": size, "case": case, "parts": parts}
        replies = self._source.calls([Call(f"{CALLS}:level", {**asked, "part": part}) for part in range(parts)])
        found = [mistake for reply in replies for mistake in _value(reply, MistakesReply, self._mistakes)]
        declared = [pitfall.name for pitfall in oracle.facts.pitfalls]
        return sorted(found, key=lambda mistake: ([declared.index(name) for name in mistake.names], mistake.forms))

    def on_case(self, mistakes: Sequence[MistakeSet], case: int) -> Sequence[Expected | None]:
        """What mistakes give on one case, with tolerances that suffice to rule a mistake out."""
        with self._lock:
            oracle = self._whole()
            known = {key: oracle.confirmed[key][case] for one in mistakes if (key := one.key) in oracle.confirmed}
            if unknown := [one.key for one in mistakes if one.key not in known]:

                def expected(document: MistakesReply) -> Sequence[Expected]:
                    return document.expected.expected(len(unknown))

                call = Call(f"{CALLS}:on_case", {"sets": unknown, "case": case})
                known |= zip(unknown, _value(self._reply(call), MistakesReply, expected), strict=True)
            return [known[one.key] for one in mistakes]

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected | None]:
        """What one mistake gives on each case; None for a case on which a key does not hold it."""
        with self._lock:
            oracle, key = self._whole(), mistake.key
            if key not in oracle.confirmed:

                def expected(document: MistakesReply) -> Sequence[Expected]:
                    self._add(document.origin)
                    return document.expected.expected(len(oracle.facts.cases))

                asked = {"names": list(mistake.names), "forms": list(mistake.forms), **self._of_samples}
                oracle.confirmed[key] = _value(self._reply(Call(f"{CALLS}:confirmed", asked)), MistakesReply, expected)
            return oracle.confirmed[key]

    def sets_for_key(self, size: int, cases: Sequence[int]) -> dict[MistakeKey, Sequence[Expected | None]]:
        """Every set of `size` pitfalls, with a sample of what it gives on each of these cases."""
        count = len(self._whole().facts.cases)

        def sets(document: MistakesReply) -> dict[MistakeKey, Sequence[Expected | None]]:
            values = iter(document.expected.expected(len(document.keys) * len(cases)))
            return {key: store.on_cases(values, cases, count) for key in document.keys}

        with self._lock:
            call = Call(f"{CALLS}:sets", {"size": size, "cases": list(cases)})
            return _value(self._reply(call), MistakesReply, sets)

    def fresh(self, seed: int) -> Fresh | None:
        """Calls beyond the cases, drawn with a seed, and their expected values; None if nobody can draw them.

        They are drawn once for all answers.
        """
        with self._lock:
            if seed not in self._fresh and self._source is not None:
                path, facts = self._beside(f".fresh-{seed}"), self.facts()

                def checked(document: FreshReply) -> Fresh:
                    return documents.fresh_of(document, facts)

                found = None if path is None else _saved(path, FreshReply, checked)
                if found is None:
                    self._unsaved[seed] = self._reply(Call(f"{CALLS}:fresh", {"seed": seed}))
                    found = _value(self._unsaved[seed], FreshReply, checked)
                self._fresh[seed] = found
            return self._fresh.get(seed)

    def keep_fresh(self, seed: int) -> None:
        """The same, and save them: a later run with this seed computes nothing."""
        with self._lock:
            self.fresh(seed)
            if seed in self._unsaved:
                self._save(self._beside(f".fresh-{seed}"), self._unsaved.pop(seed))

    def steps(self, *, of_value: bool) -> Packed | None:
        """The steps of the reference, or those of the value alone; None if they cannot be computed, or are not held."""
        with self._lock:
            if of_value not in self._steps and self._source is not None:
                path, count = self._beside(".value.steps" if of_value else ".steps"), len(self.facts().cases)

                def checked(document: StepsReply) -> Packed:
                    return documents.steps_of(document.steps, count)

                found = None if path is None else _saved(path, StepsReply, checked)
                if found is None:
                    try:
                        reply = self._reply(Call(f"{CALLS}:steps", {"of_value": of_value}))
                        found = _value(reply, StepsReply, checked)
                    except LostChild:
                        raise
                    except (ProblemError, NoSuchDevice):  # the oracle is saved, and its child does not start here
                        return None
                    self._save(path, reply)
                self._steps[of_value] = found
            found = self._steps.get(of_value)
            return found if found is not None and found.cases else None

    def steps_for_key(self, *, of_value: bool, most: int) -> Packed:
        """The same, for as many cases as at most `most` bytes hold; for none if they cannot be computed."""
        with self._lock:
            count, call = len(self.facts().cases), Call(f"{CALLS}:steps", {"of_value": of_value, "most": most})
            return _value(self._reply(call), StepsReply, lambda it: documents.steps_of(it.steps, count))

    def examine(self, place: str, **arguments: str | bool) -> dict[str, Any]:
        """Call a function with the problem, where its reference is loaded. The result is not saved.

        Args:
            place: the function as `module:function`. This process does not import the module.
            arguments: its other arguments.

        Returns:
            the JSON document that the function returns.
        """
        with self._lock:
            return self._reply(Call(place, arguments))[0]

    @property
    def computes(self) -> bool:
        """Whether it has a reference, and does not only hold what a key does."""
        return self._source is not None

    def keep(self) -> str | None:
        """Save what was computed so far. Returns the reason if the file cannot be written."""
        with self._lock:
            if self._known is None or self.path is None or not self._changed:
                return None
            self._changed = False
            try:
                store.save(self.path, self._known)
                store.remove_stale(self.path)
            except OSError as error:
                folder = min(os.path.relpath(self.path.parent), str(self.path.parent), key=len)
                return f"{folder} cannot be written ({error.strerror}): nothing is kept for next time"
            return None

    def close(self) -> str | None:
        """End what computes, and save what was computed. Returns the reason if the file cannot be written."""
        with self._lock:
            if self._source is not None:
                self._source.close()
            return self.keep()

    def _whole(self) -> SavedOracle:
        with self._lock:
            if self._known is None:
                facts = self.facts()

                def oracle(document: TruthReply) -> SavedOracle:
                    truth = documents.truth_of(document.truth, facts)
                    return SavedOracle(facts, truth, None, origin=document.origin)

                # A wrong answer needs the mistakes next, and the process has nothing else to do.
                reply = self._reply(self._truth_call, SCREENED)
                self._known, self._changed = _value(reply, TruthReply, oracle), True
            return self._known

    def _reply(self, call: Call, then: Call | None = None) -> Reply:
        assert self._source is not None, "a key holds all that is asked of it"
        return self._source.call(call, then)

    def _add(self, origin: SoftwareOrigin) -> None:
        """Record that more is known than is saved, and which software computed it."""
        self._whole().origin = origin
        self._changed = True

    def _beside(self, suffix: str) -> Path | None:
        return None if self.path is None else self.path.with_suffix(suffix)

    def _save(self, path: Path | None, reply: Reply) -> None:
        """Save a reply in a file of its own. If the file cannot be written, the reply is computed again next time."""
        if path is not None:
            with contextlib.suppress(OSError, frames.FrameError):
                store.write(path, frames.pack({"format": store.FORMAT, "document": reply[0]}, reply[1]))


def _value(reply: Reply, kind: type[D], make: Callable[[D], T]) -> T:
    """What is made of a reply of this type.

    Raises:
        ProblemError: if its parts do not fit.
    """
    try:
        return make(from_frame(kind, *reply))
    except Malformed as error:
        raise ProblemError(f"the process of a reference replied what cannot be used ({error})") from error


def _saved(path: Path, kind: type[S], make: Callable[[S], T]) -> T | None:
    """The same of a saved reply; None if there is none, if other software made it, or if it is damaged."""

    def read(data: bytes) -> tuple[T, SoftwareOrigin]:
        header, arrays = frames.unpack(data, store.LARGEST_ORACLE)
        if header.get("format") != store.FORMAT:
            raise Malformed("of another version of the grader")
        document = from_frame(kind, header.get("document"), arrays)
        return make(document), document.origin

    found = read_or_set_aside(path, store.LARGEST_ORACLE, read)
    return None if found is None or found[1].differences() else found[0]
