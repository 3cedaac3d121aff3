"""Any kind of file may lie at the path of an answer or a stub: no private file is read, and no command hangs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.author import toys
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, Command, copy_kit

pytestmark = pytest.mark.slow  # the real command, in a kit of its own

TOY = "distance_decay"
TOKEN = "the-canary-sings-7c2d"
LINK, FOLDER = "a link, not a file", "is a link: give a path without links"
MISSING = "there is no such file"
HARD = "a hard link: the file has another name too"


@pytest.mark.slow
@pytest.mark.parametrize("confine", [(), ("--tier=C",)])
def test_a_link_to_the_worked_answer_or_to_a_private_file_is_not_followed(
    confine: tuple[str, ...], own_kit: Command, tmp_path: Path
) -> None:
    private, folder = tmp_path / "private", tmp_path / "class"
    for one in (private, folder):
        one.mkdir()
    (private / "secret.py").write_text(f"password = {TOKEN}!\n")
    worked = own_kit.kit / "solutions" / FLAGSHIP
    (folder / "worked.py").symlink_to(worked / "answer.py")
    (folder / "secret.py").symlink_to(private / "secret.py")
    (folder / "alice").symlink_to(worked)
    (folder / "bob").symlink_to(private)
    (folder / "loop.py").symlink_to("loop.py")
    os.link(private / "secret.py", folder / "second.py")
    (folder / "honest.py").write_text(RIGHT)
    unread = ["worked.py", "secret.py", "alice/answer.py", "bob/secret.py", "loop.py", "second.py", "missing.py"]
    options = [part for name in (*unread, "honest.py") for part in ("--answer", str(folder / name))]
    document = own_kit.json("check", FLAGSHIP, *confine, *options)
    verdicts = document["verdicts"]
    assert [verdict["status"] for verdict in verdicts] == [*["error"] * 7, "correct"]
    for verdict, message in zip(verdicts, (LINK, LINK, FOLDER, FOLDER, LINK, HARD, MISSING, "Right"), strict=True):
        assert message in verdict["message"]
    assert TOKEN not in str(document)
    tier = "C" if confine else "none"
    assert document["confinement"] == tier, "an answer that could not be read did not run"
    assert [verdict["confinement"] for verdict in verdicts] == [*[None] * 7, tier]


def fifo(path: Path) -> None:
    os.mkfifo(path)


def sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(3 << 30)


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


STRANGE: dict[Callable[[Path], None], str] = {
    fifo: "not a regular file",
    sparse: "larger than it may be: 3 GB, of 64 KB at most",
    folder: "a folder, not a file",
    loop: "Too many levels of symbolic links",
    device: "not a regular file",
}


@pytest.mark.slow
def test_a_fifo_a_huge_file_and_a_device_are_reported_and_the_rest_is_graded(own_kit: Command, tmp_path: Path) -> None:
    options: list[str] = []
    for make in STRANGE:
        make(tmp_path / f"{make.__name__}.py")
        options += ["--answer", str(tmp_path / f"{make.__name__}.py")]
    (tmp_path / "honest.py").write_text(RIGHT)
    verdicts = own_kit.json("check", FLAGSHIP, *options, "--answer", str(tmp_path / "honest.py"))["verdicts"]
    assert [verdict["status"] for verdict in verdicts] == [*["error"] * len(STRANGE), "correct"]
    for verdict, make in zip(verdicts, STRANGE, strict=False):
        assert (LINK if (tmp_path / f"{make.__name__}.py").is_symlink() else STRANGE[make]) in verdict["message"]


@pytest.mark.parametrize(
    "make", [pytest.param(make, marks=pytest.mark.slow if make is fifo else pytest.mark.nightly) for make in STRANGE]
)
def test_no_command_hangs_on_a_strange_stub_and_reset_replaces_it(
    make: Callable[[Path], None], own_kit: Command
) -> None:
    stub = own_kit.kit / "problems" / FLAGSHIP / "stub.py"
    shipped = stub.read_text()
    assert own_kit().returncode == 0  # the shipped stub is kept
    stub.unlink()
    make(stub)
    assert own_kit("trust", FLAGSHIP).returncode == 0  # a link to a device leads out of the kit
    (verdict,) = own_kit.json(FLAGSHIP)["verdicts"]
    assert verdict["status"] == "error"
    assert STRANGE[make] in verdict["message"]
    for arguments in ((), ("list",), (FLAGSHIP, "--tier=C"), ("audit", FLAGSHIP)):
        done = own_kit(*arguments)
        assert done.returncode in (0, 1)
        assert "Traceback" not in done.stderr
    done = own_kit("reset", FLAGSHIP)
    assert done.returncode == 0
    assert " is kept in " in " ".join(done.stdout.split())
    assert stub.read_text() == shipped
    assert len(list(stub.parent.glob("stub.2*.py"))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("linked", ["stub", "kit", "problems", "folder"])
def test_links_that_a_learner_has_called_their_own_are_followed_unless_answers_are_confined(
    linked: str, own_kit: Command, tmp_path: Path
) -> None:
    kit = own_kit.kit
    stub = kit / "problems" / FLAGSHIP / "stub.py"
    stub.write_text(HALF)
    place = {"kit": kit, "problems": kit / "problems", "folder": stub.parent, "stub": stub}[linked]
    shutil.move(place, tmp_path / "moved")
    place.symlink_to(tmp_path / "moved")
    if linked != "kit":
        refused = own_kit("--kit", str(kit))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "is a link that leads out of the kit, to " in refused.stderr
        assert f"python -m grader --kit {kit} trust {FLAGSHIP}" in refused.stderr
        assert own_kit("trust", FLAGSHIP, "--kit", str(kit)).returncode == 0
    (verdict,) = own_kit.json("--kit", str(kit))["verdicts"]
    assert (verdict["status"], verdict["pitfalls"]) == ("wrong", ["half-exponent"])
    (confined,) = own_kit.json("--kit", str(kit), "--tier=C", FLAGSHIP)["verdicts"]
    if linked == "kit":
        assert confined["status"] == "wrong"
    else:
        assert confined["status"] == "error"
        assert (LINK if linked == "stub" else FOLDER) in confined["message"]


@pytest.mark.slow
def test_reset_keeps_the_text_of_a_linked_stub(own_kit: Command, tmp_path: Path) -> None:
    stub = own_kit.kit / "problems" / FLAGSHIP / "stub.py"
    assert own_kit().returncode == 0
    shutil.move(stub, tmp_path / "mine.py")
    (tmp_path / "mine.py").write_text(RIGHT)
    stub.symlink_to(tmp_path / "mine.py")
    assert own_kit("reset", FLAGSHIP).returncode == 0
    (kept,) = stub.parent.glob("stub.2*.py")
    assert (kept.read_text(), (tmp_path / "mine.py").read_text()) == (RIGHT, RIGHT)
    assert not stub.is_symlink()


@pytest.mark.slow
def test_a_link_to_itself_in_place_of_a_name_is_reported_in_one_line(own_kit: Command) -> None:
    loop(own_kit.kit / "loop.py")
    done = own_kit("loop.py")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) <= 2
    assert "There is no problem 'loop.py'" in done.stderr


def test_a_worked_answer_that_is_not_a_file_is_a_fault_of_the_kit(own_kit: Command) -> None:
    answer = own_kit.kit / "solutions" / FLAGSHIP / "answer.py"
    answer.unlink()
    fifo(answer)
    done = own_kit("solution", FLAGSHIP, "--spoil")
    assert done.returncode == 2
    assert "answer.py: not a regular file" in done.stderr


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "line",
    [
        f"check {FLAGSHIP} --answer answer.py --tier=C",
        f"check {FLAGSHIP} --answer ./problems/../answer.py --tier=C",
        f"trace {FLAGSHIP} --answer answer.py --tier=C",
        f"picture {FLAGSHIP} --answer answer.py --tier=C",
        "class grade work --tier=C",
    ],
)
def test_the_kit_around_what_a_student_handed_in_is_not_run_unless_it_is_named(line: str, tmp_path: Path) -> None:
    """The student's reference writes a file, and agrees with any answer."""
    theirs = copy_kit(tmp_path / "theirs", FLAGSHIP)
    reference = theirs / "solutions" / FLAGSHIP / "answer.py"
    reference.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n{reference.read_text()}")
    (theirs / "work").mkdir()
    for folder in (theirs, theirs / "work"):
        (folder / "answer.py").write_text(RIGHT)
    (theirs / "work" / f"ana_{FLAGSHIP}.py").write_text(RIGHT)
    grader = Command(theirs)
    refused = grader(*line.split(), GRADER_KIT="")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert "may be a stranger's" in refused.stderr
    assert refused.stderr.rstrip().endswith("If it is yours, name it: --kit .")
    assert not (tmp_path / "ran").exists()
    assert not (theirs / ".grader").exists()
    named = grader(*line.split(), "--kit", ".")
    assert (tmp_path / "ran").exists()
    assert named.stderr.splitlines()[-1] == f" Kit: {theirs}"


@pytest.mark.slow
def test_a_kit_of_keys_from_somebody_else_runs_nothing(tmp_path: Path) -> None:
    """Whatever lies around the key: what draws figures, modules beside stubs, and what the grader saves."""
    theirs, ran = tmp_path / "theirs", tmp_path / "ran"
    assert Command(toys.make(tmp_path / "own"))("release", str(theirs)).returncode == 0
    code = f"open({str(ran)!r}, 'w').close()\n"
    for name in ("figure.py", "__init__.py", "conftest.py", "numpy.py", "answer.py"):
        (theirs / "problems" / TOY / name).write_text(code)
    for name in ("problems/__init__.py", "numpy.py", "jax.py", "sitecustomize.py", ".grader/oracles/numpy.py"):
        (theirs / name).parent.mkdir(parents=True, exist_ok=True)
        (theirs / name).write_text(code)
    (tmp_path / "answer.py").write_text(toys.ANSWER)
    grader = Command(theirs)
    for line in (
        "list",
        f"show {TOY}",
        f"hint {TOY}",
        f"site {tmp_path / 'site'}",
        f"reset {TOY}",
    ):
        assert grader(*line.split()).returncode == 0, line
        assert not ran.exists(), line
    checked = grader("check", TOY, "--answer", str(tmp_path / "answer.py"), "--tier=C")
    assert (checked.returncode, ran.exists()) == (0, False)
