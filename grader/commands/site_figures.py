"""The figures of lessons: `figure.py` of each problem, run in a process that has loaded its reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from grader.commands.progress_bar import progress_bar
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.options import Options
from grader.oracle.oracle import Oracle, of_reference
from grader.page.lesson import Drawn
from grader.session import Session

EXAMINE = "grader.page.computed_figures:examine_figures"
AT_ONCE = 2


Spoken = dict[str, tuple[Drawn, ...]]
"""The figures of one problem in each language."""


def figures(options: Options, languages: Mapping[str, Iterable[str]]) -> tuple[dict[str, Spoken], str]:
    """The figures of each problem that declares some, and a line on those that are left out; empty if none is.

    Args:
        languages: those that each problem's statement is in.

    Raises:
        ProblemError: a `figure.py` has a fault (see `examine_figures`).
    """
    kit = options.kit
    declared = [name for name in languages if kit.figure(name).is_file()]
    known = [name for name in declared if kit.answer(name).is_file()]
    with Session(kit) as session, progress_bar(options, len(known), "Figures") as bar:

        def one(name: str) -> Spoken:
            try:
                return figures_of(session, name, languages[name])
            finally:
                bar.advance()

        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = dict(zip(known, pool.map(one, known), strict=True))
    left_out = [name for name in declared if name not in known]
    note = f"Without the figures of {', '.join(left_out)}: this kit has no references." if left_out else ""
    return found, note


def figures_of(session: Session, name: str, languages: Iterable[str]) -> Spoken:
    """The figures of one problem in some languages.

    Raises:
        ProblemError: its `figure.py` has a fault (see `examine_figures`).
    """
    kit = session.kit
    source = of_reference(kit, name, session.device, session.launcher)
    try:
        return {one: _in(one, source, kit, name) for one in languages}
    finally:
        source.close()


def _in(language: str, source: Oracle, kit: Kit, name: str) -> tuple[Drawn, ...]:
    document = source.examine(EXAMINE, file=str(kit.figure(name)), language=language)
    if fault := document.get("fault"):
        place = f":{fault['line']}" if fault["line"] else ""
        raise ProblemError(f"{kit.shown(kit.figure(name))}{place}: {fault['message']}")
    return tuple(_drawn(number, language, one) for number, one in enumerate(document["figures"]))


def _drawn(number: int, language: str, one: dict[str, Any]) -> Drawn:
    rows = tuple(tuple(row) for row in one["rows"])
    told = (one["title"], one["section"], one["sentence"], one["of"])
    return Drawn(number, language, *told, tuple(one["columns"]), rows, one["spec"])
