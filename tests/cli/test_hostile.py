"""The corpus of attacks, run by the real command at every tier that this machine has: none succeeds or leaves a trace.

If the tests run as root, an ordinary user runs all attacks, and root runs the groups that may end differently for root.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import zlib
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.kit.kit import Kit
from grader.oracle.server import load
from tests import as_ordinary, hostile
from tests.conftest import FLAGSHIP, ROOT, Command, calls_in, copy_kit

ATTACKS = {attack.name: attack for attack in hostile.read()}
LIMITS = ("--cpu-limit", "3", "--memory-limit", "1G")
CASES_SEED = "20170612"

HONEST = """
import numpy as np

def sinusoidal_pos(seed, T, d_model):
    angle = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(-1).astype(np.float32)
"""
"""A fast right answer."""
EVERY = 10
"""After so many attacks, and after the last one, the right answer is graded."""


@dataclass
class Grounds:
    """The targets of attacks, and the traces that a successful attack leaves."""

    folder: Path
    user: str
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

    @property
    def never(self) -> Path:
        """An attack writes a file here if it succeeds in something that no tier allows."""
        return self.folder / "never"

    @property
    def installed(self) -> Path:
        """This run imports the grader from this folder. It belongs to the user, and every answer may read it."""
        return self.folder / "installed"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def text(self, attack: hostile.Attack) -> str:
        assert self.sleeper is not None
        words = {
            "CANARY": self.canary,
            "PORT": self.port,
            "PID": self.sleeper.pid,
            "KIT": self.kit.kit,
            "MARK": self.mark,
            "OUTSIDE": self.outside,
            "NEVER": self.never,
            "LIBRARY": self.installed / "grader" / "library.py",
            "TABLE": table() if "@TABLE@" in attack.text else "",
        }
        return re.sub(r"@([A-Z]+)@", lambda found: str(words[found[1]]), attack.text)


def table() -> str:
    """The right outputs of the published cases, for attacks that remember them, as an expression.

    The numbers of this problem are more than an answer may hold.
    """
    sizes = [(int(case[1]), int(case[2])) for case in load(Kit(ROOT).answer(FLAGSHIP)).cases]
    value = "float((np.sin, np.cos)[i % 2](p / 10000 ** (2 * (i // 2) / d)))"
    listed = f"{{(t, d): [{value} for p in range(t) for i in range(d)] for t, d in {sizes}}}"
    return f"(lambda np: {listed})(__import__('numpy'))"


@contextlib.contextmanager
def grounds(folder: Path, user: str) -> Generator[Grounds]:
    """A kit, a grader, a secret file, a listening socket and a sleeping process, all of one user."""
    made = Grounds(folder, user, Command(copy_kit(folder / "kit", FLAGSHIP), user))
    made.canary.write_text(made.token)
    for one in (made.outside, made.never, made.home):
        one.mkdir()
    _install(made)
    as_ordinary.give(folder, user)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made.port = listening.getsockname()[1]
        threading.Thread(target=_accept, args=(listening, made.connections), daemon=True).start()
        sleep = [sys.executable, "-c", "import time; print(flush=True); time.sleep(3600)"]
        made.sleeper = subprocess.Popen(as_ordinary.command(user, sleep), stdout=subprocess.PIPE)
        try:
            assert made.sleeper.stdout is not None
            made.sleeper.stdout.readline()  # it has printed a line, so it runs as that user now
            yield made
        finally:
            made.sleeper.kill()
            made.sleeper.communicate()


def _install(here: Grounds) -> None:
    """A copy of the grader with another module, which no module imports, and a git repository beside it."""
    shutil.copytree(ROOT / "grader", here.installed / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    (here.installed / "grader" / "library.py").write_text("kept = True\n")
    objects = here.installed / ".git" / "objects" / "ab"
    objects.mkdir(parents=True)
    (objects / "cd").write_bytes(zlib.compress(here.token.encode()))


def _accept(listening: socket.socket, connections: list[Any]) -> None:
    with contextlib.suppress(OSError):
        while True:
            connections.append(listening.accept())


RUNS: dict[tuple[str, str], Grounds] = {}
WHOLE: dict[tuple[str, str], tuple[list[str], list[str]]] = {}


@pytest.fixture(scope="session")
def run_at(request: pytest.FixtureRequest) -> Generator[Any]:
    """Runs the attacks of a user at a tier, once a session: in random order, several at once, right answers among them."""
    listed = calls_in(request.session, test_an_attack_has_the_outcome_that_its_head_states)

    with contextlib.ExitStack() as stack:

        def at(tier: str, user: str) -> Grounds:
            if tier < best_of(user):
                pytest.skip(f"this machine has no tier {tier} for an {user} user")
            if (tier, user) not in RUNS:
                here = stack.enter_context(grounds(stack.enter_context(as_ordinary.folder(user)), user))
                RUNS[tier, user] = here  # before the run, so that a run that fails is not repeated for every test
                before = everything(here)
                run(here, tier, [one["name"] for one in listed if (one["tier"], one["user"]) == (tier, user)])
                WHOLE[tier, user] = (before, everything(here))
            return RUNS[tier, user]

        yield at
        RUNS.clear()


def run(here: Grounds, tier: str, names: list[str]) -> None:
    random.Random(f"order {tier}").shuffle(names)
    options: list[str] = []
    folder = here.folder / "answers"
    texts: dict[str, str] = {}
    for number, name in enumerate(names):
        texts[f"{name}.py"] = here.text(ATTACKS[name])
        if number % EVERY == EVERY - 1 or name == names[-1]:
            texts[f"next/{number}.py"] = HONEST
    for file, text in texts.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8", newline="")
        options += ["--answer", str(folder / file)]
    as_ordinary.give(folder, here.user)
    arguments = ["check", FLAGSHIP, f"--tier={tier}", "--seed", CASES_SEED, *LIMITS, *options]
    path = os.pathsep.join(filter(None, [str(here.installed), os.environ.get("PYTHONPATH", "")]))
    document = here.kit.json(*arguments, HOME=str(here.home), PYTHONPATH=path)
    assert document["confinement"] == tier
    here.printed = str(document)
    here.verdicts = {
        str(Path(verdict["file"]).relative_to(folder).with_suffix("")): verdict for verdict in document["verdicts"]
    }


def everything(here: Grounds) -> list[str]:
    """The state that attacks could change: the user's files except the grader's own, mounts, shared memory, processes."""
    roots = (here.kit.kit, here.installed, here.home)
    files = [path for root in roots for path in sorted(root.rglob("*")) if path.is_file()]
    kept = [path for path in files if not {".grader", "__pycache__"} & {*path.parts}]
    texts = [f"{path.relative_to(here.folder)} {path.stat().st_mode:o} {path.read_bytes()!r}" for path in kept]
    mounts = Path("/proc/self/mounts").read_text().splitlines() if sys.platform == "linux" else []
    shared = sorted(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else []
    assert here.sleeper is not None
    return [*texts, *mounts, *shared, *settings_of(here.sleeper.pid), *settings_of(os.getpid())]


def settings_of(pid: int) -> list[str]:
    """The settings of a process that another process may change: its cores, its priority, its limits."""
    if sys.platform != "linux":
        return []
    process = psutil.Process(pid)
    files = [Path(f"/proc/{pid}/{name}") for name in ("limits", "oom_score_adj", "autogroup")]
    texts = [file.read_text() for file in files if file.exists()]
    values = (process.cpu_affinity(), process.nice(), process.ionice(), os.sched_getscheduler(pid), *texts)
    return [f"{pid}: {one}" for one in values]


BEST_TIER = """
from grader.commands.doctor import best_tier
from grader.options import Limits
from grader.run.launch import launcher

started = launcher(clean=True)
print(best_tier(started, Limits())[0])
started.close()
"""


@cache
def best_of(user: str) -> str:
    """The best tier that a user has here: the kernel may allow one user less than another."""
    command = as_ordinary.command(user, [sys.executable, "-c", BEST_TIER])
    done = subprocess.run(command, cwd="/", text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def tiers(user: str = as_ordinary.ROOT) -> list[str]:
    """The best tier that a user has here, and those below it."""
    return [tier for tier in hostile.ALL if tier >= best_of(user)]


def tried(user: str, tier: str) -> list[str]:
    """The attacks that a user runs at a tier."""
    every = user == as_ordinary.main_user()
    between = tier not in (best_of(user), hostile.ALL[-1])
    return [
        name
        for name, attack in ATTACKS.items()
        if (user, tier) in attack.outcomes
        and (every or attack.group in hostile.DIFFERENT_AS_ROOT)
        and not (between and attack.group in hostile.SAME_AT_EVERY_TIER)
    ]


def when(tier: str, user: str, number: int = 0) -> pytest.MarkDecorator:
    """`.ci/run` tries a third of the attacks at the main user's best tier; `.ci/nightly` all at every tier, as each user."""
    best = user == as_ordinary.main_user() and tier == best_of(user)
    return pytest.mark.slow if best and number % 3 == 0 else pytest.mark.nightly


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tier" not in metafunc.fixturenames:
        return
    pairs = [(tier, user) for tier in tiers() for user in as_ordinary.users()]
    if "name" in metafunc.fixturenames:
        listed = [
            pytest.param(
                tier,
                *user.values,
                name,
                id=f"{tier}-{user.id}-{name}",
                marks=(*user.marks, when(tier, *user.values, number)),
            )
            for tier, user in pairs
            for number, name in enumerate(tried(user.values[0], tier))
        ]
        metafunc.parametrize(("tier", "user", "name"), listed)
    else:
        listed = [
            pytest.param(tier, *user.values, id=f"{tier}-{user.id}", marks=(*user.marks, when(tier, *user.values)))
            for tier, user in pairs
        ]
        metafunc.parametrize(("tier", "user"), listed)


def test_an_attack_has_the_outcome_that_its_head_states(tier: str, user: str, name: str, run_at: Any) -> None:
    verdict, due = run_at(tier, user).verdicts[name], ATTACKS[name].outcomes[user, tier]
    shown = f"{verdict['message']} {verdict.get('raised', '')}"
    assert verdict["status"] in due.statuses, shown
    assert verdict["pitfalls"] == due.pitfalls, shown
    assert re.search(due.says, shown), shown
    assert {*due.remarks} <= {one["name"] for one in verdict["insights"] or ()}
    assert {place["end_line"] for place in verdict["where"] or ()} <= {*range(len(ATTACKS[name].text.splitlines()) + 1)}


def test_right_answers_among_attacks_are_graded_correctly(tier: str, user: str, run_at: Any) -> None:
    verdicts = run_at(tier, user).verdicts
    among = {name: one["status"] for name, one in verdicts.items() if name.startswith("next/")}
    assert len(among) > (len(verdicts) - len(among)) // EVERY - 1
    assert {*among.values()} == {"correct"}


def test_no_attack_is_correct(tier: str, user: str, run_at: Any) -> None:
    verdicts = run_at(tier, user).verdicts
    assert [name for name, one in verdicts.items() if one["status"] == "correct" and name in ATTACKS] == []


def test_attacks_leave_nothing_behind(tier: str, user: str, run_at: Any) -> None:
    here = run_at(tier, user)
    marked = [process for process in psutil.process_iter() if here.mark in " ".join(_cmdline(process))]
    assert marked == []
    assert list(here.never.iterdir()) == []
    if tier != "C":
        before, after = WHOLE[tier, user]
        assert after == before
        assert list(here.outside.iterdir()) == []


def test_reading_connecting_and_signalling_were_refused(tier: str, user: str, run_at: Any) -> None:
    if tier == "C":
        pytest.skip("tier C refuses none of them, and promises none")
    here = run_at(tier, user)
    assert here.token not in here.printed
    assert here.connections == []
    assert here.sleeper.poll() is None
    assert psutil.Process(here.sleeper.pid).status() == psutil.STATUS_SLEEPING


def test_the_attacks_ran_as_that_user(tier: str, user: str, run_at: Any) -> None:
    here = run_at(tier, user)
    kept = (here.kit.kit / ".grader").stat()
    assert kept.st_uid == here.canary.stat().st_uid
    assert (kept.st_uid == 0) == (as_ordinary.AS_ROOT and user == as_ordinary.ROOT)


@pytest.mark.slow
def test_there_are_attacks_of_every_kind() -> None:
    groups = {attack.group for attack in ATTACKS.values()}
    assert len(ATTACKS) >= 80
    assert groups >= {
        *("verdict", "stealing", "exhaustion", "processes", "forged", "values"),
        *("files", "network", "remembered", "importing", "encodings", "programs", "places"),
    }
    assert groups >= hostile.DIFFERENT_AS_ROOT | hostile.SAME_AT_EVERY_TIER
    same = [attack for attack in ATTACKS.values() if attack.group in hostile.SAME_AT_EVERY_TIER]
    assert [
        one.name for one in same if any(due != next(iter(one.outcomes.values())) for due in one.outcomes.values())
    ] == []


def _cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
