"""What the window shows of a verdict beside its report: marks in the editor, the cases, what the answer printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.kit.text import clean
from grader.marking.verdict import Verdict
from grader.report import findings, places

Document = dict[str, Any]


def marks(verdict: Verdict, text: str) -> Iterator[Document]:
    """The parts of a text that its verdict names, each with a sentence, and with values where they are known.

    Lines count from 1, and columns count characters from 0. A mark without columns is about its whole line.
    """
    for mark in findings.marks(verdict, text):
        span, (yours, needed) = mark.span, places.beside_line(mark.place) if mark.place else ("", "")
        columns = {"column": span.column, "end_line": span.end_line, "end_column": span.end_column}
        values = {"yours": yours, "needed": needed} if yours else {}
        yield {"line": span.line, **({} if span.whole_line else columns), "says": mark.says, **values}


def cases(verdict: Verdict) -> list[Document]:
    """The cases of a verdict: the arguments of each, as they are written in a call, and whether it passed.

    `called` is what tells a case from the others: a seed that all of them have does not.
    """
    failing = verdict.failing
    seeds = {case.args.get("seed") for case in verdict.cases}
    return [
        {
            "arguments": {name: str(value) for name, value in case.args.items()},
            "called": ", ".join(
                f"{name}={value}"
                for name, value in case.args.items()
                if name != "seed" or len(seeds) > 1 or len(case.args) == 1
            ),
            "passed": case.passed,
            "smallest": case is failing,
        }
        for case in verdict.cases
    ]


def printed(verdict: Verdict) -> str:
    """All that an answer printed; empty where that is withheld."""
    return clean(str(verdict.run.output)).rstrip()
