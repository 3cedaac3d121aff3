"""Control groups: made where the kernel allows it, undone after a step that fails, and they count memory of every kind."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import cgroup
from grader.sandbox.cgroup import Groups, NoGroups
from tests import hostile
from tests.cli.test_hostile import HONEST, tiers
from tests.conftest import FLAGSHIP, clean_environment, document

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's"),
]

ME, PARENT, OTHER = os.getpid(), os.getppid(), 1 << 22


# The folder of the own group


@pytest.mark.parametrize(
    ("own", "mount", "folder"),
    [
        ("0::/user.slice/a", "24 1 0:9 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/sys/fs/cgroup/user.slice/a"),
        ("0::/", "24 1 0:9 / /sys/fs/cgroup rw shared:4 - cgroup2 none rw", "/sys/fs/cgroup"),
        ("3:memory:/old\n0::/new", "24 1 0:9 / /mnt/v2 rw - cgroup2 cgroup2 rw", "/mnt/v2/new"),
        ("0::/docker/1/below", "24 1 0:9 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/sys/fs/cgroup/below"),
        ("0::/a b", r"24 1 0:9 / /with\040space rw - cgroup2 cgroup2 rw", "/with space/a b"),
    ],
)
def test_the_own_group_is_found(own: str, mount: str, folder: str, tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text(f"{own}\n")
    (tmp_path / "mountinfo").write_text(f"23 1 0:8 / /proc rw - proc proc rw\n{mount}\n")
    assert cgroup.own_folder(tmp_path) == Path(folder)


@pytest.mark.parametrize(
    ("own", "mount"),
    [
        ("0::/", "24 1 0:9 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"),
        ("3:memory:/", "24 1 0:9 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
        ("0::/../../outside", "24 1 0:9 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
        ("0::/other", "24 1 0:9 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
    ],
)
def test_a_process_without_a_group_is_an_error(own: str, mount: str, tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text(f"{own}\n")
    (tmp_path / "mountinfo").write_text(f"{mount}\n")
    with pytest.raises(NoGroups, match="no cgroup v2 is mounted that holds this process"):
        cgroup.own_folder(tmp_path)


def test_a_system_without_control_groups_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NoGroups, match="No such file or directory"):
        cgroup.own_folder(tmp_path)


# The steps, in a plain folder


@dataclass
class Kernel:
    """Stands in for the kernel: it applies writes to the files of a plain folder, and records them."""

    top: Path
    members: dict[Path, list[int]]
    refuses: dict[str, int] = field(default_factory=dict[str, int])
    events: dict[str, dict[str, int]] = field(
        default_factory=lambda: {"memory.events": {"oom": 0, "oom_kill": 0}, "pids.events": {"max": 0}}
    )
    done: list[str] = field(default_factory=list[str])

    def write(self, file: Path, text: str) -> None:
        name = re.sub(rf"\b{ME}\b", "ME", f"{file.relative_to(self.top)}")
        if code := self.refuses.get(name):
            raise OSError(code, os.strerror(code), name)
        known = {str(ME): "ME", str(PARENT): "PARENT"}
        self.done.append(f"{name}: {known.get(text, text)}")
        if file.name == "cgroup.procs":
            for pids in self.members.values():
                if int(text) in pids:
                    pids.remove(int(text))
            self.members.setdefault(file.parent, []).append(int(text))

    def folders(self) -> list[str]:
        return [str(path) for path in self.top.iterdir() if path.is_dir()]


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    made = Kernel(tmp_path, {tmp_path: [ME, PARENT]})
    (tmp_path / "cgroup.type").write_text("domain\n")
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids\n")
    (tmp_path / "cgroup.subtree_control").write_text("\n")
    monkeypatch.setattr(cgroup, "own_folder", lambda: tmp_path)
    monkeypatch.setattr(cgroup, "_write", made.write)
    monkeypatch.setattr(cgroup, "_processes", lambda folder: list(made.members.get(folder, [])))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    monkeypatch.setattr(cgroup, "_numbers", lambda file: made.events[file.name])  # pyright: ignore[reportUnknownLambdaType, reportUnknownMemberType]
    return made


TRIED = [
    "trial-ME/memory.max: 1048576",
    "trial-ME/pids.max: 1",
    "trial-ME/memory.oom.group: 1",
    "trial-ME/memory.swap.max: 0",
    "trial-ME/cgroup.kill: 1",
]
MOVED = ["grader-ME/cgroup.procs: ME", "grader-ME/cgroup.procs: PARENT"]
ENABLED = ["cgroup.subtree_control: +memory +pids"]
DISABLED = ["cgroup.subtree_control: -memory -pids"]
BACK = ["cgroup.procs: ME", "cgroup.procs: PARENT"]


def test_the_steps_and_how_they_are_undone(kernel: Kernel) -> None:
    groups = cgroup.take()
    assert kernel.done == [*MOVED, *ENABLED, *TRIED]
    assert kernel.folders() == [str(groups.home)]
    kernel.done.clear()
    groups.close()
    assert kernel.done == [*DISABLED, *BACK]
    assert kernel.folders() == []


def test_no_process_moves_in_the_root_group(kernel: Kernel) -> None:
    (kernel.top / "cgroup.type").unlink()
    (kernel.top / "cgroup.subtree_control").write_text("cpu pids\n")
    kernel.members[kernel.top] = [ME, PARENT, OTHER]
    groups = cgroup.take()
    groups.close()
    assert kernel.done == ["cgroup.subtree_control: +memory", *TRIED, "cgroup.subtree_control: -memory"]


def test_other_processes_in_the_group_are_left_where_they_are(kernel: Kernel) -> None:
    kernel.members[kernel.top] = [ME, PARENT, OTHER]
    with pytest.raises(NoGroups, match="other processes are in the control group"):
        cgroup.take()
    assert (kernel.done, kernel.folders()) == ([], [])


@pytest.mark.parametrize(("there", "missing"), [("cpu pids", "memory"), ("memory", "pids"), ("", "memory and pids")])
def test_controllers_that_are_missing_are_named(there: str, missing: str, kernel: Kernel) -> None:
    (kernel.top / "cgroup.controllers").write_text(there)
    with pytest.raises(NoGroups, match=f"no controller for {missing} here"):
        cgroup.take()
    assert (kernel.done, kernel.folders()) == ([], [])


@pytest.mark.parametrize(
    ("file", "code", "done"),
    [
        ("grader-ME/cgroup.procs", errno.EACCES, []),
        ("cgroup.subtree_control", errno.EBUSY, [*MOVED, *BACK]),
        ("trial-ME/memory.max", errno.ENOENT, [*MOVED, *ENABLED, *DISABLED, *BACK]),
        ("trial-ME/pids.max", errno.EACCES, [*MOVED, *ENABLED, *TRIED[:1], *DISABLED, *BACK]),
        ("trial-ME/cgroup.kill", errno.ENOENT, [*MOVED, *ENABLED, *TRIED[:4], *DISABLED, *BACK]),
    ],
)
def test_a_step_that_is_refused_undoes_those_before(file: str, code: int, done: list[str], kernel: Kernel) -> None:
    kernel.refuses[file] = code
    with pytest.raises(NoGroups) as raised:
        cgroup.take()
    assert str(raised.value) == f"{os.strerror(code)}: {file}"
    assert kernel.done == done
    assert kernel.members[kernel.top] == [ME, PARENT]
    assert kernel.folders() == []


def test_a_folder_that_cannot_be_written_is_an_error(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(NoGroups, match="Read-only file system"):
        cgroup.take()
    assert kernel.done == []


def test_a_kernel_that_does_not_count_swap_is_enough(kernel: Kernel) -> None:
    kernel.refuses["trial-ME/memory.swap.max"] = errno.ENOENT
    cgroup.take()
    assert "trial-ME/cgroup.kill: 1" in kernel.done


@pytest.mark.parametrize(
    ("memory", "pids", "over"),
    [
        ({"oom": 0, "oom_kill": 0}, {"max": 0}, ""),
        ({"oom": 1, "oom_kill": 3}, {"max": 0}, "memory"),
        ({"oom": 0, "oom_kill": 3}, {"max": 0}, ""),  # the machine's memory was used up, not the group's
        ({"oom": 2, "oom_kill": 0}, {"max": 0}, ""),  # it asked for too much, was refused, and did not end
        ({"oom": 0, "oom_kill": 0}, {"max": 7}, "tasks"),
    ],
)
def test_the_limit_that_ended_a_group_is_reported(
    memory: dict[str, int], pids: dict[str, int], over: str, kernel: Kernel
) -> None:
    kernel.events = {"memory.events": memory, "pids.events": pids}
    group = Groups(kernel.top, kernel.top, ()).new("answer", 1 << 30, 10)
    group.add(OTHER)
    assert group.end() == over
    group.remove()
    assert kernel.folders() == []


# systemd


def test_without_a_users_systemd_nothing_is_started_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert cgroup.scope() == []
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert cgroup.scope() == []


# The kernel's own control groups


@dataclass(frozen=True)
class Place:
    """Where commands run so that the kernel counts their answers: in a group of their own, or in one that systemd makes."""

    group: Path | None

    def start(self, kit: Path, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-P", "-m", "grader", *arguments]
        if self.group is not None:
            command = ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(self.group), *command]
        return subprocess.Popen(
            command, cwd=kit, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment()
        )

    def run(self, kit: Path, *arguments: str) -> str:
        said, errors = self.start(kit, *arguments).communicate(timeout=600)
        assert said, errors
        return said

    def verdict(self, kit: Path, text: str, *arguments: str) -> Any:
        file = kit / "one_answer.py"
        file.write_text(text, encoding="utf-8")
        limits = ("--memory-limit", "1G", "--cpu-limit", "120")
        said = self.run(kit, "check", FLAGSHIP, "--answer", str(file), *limits, *arguments, "--json")
        (verdict,) = document(said)["verdicts"]
        return verdict

    def groups(self) -> list[Path]:
        """The groups of answers that exist now."""
        return sorted((self.group or Path("/sys/fs/cgroup")).rglob("answer-*"))

    def left(self) -> list[Path]:
        """The groups of answers that still exist after there was time to remove them."""
        end = time.monotonic() + 10
        while self.groups() and time.monotonic() < end:
            time.sleep(0.1)
        return self.groups()


@pytest.fixture(scope="module")
def place(shared_kit: Path) -> Iterator[Place]:
    with contextlib.ExitStack() as stack:
        place = Place(None if cgroup.scope() else _beside())
        if place.group is not None:
            stack.callback(place.group.rmdir)
        said = " ".join(place.run(shared_kit, "doctor").split())
        row = said[said.index("memory ") : said.index(" confinement ")]
        if "counted by the kernel" not in row:
            pytest.skip(f"no cgroup v2 is delegated to these tests; doctor says: {row}")
        yield place


def _beside() -> Path | None:
    """A new group beside the one that these tests run in; None where none can be made that counts memory."""
    try:
        folder = cgroup.own_folder().parent / f"tests-{ME}"
        folder.mkdir()
    except (NoGroups, OSError):
        return None
    if os.access(folder / "memory.max", os.W_OK):
        return folder
    folder.rmdir()
    return None


HOGS = {
    "a file in memory, written and never mapped": """
    kept = [os.memfd_create("hog") for _ in range(40)]
    for file in kept:
        for _ in range(60):
            os.write(file, bytes(1 << 20))
""",
    "shared memory that nobody maps any more": """
    kept = [mmap.mmap(-1, 64 << 20) for _ in range(40)]
    for area in kept:
        for _ in range(64):
            area.write(bytes(1 << 20))
        area.madvise(mmap.MADV_DONTNEED)
""",
    "tables of pages": """
    for _ in range(64):
        if os.fork() == 0:
            area = mmap.mmap(-1, 10 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)
            area.madvise(mmap.MADV_NOHUGEPAGE)
            for at in range(0, len(area), 2 << 20):
                area[at]
            time.sleep(1000)
    time.sleep(60)
""",
    "orphans": """
    for _ in range(8):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                kept = b"x" * (200 << 20)
                time.sleep(1000)
            os._exit(0)
        os.wait()
    time.sleep(60)
""",
    "pipes": """
    for _ in range(15):
        if os.fork() == 0:
            kept = [os.pipe() for _ in range(100)]
            for read, write in kept:
                fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1 << 20)
                os.write(write, bytes(1 << 20))
            time.sleep(1000)
    time.sleep(60)
""",
}


def hog(body: str) -> str:
    return f"import fcntl, mmap, os, time\n\ndef sinusoidal_pos(seed, T, d_model):\n{body}\n    return 0.0\n"


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOGS)
def test_memory_of_every_kind_counts(kind: str, place: Place, shared_kit: Path) -> None:
    if kind == "pipes" and os.geteuid() != 0:
        pytest.skip("the kernel gives an ordinary user's pipes 64 MB at most, less than the limit here")
    verdict = place.verdict(shared_kit, hog(HOGS[kind]), "--tier=C")
    assert verdict["status"] == "memory", verdict
    assert "It used more than the 1 GB of memory" in verdict["message"]
    assert place.left() == []


@pytest.mark.parametrize("tier", hostile.ALL)
def test_memory_counts_at_every_tier_and_an_honest_answer_is_right(tier: str, place: Place, shared_kit: Path) -> None:
    if tier not in tiers():
        pytest.skip(f"tier {tier} is not there")
    confined = f"--tier={tier}"
    verdict = place.verdict(shared_kit, hog("    kept = [bytes([1]) * (1 << 20) for _ in range(2000)]"), confined)
    assert (verdict["status"], verdict["confinement"]) == ("memory", tier), verdict
    verdict = place.verdict(shared_kit, HONEST, confined)
    assert (verdict["status"], verdict["confinement"]) == ("correct", tier), verdict
    assert place.left() == []


def test_an_answer_with_more_processes_than_it_may_have_is_ended(place: Place, shared_kit: Path) -> None:
    bomb = hog("    while True:\n        if os.fork() == 0:\n            time.sleep(1000)")
    verdict = place.verdict(shared_kit, bomb, "--tier=C")
    assert verdict["status"] == "memory", verdict
    assert place.left() == []


@pytest.mark.parametrize("tier", [tier for tier in hostile.ALL if tier != "C"])
@pytest.mark.parametrize("step", ["open({file!r}, 'w')", "os.open({file!r}, os.O_WRONLY)", "os.mkdir({folder!r})"])
def test_a_confined_answer_does_not_reach_the_groups(tier: str, step: str, place: Place, shared_kit: Path) -> None:
    if tier not in tiers():
        pytest.skip(f"tier {tier} is not there")
    top = place.group or cgroup.own_folder()
    tried = step.format(file=str(top / "cgroup.procs"), folder=str(top / "by-an-answer"))
    verdict = place.verdict(shared_kit, hog(f"    {tried}"), f"--tier={tier}")
    assert verdict["status"] == "error", verdict
    assert "PermissionError" in f"{verdict['message']} {verdict['raised']}"


def test_a_grader_that_is_killed_leaves_no_group(place: Place, shared_kit: Path) -> None:
    file = shared_kit / "sleeps.py"
    file.write_text(hog("    time.sleep(1000)"))
    started = place.start(shared_kit, "check", FLAGSHIP, "--answer", str(file), "--tier=C")
    end = time.monotonic() + 120
    while not place.groups() and time.monotonic() < end:
        time.sleep(0.1)
    assert place.groups() != []
    started.send_signal(signal.SIGKILL)
    started.communicate()
    assert place.left() == []
