"""Tables: one row for each problem or answer, a total below, and different names look different."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from grader.marking.verdict import CaseResult, Diagnosis, Named, Raised, Status, Verdict
from grader.report.table import ProblemRow, overview, problems_table, verdicts_table
from grader.report.terminal import Terminal
from grader.values.message import verbatim

ROWS = (
    ProblemRow("rope", "1 Positions", "easy", "correct", solved=True),
    ProblemRow("alibi", "1 Positions", "hard", "wrong", "half-slope, no-mask"),
    ProblemRow("odd", "", "", "kit fault", "no front matter – none"),
)
NAMED = Named("half-slope", verbatim("It is halved."), verbatim("By how much?"))


def case(*, passed: bool) -> CaseResult:
    return CaseResult({"seed": 0}, passed, 0.0, 1.0)


def of_problems(rows: Sequence[ProblemRow] = ROWS, encoding: str = "utf-8") -> list[list[str]]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    problems_table(Terminal(Console(file=stream, width=100)), rows)
    stream.flush()
    return [line.split() for line in stream.buffer.getvalue().decode(encoding).splitlines()]  # type: ignore[attr-defined]


def of_verdicts(*verdicts: Verdict) -> list[str]:
    """The rows, and the line below them."""
    stream = io.StringIO()
    verdicts_table(Terminal(Console(file=stream, width=100)), verdicts)
    _, *rows, _, total = (line.rstrip() for line in stream.getvalue().splitlines())
    return [" ".join(line.split()) for line in (*rows, total)]


def test_a_problem_has_track_difficulty_status_and_remark_and_solved_ones_are_counted() -> None:
    _, *rows, empty, total = of_problems()
    assert rows[0] == ["rope", "1", "Positions", "easy", "correct"]
    assert rows[1] == ["alibi", "1", "Positions", "hard", "wrong", "half-slope,", "no-mask"]
    assert rows[2][:3] == ["odd", "kit", "fault"]
    assert (empty, total) == ([], ["1", "of", "3", "solved"])


@pytest.mark.parametrize("width", [30, 40, 60])
def test_the_name_of_a_track_stands_in_one_line_above_its_problems(width: int) -> None:
    stream = io.StringIO()
    rows = [ProblemRow(name, "1 First steps in JAX", "easy", "wrong", "wrong-length, not-flattened") for name in "ab"]
    problems_table(Terminal(Console(file=stream, width=width)), rows)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    assert lines.count(" 1 First steps in JAX") == 1
    assert max(map(len, lines)) <= width


def overview_of(rows: Sequence[ProblemRow], current: str | None, encoding: str = "utf-8") -> list[str]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    overview(Terminal(Console(file=stream, width=80)), rows, current, "python -m grader list")
    stream.flush()
    return stream.buffer.getvalue().decode(encoding).splitlines()  # type: ignore[attr-defined]


LONG_TRACKS = tuple(
    ProblemRow(f"{track}_{number}", f"{track} Track", "easy", "unattempted", solved=track == 1 and number < 10)
    for track in (1, 2)
    for number in range(20)
)


def test_an_overview_has_a_bar_for_each_track_and_the_problems_around_the_current_one() -> None:
    first, second, _, _, *shown, more = overview_of(LONG_TRACKS, "1_12")
    assert first == " 1 Track  " + "█" * 10 + "░" * 10 + "  10 of 20 solved"
    assert second.endswith("0 of 20 solved")
    names = [line.split()[0] for line in shown]
    assert names == [f"1_{number}" for number in range(5, 19)], "in the order of the track"
    assert more.strip() == "6 more: python -m grader list --track 1"


def test_an_overview_fits_in_24_lines_and_shows_what_failed_first() -> None:
    wrong = ProblemRow("1_wrong", "1 Track", "easy", "wrong", "mistake-" * 20)
    lines = overview_of((wrong, *LONG_TRACKS), "1_19")
    assert len(lines) <= 20, "four lines are for what to do next, and for the prompt"
    assert any("1_wrong" in line for line in lines)


def test_an_overview_without_a_current_problem_is_bars_alone() -> None:
    assert len(overview_of(LONG_TRACKS, None)) == 2
    assert "#" in overview_of(LONG_TRACKS, None, "ascii")[0]


def test_without_unicode_a_table_is_ascii() -> None:
    assert of_problems(encoding="ascii")[3] == ["odd", "kit", "fault", "no", "front", "matter", "-", "none"]


@pytest.mark.parametrize(
    ("verdict", "row"),
    [
        (
            Verdict("p", Status.CORRECT, verbatim("Right."), "k/a.py", cases=(case(passed=True),) * 2),
            "a.py correct 2/2",
        ),
        (
            Verdict(
                "p",
                Status.WRONG,
                verbatim("Wrong."),
                "k/a.py",
                Diagnosis((NAMED,), explained=True),
                cases=(case(passed=False),),
            ),
            "a.py wrong 0/1 half-slope",
        ),
        (
            Verdict(
                "p",
                Status.WRONG,
                verbatim("Wrong."),
                "k/a.py",
                Diagnosis((NAMED,)),
                cases=(case(passed=True), case(passed=False)),
            ),
            "a.py wrong 1/2 half-slope + not explained",
        ),
        (Verdict("p", Status.WRONG, verbatim("Wrong."), "k/a.py"), "a.py wrong - not explained"),
        (Verdict("p", Status.TIMEOUT, verbatim("It takes\ntoo long."), "k/a.py"), "a.py timeout - It takes too long."),
        (
            Verdict(
                "p", Status.ERROR, verbatim("It raises."), "k/a.py", raised=Raised("TypeError", verbatim("no"), ())
            ),
            "a.py error - TypeError",
        ),
    ],
)
def test_a_verdict_is_one_row_with_its_mistakes_or_its_error(verdict: Verdict, row: str) -> None:
    first, total = of_verdicts(verdict)
    assert first == row
    assert total == f"{int(verdict.status is Status.CORRECT)} of 1 correct"


def test_answers_are_named_from_the_folder_that_holds_all_of_them() -> None:
    verdicts = [Verdict("p", Status.CORRECT, verbatim("Right."), f"class/{name}/stub.py") for name in ("alice", "bob")]
    alice, bob, total = of_verdicts(*verdicts)
    assert (alice.split()[0], bob.split()[0]) == ("alice/stub.py", "bob/stub.py")
    assert total == "2 of 2 correct"


def test_names_that_differ_in_an_invisible_character_look_different() -> None:
    verdicts = [
        Verdict("toy", Status.CORRECT, verbatim("Right."), file=f"/a/{name}.py") for name in ("alice", "al\u200bice")
    ]
    alice, other, _ = of_verdicts(*verdicts)
    assert alice.split()[0] == "alice.py"
    assert other.split()[0] == "al<U+200B>ice.py"
