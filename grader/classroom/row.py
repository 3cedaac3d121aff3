"""One line of the gradebook: what is known of one student's answer to one problem."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.verdict import Verdict

VERDICT, FAULT, DUE = "verdict", "fault", "due"


@dataclass(frozen=True)
class Row:
    """What reports and exports read.

    Attributes:
        state: "verdict", "fault" (the grader could not grade it), or "due" (not graded yet).
        verdict: the verdict at full feedback; None unless the state is "verdict".
        fault: one line, where the state is "fault".
        graded_at: when it was graded (ISO 8601, UTC).
        late: whether the system that it was handed in to marks it as late.
        team: the id of those who handed it in together; empty if one did so alone.
        layout: the name of the layout that it was read by (see `layouts.py`): it says what the id of a student is.
        called: the name that the system writes beside the id.
        note: of a notebook with several definitions, which of them is graded; empty elsewhere.
        source: the folder or the zip that it was read from, first at `read_at` (ISO 8601, UTC; empty where nobody knows).
        before: the verdict before the last one that says something else, or else the one before; None if there was none.
        why: why the verdict is another one than before, in words.
    """

    student: str
    problem: str
    path: str
    digest: str
    submitted: str
    state: str
    verdict: Verdict | None
    fault: str = ""
    graded_at: str = ""
    before: Verdict | None = None
    late: bool = False
    team: str = ""
    layout: str = ""
    called: str = ""
    note: str = ""
    source: str = ""
    read_at: str = ""
    why: str = ""

    @property
    def is_extract(self) -> bool:
        """Whether the answer was taken out of a notebook: its lines are not those of the file."""
        return self.path.endswith(".ipynb")
