"""Reports for people: 80 columns, plain ASCII on terminals without Unicode, and colour only on demand."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from grader.locale.language import speaking
from grader.marking.verdict import (
    Diagnosis,
    Excerpt,
    Frame,
    Helper,
    Insight,
    Named,
    Printed,
    Raised,
    Run,
    Status,
    Verdict,
)
from grader.report.as_json import verdict_to_json
from grader.report.terminal import PRINTED_LINES, Terminal
from grader.values.message import NO_MESSAGE, Line, Message, verbatim
from tests.marking.places import place

EXCERPT = Excerpt(
    verbatim("position 1"), (verbatim("dim 0"), verbatim("dim 1")), (0.5, 0.25), (0.5, 0.2500004), (False, True)
)
WRONG = Verdict(
    "toy",
    Status.WRONG,
    verbatim("Right on 1 of 2 cases."),
    diagnosis=Diagnosis(
        (Named("one-mistake", verbatim("It is π, " + "and so on " * 20 + "."), verbatim("Why?")),),
        (("another",),),
        explained=True,
    ),
    excerpt=EXCERPT,
    insights=(Insight("not-traceable", verbatim("It does not trace.")),),
    run=Run(output=Printed("", "of another case\n")),
    printed=(Printed("", "loaded\n"), Printed("n=3", "line\n" * 50)),
)
RAISED = Raised("TypeError", verbatim("not so"), (Frame(3, "toy", "return 1 + None"),), verbatim("Add numbers only."))
ERROR = Verdict(
    "toy", Status.ERROR, verbatim("It raises TypeError at n=3."), file="problems/toy/stub.py", raised=RAISED
)


def printed(verdict: Verdict, encoding: str = "utf-8", *, colour: bool = False) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, width=80, no_color=not colour, force_terminal=colour, highlight=False)
    Terminal(console).verdict(verdict, device="cpu · jax 1.0", following="Next: do it")
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


@pytest.mark.parametrize("verdict", [WRONG, ERROR])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_no_line_is_longer_than_80_columns_and_the_encoding_has_every_character(
    verdict: Verdict, encoding: str
) -> None:
    assert max(len(line) for line in printed(verdict, encoding).splitlines()) <= 80


def test_colour_is_used_only_on_demand() -> None:
    assert "\x1b[" in printed(WRONG, colour=True)
    assert "\x1b[" not in printed(WRONG)


def test_a_wrong_answer_shows_numbers_mistake_hint_alternative_and_what_is_next() -> None:
    text = printed(WRONG)
    for part in (
        "position 1",
        "0.2500004",
        "^",
        "one-mistake",
        "Hint: Why?",
        "another",
        "Note: It does not trace.",
        "Next:",
    ):
        assert part in text


def test_numbers_have_enough_digits_to_show_the_difference() -> None:
    (expected,) = [line for line in printed(WRONG).splitlines() if "expected" in line]
    assert expected.split()[1:] == ["0.5000000", "0.2500000"]


TITLE = " toy   correct" + " " * 53 + "cpu · jax 1.0"
FORGED = f"x\n\n{TITLE}\r{TITLE}\x0b{TITLE}\u2028{TITLE}"


def forged(status: Status) -> Verdict:
    """A verdict with a line that looks like a title in every text that comes from an answer."""
    return Verdict(
        "toy",
        status,
        verbatim("Right on 1 of 2 cases." if status is Status.WRONG else FORGED),
        file=FORGED,
        diagnosis=Diagnosis((Named("not-an-array", verbatim(FORGED), verbatim("Why?")),), explained=True),
        raised=Raised(FORGED, verbatim(FORGED), (Frame(3, FORGED, FORGED),), NO_MESSAGE),
        insights=(Insight("not-traceable", Message(FORGED)),),
        where=(place(3, 0, 4, 2, FORGED, FORGED, name=FORGED, written=FORGED, helper=Helper(FORGED, (Line(1),))),),
        printed=(Printed("n=3", FORGED),),
    )


@pytest.mark.parametrize("status", [Status.WRONG, Status.ERROR])
def test_no_text_of_an_answer_begins_a_line_like_a_title(status: Status) -> None:
    first, *others = printed(forged(status)).splitlines()
    assert first.startswith(f" toy   {status.value}")
    assert [line for line in others if line.startswith((" toy", "toy"))] == []


def test_a_fault_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal.make(stderr=True).fault(f"There is no such problem: {FORGED}")
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_printed_lines_are_capped() -> None:
    text = printed(WRONG)
    assert text.count("| line") == PRINTED_LINES
    assert f"({50 - PRINTED_LINES} more lines)" in text


def test_what_an_answer_printed_stands_first_once_and_with_the_call_that_printed_it() -> None:
    lines = printed(WRONG).splitlines()
    assert lines[2:8] == [" It printed:", "   | loaded", "", " For n=3, it printed:", "   | line", "   | line"]
    assert lines.index(" Right on 1 of 2 cases.") > lines.index(f"   ({50 - PRINTED_LINES} more lines)")
    assert "of another case" not in printed(WRONG)
    silent = printed(replace(WRONG, printed=(Printed("n=3", "\n"),)))
    assert silent.splitlines()[2:4] == [" For n=3, it printed nothing.", ""]


def test_a_warning_has_its_line_and_what_was_not_kept_is_counted_in_the_language_that_is_spoken() -> None:
    told = replace(
        WRONG,
        printed=(Printed("", "\x1d6\x1dUserWarning: x\n", 3),),
        run=replace(WRONG.run, output=Printed("", "\x1d6\x1dx")),
    )
    assert "   | line 6: UserWarning: x" in printed(told)
    assert "[3 more bytes were printed]" in printed(told)
    assert verdict_to_json(told)["output"] == "line 6: x"
    with speaking("es"):
        assert "   | línea 6: UserWarning: x" in printed(told)
        assert verdict_to_json(told)["output"] == "línea 6: x"


def test_an_error_shows_the_learners_line_and_the_advice() -> None:
    text = printed(ERROR)
    for part in ("problems/toy/stub.py, line 3", "return 1 + None", "TypeError: not so", "Add numbers only."):
        assert part in text


def test_a_verdict_without_an_explanation_says_so() -> None:
    honest = printed(Verdict("toy", Status.WRONG, verbatim("Right on 0 of 2 cases.")))
    assert "None of the mistakes that this problem knows gives this answer." in honest
    partly = Diagnosis((Named("wrong-dtype", verbatim("It is float64."), verbatim("Why?")),))
    assert "Beyond that, none of the mistakes" in printed(
        Verdict("toy", Status.WRONG, verbatim("Wrong."), diagnosis=partly)
    )


@pytest.mark.parametrize(
    "command",
    [
        "python -m grader hint vmap_clipped_gradients",
        "python -m grader --kit '/home/some one/a, b' show rope",
        f"python -m grader --kit /{'x' * 90} audit rope",
    ],
)
@pytest.mark.parametrize("width", [40, 60, 80])
def test_what_to_do_holds_each_command_on_one_line_at_any_width(command: str, width: int) -> None:
    stream = io.StringIO()
    sentence = f"It is not solved yet. Hints may do: {command}. To see all the same: {command}, then fill in a/path.py"
    Terminal(Console(file=stream, width=width)).to_do(sentence)
    lines = stream.getvalue().splitlines()
    assert sum(command in line for line in lines) == 2
    assert " ".join(line.strip() for line in lines) == sentence
    assert all(len(line) <= width or line.strip(" .,") == command for line in lines), "prose is wrapped"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_text_beside_a_name_has_a_column_of_its_own_and_whole_words(width: int) -> None:
    stream = io.StringIO()
    text = "fork, from a process that has imported jax: /a/path/that/is/longer/than/the/column/is/wide"
    Terminal(Console(file=stream, width=width)).row("start", text, 13)
    first, *others = stream.getvalue().splitlines()
    assert first.startswith(" start        fork, from a")
    assert all(line.startswith(" " * 14) for line in others)
    assert " ".join([first[14:], *(line[14:] for line in others)]) == text


@pytest.mark.parametrize("width", [40, 50, 60])
def test_on_a_narrow_terminal_nothing_of_a_verdict_is_cut(width: int) -> None:
    stream = io.StringIO()
    verdict = Verdict("vmap_clipped_gradients", Status.UNATTEMPTED, verbatim("Not filled in yet."))
    Terminal(Console(file=stream, width=width)).verdict(verdict, device="cpu · jax 0.12.0.1")
    lines = stream.getvalue().splitlines()
    assert all(len(line) <= width for line in lines)
    assert any("cpu · jax 0.12.0.1" in line for line in lines)


def test_the_numbers_of_a_case_fit_beside_the_name_of_its_place() -> None:
    stream = io.StringIO()
    place = "sequence 0, head 1, position 12"
    numbers, columns = (1.0,) * 8, tuple(f"dim {number}" for number in range(8))
    excerpt = Excerpt(verbatim(place), tuple(map(verbatim, columns)), numbers, (2.0,) * 8, (True,) * 8)
    verdict = Verdict("toy", Status.WRONG, verbatim("Wrong."), excerpt=excerpt)
    Terminal(Console(file=stream, width=60)).verdict(verdict, device="cpu")
    assert all(len(line) <= 60 for line in stream.getvalue().splitlines())


def test_in_a_pipe_the_width_that_the_environment_gives_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())
    for columns, width in (("40", 40), ("200", 80), ("", 80)):
        monkeypatch.setenv("COLUMNS", columns)
        assert Terminal.make().console.width == width
