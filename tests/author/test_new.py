"""`new` writes a whole problem, in which an audit finds only the marked gaps, and overwrites nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.author.new import parse_signature
from grader.kit.kit import KitError
from tests.author import toys
from tests.conftest import Command

TOLD = ("--title", "Rolling means: a start", "--track", "0 Toys", "--difficulty", "easy")
SIGNATURES = ["", "T", "T, d_model", "seed, T, H, d_head, rate: float", "rate: float", "a, b, c, d"]


def without_gaps(text: str) -> str:
    return text.replace("TODO: ", "").replace("# TODO", "#").replace("TODO", "Done")


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit with a new problem for each signature."""
    kit = tmp_path_factory.mktemp("begun")
    for number, signature in enumerate(SIGNATURES):
        done = Command(kit)("new", f"problem_{number}", *TOLD, "--signature", signature, "--kit", str(kit))
        assert done.returncode == 0, done.stderr
    return kit


@pytest.fixture(scope="session")
def audits(begun: Path) -> dict[str, list[dict[str, object]]]:
    document = Command(begun).json("audit")
    return {one["problem"]: one["findings"] for one in document["audits"]}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SIGNATURES)))
def test_an_audit_of_a_new_problem_finds_only_its_gaps(number: int, audits: dict[str, list[dict[str, object]]]) -> None:
    findings = audits[f"problem_{number}"]
    assert {found["check"] for found in findings} == {"gap"}
    assert len({found["file"] for found in findings}) == 4


@pytest.mark.slow
def test_with_its_gaps_filled_in_a_new_problem_is_sound(begun: Path, tmp_path: Path) -> None:
    for path in begun.rglob("problem_2/*.*"):
        target = tmp_path / path.relative_to(begun)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(without_gaps(path.read_text()))
    done = Command(tmp_path)("audit")
    assert done.returncode == 0, done.stdout
    assert re.search(r"(\d+) of \1 killed, 100 %", done.stdout)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    before = {path: path.read_text() for path in kit.rglob("*.*")}
    for lost in (kit / "problems/distance_decay", kit / "solutions/distance_decay"):
        done = Command(kit)("new", "distance_decay", *TOLD, "--signature", "T")
        assert (done.returncode, done.stdout) == (2, "")
        assert "nothing is overwritten" in done.stderr
        assert {path: path.read_text() for path in kit.rglob("*.*")} == before
        lost.rename(lost.with_name("moved"))
        before = {path: path.read_text() for path in kit.rglob("*.*")}
        lost.with_name("moved").rename(lost.with_name("elsewhere"))
        before = {path: path.read_text() for path in kit.rglob("*.*")}


@pytest.mark.parametrize("name", ["Two Words", "1st", "audit", "class", "../up", "UPPER"])
def test_an_invalid_name_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    done = Command(toys.make(tmp_path))("new", name, *TOLD, "--signature", "T")
    assert (done.returncode, done.stdout) == (2, "")
    assert name in " ".join(done.stderr.split())


def test_a_word_of_python_is_refused_as_such(tmp_path: Path) -> None:
    done = Command(toys.make(tmp_path))("new", "lambda", *TOLD, "--signature", "T")
    assert "a word of Python's own" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--difficulty", "mild"),
        ("--signature", "T, T"),
        ("--signature", "T: str"),
        ("--title", " "),
        ("--signature", "*"),
    ],
)
def test_an_invalid_option_is_refused_and_nothing_is_written(option: str, value: str, tmp_path: Path) -> None:
    done = Command(tmp_path)("new", "rolling", *TOLD, "--signature", "T", option, value, "--kit", str(tmp_path))
    assert done.returncode == 2
    assert not (tmp_path / "problems/rolling").exists()


def test_a_signature_is_read() -> None:
    assert parse_signature("(seed, T, rate: float, d: int)") == (("T", int), ("rate", float), ("d", int))
    assert parse_signature("") == ()
    for bad in ("T, 2d", "T, seed", "T: complex", "lambda"):
        with pytest.raises(KitError):
            parse_signature(bad)
