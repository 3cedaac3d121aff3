"""Interactive figures of a lesson, as `problems/NAME/figure.py` declares them, made where its reference is loaded."""

from __future__ import annotations

import importlib.util
import json
import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np

from grader.kit.problem import Problem
from grader.kit.problem_error import ProblemError
from grader.kit.statement import Heading, read
from grader.kit.text import counted
from grader.locale.language import ENGLISH, speaking

Array = np.ndarray[Any, Any]

Reference = Callable[..., Array]
"""The worked answer: `reference(seed, sizes...)` is its array, flattened, in float64. With `mistake="name"`, it makes it."""

FIGURE_CLOSE = 2e-4
"""The largest difference between a formula in float64 and the reference in float32, for values of about one."""

_FUNCTIONS: dict[str, Any] = {
    **{name: getattr(np, name) for name in ("sin", "cos", "exp", "log", "sqrt", "floor", "abs", "sign")},
    **{"pow": np.power, "max": np.maximum, "min": np.minimum, "PI": np.pi},
}
"""What a formula may use: functions and constants that Vega has too, under the same names."""


@dataclass(frozen=True)
class Table:
    """The numbers of a figure for those who do not see it.

    Attributes:
        of: the settings that they are for, such as `"d_model = 64"`: the controls of the figure do not change the table.
        columns: what heads each column.
        rows: the first cell of each row names the row.
    """

    of: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | int | float]]


@dataclass(frozen=True)
class Pick:
    """What a click on a mark does, or the pointer over one: parameters take the values of fields of the mark.

    Attributes:
        on: `click` or `pointermove`; a click counts in both.
        fields: the field that each parameter takes.
    """

    on: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Walk:
    """A sentence of the reader's own, token by token: the row of the vocabulary, the encoding, and their sum.

    Attributes:
        sentence: what stands there at first.
        vocabulary: the vectors, of shape (V, d_model), scaled.
        positions: the encodings, of shape (T, d_model).
        words: what is told at each step, and (`cut`) of a sentence with more tokens than positions; `{n}` and the like are
            put in by the script.
    """

    sentence: str
    vocabulary: Array
    positions: Array
    words: Mapping[str, str]


@dataclass(frozen=True)
class Figure:
    """A figure that a reader can change.

    Attributes:
        title: what it shows, in a few words.
        spec: a chart of Altair, or a `Walk`. A width of "container" fits the page, also inside of others.
        sentence: what one sees in it, for those who do not.
        table: its most telling numbers.
        reads: the name of a parameter of the chart whose text is shown below the chart and read aloud when it changes.
        pick: what a click or the pointer does.
        ends: sliders that end where another parameter says: their names, each with the name of that parameter. Where the
            end moves below a slider's value, the value moves with it.
        section: the heading of the section that it stands in, in English.
    """

    title: str
    spec: Any
    sentence: str
    table: Table
    reads: str = ""
    pick: Pick | None = None
    ends: Mapping[str, str] = field(default_factory=dict[str, str])
    section: str = Heading.IDEA


def proven(formula: str, due: Array, **variables: Any) -> str:
    """A formula that Vega and Python read alike, after comparing its values with those of the reference.

    Args:
        formula: such as `"sin(position / pow(base, 2 * pair / d_model))"`.
        due: what the reference gives.
        variables: the values of the names in the formula. They are broadcast against each other; the result, row by row, is
            compared with `due`.

    Returns:
        the formula, in brackets.

    Raises:
        ProblemError: if it gives something else.
    """
    given = np.asarray(eval(formula, {"__builtins__": {}}, _FUNCTIONS | variables), np.float64)
    same(given, due, f"the formula {formula}")
    return f"({formula})"


def on(formula: str, **fields: str) -> str:
    """A formula with other names in it: `on("p * 2", p="datum.p")` is about the field `p` of a chart."""
    return re.sub(r"[A-Za-z_]\w*", lambda found: fields.get(found[0], found[0]), formula)


def expression(message: str, /, **fields: str) -> str:
    """A message as an expression of Vega, whose fields are expressions too: a translation has them where it needs them.

    `expression(gettext("Dimensions {first} to {end}"), first="at", end="at + 1")` is
    `("Dimensions " + (at) + " to " + (at + 1))`. A message without fields is a text, in quotation marks.
    """
    parts: list[str] = []
    for text, name, _, _ in Formatter().parse(message):
        parts.append(json.dumps(text, ensure_ascii=False))  # empty between fields: numbers would be added up
        if name is not None:
            parts.append(f"({fields[name]})")
    return f"({' + '.join(parts)})"


def same(given: Array, due: Array, what: str = "what the figure shows") -> None:
    """Check that a figure shows what the reference gives.

    Raises:
        ProblemError: if it shows something else.
    """
    given, due = np.asarray(given, np.float64).reshape(-1), np.asarray(due, np.float64).reshape(-1)
    if given.shape != due.shape:
        raise ProblemError(f"{what} has {counted(given.size, 'value')}, and the reference {due.size}")
    with np.errstate(invalid="ignore"):
        off = np.abs(np.where(given == due, 0.0, given - due))
    if not np.all(off <= FIGURE_CLOSE * np.maximum(1.0, np.abs(due))):
        at = int(np.nanargmax(np.where(np.isnan(off), np.inf, off)))
        raise ProblemError(f"{what} gives {given[at]:.6g} where the reference gives {due[at]:.6g}")


def rounded(values: Array, digits: int = 4) -> Any:
    """Values as nested lists, rounded, for a chart: shorter, and the same on every machine. What is not finite is None."""
    numbers = np.round(np.asarray(values, np.float64), digits) + 0.0
    listed = numbers.astype(object)
    listed[~np.isfinite(numbers)] = None
    return listed.tolist()


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
    if not isinstance(found, list) or not all(isinstance(figure, Figure) for figure in found):
        raise ProblemError("`figures` should return a list of Figure")
    documents = [_document(figure) for figure in found]
    size = len(json.dumps(documents))
    if size > LARGEST_FIGURES:
        raise ProblemError(f"its figures have {size} bytes, of {LARGEST_FIGURES} at most")
    with speaking(ENGLISH):
        sections = read(path.with_name("README.md")).sections
    for document in documents:
        if document["section"] not in sections:
            raise ProblemError(
                f"{document['title']!r} should stand in the section {document['section']!r}, and there is none: "
                f"choose one of {', '.join(sections)}"
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
        "columns": [_cell(column) for column in figure.table.columns],
        "rows": [[_cell(value) for value in row] for row in figure.table.rows],
        "spec": spec,
    }


def _cell(value: str | int | float) -> str:
    """A cell as text. What rounds to zero has no sign, and the sign of every other number is a minus, no hyphen."""
    text = f"{float(value):z.4f}" if isinstance(value, float | np.floating) else str(value)
    return re.sub(r"(?<!\w)-(?=\d)", "−", text)
