"""The figures of one problem, made in the process that has loaded its reference."""

from __future__ import annotations

import importlib.util
import json
import re
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from grader.kit.problem import Problem
from grader.kit.problem_error import ProblemError
from grader.kit.statement import read
from grader.locale.language import ENGLISH, speaking
from grader.page.figure import Figure, Walk, rounded

LARGEST_FIGURES = 1 << 19
"""The most bytes of the figures of one problem: the page should open at once."""


def examine_figures(problem: Problem, file: str, language: str = ENGLISH) -> dict[str, Any]:
    """Run a `figure.py`.

    Args:
        file: its path.
        language: of the texts of the figures.

    Returns:
        a document for JSON: `figures`, each with what `Figure` has, where `spec` is a document too. Where the file fails,
        declares no figures, or shows something else than the reference gives, or where a figure stands in no section of the
        statement beside the file: `fault`, with `line` (0: the whole file) and `message`.
    """
    path = Path(file)
    try:
        with speaking(language):
            return {"figures": _documents(problem, path)}
    except Exception as error:
        line = next((at for frame, at in reversed(list(traceback.walk_tb(error.__traceback__))) if _is(frame, path)), 0)
        said = str(error) if isinstance(error, ProblemError) else f"{type(error).__name__}: {error}"
        return {"fault": {"line": line, "message": " ".join(said.split())}}


def _documents(problem: Problem, path: Path) -> list[dict[str, Any]]:
    def reference(*arguments: int | float, mistake: str = "") -> np.ndarray[Any, Any]:
        forms = [
            form for pitfall in problem.pitfalls for form in pitfall.forms if mistake in (form.pitfall, form.shown)
        ]
        if mistake and not forms:
            raise ProblemError(f"no mistake of {problem.name} is {mistake!r}")
        assert problem.solution is not None
        return np.ravel(np.asarray(problem.solution.function(tuple(forms[:1]))(*arguments), np.float64))

    found = _function(path)(reference)
    if not isinstance(found, list) or not all(isinstance(one, Figure) for one in found):
        raise ProblemError("`figures` should return a list of Figure")
    documents = [_document(one) for one in found]
    size = len(json.dumps(documents))
    if size > LARGEST_FIGURES:
        raise ProblemError(f"its figures have {size} bytes, of {LARGEST_FIGURES} at most")
    with speaking(ENGLISH):
        sections = read(path.with_name("README.md")).sections
    for one in documents:
        if one["section"] not in sections:
            raise ProblemError(
                f"{one['title']!r} should stand in the section {one['section']!r}, and there is none: choose one of "
                f"{', '.join(sections)}"
            )
    return documents


def _is(frame: Any, path: Path) -> bool:
    return frame.f_code.co_filename == str(path)


def _function(path: Path) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location(f"figure_of_{path.parent.name}", path)
    if spec is None or spec.loader is None:
        raise ProblemError("cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, "figures", None)
    if not callable(found):
        raise ProblemError("there is no function `figures(reference)`")
    return found


def _document(figure: Figure) -> dict[str, Any]:
    if isinstance(figure.spec, Walk):
        walk = figure.spec
        tables = {"vocabulary": rounded(walk.vocabulary), "positions": rounded(walk.positions)}
        spec: dict[str, Any] = {"walk": {"sentence": walk.sentence, "words": dict(walk.words), **tables}}
    else:
        spec = {"vega": figure.spec.to_dict(), "reads": figure.reads}
        spec["vega"]["description"] = figure.title  # the name of the drawing for a screen reader
        spec["vega"].pop("$schema", None)
        spec["vega"].pop("config", None)  # the page has one for all figures
        if figure.pick is not None:
            spec["pick"] = asdict(figure.pick)
        if figure.ends:
            spec["ends"] = dict(figure.ends)
    return {
        "title": figure.title,
        "section": figure.section,
        "sentence": " ".join(figure.sentence.split()),
        "of": figure.table.of,
        "columns": [_cell(one) for one in figure.table.columns],
        "rows": [[_cell(one) for one in row] for row in figure.table.rows],
        "spec": spec,
    }


def _cell(value: str | int | float) -> str:
    """A cell as text. What rounds to zero has no sign, and the sign of every other number is a minus, no hyphen."""
    text = f"{float(value):z.4f}" if isinstance(value, float | np.floating) else str(value)
    return re.sub(r"(?<!\w)-(?=\d)", "−", text)
