"""What a file answers, by its name or by the functions that it defines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.classroom.answers import AnswerInFile, Answers
from grader.kit.kit import Kit
from tests.classroom.test_folder import notebook

PROBLEMS = {"rope": "seed, T, d", "mha_rope": "seed, T, d", "softmax_rows": "seed, N, V"}
TO_DO = "name it as the problem."


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    for name, parameters in PROBLEMS.items():
        folder = tmp_path / "problems" / name
        folder.mkdir(parents=True)
        (folder / "stub.py").write_text(f"def {name}({parameters}):\n    raise NotImplementedError\n")
    return Answers(Kit(tmp_path), [*PROBLEMS])


def found(answers: Answers, text: str, problem: str = "", suffix: str = ".py") -> list[AnswerInFile]:
    return answers.of(text, suffix, problem, TO_DO)


def test_a_file_answers_the_problem_whose_function_it_defines(answers: Answers) -> None:
    text = "import jax\n\n\ndef helper(x):\n    return x\n\n\ndef rope(seed, T, d):\n    return helper(T)\n"
    assert found(answers, text) == [AnswerInFile("rope", text)]


def test_a_file_that_defines_several_functions_answers_each_problem(answers: Answers) -> None:
    text = "def rope(seed):\n    return 1\n\n\ndef softmax_rows(seed):\n    return 2\n"
    both = found(answers, text)
    assert [(one.problem, one.text, one.beside) for one in both] == [("rope", text, True), ("softmax_rows", text, True)]


def test_a_file_with_an_error_answers_what_it_seems_to_define(answers: Answers) -> None:
    assert found(answers, "def rope(seed:\n    return 1\n") == [AnswerInFile("rope", "def rope(seed:\n    return 1\n")]


def test_a_file_that_is_called_after_a_problem_answers_that_alone(answers: Answers) -> None:
    text = "def rope(seed):\n    return 1\n\n\ndef mha_rope(seed):\n    return rope(seed)\n"
    assert found(answers, text, "mha_rope") == [AnswerInFile("mha_rope", text)]
    assert found(answers, "x = 1\n", "rope") == [AnswerInFile("rope", "x = 1\n")]


def test_a_name_of_one_problem_and_the_function_of_another_is_no_answer(answers: Answers) -> None:
    (one,) = found(answers, "def softmax_rows(seed):\n    return 1\n", "rope")
    assert (one.problem, one.text) == ("rope", None)
    assert one.why == (
        "it should answer rope, by its name or its folder, and has the function of softmax_rows instead: give the file the "
        "name of the problem that it answers."
    )


@pytest.mark.parametrize("text", ["print('hello')\n", "from rope import rope\n", "# rope\n", "x = (\n"])
def test_a_file_that_defines_no_function_of_a_problem_is_told(text: str, answers: Answers) -> None:
    (one,) = found(answers, text)
    assert (one.problem, one.text, one.none) == ("", None, not text.endswith("(\n"))  # a broken file may hold anything
    assert one.why == (f"its name is that of no problem of this kit, and it defines the function of none: {TO_DO}")


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize(
    ("function", "parameters", "meant"),
    [
        ("softmax_row", "x", "softmax_rows"),  # by its name
        ("my_softmax", "seed, N, V", "softmax_rows"),  # by its parameters, which no other problem has
        ("ropes", "seed, T, d", "rope"),  # two problems have them: the name decides
        ("helper", "x", ""),
    ],
)
def test_a_function_with_another_name_is_told(
    function: str, parameters: str, meant: str, suffix: str, answers: Answers
) -> None:
    text = f"def {function}({parameters}):\n    return 1\n"
    (one,) = found(answers, text if suffix == ".py" else notebook(text), "", suffix)
    assert (one.problem, one.text, one.guessed, one.none) == (meant, None, bool(meant), not meant)
    said = f"no function in it is called {meant}, and {function} may be meant for it: name it so."
    assert (one.why == said) is bool(meant)


def test_a_notebook_is_read_for_all_its_answers_and_for_what_is_called_otherwise(answers: Answers) -> None:
    book = notebook("def rope(seed, T, d):\n    return 1\n", "def softmax_row(seed, N, V):\n    return 1\n")
    assert [(one.problem, one.text is not None) for one in found(answers, book, "", ".ipynb")] == [
        ("rope", True),
        ("softmax_rows", False),
    ]
    (only,) = found(answers, book, "rope", ".ipynb")
    assert only.problem == "rope"


def test_a_damaged_notebook_is_no_answer(answers: Answers) -> None:
    (one,) = found(answers, json.dumps({"nbformat": 3}), "rope", ".ipynb")
    assert (one.problem, one.text) == ("rope", None)
    assert "only format 4 is read" in one.why


def test_nested_brackets_and_long_texts_end_nothing(answers: Answers) -> None:
    for text in ("(" * 5_000, "x = " + "-" * 5_000 + "1\n", "def rope(x):\n    return " + "(" * 300 + ")" * 300 + "\n"):
        assert len(found(answers, text)) == 1


def test_a_function_that_may_be_meant_for_several_problems_is_told_for_all(answers: Answers) -> None:
    (one,) = found(answers, "def attention(seed, T, d):\n    return 1\n")
    assert (one.problem, one.text, one.guessed, one.none) == ("", None, True, False)
    assert one.why == "attention takes what rope and mha_rope take: if it is meant for one of these, name it so."
    beside = found(answers, "def attention(seed, T, d):\n    return 1\n\n\ndef rope(seed, T, d):\n    return 1\n")
    assert [(one.problem, one.guessed) for one in beside] == [
        ("rope", False),
        ("mha_rope", True),
    ]  # the one that is left
