"""`audit --watch` audits a problem again on every save of it; `new` asks for what its options leave open."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from grader.commands import author
from grader.commands.console import Bar
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.options import Options
from grader.session import Session
from tests.author import toys
from tests.conftest import Command


@pytest.mark.nightly
@pytest.mark.slow
def test_a_save_audits_its_problem_again_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    kit = toys.make(toys.make(tmp_path), "other_decay")
    child = pexpect.spawn(
        sys.executable, ["-m", "grader", "audit", "--watch", "--no-color"], cwd=str(kit), encoding="utf-8", timeout=60
    )
    child.expect("2 of 2 sound")
    child.expect("Watching problems/ and solutions/")
    statement = kit / "problems/other_decay/README.md"
    statement.write_text(statement.read_text().replace("0.7788", "0.7789"))
    child.expect(r"problems/other_decay/README\.md:\d+\S*: example: .* where '0.7789' is shown")
    statement.write_text(statement.read_text().replace("0.7789", "0.7788"))
    child.expect(r"other_decay\S*   \S*sound")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus in (0, 130)


def test_without_a_terminal_new_names_the_missing_options(tmp_path: Path) -> None:
    done = Command(tmp_path)("new", "rolling", "--title", "Rolling", "--kit", str(tmp_path))
    assert done.returncode == 2
    assert "--track, --difficulty, --signature" in " ".join(done.stderr.split())


def test_a_run_for_keys_that_is_stopped_says_how_many_are_written_and_counts_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    kit = Kit(tmp_path)
    for at, name in enumerate(("first", "second", "third")):
        toys.make(kit.root, name)
        kit.answer(name).write_text(" " * (100 - at))  # the longest comes first
    counted: list[str] = []

    def write(session: Session, name: str, target: Kit, samples: object, *, places: bool) -> bool:
        if name == "first":
            target.key(name).touch()
            return True
        if name == "second":
            raise KeyboardInterrupt
        while not session._aborted:  # pyright: ignore[reportPrivateUsage]
            time.sleep(0.01)
        raise ProblemError("its process was ended")

    @contextlib.contextmanager
    def bar(*_: object) -> Iterator[Bar]:
        yield Bar(lambda: counted.append("one"), lambda names: None)

    monkeypatch.setattr(author, "write", write)
    monkeypatch.setattr(author, "progress_bar", bar)
    monkeypatch.setattr(author, "is_current", lambda kit, name, device, path, places: path.exists())
    with pytest.raises(KeyboardInterrupt):
        author.release(Options(kit), [], None)
    assert counted == ["one"]
    out, err = capsys.readouterr()
    assert " problems/first/key.bin: written, " in out
    assert err.splitlines()[0] == " Making the key of first."
    assert err.splitlines()[-1] == "Stopped: 1 of 3 keys are written. The same command goes on from there."


@pytest.mark.slow
def test_on_a_terminal_new_asks_for_what_is_missing(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    child = pexpect.spawn(
        sys.executable, ["-m", "grader", "new", "rolling"], cwd=str(kit), encoding="utf-8", timeout=30
    )
    for question, reply in (
        ("Title", "Rolling"),
        ("Track .0 Toys", ""),
        (r"Difficulty \(easy, medium, hard\)", "mild"),
        (r"no difficulty 'mild': choose one of easy, medium, hard[\s\S]*Difficulty", ""),
        ("Parameters", "T d"),
        (r"'T d' is not a parameter[\s\S]*Parameters", "T, d"),
    ):
        child.expect(question)
        child.sendline(reply)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    text = (kit / "problems/rolling/README.md").read_text()
    assert 'title: "Rolling"\ntrack: "0 Toys"\ndifficulty: medium\n' in text
    assert "def rolling(seed, T, d):" in (kit / "problems/rolling/stub.py").read_text()
