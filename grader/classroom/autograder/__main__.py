"""`python -P -m grader.classroom.autograder SYSTEM ...`: what the scripts of an autograder start, there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from grader.classroom.autograder import classroom50, gradescope
from grader.classroom.row_text import clean
from grader.kit.kit import KitError
from grader.kit.problem_error import ProblemError
from grader.options import NoSuchDevice, Unconfined
from grader.run.child import LaunchError

FAULT = 3
"""The exit status where nothing is known of the answers: it is no student's fault."""


def main(arguments: list[str]) -> int:
    """Run one autograder: `gradescope ROOT`, or `classroom50 BUNDLE CHECKOUT`. Returns the exit status."""
    runs = {("gradescope", 1): gradescope.run, ("classroom50", 2): classroom50.run}
    run = runs.get((arguments[0] if arguments else "", len(arguments) - 1))
    if run is None:
        print("usage: gradescope ROOT | classroom50 BUNDLE CHECKOUT", file=sys.stderr)
        return FAULT
    try:
        known = run(*(Path(argument).absolute() for argument in arguments[1:]))
    except (KitError, ProblemError, LaunchError, Unconfined, NoSuchDevice, OSError) as error:
        print(printable(f"The autograder failed: {error}"), file=sys.stderr)
        return FAULT
    for line in known.lines:
        print(printable(line))
    return 0


def printable(text: str) -> str:
    """One line that controls no terminal, and that holds no command of a workflow."""
    return re.sub(r"::", ":\u200b:", clean(" ".join(text.split()))).replace("##[", "#\u200b#[")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
