"""The guides are true: the example is a whole problem, commands print what its transcripts show."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

from grader.commands import lesson
from tests.conftest import ROOT, Command, document

GUIDES = ROOT / "grader" / "guides"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(GUIDES.glob("*.md"))}
AUTHORING = PAGES["authoring"]
FILES = dict(
    re.findall(r"^`((?:problems|solutions)/[^`]+)`:\n\n````\w+\n(.*?)^````", AUTHORING, re.MULTILINE | re.DOTALL)
)
TRANSCRIPTS = re.findall(r"```text\n\$ python -m grader ([^\n]+)\n(.*?)```", AUTHORING, re.DOTALL)
(FIXED,) = re.findall(r"`(cases=\[.*?\])`", AUTHORING)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the guide's `new` was run, word for word."""
    root = tmp_path_factory.mktemp("readme")
    (command,) = re.findall(r"^python -m grader (new .*)$", AUTHORING, re.MULTILINE)
    (root / "course").mkdir()
    done = Command(root)(*shlex.split(command))
    assert done.returncode == 0, done.stderr
    return root


def write_example(course: Path, cases: str = "") -> None:
    """The four files of the guide; with other cases in the reference, if some are given."""
    for path, text in FILES.items():
        text = re.sub(r"cases=\[.*\]", cases, text) if cases else text
        (course / "course" / path).write_text(text, encoding="utf-8")


def without_seconds(text: str) -> list[str]:
    return [re.sub(r"\d+\.\d s$", "S", line.rstrip()) for line in text.strip().splitlines()]


def test_the_example_is_written_over_what_new_writes(course: Path) -> None:
    assert len(FILES) == 4
    assert all((course / "course" / path).is_file() for path in FILES)


@pytest.mark.slow
def test_the_transcripts_are_what_audit_prints(course: Path) -> None:
    write_example(course)
    (before, shown), (all_at_once, some), (after, clean) = TRANSCRIPTS
    done = Command(course)(*shlex.split(before))
    assert done.returncode == 1
    assert without_seconds(done.stdout) == without_seconds(shown)
    printed = without_seconds(Command(course)(*shlex.split(all_at_once)).stdout)
    listed = [line for line in without_seconds(some) if line.strip() not in ("", "...")]
    assert listed
    assert [line for line in printed if line in listed] == listed
    write_example(course, cases=FIXED)
    done = Command(course)(*shlex.split(after))
    assert done.returncode == 0
    assert without_seconds(done.stdout) == without_seconds(clean)


@pytest.mark.slow
def test_the_document_in_the_guide_is_what_check_prints(course: Path) -> None:
    """Numbers may differ a little from one machine to another; how long it took, and the versions, in any way."""
    ((name, text),) = re.findall(r"^`(\w+\.py)`:\n\n````python\n(.*?)^````", PAGES["json"], re.MULTILINE | re.DOTALL)
    ((arguments, shown),) = re.findall(r"```text\n\$ python -m grader ([^\n]+)\n(.*?)```", PAGES["json"], re.DOTALL)
    write_example(course, cases=FIXED)
    (course / "course" / name).write_text(text, encoding="utf-8")
    done = Command(course)(*shlex.split(arguments))
    assert done.returncode == 1
    printed, expected = document(done.stdout), document(shown)
    assert measured(printed) == pytest.approx(measured(expected), rel=0.2, abs=1e-6)
    assert printed == expected


def measured(read: Any) -> list[float]:
    """The errors and tolerances of a document's one verdict, taken out of it, with the time and the versions."""
    (verdict,) = read["verdicts"]
    del read["versions"], verdict["seconds"], verdict["processor_seconds"]
    return [case.pop(name) for case in verdict["cases"] for name in ("error", "tolerance")]


def test_every_guide_is_listed_with_its_title(grader: Command) -> None:
    lines = grader("guide").stdout.splitlines()
    for topic, text in PAGES.items():
        assert any(line.split() == [topic, *text.splitlines()[0][2:].split()] for line in lines), topic


@pytest.mark.few(2)
@pytest.mark.parametrize("topic", PAGES)
def test_a_guide_is_shown_whole_without_a_kit(topic: str, tmp_path: Path) -> None:
    done = Command(tmp_path)("guide", topic)
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(r"\W+", "", done.stdout)
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"(?s)^(````?).*?^\1", "", PAGES[topic], flags=re.M), re.MULTILINE):
        assert re.sub(r"\W+", "", heading) in shown


def test_an_unknown_topic_is_reported_in_one_line(grader: Command) -> None:
    done = grader("guide", "securty")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "Did you mean security?" in line
    assert all(topic in line for topic in lesson.guide_topics())


@pytest.mark.nightly
@pytest.mark.slow
def test_what_stands_for_a_word_of_pytorch_can_be_run() -> None:
    cells = [row.split(" | ")[-1] for row in re.findall(r"^\| (?!PyTorch)(.*) \|$", PAGES["pytorch"], re.MULTILINE)]
    x = jnp.arange(12.0).reshape(3, 4)
    names = {"x": x, "y": jnp.ones((4, 5)), "jnp": jnp, "jax": jax, "np": np, "nnx": nnx, "optax": optax}
    run = 0
    for code in (one for cell in cells for one in re.findall(r"`([^`]+)`", cell)):
        try:
            read = ast.parse(code, mode="eval")
        except SyntaxError:
            continue  # the head of a method
        free = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)} - {"w"}
        if isinstance(read.body, ast.Call | ast.BinOp | ast.Subscript | ast.Attribute) and free <= set(names):
            eval(compile(read, code, "eval"), names)
            run += 1
    assert run >= 40
