"""What the window shows of a verdict beside its report names the right characters, cases and words."""

from __future__ import annotations

from grader.marking.verdict import CaseResult, Frame, Printed, Raised, Run, Status, Verdict
from grader.report.feedback import limited
from grader.serve.verdict_parts import cases, marks, printed
from grader.values.message import verbatim
from tests.marking.places import place

TEXT = "def rope(seed, T):\n    x = T\n    return y / 2\n"
LINE = "    return y / 2"


def wrong(**fields: object) -> Verdict:
    return Verdict("rope", Status.WRONG, verbatim("Right on 0 of 1 case."), **fields)  # type: ignore[arg-type]


def test_a_place_is_marked_with_its_sentence_and_its_values() -> None:
    (found,) = marks(wrong(where=(place(3, 11, 3, 16, LINE),)), TEXT)
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (3, 11, 3, 16)
    assert LINE[found["column"] : found["end_column"]] == "y / 2"
    assert found["says"].startswith("It can be fixed here. ")
    assert (found["yours"], found["needed"]) == ("0.500", "1.000")


def test_an_exception_is_marked_at_the_characters_of_the_text_that_raised() -> None:
    raised = Raised("NameError", verbatim("no y"), (Frame(2, "f", "x = T"), Frame(3, "rope", "return y / 2", 7, 8)))
    (found,) = marks(wrong(raised=raised), TEXT)
    assert (found["line"], LINE[found["column"] : found["end_column"]]) == (3, "y")
    assert found["says"] == "NameError: no y"


def test_a_line_whose_characters_are_not_known_is_marked_as_a_whole() -> None:
    (found,) = marks(wrong(stopped_at=Frame(2, "rope", "x = T")), TEXT)
    assert found == {"line": 2, "says": "Right on 0 of 1 case."}


def test_a_seed_that_all_cases_have_is_not_told() -> None:
    first, second = (
        CaseResult({"seed": 0, "T": 3}, False, 1.0, 0.1, 3),
        CaseResult({"seed": 0, "T": 2}, True, 0.0, 0.1, 2),
    )
    told = cases(wrong(cases=(first, second)))
    assert [(one["called"], one["passed"], one["smallest"]) for one in told] == [
        ("T=3", False, True),
        ("T=2", True, False),
    ]
    assert told[0]["arguments"] == {"seed": "0", "T": "3"}
    other = CaseResult({"seed": 1, "T": 2}, True, 0.0, 0.1, 2)
    assert [one["called"] for one in cases(wrong(cases=(first, other)))] == ["seed=0, T=3", "seed=1, T=2"]


def test_where_expected_values_are_withheld_there_are_none() -> None:
    verdict = wrong(where=(place(3, 11, 3, 16, LINE),), run=Run(output=Printed("", "told\n")))
    (found,) = marks(limited(verdict, "diagnosis"), TEXT)
    assert not {"yours", "needed"} & found.keys()
    assert printed(limited(verdict, "diagnosis")) == "told"
    assert printed(limited(verdict, "verdict")) == ""
    assert list(marks(limited(verdict, "verdict"), TEXT)) == []
