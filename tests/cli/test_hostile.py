"""The corpus of attacks, through the real command at every tier that this machine has: none wins, and nothing is left."""

from __future__ import annotations

import contextlib
import os
import random
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests import hostile
from tests.conftest import FLAGSHIP, Command, copy_kit

ATTACKS = {attack.name: attack for attack in hostile.read()}
CONFINE = {"A": "A", "B": "B", "C": "process"}
LIMITS = ("--time-limit", "6", "--memory-limit", "1G")
CASES_SEED = "20170612"

HONEST = """
import numpy as np

def sinusoidal_pos(seed, T, d_model):
    angle = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(-1).astype(np.float32)
"""
"""An answer that costs next to nothing to run: one is graded after every attack."""


@dataclass
class Grounds:
    """What attacks aim at, and what would show that one of them has hit."""

    folder: Path
    kit: Command
    token: str = "the-canary-sings-6b1f"
    mark: str = "left-by-an-attack"
    connections: list[Any] = field(default_factory=list[Any])
    verdicts: dict[str, Any] = field(default_factory=dict[str, Any])
    printed: str = ""
    port: int = 0
    sleeper: subprocess.Popen[bytes] | None = None

    @property
    def canary(self) -> Path:
        return self.folder / "canary.txt"

    @property
    def outside(self) -> Path:
        return self.folder / "outside"

    def text(self, attack: hostile.Attack) -> str:
        assert self.sleeper is not None
        words = {
            "CANARY": self.canary,
            "PORT": self.port,
            "PID": self.sleeper.pid,
            "KIT": self.kit.kit,
            "MARK": self.mark,
            "OUTSIDE": self.outside,
            "TABLE": table() if "@TABLE@" in attack.text else "",
        }
        return re.sub(r"@([A-Z]+)@", lambda found: str(words[found[1]]), attack.text)


@cache
def table() -> dict[tuple[int, int], list[float]]:
    """Right outputs for the published cases: what somebody who has seen them would remember."""
    from tests.test_problems import computed

    oracle = computed(FLAGSHIP)
    pairs = zip(oracle.facts.cases, oracle.truth().expected, strict=True)
    return {(int(case[1]), int(case[2])): [float(value) for value in due.values] for case, due in pairs}


@contextlib.contextmanager
def grounds(folder: Path) -> Generator[Grounds]:
    """A kit, a canary, somebody who listens and somebody who sleeps."""
    made = Grounds(folder, Command(copy_kit(folder / "kit", FLAGSHIP)))
    made.canary.write_text(made.token)
    made.outside.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made.port = listening.getsockname()[1]
        threading.Thread(target=_accept, args=(listening, made.connections), daemon=True).start()
        made.sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        try:
            yield made
        finally:
            made.sleeper.kill()
            made.sleeper.wait()


def _accept(listening: socket.socket, connections: list[Any]) -> None:
    with contextlib.suppress(OSError):
        while True:
            connections.append(listening.accept())


RUNS: dict[str, Grounds] = {}
WHOLE: dict[str, tuple[list[str], list[str]]] = {}


@pytest.fixture(scope="session")
def run_at(tmp_path_factory: pytest.TempPathFactory) -> Generator[Any]:
    """All attacks of a tier in one run, in random order, several at once, an honest answer after each; once a session."""
    with contextlib.ExitStack() as stack:

        def at(tier: str) -> Grounds:
            if tier not in RUNS:
                RUNS[tier] = stack.enter_context(grounds(tmp_path_factory.mktemp(f"tier{tier}")))
                before = everything(RUNS[tier])
                run(RUNS[tier], tier)
                WHOLE[tier] = (before, everything(RUNS[tier]))
            return RUNS[tier]

        yield at
        RUNS.clear()


def run(here: Grounds, tier: str) -> None:
    names = [name for name, attack in ATTACKS.items() if tier in attack.outcomes]
    random.Random(f"order {tier}").shuffle(names)
    options: list[str] = []
    folder = here.folder / "answers"
    for name in names:
        for file, text in ((f"{name}.py", here.text(ATTACKS[name])), (f"next/{name}.py", HONEST)):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8", newline="")
            options += ["--answer", str(folder / file)]
    arguments = ["check", FLAGSHIP, f"--confine={CONFINE[tier]}", "--fresh", CASES_SEED, *LIMITS, *options]
    document = here.kit.json(*arguments)
    assert document["confinement"] == tier
    here.printed = str(document)
    here.verdicts = {
        str(Path(verdict["file"]).relative_to(folder).with_suffix("")): verdict for verdict in document["verdicts"]
    }


def everything(here: Grounds) -> list[str]:
    """All files of the kit but what the grader keeps, with their texts; mounts; shared memory."""
    root = here.kit.kit
    files = [path for path in sorted(root.rglob("*")) if ".grader" not in path.parts and path.is_file()]
    texts = [f"{path.relative_to(root)} {path.stat().st_mode:o} {path.read_bytes()!r}" for path in files]
    mounts = Path("/proc/self/mounts").read_text().splitlines() if sys.platform == "linux" else []
    shared = sorted(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else []
    return [*texts, *mounts, *shared]


def tiers() -> list[str]:
    """The best tier that this machine has, and those below it."""
    from grader.doctor import best_tier

    best = best_tier()
    return [tier for tier in hostile.ALL if tier >= best]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    here = tiers()
    if "name" in metafunc.fixturenames:
        listed = [
            pytest.param(tier, name, id=f"{tier}-{name}")
            for tier in here
            for name, attack in ATTACKS.items()
            if tier in attack.outcomes
        ]
        metafunc.parametrize(("tier", "name"), listed)
    elif "tier" in metafunc.fixturenames:
        metafunc.parametrize("tier", here)


@pytest.mark.slow
def test_an_attack_ends_as_its_head_says(tier: str, name: str, run_at: Any) -> None:
    verdict, due = run_at(tier).verdicts[name], ATTACKS[name].outcomes[tier]
    said = f"{verdict['message']} {verdict.get('raised', '')}"
    assert (verdict["status"], verdict["pitfalls"]) == (due.status, due.pitfalls), said
    assert re.search(due.says, said), said


@pytest.mark.slow
def test_the_answer_after_an_attack_is_graded_right(tier: str, name: str, run_at: Any) -> None:
    assert run_at(tier).verdicts[f"next/{name}"]["status"] == "correct"


@pytest.mark.slow
def test_no_attack_is_correct(tier: str, run_at: Any) -> None:
    assert [name for name, one in run_at(tier).verdicts.items() if one["status"] == "correct" and name in ATTACKS] == []


@pytest.mark.slow
def test_attacks_leave_nothing_behind(tier: str, run_at: Any) -> None:
    here = run_at(tier)
    marked = [process for process in psutil.process_iter() if here.mark in " ".join(_cmdline(process))]
    assert marked == []
    if tier != "C":
        before, after = WHOLE[tier]
        assert after == before
        assert list(here.outside.iterdir()) == []


@pytest.mark.slow
def test_reading_connecting_and_signalling_were_refused(tier: str, run_at: Any) -> None:
    if tier == "C":
        pytest.skip("tier C refuses none of them, and promises none")
    here = run_at(tier)
    assert here.token not in here.printed
    assert here.connections == []
    assert here.sleeper.poll() is None
    assert psutil.Process(here.sleeper.pid).status() == psutil.STATUS_SLEEPING


@pytest.mark.slow
def test_there_are_attacks_of_every_kind(tier: str) -> None:
    groups = {name.split("/")[0] for name in ATTACKS}
    assert len(ATTACKS) >= 80
    assert groups >= {
        *("verdict", "stealing", "exhaustion", "processes", "forged", "values"),
        *("files", "network", "remembered", "importing", "encodings"),
    }


def _cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
