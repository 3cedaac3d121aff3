"""One line of the gradebook: what is known of one student's answer to one problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

VERDICT, FAULT, DUE = "verdict", "fault", "due"


def smallest_failing(verdict: dict[str, Any]) -> dict[str, Any] | None:
    """The failing case of a verdict with the fewest values: the one that its message and its numbers are about."""
    failing = (case for case in verdict["cases"] or () if case["status"] == "fail")
    return min(failing, key=lambda case: case.get("values", 0), default=None)


@dataclass(frozen=True)
class Row:
    """What reports and exports read.

    Attributes:
        state: "verdict", "fault" (the grader could not grade it), or "due" (not graded yet).
        verdict: the verdict as `report/as_json.py` writes one at full feedback; None unless the state is "verdict".
        fault: one line, where the state is "fault".
        graded_at: when it was graded (ISO 8601, UTC).
        sample: some of its values, if nothing explains it (see `marking/sample.py`); empty if they were not kept.
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
    verdict: dict[str, Any] | None
    fault: str = ""
    graded_at: str = ""
    before: dict[str, Any] | None = None
    sample: str = ""
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
