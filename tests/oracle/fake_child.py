"""A fake oracle child: a thread that replies with the values of an oracle that is computed already."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.marking.facts import MistakeKey
from grader.oracle.connection import Call, Served
from grader.oracle.documents import FreshReply, MistakesReply, ScreenedReply, StepsReply, TruthReply
from grader.oracle.store import PackedExpected, PackedTruth, SavedOracle
from grader.run.child import Child, Launcher, start_thread
from grader.values import codec, frames
from grader.values.arrays import Expected
from grader.where.steps import Packed

NAME = "ramp"


@dataclass
class FakeLauncher(Launcher):
    """Starts children that are threads. They reply with the values of an oracle that is computed already.

    Attributes:
        known: the oracle.
        instead: headers of replies to calls of a function, in place of the oracle's; None for no reply.
        lives: for each child in turn, how many calls it answers before it ends; more children answer everything.
        status: the exit status of a child; None if nobody knows it, as of a child whose template was killed.
        printed: what a child prints before it ends.
        imports: the imports of each child that was started.
        openings: the first frame that each child got.
        asked: the calls that reached each child.
    """

    known: SavedOracle
    instead: dict[str, dict[str, Any] | None] = field(default_factory=dict[str, "dict[str, Any] | None"])
    lives: list[int] = field(default_factory=list[int])
    status: int | None = None
    printed: bytes = b""
    imports: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    openings: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    asked: list[list[Call]] = field(default_factory=list[list[Call]])
    children: list[Child] = field(default_factory=list[Child])

    @property
    def alive(self) -> bool:
        return True

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        requests, request = os.pipe()
        result, results = os.pipe()
        child = Child(-1, request, lambda: child.ended.set(), result)
        lives = self.lives[len(self.children)] if len(self.children) < len(self.lives) else 100
        self.imports.append(imports)
        self.children.append(child)
        self.asked.append([])
        start_thread(self._serve, child, requests, results, lives, self.asked[-1])
        return child

    def uncounted(self) -> str:
        return ""

    def close(self) -> None:
        for child in self.children:
            child.close()

    def _serve(self, child: Child, requests: int, results: int, lives: int, asked: list[Call]) -> None:
        # The other end may be closed while this child still writes.
        with contextlib.suppress(BrokenPipeError):
            if (served := codec.read(Served, requests)) is not None:
                self.openings.append(vars(served))
            while len(asked) < lives and (call := codec.read(Call, requests)) is not None:
                asked.append(call)
                name = asked[-1].place.rpartition(":")[2]
                if name not in self.instead:
                    document, arrays = codec.to_frame(self._reply(name, asked[-1]))
                    frames.write(results, frames.encode({"document": document}, arrays))
                elif (header := self.instead[name]) is not None:
                    frames.write(results, frames.encode(header))
        child.status = self.status
        child.output += self.printed
        os.close(requests)
        os.close(results)
        child.ended.set()

    def _reply(self, name: str, call: Call) -> Any:
        known, origin, given = self.known, self.known.origin, call.arguments
        match name:
            case "facts":
                return known.facts
            case "truth":
                return TruthReply(PackedTruth.of(known.truth), origin)
            case "screened":
                singles = PackedExpected.of([one.expected for one in known.levels[1]])
                return ScreenedReply(tuple(keys_of(known, 1)), singles, origin, known.screening_case or 0)
            case "level":
                level = known.levels[given["size"]][given["part"] :: given["parts"]]
                keys = keys_of(known, given["size"])[given["part"] :: given["parts"]]
                return MistakesReply(tuple(keys), PackedExpected.of([one.expected for one in level]), origin)
            case "confirmed":
                key = (tuple(given["names"]), tuple(given["forms"]))
                return MistakesReply((key,), PackedExpected.of([*held(known, key).values()]), origin)
            case "sets":
                keys = keys_of(known, given["size"])
                values = [held(known, key)[case] for key in keys for case in given["cases"]]
                return MistakesReply(tuple(keys), PackedExpected.of(values), origin)
            case "fresh":
                expected = PackedExpected.of(known.truth.expected[1:2])
                return FreshReply(((given["seed"], 3),), [(3,)], ["float32"], expected, origin)
            case "steps":
                cases = range(len(known.facts.cases))[: 2 if given.get("most") else None]
                data = b"of the value" if given["of_value"] else b"of the program"
                return StepsReply(Packed(data, tuple(cases)), origin)
            case "sample":
                return {"normal": [0.5], **({"nnx.Linear": [1.0]} if given["layers"] else {})}
            case _:
                return {"place": call.place, **given}


def keys_of(known: SavedOracle, size: int) -> list[MistakeKey]:
    return [(one.names, one.forms) for one in known.levels[size]]


def held(known: SavedOracle, key: MistakeKey) -> dict[int, Expected]:
    """The values of one set, by the case."""
    return {case: one for case, one in enumerate(known.confirmed[key]) if one is not None}
