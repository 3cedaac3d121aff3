"""`report`: the answer, the verdict and the versions, and nothing of the user or the machine."""

from __future__ import annotations

import getpass
import platform
import re
from pathlib import Path

import pytest

from grader.commands.report import Private
from grader.kit.software import DECISIVE, installed_version
from tests.commands.test_check import HALF, RIGHT, fill_in
from tests.conftest import FLAGSHIP, ROOT, Command

TELLING = """
import getpass, os, platform, sys
TOLD = (getpass.getuser(), os.path.expanduser("~"), platform.node(), sys.executable, os.getcwd(), __file__)
"""
"""What an answer could print, or raise, of the one who runs it."""

HERE = Private({"ada.example.org": "<machine>", "ada": "<machine>", "lovelace": "<user>"})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/home/lovelace/kits/jax/problems/rope/stub.py", "…/stub.py"),
        ("/home/lovelace", "…/<user>"),
        ("lovelace@ada.example.org, lovelace_2, lovelaces", "<user>@<machine>, <user>_2, lovelaces"),
        ("1 / 10000 ** (i / d), a/b/c, (x)/y/z", "1 / 10000 ** (i / d), a/b/c, (x)/y/z"),
        ("https://arxiv.org/abs/1706.03762", "https://arxiv.org/abs/1706.03762"),
    ],
)
def test_a_path_loses_its_folders_and_a_name_is_replaced_where_it_is_a_word(text: str, shown: str) -> None:
    assert HERE.without(text) == shown


def test_lines_with_something_private_are_found() -> None:
    assert HERE.lines("x = 1\n# by lovelace\n\nopen('/home/other/data.txt')\n") == [2, 4]


def report(command: Command, text: str, *options: str) -> tuple[str, str]:
    fill_in(command, text)
    done = command("report", FLAGSHIP, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout, " ".join(done.stderr.split())


@pytest.mark.slow
def test_a_report_has_the_answer_the_verdict_and_the_versions(own_kit: Command) -> None:
    shown, told = report(own_kit, HALF)
    assert f"```python\n{HALF.strip()}\n```" in shown
    assert "half-exponent" in shown.partition("```text")[2]
    assert all(f"{name} {installed_version(name)}" in shown for name in ("grader", "python", *DECISIVE))
    assert told == "Read this before you give it to others: your answer is in it, as you wrote it."


@pytest.mark.slow
@pytest.mark.parametrize("what", ["print(*TOLD)", "raise ValueError(TOLD)"], ids=["prints", "raises"])
def test_nothing_of_the_user_and_the_machine_is_in_it_though_the_answer_tells_it(own_kit: Command, what: str) -> None:
    text = f"{TELLING}\n{RIGHT}".replace("    positions =", f"    {what}\n    positions =", 1)
    shown, _ = report(own_kit, text)
    verdict = shown.partition("```text")[2]
    assert "<user>" in verdict
    assert "<machine>" in verdict
    for private in (str(Path.home()), str(own_kit.kit), str(ROOT)):
        assert private not in shown
    for name in (getpass.getuser(), Path.home().name, platform.node()):
        assert not re.search(rf"\b{re.escape(name)}\b", shown), name


@pytest.mark.slow
def test_what_the_answer_itself_holds_is_told_by_its_line(own_kit: Command) -> None:
    shown, told = report(own_kit, f"# by {Path.home()}\n{RIGHT}")
    assert f"# by {Path.home()}" in shown, "the answer is as it was written"
    assert "Line 1 of your answer holds your name, the name of this machine or a path." in told


@pytest.mark.slow
def test_backticks_of_an_answer_do_not_end_its_block(own_kit: Command) -> None:
    shown, _ = report(own_kit, f"# ```\n{RIGHT}")
    assert "````python\n# ```\n" in shown


@pytest.mark.slow
def test_a_file_is_reported_in_place_of_the_stub_and_a_mistyped_name_is_one_line(
    own_kit: Command, tmp_path: Path
) -> None:
    answer = tmp_path / "mine.py"
    answer.write_text(RIGHT)
    done = own_kit("report", FLAGSHIP, "--answer", str(answer))
    assert (done.returncode, "correct" in done.stdout, str(tmp_path) in done.stdout) == (0, True, False)
    wrong = own_kit("report", "sinusoidal_poz")
    assert (wrong.returncode, wrong.stdout, len(wrong.stderr.splitlines())) == (2, "", 1)
