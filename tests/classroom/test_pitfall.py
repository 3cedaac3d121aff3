"""What a pitfall begins with: parts that are valid Python, and what is known, from which no text of an answer escapes."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.pitfall import begun
from grader.classroom.row import Row
from grader.kit.kit import Kit
from tests.classroom.exports.rows import row
from tests.classroom.reported import EVIL_TEXT, PLACE
from tests.classroom.test_clusters import wrong
from tests.conftest import FLAGSHIP, ROOT


def written(
    verdict: dict[str, Any] | None = None, answer: str = "x = 1\n", kit: Kit | None = None, shared: int = 3
) -> str:
    of: Row = row("ana", verdict or wrong(), FLAGSHIP)
    return begun(kit or Kit(ROOT), of, answer, shared=shared, name="0ec7e0f3")


def fenced(text: str, language: str = "python") -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_parts_fit_into_the_reference() -> None:
    answer, knob, pitfall = fenced(written())
    assert answer == "x = 1\n"
    made = ast.parse(f"def f(*, {knob}): pass\nPITFALLS = [{textwrap.dedent(pitfall)}]")
    function, listed = made.body
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(listed, ast.Assign)
    (call,) = listed.value.elts  # type: ignore[attr-defined]
    assert [one.arg for one in call.keywords] == ["why", "hint", function.args.kwonlyargs[0].arg]


def test_what_is_to_fill_in_is_marked_and_the_next_steps_are_there() -> None:
    text = written()
    assert text.count("TODO") >= 5
    assert "`python -m grader audit sinusoidal_pos`" in text


def test_it_says_where_the_parts_belong_where_that_is_sure(tmp_path: Path) -> None:
    lines = (ROOT / "solutions" / FLAGSHIP / "reference.py").read_text().splitlines()
    text = written()
    name, line = re.findall(r"after `([\w-]+)`, which begins at line (\d+)", text)[0]
    assert "Pitfall(" in lines[int(line) - 1]
    assert f'"{name}"' in lines[int(line)]
    (line,) = re.findall(r"of the reference, which begins at line (\d+)", text)
    assert lines[int(line) - 1] == f"def {FLAGSHIP}("
    broken = Kit(tmp_path)
    broken.reference(FLAGSHIP).parent.mkdir(parents=True)
    broken.reference(FLAGSHIP).write_text("def (")
    assert "begins at line" not in written(kit=broken)


def test_the_smallest_failing_case_and_the_place_are_told() -> None:
    text = written({**wrong(fails="pff"), "where": [PLACE]})
    assert "It fails on 2 of 3 cases. The smallest is T=2." in text
    assert "It can be fixed at line 2. What follows is right." in text
    (values,) = fenced(text, "text")
    shown = [line.split() for line in values.splitlines()]
    assert shown == [["row", "0"], ["column", "0"], ["expected", "1.5"], ["given", "2"]]


def test_of_values_that_cannot_be_compared_none_are_told() -> None:
    assert fenced(written({**wrong(), "excerpt": None}), "text") == []
    assert "nan" in written(wrong(yours=float("nan")))


def test_no_text_of_an_answer_ends_its_block_or_controls_a_terminal() -> None:
    text = written(answer=EVIL_TEXT)
    assert "\x1b" not in text
    (block,) = re.findall(r"^````python\n(.*?)^````$", text, re.DOTALL | re.MULTILINE)
    assert "\n```\n<U+001B>[2J\n" in block
    assert text.count("````") == 2


@pytest.mark.parametrize(
    ("shared", "said"), [(1, "1 answer goes wrong like this"), (3, "3 answers go wrong like this")]
)
def test_how_many_share_it_is_told_and_nobody_is_named(shared: int, said: str) -> None:
    text = written(shared=shared)
    assert said in text
    assert "ana" not in text
