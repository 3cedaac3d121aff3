"""A fake oracle child: a thread that replies with the values of an oracle that is computed already."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.marking.judge import Expected
from grader.oracle import messages
from grader.oracle.messages import Question, Reply
from grader.oracle.store import SavedOracle, sent_with
from grader.run.child import Child, Launcher, start_thread

NAME = "ramp"
Replies = list[tuple[Reply, Sequence[Expected]]]


@dataclass
class FakeLauncher(Launcher):
    """Starts children that are threads. They reply with the values of an oracle that is computed already.

    Attributes:
        known: the oracle.
        instead: replies for questions of a type, in place of the oracle's; None for no reply.
        lives: for each child in turn, how many questions it answers before it ends; more children answer everything.
        status: the exit status of a child; None if nobody knows it, as of a child whose template was killed.
        printed: what a child prints before it ends.
        imports: the imports of each child that was started.
        asked: the questions that reached each child.
    """

    known: SavedOracle
    instead: dict[type[Question], Reply | None] = field(default_factory=dict[type[Question], Reply | None])
    warnings: list[str] = field(default_factory=list[str])
    lives: list[int] = field(default_factory=list[int])
    status: int | None = None
    printed: bytes = b""
    imports: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    asked: list[list[Question]] = field(default_factory=list[list[Question]])
    children: list[Child] = field(default_factory=list[Child])

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

    def _serve(self, child: Child, requests: int, results: int, lives: int, asked: list[Question]) -> None:
        # The other end may be closed while this child still writes.
        with contextlib.suppress(BrokenPipeError):
            while len(asked) < lives and (message := messages.read(requests)) is not None:
                asked.append(message[0])
                for reply, expected in self._replies(message[0]):
                    messages.write(results, reply, expected)
        child.status = self.status
        child.output += self.printed
        os.close(requests)
        os.close(results)
        child.ended.set()

    def _replies(self, question: Question) -> Replies:
        known, origin = self.known, self.known.origin
        if type(question) in self.instead:
            reply = self.instead[type(question)]
            return [] if reply is None else [(reply, ())]
        coarse = [dict(bounds) for bounds in known.truth.coarse]
        drawn = [list(one) for one in known.truth.draws]
        truth = messages.TruthReply(
            list(known.truth.shapes),
            list(known.truth.dtypes),
            coarse,
            drawn,
            [list(one) for one in known.truth.numbers],
            known.screening_case,
            origin,
        )
        match question:
            case messages.OpenReference(truth=wanted):
                facts = messages.FactsReply(known.facts, self.warnings)
                return [(facts, ()), (truth, sent_with(known.truth))] if wanted else [(facts, ())]
            case messages.AskTruth():
                return [(truth, sent_with(known.truth))]
            case messages.AskLevel(size, _, part, parts):
                level = known.levels[size][part::parts]
                keys = keys_of(known, size)[part::parts]
                return [(messages.LevelReply(keys, origin), [one.expected for one in level])]
            case messages.AskConfirmation(names, setting):
                return [(messages.ConfirmationReply(origin), list(held(known, (names, setting)).values()))]
            case messages.AskSets(size, cases):
                keys = keys_of(known, size)
                return [(messages.SetsReply(keys), [held(known, key)[case] for key in keys for case in cases])]
            case messages.AskFresh(seed):
                return [(messages.FreshReply([(seed, 3)], [(3,)], ["float32"]), known.truth.expected[1:2])]
            case messages.AskSteps(of_value, most):
                cases = list(range(len(known.facts.cases)))[: 2 if most else None]
                return [(messages.StepsReply(cases, b"of the value" if of_value else b"of the program"), ())]
            case messages.AskDraws(layers):
                return [(messages.DrawsReply({"normal": [0.5], **({"nnx.Linear": [1.0]} if layers else {})}), ())]
            case messages.AskExamination(place, arguments):
                return [(messages.ExaminationReply({"place": place, **arguments}), ())]


def keys_of(known: SavedOracle, size: int) -> list[tuple[tuple[str, ...], int]]:
    return [(one.names, one.setting) for one in known.levels[size]]


def held(known: SavedOracle, key: tuple[tuple[str, ...], int]) -> dict[int, Expected]:
    """The values of one set, by the case."""
    return {case: one for case, one in enumerate(known.confirmed[key]) if one is not None}
