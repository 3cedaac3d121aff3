"""Confinement: the filter decides as it says, tiers fall back one by one, and an honest answer notices nothing."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from grader.run.environment import environment
from grader.sandbox import confine, landlock, system_calls
from grader.sandbox.confine import TIERS
from grader.sandbox.seccomp import ALLOWED, Instruction, program
from tests import answers, as_ordinary
from tests.cli.test_hostile import CONFINE, HONEST, tiers
from tests.conftest import FLAGSHIP, ROOT, Command, copy_kit

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's means are Linux's")

every_user = pytest.mark.parametrize("user", as_ordinary.users())

ME, OTHER = 77, 78
X86, ARM = "x86_64", "aarch64"
AUDIT = {X86: 0xC000003E, ARM: 0xC00000B7}
ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x80000000


def decide(rows: list[Instruction], number: int, architecture: int, *arguments: int) -> int:
    """What the kernel would do with a call: the filter, interpreted (classic BPF)."""
    data = number.to_bytes(4, "little") + architecture.to_bytes(4, "little") + bytes(8)
    data += b"".join(value.to_bytes(8, "little") for value in (*arguments, *(0,) * 6)[:6])
    at = value = 0
    while True:
        code, yes, no, k = rows[at]
        at += 1
        match code:
            case 0x20:
                value = int.from_bytes(data[k : k + 4], "little")
            case 0x54:
                value &= k
            case 0x15:
                at += yes if value == k else no
            case 0x35:
                at += yes if value >= k else no
            case 0x45:
                at += yes if value & k else no
            case 0x06:
                return k
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


ABSENT = 0
"""The number of a call that arm64 does not have."""

# name: x86_64, aarch64, arguments, what is done
CALLS: dict[str, tuple[int, int, tuple[int, ...], int]] = {
    "socket": (41, 198, (), EPERM),
    "socketpair": (53, 199, (), EPERM),
    "connect": (42, 203, (), EPERM),
    "ptrace": (101, 117, (), EPERM),
    "process_vm_readv": (310, 270, (), EPERM),
    "process_vm_writev": (311, 271, (), EPERM),
    "execve": (59, 221, (), EPERM),
    "execveat": (322, 281, (), EPERM),
    "mount": (165, 40, (), EPERM),
    "unshare": (272, 97, (), EPERM),
    "setns": (308, 268, (), EPERM),
    "keyctl": (250, 219, (), EPERM),
    "io_uring_setup": (425, 425, (), EPERM),
    "memfd_create": (319, 279, (), EPERM),
    "bpf": (321, 280, (), EPERM),
    "perf_event_open": (298, 241, (), EPERM),
    "pidfd_open": (434, 434, (), EPERM),
    "pidfd_send_signal": (424, 424, (), EPERM),
    "chmod by descriptor": (91, 52, (), EPERM),
    "setuid": (105, 146, (), EPERM),
    "shmget": (29, 194, (), EPERM),
    "a call of next year": (600, 600, (), EPERM),
    "clone3": (435, 435, (), ENOSYS),
    "clone of a process": (56, 220, (17,), EPERM),
    "clone of a thread": (56, 220, (0x3D0F00,), ALLOW),
    "kill itself": (62, 129, (ME, 11), ALLOW),
    "kill another": (62, 129, (OTHER, 9), EPERM),
    "kill its group": (62, 129, (0, 9), EPERM),
    "kill everybody": (62, 129, ((1 << 64) - 1, 9), EPERM),
    "tgkill of its own": (234, 131, (ME, ME, 6), ALLOW),
    "tgkill of another": (234, 131, (OTHER, OTHER, 6), EPERM),
    "name a thread": (157, 167, (15,), ALLOW),
    "outlive the parent": (157, 167, (1,), EPERM),
    "is it a terminal": (16, 29, (1, 0x5401), ALLOW),
    "type into a terminal": (16, 29, (1, 0x5412), EPERM),
    "read a limit": (302, 261, (0, 7, 0, 1), ALLOW),
    "raise a limit": (302, 261, (0, 7, 1 << 40, 0), EPERM),
    "copy a descriptor": (72, 25, (1, 1030), ALLOW),
    "have another signalled": (72, 25, (1, 8, OTHER), EPERM),
    "ask a descriptor's flags": (72, 25, (1, 3), ALLOW),
    "lock a part of a file": (72, 25, (1, 6), EPERM),
    "wait for a part of a file": (72, 25, (1, 7), EPERM),
    "lock a part of an open file": (72, 25, (1, 37), EPERM),
    "lock a file": (73, 32, (1, 2), EPERM),
    "futex": (202, 98, (), ALLOW),
    "read": (0, 63, (), ALLOW),
    "map memory of its own": (9, 222, (0, 1 << 30, 3, 0x22), ALLOW),
    "map a file for itself": (9, 222, (0, 4096, 1, 0x02, 3), ALLOW),
    "map in a fixed place, without reserve": (9, 222, (0, 4096, 3, 0x4032), ALLOW),
    "map a file to be read, with others": (9, 222, (0, 4096, 1, 0x01, 3), ALLOW),
    "map shared memory": (9, 222, (0, 4096, 3, 0x21), EPERM),
    "map shared memory, validated": (9, 222, (0, 4096, 3, 0x23), EPERM),
    "map shared memory of huge pages": (9, 222, (0, 1 << 21, 3, 0x40021), EPERM),
    "map of no kind": (9, 222, (), EPERM),
    "create": (85, ABSENT, (), ALLOW),
    "bind itself to a core": (203, 122, (0, 8), ALLOW),
    "bind itself by its number": (203, 122, (ME, 8), ALLOW),
    "bind another": (203, 122, (OTHER, 8), EPERM),
    "schedule another": (144, 119, (OTHER, 0), EPERM),
    "attributes of another's schedule": (314, 274, (OTHER,), EPERM),
    "priority of another": (141, 140, (0, OTHER, 19), EPERM),
    "priority of another at the disk": (251, 30, (1, OTHER, 0x6000), EPERM),
    "truncate by a path": (76, 45, (), EPERM),
    "openat2": (437, 437, (), EPERM),
}

O_CREAT, O_TRUNC, O_CLOEXEC = 0o100, 0o1000, 0o2000000
OPENED: dict[str, tuple[int, int]] = {
    "to read": (os.O_RDONLY | O_CLOEXEC, ALLOW),
    "to write": (os.O_WRONLY, ALLOW),
    "to read, cut": (os.O_RDONLY | O_TRUNC, EPERM),
    "to read, made or cut": (os.O_RDONLY | O_TRUNC | O_CREAT | O_CLOEXEC, EPERM),
    "to write, cut": (os.O_WRONLY | O_TRUNC | O_CREAT, ALLOW),
    "for both, cut": (os.O_RDWR | O_TRUNC, ALLOW),
    "for neither, cut": (os.O_ACCMODE | O_TRUNC, EPERM),
}
"""How files are opened. Landlock judges what is written to; what is cut without being written to is for the filter."""

for name, (flags, due) in OPENED.items():
    CALLS[f"openat {name}"] = (257, 56, (3, 0, flags), due)
    CALLS[f"open {name}"] = (2, ABSENT, (0, flags), due)


@pytest.mark.parametrize("architecture", [X86, ARM])
@pytest.mark.parametrize("call", CALLS)
def test_the_filter_allows_what_computing_needs_and_no_more(architecture: str, call: str) -> None:
    x86, arm, arguments, due = CALLS[call]
    if architecture == ARM and arm == ABSENT:
        pytest.skip("arm64 has no such call")
    number = x86 if architecture == X86 else arm
    assert decide(program(architecture, ME), number, AUDIT[architecture], *arguments) == due


@pytest.mark.parametrize("architecture", [X86, ARM])
def test_calls_of_another_architecture_end_the_process(architecture: str) -> None:
    other = ARM if architecture == X86 else X86
    assert decide(program(architecture, ME), 63, AUDIT[other]) == KILL
    assert decide(program(X86, ME), 0x40000000 | 1, AUDIT[X86]) == KILL


@pytest.mark.parametrize("architecture", [X86, ARM])
def test_every_jump_of_the_filter_lands_inside_it(architecture: str) -> None:
    rows = program(architecture, ME)
    assert len(rows) < 4096
    for index, (code, yes, no, _) in enumerate(rows):
        assert 0 <= yes < 256
        assert 0 <= no < 256
        assert code == 0x06 or index + 1 + max(yes, no) < len(rows)


def test_a_number_stands_for_one_call() -> None:
    for column in (0, 1):
        numbers = [numbers[column] for numbers in ALLOWED.values() if numbers[column] is not None]
        assert len(numbers) == len(set(numbers))


SCRIPT = """
import json, os, sys
from grader.sandbox import confine, landlock, seccomp
from grader.sandbox import system_calls as system

def refuse(*arguments):
    raise OSError(1, "Operation not permitted")

for step in sys.argv[2].split():
    module, name = step.split(".")
    setattr({"landlock": landlock, "seccomp": seccomp, "system": system}[module], name, refuse)
try:
    done = confine.confine(sys.argv[1], 1 << 30)
    said = [done.tier, done.refused]
except confine.Refused as error:
    said = ["", [str(error)]]
print(json.dumps([*said, sorted(os.environ)]))
"""


def confined(user: str, wanted: str, missing: str = "", **variables: str) -> tuple[str, list[str], list[str]]:
    """Confine a process in which some steps are refused: its tier, what was refused, and its environment."""
    done = subprocess.run(
        as_ordinary.command(user, [sys.executable, "-c", SCRIPT, wanted, missing]),
        env={**environment(clean=True), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    tier, refused, names = json.loads(done.stdout)
    return tier, refused, names


@pytest.mark.parametrize(
    ("missing", "tier", "refused"),
    [
        ("system.unshare", "B", ["namespaces: Operation not permitted"]),
        (
            "system.unshare landlock.version",
            "C",
            ["namespaces: Operation not permitted", "Landlock: Operation not permitted"],
        ),
        ("system.mount", "", ["namespaces: Operation not permitted"]),
        ("seccomp.restrict system.unshare", "", ["seccomp: Operation not permitted"]),
    ],
)
@every_user
def test_what_is_refused_is_told_and_the_next_tier_is_taken(
    missing: str, tier: str, refused: list[str], user: str
) -> None:
    if "landlock.version" not in missing and "B" not in tiers(user):
        pytest.skip("this machine has no tier B")
    got, said, _ = confined(user, "A", missing)
    assert (got, said) == (tier, refused)


@every_user
def test_a_confined_process_is_as_confined_as_it_was_asked_for(user: str) -> None:
    assert [confined(user, tier)[0] for tier in tiers(user)] == tiers(user)


@every_user
def test_a_confined_process_has_an_environment_of_its_own(user: str) -> None:
    for tier in tiers(user):
        _, _, names = confined(user, tier, SECRET_TOKEN="abc", AWS_KEY="def", HOME="/root")
        assert not {"SECRET_TOKEN", "AWS_KEY", "HOME", "PATH", "PYTHONPATH"} & set(names)


def test_the_processes_of_a_confined_run_never_hold_the_parents_secrets() -> None:
    os.environ["GRADER_TEST_SECRET"], os.environ["JAX_COMPILATION_CACHE_DIR"] = "abc", "/tmp/cache"
    try:
        clean = environment(clean=True)
    finally:
        del os.environ["GRADER_TEST_SECRET"], os.environ["JAX_COMPILATION_CACHE_DIR"]
    assert "GRADER_TEST_SECRET" not in clean
    assert "JAX_COMPILATION_CACHE_DIR" not in clean


def test_what_may_be_read_holds_no_kit() -> None:
    readable = confine.readable()
    assert not any(ROOT.is_relative_to(path) for path in readable)
    assert not any((ROOT / "solutions").is_relative_to(path) for path in readable)


def test_landlock_knows_the_rights_of_every_version_up_to_this_kernels() -> None:
    try:
        version = landlock.version()
    except OSError:
        pytest.skip("this kernel has no Landlock")
    assert version >= 1


@pytest.fixture(scope="module")
def command_of() -> Iterator[Callable[[str], Command]]:
    """The command over a kit of each user's, as that user."""
    with contextlib.ExitStack() as stack:

        @cache
        def of(user: str) -> Command:
            kit = copy_kit(stack.enter_context(as_ordinary.folder(user)) / "kit", FLAGSHIP)
            as_ordinary.give(kit, user)
            return Command(kit, user)

        yield of


@pytest.mark.slow
@every_user
@pytest.mark.parametrize("tier", TIERS)
def test_no_honest_answer_is_refused(tier: str, user: str, command_of: Callable[[str], Command]) -> None:
    if tier not in tiers(user):
        pytest.skip(f"this machine has no tier {tier}")
    command = command_of(user)
    folder = command.kit / f"honest{tier}"
    folder.mkdir()
    titles: dict[str, str] = {}
    for number, one in enumerate(answers.read(FLAGSHIP, "right")):
        (folder / f"{number}.py").write_text(one.text)
        titles[f"{number}.py"] = one.title
    options = [part for name in titles for part in ("--answer", str(folder / name))]
    document = command.json("check", FLAGSHIP, f"--confine={CONFINE[tier]}", *options)
    assert document["confinement"] == tier
    wrong = [titles[Path(one["file"]).name] for one in document["verdicts"] if one["status"] != "correct"]
    assert wrong == []


PURE = """
import collections, contextlib, dataclasses, decimal, fractions, functools, heapq, itertools, json, math, operator
import random, re, statistics, string, textwrap, threading, time, typing, concurrent.futures
import flax, jax, numpy as np, optax
from flax import nnx
"""


def test_the_pure_parts_of_the_library_can_be_imported_and_threads_work(shared_kit: Path) -> None:
    pooled = """
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda p: row(p, d_model), range(T)))
    assert nnx.Linear(2, 3, rngs=nnx.Rngs(0))(np.ones((1, 2))).shape == (1, 3)
    return np.concatenate(rows).astype(np.float32)
"""
    text = (
        f"{PURE}\ndef row(p, d_model):\n    angle = p / 10000.0 ** (np.arange(0, d_model, 2) / d_model)\n"
        "    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(-1)\n\n"
        f"def sinusoidal_pos(seed, T, d_model):{pooled}"
    )
    for tier in tiers():
        verdict = Command(shared_kit).verdict(text, f"--confine={CONFINE[tier]}")
        assert verdict["status"] == "correct", (tier, verdict["message"], verdict.get("raised"))
        assert verdict["confinement"] == tier


def test_doctor_says_the_tier(grader: Command) -> None:
    said = re.search(r"confinement +tier ([ABC])", grader("doctor").stdout)
    assert said is not None
    assert said[1] == tiers()[0]


def test_a_gpu_is_not_confined(grader: Command) -> None:
    done = grader("check", FLAGSHIP, "--confine", "--device", "gpu")
    assert done.returncode == 2
    assert "disposable machine" in done.stderr


def test_confine_takes_no_name_for_its_value(shared_kit: Path) -> None:
    file = shared_kit / "named.py"
    file.write_text(HONEST)
    done = Command(shared_kit)("check", "--answer", str(file), "--confine", FLAGSHIP)
    assert done.returncode == 0, done.stderr
    assert f"Confined: tier {tiers()[0]}." in done.stdout


def test_system_calls_that_fail_say_why() -> None:
    with pytest.raises(OSError, match="Bad file descriptor"):
        system_calls.syscall(3 if system_calls.machine() == X86 else 57, 9999)  # close
