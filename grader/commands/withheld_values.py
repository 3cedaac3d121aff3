"""What a report holds back while hints are left: what a small change should be is as good as the answer."""

from __future__ import annotations

from dataclasses import replace

from grader.kit import progress as progress_file
from grader.kit import statement
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.statement import Heading
from grader.marking.places import Kind
from grader.marking.verdict import Verdict


def held_back(kit: Kit, verdict: Verdict) -> Verdict:
    """The verdict without the values of repairs, unless all hints of the problem were taken."""
    if not any(one.kind is Kind.REPAIR and one.block is not None for one in verdict.where):
        return verdict
    if not _hints_left(kit, verdict.problem):
        return verdict
    where = tuple(replace(one, block=None) if one.kind is Kind.REPAIR else one for one in verdict.where)
    return replace(verdict, where=where)


def _hints_left(kit: Kit, name: str) -> bool:
    taken = progress_file.load(kit).hints.get(name, 0)
    try:
        read = statement.read(kit.statement(name))
    except ProblemError:  # grading does not need the statement
        return False
    # To read Markdown takes as long as to judge an answer: it is read only if the number of hints matters.
    return f"\n## {read.heading(Heading.HINTS)}\n" in read.body if not taken else taken < len(read.hints)
