"""An answer key grades and names mistakes as its reference does, holds no code, and is refused if it does not fit."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.kit.kit import Kit
from grader.kit.problem import ProblemError
from grader.oracle import answer_key as reading
from grader.oracle import store
from grader.oracle.store import SAMPLED, sample, sampled
from tests import answers
from tests.author import toys
from tests.conftest import ROOT, Command, copy_kit

SMALL = "relative_bias"


def exported(kit: Path, target: Path) -> Command:
    done = Command(kit)("key", "--export", str(target))
    assert done.returncode == 0, done.stderr
    return Command(target)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy kit with an answer key in place of its solutions."""
    root = tmp_path_factory.mktemp("keyed")
    toys.make(root / "whole")
    exported(root / "whole", root / "exported")
    return root / "exported"


@pytest.fixture
def own(toy: Path, tmp_path: Path) -> Path:
    """A copy of the exported kit that a test may change."""
    return Path(shutil.copytree(toy, tmp_path / "own"))


@pytest.mark.slow
def test_an_exported_kit_gives_the_same_verdicts(tmp_path: Path) -> None:
    kit = copy_kit(tmp_path / "kit", SMALL)
    without = exported(kit, tmp_path / "exported")
    assert not (without.kit / "solutions").exists()
    options: list[str] = []
    for kind in ("right", "wrong"):
        for number, written in enumerate(answers.read(SMALL, kind)[:4]):
            file = tmp_path / f"{kind}_{number}.py"
            file.write_text(written.text)
            options += ["--answer", str(file)]
    whole, keyed = (Command(one).json("check", SMALL, *options)["verdicts"] for one in (kit, without.kit))
    assert len(whole) == 8
    for one, other in zip(whole, keyed, strict=True):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}


def test_an_exported_kit_holds_no_code_of_the_solutions(toy: Path) -> None:
    assert sorted(path.relative_to(toy).as_posix() for path in toy.rglob("*") if path.is_file()) == [
        "problems/distance_decay/README.md",
        "problems/distance_decay/key.npz",
        "problems/distance_decay/stub.py",
    ]
    with np.load(toy / "problems/distance_decay/key.npz", allow_pickle=False) as stored:
        header = json.loads(stored["header"].tobytes())
        assert all(stored[name].dtype.kind in "fibu" for name in stored.files)
    text = json.dumps(header)
    assert "too-narrow" in text
    for code in ("jnp", "def ", "width"):
        assert code not in text


def test_an_exported_kit_is_graded_as_any_other(own: Path) -> None:
    command = Command(own)
    stub = own / "problems/distance_decay/stub.py"
    stub.write_text(toys.ANSWER)
    assert command("distance_decay").returncode == 0
    stub.write_text(toys.ANSWER.replace("/ 4", "/ 2"))
    (verdict,) = command.json("distance_decay")["verdicts"]
    assert (verdict["status"], verdict["pitfalls"]) == ("wrong", ["too-narrow"])
    stub.write_text(toys.ANSWER.replace("/ 4", "/ 2").replace("** 2", "** 1").replace("((places", "(abs(places"))
    (verdict,) = command.json("distance_decay")["verdicts"]
    assert sorted(verdict["pitfalls"]) == ["not-squared", "too-narrow"]


def test_an_exported_kit_has_the_shipped_stub_and_not_the_learners(tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    Command(kit)("list")
    Command(kit)("distance_decay")
    stub = kit / toys.STUB_FILE
    Command(kit)()
    stub.write_text(toys.ANSWER)
    without = exported(kit, tmp_path / "exported")
    assert (without.kit / toys.STUB_FILE).read_text() == toys.STUB
    assert stub.read_text() == toys.ANSWER


@pytest.mark.parametrize("target", ["full", "kit/problems/inside", "file"])
def test_an_export_overwrites_nothing(target: str, tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/thesis.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    done = Command(kit)("key", "--export", str(tmp_path / target))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1
    assert (tmp_path / "full/thesis.txt").read_text() == (tmp_path / "file").read_text() == "mine"


def test_an_export_of_some_problems_needs_those_that_come_before_them(tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    files = {**toys.FILES, toys.STATEMENT_FILE: toys.STATEMENT.replace("after: []", "after: [distance_decay]")}
    toys.make(kit, "later_decay", files)
    statement = kit / "problems/later_decay/README.md"
    statement.write_text(statement.read_text().replace("[later_decay]", "[distance_decay]"))
    done = Command(kit)("key", "later_decay", "--export", str(tmp_path / "out"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "later_decay comes after distance_decay" in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def of_another_format(data: bytes) -> bytes:
    with np.load(io.BytesIO(data)) as stored:
        arrays = {name: stored[name] for name in stored.files}
    header = json.loads(arrays["header"].tobytes())
    arrays["header"] = np.frombuffer(json.dumps({**header, "format": 1}).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("damage", "says"),
    [(cut, "damaged, or not a key"), (lambda _: b"", "damaged, or not a key"), (of_another_format, "another version")],
)
def test_a_key_that_does_not_fit_is_refused_in_one_line(damage, says: str, own: Path) -> None:  # type: ignore[no-untyped-def]
    path = own / "problems/distance_decay/key.npz"
    path.write_bytes(damage(path.read_bytes()))
    (own / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(own)("distance_decay")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = " ".join(done.stderr.split()).split("\n")
    assert "problems/distance_decay/key.npz" in line
    assert says in line
    assert "python -m grader key distance_decay" in line


def test_a_key_of_a_stale_statement_is_refused(own: Path) -> None:
    statement = own / toys.STATEMENT_FILE
    statement.write_text(toys.STATEMENT.replace("/ 4", "/ 8"))
    with pytest.raises(ProblemError, match=r"made for another text of problems/distance_decay/README\.md"):
        reading.read(Kit(own), "distance_decay")


def with_mark(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(arrays["header"].tobytes())
    change(header)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, **arrays)


def test_a_key_holds_the_versions_that_made_it_and_no_path(own: Path) -> None:
    with np.load(own / "problems/distance_decay/key.npz") as stored:
        header = json.loads(stored["header"].tobytes())
    assert header["origin"]["distributions"]["jax"] == version("jax")
    assert header["origin"]["files"] == {}
    assert header["key"]["sample"]["normal"]


def test_a_key_of_another_jax_grades_if_that_draws_the_same_numbers(own: Path) -> None:
    with_mark(
        own / "problems/distance_decay/key.npz",
        lambda header: header["origin"]["distributions"].update(jax="0.0.1"),
    )
    (own / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(own)("distance_decay")
    assert done.returncode == 0, done.stderr


def test_a_key_of_another_jax_is_refused_if_that_draws_other_numbers(own: Path) -> None:
    def older(header: dict[str, Any]) -> None:
        header["origin"]["distributions"]["jax"] = "0.0.1"
        header["key"]["sample"]["normal"][0] += 0.5

    with_mark(own / "problems/distance_decay/key.npz", older)
    (own / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(own)("distance_decay")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.strip().splitlines()
    assert "problems/distance_decay/key.npz: normal gives other numbers than where this was made" in line
    assert f"jax 0.0.1, here {version('jax')}" in line
    assert "python -m grader key distance_decay" in line


def test_a_key_fits_whatever_the_line_ends_of_the_statement_are(own: Path) -> None:
    (own / toys.STATEMENT_FILE).write_bytes(toys.STATEMENT.replace("\n", "\r\n").encode())
    assert reading.read(Kit(own), "distance_decay")[0].facts.name == "distance_decay"


def test_the_key_of_another_problem_is_refused(own: Path) -> None:
    folder = own / "problems/another"
    shutil.copytree(own / "problems/distance_decay", folder)
    with pytest.raises(ProblemError, match="this is not a key of another"):
        reading.read(Kit(own), "another")


def test_without_solutions_and_keys_the_fault_says_how_to_get_keys(own: Path) -> None:
    (own / "problems/distance_decay/key.npz").unlink()
    (own / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(own)("distance_decay")
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "solutions/distance_decay/reference.py: there is no such file" in said
    assert "python -m grader key --export DIR" in said


def test_a_key_is_written_beside_its_statement_and_an_audit_finds_it_stale(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    assert Command(kit)("key").stdout.split() == ["problems/distance_decay/key.npz:", "written"]
    assert Command(kit)("audit").returncode == 0
    (kit / toys.REFERENCE_FILE).write_text(toys.REFERENCE + "# another text\n")
    (found,) = Command(kit).json("audit")["audits"][0]["findings"]
    assert (found["check"], found["file"]) == ("key", "problems/distance_decay/key.npz")
    assert "another text of solutions/distance_decay/reference.py" in found["message"]


@pytest.mark.parametrize("size", [0, 1, SAMPLED, SAMPLED + 1, 12000, 20001])
def test_a_sample_is_spread_over_all_of_the_values(size: int) -> None:
    at = sample(size)
    assert at.size == min(size, at.size) <= SAMPLED
    assert np.all(np.diff(at) > 0)
    if size > SAMPLED:
        assert at.size > 0.8 * SAMPLED
        assert np.diff(at).max() < 8 * size / SAMPLED
        assert {int(index) % 6 for index in at} == set(range(6))


def test_a_sampled_mistake_keeps_its_size_and_comes_back_from_a_file() -> None:
    whole = store.Expected(np.arange(1000.0), np.full(1000, 0.25))
    kept = sampled(whole)
    (again,) = store.unpack(store.pack([kept]))
    for one in (kept, again):
        assert one.size == 1000
        assert np.array_equal(one.pick(whole.values), one.values)
        assert isinstance(one, store.SampledExpected)
        assert np.array_equal(one.places, sample(1000))


def test_this_kit_ships_no_stale_key() -> None:
    kit = Kit(ROOT)
    keyed = [name for name in kit.names if kit.key(name).exists()]
    assert [reading.read(kit, name)[0].facts.name for name in keyed] == keyed


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
@pytest.mark.parametrize(
    ("make", "said"), [(os.mkfifo, "not a regular file"), (sparse, "10 GB, of"), (Path.mkdir, "a folder, not a file")]
)
def test_whatever_lies_in_place_of_a_key_is_one_line(make: Callable[[Path], None], said: str, own: Path) -> None:
    path = Kit(own).key("distance_decay")
    path.unlink()
    make(path)
    file = own / "answer.py"
    file.write_text(toys.ANSWER)
    done = Command(own, patience=60.0)("check", "distance_decay", "--answer", str(file))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert said in line
    assert "make it again" in line
