"""Earlier cases: what the cases of a worked answer were before they changed, as git has them."""

from __future__ import annotations

from pathlib import Path

from grader import Whole
from grader.author.calls import cases_in, earlier_cases
from grader.kit.problem import Case
from tests.repositories import git
from tests.toy import problem_of


def rows(seed: int, T: int) -> None: ...


def declared(cases: list[Case]) -> str:
    return f"from grader import Problem\n\nproblem = Problem(cases={cases})\n"


def committed(folder: Path, *versions: list[Case]) -> Path:
    """A worked answer in a repository, whose cases were these in turn."""
    git(folder, "init", "-q")
    file = folder / "answer.py"
    for cases in versions:
        file.write_text(declared(cases))
        git(folder, "add", "answer.py")
        git(folder, "commit", "-q", "-m", "cases")
    return file


def earlier(file: Path, cases: list[Case]) -> list[Case]:
    return earlier_cases(problem_of(rows, cases=cases, arguments={"T": Whole()}), str(file))


def test_a_case_of_the_last_commit_that_is_gone_is_an_earlier_one(tmp_path: Path) -> None:
    file = committed(tmp_path, [(0, 1)], [(0, 1), (0, 2), (0, 3)])
    assert earlier(file, [(0, 1), (0, 4)]) == [(0, 2), (0, 3)]


def test_the_change_of_the_cases_may_be_committed_and_the_newest_counts(tmp_path: Path) -> None:
    file = committed(tmp_path, [(0, 9)], [(0, 1), (0, 2)], [(0, 1)], [(0, 1), (0, 3)])
    assert earlier(file, [(0, 1), (0, 3)]) == [(0, 2)]


def test_a_case_that_is_no_longer_legal_is_no_earlier_one(tmp_path: Path) -> None:
    file = committed(tmp_path, [(0, 0), (0, 1, 2)], [(0, 1)])
    assert earlier(file, [(0, 1)]) == []


def test_without_a_repository_there_are_no_earlier_cases(tmp_path: Path) -> None:
    assert earlier(tmp_path / "answer.py", [(0, 1)]) == []


def test_cases_are_read_from_a_declaration() -> None:
    assert cases_in(declared([(0, 2, 0.5), (1, 3, -1.0)])) == [(0, 2, 0.5), (1, 3, -1.0)]
    assert cases_in("problem = Problem(cases=[(seed, 2) for seed in range(3)])") == cases_in("not Python") == []
