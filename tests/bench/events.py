"""What the parts of one verdict take: a trace of events in all processes of the grader, by the clock they share.

`PARTS` names the functions of the grader that do each part. `installed` gives a folder for PYTHONPATH; every process that
has it there notes when these functions begin and end. What a function does in another part is not counted as its own.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

VARIABLE = "TESTS_BENCH_EVENTS"
"""The file that events are noted in, a line each."""

PARTS = {
    "reading": (
        "grader.kit.progress:fingerprint",
        "grader.kit.progress:load",
        "grader.kit.ownership:allow",
        "grader.kit.notebook:read_answer",
        "grader.kit.shipped_stub:untouched",
    ),
    "starting": ("grader.session:Session._child", "grader.run.forking:Forking.start"),
    "loading the answer": ("grader.run.answer.process:load",),
    "tracing": ("grader.run.answer.tracing:run_compiled", "grader.run.answer.tracing:traced"),
    "draws and lowering": ("grader.jaxpr.lower:lower",),
    "compiling": ("grader.jaxpr.lower:Together.compile",),
    "running": ("grader.jaxpr.lower:Together.run",),
    "encoding": ("grader.run.answer.tracing:packed", "grader.run.answer.process:_serve"),
    "waiting for the answer": ("grader.session:Session.attempt",),
    "reading programs": ("grader.program.data:read",),
    "evaluating": ("grader.run.evaluator:_evaluated", "grader.run.evaluator_calls:opened"),
    "questions": ("grader.run.evaluator:_reply",),
    "place": ("grader.run.questions:find_places",),
    "waiting for the evaluator": ("grader.run.judge.evaluator_client:EvaluatorClient._exchange",),
    "oracle": (
        "grader.oracle.oracle:Oracle.facts",
        "grader.oracle.oracle:Oracle.truth",
        "grader.oracle.oracle:Oracle.steps",
        "grader.oracle.oracle:Oracle.level",
        "grader.oracle.oracle:Oracle.confirm",
    ),
    "judging": ("grader.grade:grade", "grader.judging:Judging.concluded", "grader.judging:EarlyVerdict._work"),
    "describing places": ("grader.marking.place_description:described_places",),
    "saving": ("grader.commands.learner:remember",),
    "words": ("grader.commands.watch:Watch._report",),
    "picture": ("grader.report.picture:in_report",),
}
"""The functions that do each part of a verdict."""


@dataclass(frozen=True)
class Noted:
    """One run of a function: its part, its process, and its seconds of `time.perf_counter`, which processes share."""

    part: str
    process: int
    begin: float
    end: float


class _Finder(importlib.abc.MetaPathFinder):
    """Has the functions of PARTS note their events, in each module that is imported from here on."""

    def __init__(self) -> None:
        self.of: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for part, places in PARTS.items():
            for place in places:
                module, _, name = place.partition(":")
                self.of[module].append((name, part))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.of:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def executed(module: ModuleType) -> None:
                execute(module)
                for name, part in self.of[fullname]:
                    _note_of(module, name, part)

            spec.loader.exec_module = executed
        return spec


def _note_of(module: ModuleType, name: str, part: str) -> None:
    *owners, last = name.split(".")
    try:
        owner: Any = functools.reduce(getattr, owners, module)
        setattr(owner, last, noting(part, getattr(owner, last)))
    except AttributeError:
        print(f"This checkout has no {module.__name__}:{name}.", file=sys.stderr)


def noting(part: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which notes each of its runs."""

    @functools.wraps(call)
    def noted(*arguments: Any, **named: Any) -> Any:
        begin = time.perf_counter()
        try:
            return call(*arguments, **named)
        finally:
            line = json.dumps([part, os.getpid(), begin, time.perf_counter()])
            # A process closes what it has open when it begins its work.
            file = os.open(os.environ[VARIABLE], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.write(file, f"{line}\n".encode())
            os.close(file)

    return noted


def install() -> None:
    """Have this process note events. Called by the file of `installed`, before anything of the grader is imported."""
    if VARIABLE in os.environ:
        sys.meta_path.insert(0, _Finder())


def installed(folder: Path) -> dict[str, str]:
    """The environment of processes that note events in `folder/events`."""
    (folder / "sitecustomize.py").write_text(
        "import importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('_events', {__file__!r})\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "import sys\n"
        "sys.modules['_events'] = module\n"
        "spec.loader.exec_module(module)\n"
        "module.install()\n"
    )
    return {"PYTHONPATH": str(folder), VARIABLE: str(folder / "events")}


def taken(folder: Path) -> list[Noted]:
    """The events since the last call."""
    file = folder / "events"
    lines = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return [Noted(*json.loads(line)) for line in lines]


def own_seconds(events: Iterable[Noted], begin: float, end: float) -> dict[str, float]:
    """The seconds of each part between two moments, without those of the parts within it in the same process."""
    seconds: dict[str, float] = defaultdict(float)
    clipped = [Noted(e.part, e.process, max(e.begin, begin), min(e.end, end)) for e in events]
    open_: dict[int, list[Noted]] = defaultdict(list)
    for event in sorted((e for e in clipped if e.begin < e.end), key=lambda e: (e.begin, -e.end)):
        above = open_[event.process]
        while above and above[-1].end <= event.begin:
            above.pop()
        seconds[event.part] += event.end - event.begin
        if above and above[-1].end >= event.end:
            seconds[above[-1].part] -= event.end - event.begin
        above.append(event)
    return dict(seconds)
