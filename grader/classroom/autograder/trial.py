"""Tries an autograder before anyone uploads it: its own files, in a scratch folder, grade the worked answers."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil

from grader.classroom.autograder.bundle import Files
from grader.classroom.autograder.student_grading import FILE, Settings
from grader.kit.files import read_text
from grader.kit.kit import Kit, KitError
from grader.kit.solution import bare
from grader.run.python import start

UNCONFINED = "cannot be confined here"
"""What a session says where a machine has neither tier A nor tier B."""

SECONDS_BETWEEN_LOOKS = 0.1
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class AutograderTrial:
    """What the worked answers took here.

    Attributes:
        peak: the most bytes that all processes used together.
    """

    peak: int
    seconds: float
    tier: str


def has_answers(kit: Kit, names: Sequence[str]) -> bool:
    """Whether a kit has the worked answers that a trial grades."""
    return all(kit.answer(name).is_file() for name in names)


def try_out(files: Files, settings: Settings, kit: Kit) -> AutograderTrial:
    """Grade the worked answers as Gradescope would.

    Worked answers are trusted: where this machine cannot confine anything, they run with limits alone. Where the autograder
    runs, it does what its settings say.

    Raises:
        KitError: it fails, or one of them is not right there.
    """
    results, errors, peak, seconds = _run(files, kit, settings)
    if results is None and settings.policy.confine == "best" and UNCONFINED in errors:
        weaker = replace(settings, policy=replace(settings.policy, confine="C"))
        results, errors, peak, seconds = _run({**files, FILE: weaker.to_json().encode()}, kit, weaker)
    if results is None:
        raise KitError(f"The autograder fails here, so it is not written: {errors or 'it says nothing of why'}")
    for result in results["tests"]:
        if result.get("status") != "passed":
            said = " ".join(str(result["output"]).split())
            raise KitError(
                f"The autograder does not take the worked answer of {result['name']}, so it is not written: {said}"
            )
    return AutograderTrial(peak, seconds, str(results["extra_data"]["confinement"]))


def _run(files: Files, kit: Kit, settings: Settings) -> tuple[dict[str, Any] | None, str, int, float]:
    """Run the files in a scratch folder. Returns the results, what it says of a fault, the most memory, and the seconds."""
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        root = Path(scratch).resolve()
        submission, results = root / "submission", root / "results"
        for folder in (submission, results):
            folder.mkdir()
        for name, data in files.items():
            path = root / "source" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        for name in settings.problems:
            (submission / f"{name}.py").write_text(bare(read_text(kit.answer(name))), encoding="utf-8")
        start = time.monotonic()
        status, errors, peak = _watched(root)
        path = results / "results.json"
        found = json.loads(path.read_bytes()) if status == 0 and path.is_file() else None
        return found, " ".join(errors.split()), peak, time.monotonic() - start


def _watched(root: Path) -> tuple[int, str, int]:
    variables = {"PYTHONPATH": str(root / "source" / "package"), "PYTHONDONTWRITEBYTECODE": "1"}
    program = ("-m", "grader.classroom.autograder", "gradescope", str(root))
    quiet, told = subprocess.DEVNULL, subprocess.PIPE
    with start(program, variables=variables, folder=str(root), stdout=quiet, stderr=told, text=True) as process:
        try:
            with _Watch(process.pid) as watch:
                _, errors = process.communicate()
        except BaseException:
            process.terminate()
            raise
    return process.returncode, errors, watch.peak


class _Watch:
    """Looks at the memory of a process and of all that it started, until the block ends."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._root = psutil.Process(pid)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LOOKS):
            try:
                alive = [self._root, *self._root.children(recursive=True)]
            except psutil.Error:
                return
            self.peak = max(self.peak, sum(map(_used, alive)))


def _used(process: psutil.Process) -> int:
    """The memory of a process, with its part of what it shares; where that is not told, with all that it shares."""
    try:
        told: Any = process.memory_full_info()
        return int(getattr(told, "pss", 0) or told.rss)
    except (psutil.Error, OSError):
        return 0
