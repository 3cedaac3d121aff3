"""What `new` writes is whole for every signature and title: it is Python, its cases fit, its statement is read back."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader.author.case_gaps import gaps
from grader.author.new import Plan, fill_template, parse_signature
from grader.author.statement_checks import GAP
from grader.kit import statement
from grader.kit.kit import is_bare
from grader.oracle.server import load

FILES = ("README.md", "stub.py", "answer.py", "mistakes.md")
PYTHON = FILES[1:3]
SIGNATURES = ["", "T", "T, d_model", "T, H, d_head, rate: float", "rate: float"]


def plan(signature: str = "T, d_model", title: str = "Rolling means", track: str = "0 Toys") -> Plan:
    return Plan("rolling", title, track, "easy", parse_signature(signature))


def function_of(text: str) -> ast.FunctionDef:
    (function,) = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return function


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("file", PYTHON)
def test_each_python_file_has_the_function_with_its_parameters(file: str, signature: str) -> None:
    due = ["seed", *(name for name, _ in parse_signature(signature))]
    function = function_of(fill_template(file, plan(signature)))
    assert function.name == "rolling"
    assert [argument.arg for argument in function.args.args] == due


@pytest.mark.parametrize("signature", SIGNATURES)
def test_every_case_has_a_value_of_the_right_type_for_each_parameter(signature: str) -> None:
    kinds = [int, *(kind for _, kind in parse_signature(signature))]
    tree = ast.parse(fill_template("answer.py", plan(signature)))
    (cases,) = [node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "cases"]
    listed = ast.literal_eval(cases)
    assert all([type(value) for value in case] == kinds for case in listed)
    assert len(set(listed)) == len(listed) >= (2 if signature else 1)


@pytest.mark.parametrize("signature", SIGNATURES)
def test_its_cases_cross_its_arguments(signature: str, tmp_path: Path) -> None:
    file = tmp_path / "rolling" / "answer.py"
    file.parent.mkdir()
    for name in ("answer.py", "mistakes.md"):
        file.with_name(name).write_text(fill_template(name, plan(signature)))
    assert [gap.message for gap in gaps(load(file))] == []


def test_the_stub_is_not_filled_in() -> None:
    assert is_bare(fill_template("stub.py", plan()), "rolling")
    assert not is_bare(fill_template("answer.py", plan()), "rolling")


@pytest.mark.parametrize(
    ("signature", "shape"), [("", "(8,)"), ("T", "(T,)"), ("rate: float", "(8,)"), ("T, d", "(T, d)")]
)
def test_the_shape_is_written_as_python_shows_it(signature: str, shape: str) -> None:
    assert f"shape {shape}," in fill_template("stub.py", plan(signature))
    statement_text = fill_template("README.md", plan(signature))
    assert f"`{shape}`" in statement_text
    assert ("row by row" in statement_text) is (shape == "(T, d)")


def test_the_stub_begins_with_the_title() -> None:
    assert fill_template("stub.py", plan(title="Rolling means")).startswith('"""Rolling means. Read README.md')


@pytest.mark.parametrize("file", FILES)
def test_each_file_marks_what_is_to_be_filled_in(file: str) -> None:
    assert GAP in fill_template(file, plan())


@pytest.mark.parametrize("title", ["Means: a start", 'A "quoted" title.', "back\\slash", "$title costs 5$$", "Größe"])
def test_any_title_and_track_are_read_back_as_they_were_given(title: str, tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(fill_template("README.md", plan(title=title, track=title)), encoding="utf-8")
    read = statement.read(path)
    assert (read.title, read.track, read.difficulty) == (title, title, "easy")
    assert tuple(read.sections) == tuple(statement.Heading)
    for file in PYTHON:
        assert ast.get_docstring(ast.parse(fill_template(file, plan(title=title))))


def test_each_parameter_is_among_the_inputs() -> None:
    inputs = fill_template("README.md", plan("T, rate: float")).split("## Inputs")[1].split("## Output")[0]
    assert [line.split("`")[1] for line in inputs.splitlines() if line] == ["seed", "T", "rate"]
