"""Damaged files in a kit's `.grader/`: the real command sets them aside, prints one line, and goes on."""

from __future__ import annotations

import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.kit.kit import Kit
from grader.kit.shipped_stub import save_shipped
from grader.oracle.documents import load
from grader.values import frames
from tests.author import toys
from tests.conftest import Command, clean_environment

NAME = "distance_decay"


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy kit whose problem is solved, with all state files that the grader then writes."""
    kit = toys.make(tmp_path_factory.mktemp("solved") / "kit")
    save_shipped(Kit(kit))
    (kit / toys.STUB_FILE).write_text(toys.ANSWER)
    assert Command(kit)(NAME).returncode == 0
    return kit


@pytest.fixture
def own(solved: Path, tmp_path: Path) -> Path:
    """A copy of that kit, which a test may change."""
    return Path(shutil.copytree(solved, tmp_path / "kit"))


def run(kit: Path, *arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """The real command, with 3 GB of address space."""
    return subprocess.run(
        [sys.executable, "-m", "grader", *arguments],
        cwd=kit,
        capture_output=True,
        text=True,
        timeout=seconds,
        env=clean_environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)),
    )


def folder(path: Path) -> None:
    path.mkdir()
    (path / "mine.txt").write_text("mine")


def link_elsewhere(path: Path) -> None:
    (path.parent / "elsewhere").write_text('{"format": 1, "verdicts": {}, "solved": {}, "hints": {}}')
    path.symlink_to("elsewhere")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


def bomb(path: Path, says: int = 1 << 30) -> None:
    """A small file that unpacks to 1 GB."""
    stream = zlib.compressobj(9)
    parts = [stream.compress(bytes(1 << 20)) for _ in range(1024)]
    path.write_bytes(b"".join([frames.MAGIC_OF_FILE, struct.pack("<QI", says, 0), *parts, stream.flush()]))


def lying_bomb(path: Path) -> None:
    """The same, but it says that it unpacks to 100 bytes."""
    bomb(path, 100)


def claims(path: Path) -> None:
    """An array whose header states a huge size."""
    head = json.dumps({"arrays": [{"dtype": "float64", "shape": [1 << 27]}] * 99}).encode()
    frame = frames.MAGIC + struct.pack("<I", len(head)) + head
    path.write_bytes(frames.MAGIC_OF_FILE + struct.pack("<QI", len(frame), zlib.crc32(frame)) + frame)


LOAD = """
import re, sys
from pathlib import Path
from grader.kit.state import take_warnings
from grader.oracle.documents import load
print(load(Path(sys.argv[1])))
print(*take_warnings(), file=sys.stderr)
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""

FAULTS: dict[str, Callable[[Path], object]] = {
    "folder": folder,
    "loop of links": lambda path: path.symlink_to(path.name),
    "link to nothing": lambda path: path.symlink_to("nothing"),
    "link elsewhere": link_elsewhere,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "sparse": sparse,
    "FIFO": os.mkfifo,
    "deep": lambda path: path.write_text("[" * 200_000),
    "noise": lambda path: path.write_bytes(bytes(range(256)) * 9),
    "empty": Path.touch,
}
BOMBS = {"claims": claims, "bomb": bomb, "lying bomb": lying_bomb}


def put(fault: Callable[[Path], object], path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    fault(path)


def assert_set_aside(done: subprocess.CompletedProcess[str], path: Path) -> None:
    (line,) = done.stderr.splitlines()
    assert f"{path} is damaged (" in line
    assert f"it is now {path.name}.damaged, and the grader goes on without it." in line
    assert os.path.lexists(path.with_name(f"{path.name}.damaged"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_progress_is_set_aside(kind: str, own: Path) -> None:
    path = own / ".grader/progress.json"
    put(FAULTS[kind], path)
    done = run(own, "list")
    assert done.returncode == 0
    assert_set_aside(done, path)
    again = run(own, "list")
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is read from Linux's /proc")
@pytest.mark.few(1, 4)
@pytest.mark.parametrize("kind", {**BOMBS, **FAULTS})
def test_an_oracle_is_set_aside_at_once_and_in_little_memory(kind: str, own: Path) -> None:
    (path,) = (own / ".grader/oracles").iterdir()
    put({**FAULTS, **BOMBS}[kind], path)
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(path)], capture_output=True, text=True, timeout=60, env=clean_environment()
    )
    assert done.returncode == 0, done.stderr
    assert_set_aside(done, path)
    oracle, kilobytes = done.stdout.split()
    assert oracle == "None"
    assert int(kilobytes) < 300 << 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["FIFO", "folder"])
def test_an_answer_is_graded_although_its_saved_oracle_is_damaged(kind: str, own: Path) -> None:
    (path,) = (own / ".grader/oracles").iterdir()
    put(FAULTS[kind], path)
    done = Command(own)(NAME)
    assert done.returncode == 0
    assert_set_aside(done, path)
    assert load(path) is not None
    assert Command(own)(NAME).stderr == ""


@pytest.mark.few(0, 3)
@pytest.mark.parametrize("kind", ["link elsewhere", "folder", "FIFO", "sparse", "loop of links", "noise"])
def test_a_saved_stub_is_set_aside(kind: str, own: Path) -> None:
    path = own / f".grader/stubs/{NAME}.py"
    put(FAULTS[kind], path)
    if kind == "noise":
        path.write_bytes(b"\xff\xfe")
    if kind == "link elsewhere":
        path.with_name("elsewhere").write_text(toys.STUB.replace("raise", "import private_text\n    raise"))
    done = run(own, "reset", NAME)
    assert done.returncode == 2
    *_, line = done.stderr.splitlines()
    assert f"{path} is damaged (" in line
    assert "private_text" not in (own / toys.STUB_FILE).read_text()
    (own / toys.STUB_FILE).write_text(toys.STUB)
    again = run(own, NAME)
    assert (again.returncode, again.stderr) == (0, "")
    assert path.read_text() == toys.STUB


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["FIFO", "noise", "link to a device"])
def test_another_file_in_place_of_the_folder_is_reported_and_commands_work(kind: str, own: Path) -> None:
    shutil.rmtree(own / ".grader")
    FAULTS[kind](own / ".grader")
    assert (run(own, "list").returncode, run(own, "hint", NAME).returncode) == (0, 0)
    done = run(own, "hint", NAME)
    (line,) = done.stderr.splitlines()
    assert line.endswith("nothing is kept for next time.")


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["FIFO", "folder", "loop of links", "link elsewhere", "link to a device"])
def test_another_file_in_place_of_the_lock_stops_no_command(kind: str, own: Path) -> None:
    lock = own / ".grader/progress.lock"
    put(FAULTS[kind], lock)
    before = (own / ".grader/elsewhere").read_text() if kind == "link elsewhere" else ""
    done = run(own, "hint", NAME, seconds=20)
    assert done.returncode == 0
    assert "Hint 1" in done.stdout
    if done.stderr:
        (line,) = done.stderr.splitlines()
        assert line.endswith("nothing is kept for next time.")
    else:
        assert json.loads((own / ".grader/progress.json").read_text())["hints"] == {NAME: 1}
    if before:
        assert (own / ".grader/elsewhere").read_text() == before


def test_a_kit_that_cannot_be_written_is_listed_with_one_warning(own: Path) -> None:
    if os.getuid() == 0:
        pytest.skip("root writes everywhere")
    (own / ".grader/progress.json").write_text("{half")
    (own / ".grader/progress.lock").unlink()
    (own / ".grader").chmod(0o555)
    done = run(own, "list")
    (own / ".grader").chmod(0o755)
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert "progress.json is damaged (not JSON), and" in line
    assert (own / ".grader/progress.json").read_text() == "{half"


def test_two_hints_at_once_are_both_counted(own: Path) -> None:
    commands = [
        subprocess.Popen(
            [sys.executable, "-m", "grader", "hint", NAME], cwd=own, env=clean_environment(), stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    assert sorted(b"Hint 2" in one.communicate(timeout=60)[0] for one in commands) == [False, True]
    kept = json.loads((own / ".grader/progress.json").read_text())
    assert (kept["hints"], list(kept["solved"]), list(kept["verdicts"])) == ({NAME: 2}, [NAME], [NAME])
