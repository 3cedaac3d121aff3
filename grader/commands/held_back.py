"""What a report holds back while hints are left: what a small change should be is as good as the answer."""

from __future__ import annotations

from dataclasses import replace

from grader.kit import progress as progress_file
from grader.kit import statement
from grader.kit.kit import Kit
from grader.kit.problem import ProblemError
from grader.marking.verdict import Verdict


def held_back(kit: Kit, verdict: Verdict) -> Verdict:
    """The verdict without the values of repairs, unless all hints of the problem were taken."""
    if not any(one.kind == "repair" and one.block is not None for one in verdict.where):
        return verdict
    try:
        hints = len(statement.read(kit.statement(verdict.problem)).hints)
    except ProblemError:  # grading does not need the statement
        hints = 0
    if progress_file.load(kit).hints.get(verdict.problem, 0) >= hints:
        return verdict
    where = tuple(replace(one, block=None) if one.kind == "repair" else one for one in verdict.where)
    return replace(verdict, where=where)
