"""A fake oracle child: a thread that replies with the values of an oracle that is computed already."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from grader.kit import frames
from grader.marking.comparison import Expected
from grader.oracle.connection import Call, Reply
from grader.oracle.store import MistakeKey, SavedOracle, pack, truth_document
from grader.run.child import Child, Launcher, start_thread

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
            if (opening := frames.read(requests)) is not None:
                self.openings.append({name: value for name, value in opening[0].items() if name != "arrays"})
            while len(asked) < lives and (request := frames.read(requests)) is not None:
                asked.append(Call(request[0]["place"], request[0]["arguments"]))
                name = asked[-1].place.rpartition(":")[2]
                if name not in self.instead:
                    document, arrays = self._reply(name, asked[-1])
                    frames.write(results, frames.encode({"document": document}, arrays))
                elif (header := self.instead[name]) is not None:
                    frames.write(results, frames.encode(header))
        child.status = self.status
        child.output += self.printed
        os.close(requests)
        os.close(results)
        child.ended.set()

    def _reply(self, name: str, call: Call) -> Reply:
        known, origin, given = self.known, self.known.origin.to_json(), call.arguments
        match name:
            case "declared":
                return asdict(known.facts), []
            case "truth":
                document, arrays = truth_document(known.truth)
                return {"truth": document, "screening_case": known.screening_case, "origin": origin}, arrays
            case "level":
                level = known.levels[given["size"]][given["part"] :: given["parts"]]
                keys = keys_of(known, given["size"])[given["part"] :: given["parts"]]
                return {"keys": keys, "origin": origin}, pack([one.expected for one in level])
            case "confirmed":
                key = (tuple(given["names"]), tuple(given["forms"]))
                return {"keys": [key], "origin": origin}, pack([*held(known, key).values()])
            case "sets":
                keys = keys_of(known, given["size"])
                values = [held(known, key)[case] for key in keys for case in given["cases"]]
                return {"keys": keys, "origin": origin}, pack(values)
            case "fresh":
                document = {"cases": [(given["seed"], 3)], "shapes": [(3,)], "dtypes": ["float32"], "origin": origin}
                return document, pack(known.truth.expected[1:2])
            case "steps":
                cases = list(range(len(known.facts.cases)))[: 2 if given.get("most") else None]
                data = b"of the value" if given["of_value"] else b"of the program"
                return {"cases": cases, "origin": origin}, [np.frombuffer(data, np.uint8)]
            case "sample":
                return {"normal": [0.5], **({"nnx.Linear": [1.0]} if given["layers"] else {})}, []
            case _:
                return {"place": call.place, **given}, []


def keys_of(known: SavedOracle, size: int) -> list[MistakeKey]:
    return [(one.names, one.forms) for one in known.levels[size]]


def held(known: SavedOracle, key: MistakeKey) -> dict[int, Expected]:
    """The values of one set, by the case."""
    return {case: one for case, one in enumerate(known.confirmed[key]) if one is not None}
