"""A lesson as a notebook or as Markdown for one: the statement, the stub to fill in, hints, cells that check."""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from grader.commands.lesson import one_more
from grader.kit import progress as progress_file
from grader.kit import shipped_kit, statement
from grader.kit.kit import CHECKOUT, Kit, KitError, kit_of_grader
from grader.kit.markup import FLOW, Flow, fences, read_diagram, sections
from grader.kit.output import check_new, write_new
from grader.kit.problem_error import ProblemError
from grader.kit.repository import ask_git
from grader.kit.shipped_stub import translated
from grader.kit.statement import Heading
from grader.locale.language import N_, gettext
from grader.options import Options
from grader.values.places import parsed


def lesson_text(kit: Kit, name: str) -> str:
    """The statement without its hints, then the stub. Raises ProblemError where the statement cannot be read."""
    title = gettext("The stub")
    said = gettext("Copy this into a cell, fill it in, and run it. Then: {command}")
    said = said.format(command=f'`grader.check("{name}")`')
    return f"{statement_of(kit, name)}\n## {title}\n\n{said}\n\n```python\n{stub_of(kit, name)}```\n"


def statement_of(kit: Kit, name: str) -> str:
    """The statement without its hints, with pictures of the flows that are graphs."""
    return _with_graphs(statement.read(kit.statement(name)).without_hints)


def _with_graphs(text: str) -> str:
    from grader.page.flow_graph import graphs_alone, in_words

    lines = text.split("\n")
    for fence in reversed(fences(text)):
        if fence.language != FLOW or not isinstance(flow := read_diagram(FLOW, fence.code), Flow):
            continue
        said = re.sub(r"([\[\]])", r"\\\1", in_words(flow))
        data = [base64.b64encode(picture.encode()).decode() for picture in graphs_alone(flow)]
        if data:
            pictures = [f"![{said}](data:image/svg+xml;base64,{one})" for one in data]
            lines[fence.line - 1 : fence.line + fence.code.count("\n") + 1] = pictures
    return "\n".join(lines)


def stub_of(kit: Kit, name: str) -> str:
    """The shipped stub, without the text at its top, which is about files. Raises KitError where no stub is known."""
    text = translated(kit, name)
    if text is None:
        said = gettext("The shipped stub of {problem} is not known here: copy it from the kit's source.")
        raise KitError(said.format(problem=name))
    body = parsed(text).body
    if ast.get_docstring(parsed(text)) is None:
        return text
    return "\n".join(text.split("\n")[body[0].end_lineno or 0 :]).lstrip("\n")


def lesson_hints(kit: Kit, name: str) -> str:
    """The hints that were taken before, and one more. Raises ProblemError where the statement has none."""
    known = statement.read(kit.statement(name)).hints
    if not known:
        raise ProblemError(gettext("{file}: it has no hints").format(file=kit.opened(kit.statement(name))))
    taken = one_more(Options(kit), name, len(known))
    shown: list[str] = []
    for number, text in enumerate(known[:taken], start=1):
        heading = gettext("Hint {number} of {count}.").format(number=number, count=len(known))
        shown.append(f"**{heading}** {text}")
    if taken == len(known):
        spoil = () if name in progress_file.load(kit).solved else ("--spoil",)
        said = gettext("That was the last hint. The worked answer: {command}")
        shown.append(said.format(command=f"`!{kit.command('solution', name, *spoil)}`"))
    return "\n\n".join(shown) + "\n"


HOW_TO = N_(
    "Run the cells from the top, one after the other. Fill in the function where it stands, run its cell, then the check "
    "below it."
)

INSTALLS = """\
import importlib.util

if importlib.util.find_spec("grader") is None:
    %pip install --quiet "grader @ {source}"
"""

STUCK = N_("Stuck? Each run of the next cell gives one more hint.")


def write_notebooks(
    kit: Kit, books: Mapping[str, Sequence[str]], folder: Path, source: str, *, force: bool = False
) -> list[Path]:
    """Write `NAME.ipynb` for each name, with the lessons given. If one is there already, nothing is written.

    Args:
        source: where pip finds the grader; empty if that is not known.
        force: whether to write over notebooks that are there: the answers in them are lost then.

    Returns:
        the paths of the notebooks.

    Raises:
        KitError: if a notebook is there already, or cannot be written.
        ProblemError: if a statement cannot be read, or a file of the problem is a link.
    """
    for name in dict.fromkeys(chain(*books.values())):
        shipped_kit.handed_out_files(kit, name)  # it raises where a link would be followed
    texts = {folder / f"{book}.ipynb": notebook(kit, names, source) for book, names in books.items()}
    for path in texts:
        check_new(path, force=force)
    for path, text in texts.items():
        write_new(path, text.encode(), force=force)
    return list(texts)


def notebook(kit: Kit, names: Sequence[str], source: str) -> str:
    """The notebook of some lessons, one after the other: JSON of nbformat 4.5."""
    shipped = all(map(_is_shipped, names))
    ready = _code(f"{_installs(source)}\n{_has_kit(shipped=shipped)}")
    cells: list[dict[str, Any]] = []
    for name in names:
        first, *rest = _lesson_cells(kit, name)
        cells += [first, *([] if cells else [_markdown(gettext(HOW_TO)), ready]), *rest]
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": cells,
        "metadata": {"kernelspec": python, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def source_of_this() -> str:
    """Where pip finds this grader: as pip has recorded it, or else the repository of a checkout; empty if nobody knows.

    A folder of this machine is no such place.
    """
    try:
        recorded = distribution("grader").read_text("direct_url.json")
    except PackageNotFoundError:
        recorded = None
    match json.loads(recorded) if recorded else None:
        case {"url": str(url), "vcs_info": {"vcs": str(system), "commit_id": str(commit)}}:
            return f"{system}+{url}@{commit}"
        case {"url": str(url)} if url.startswith(("https://", "http://")):
            return url
        case _:
            return _repository()


def _repository() -> str:
    if not (CHECKOUT / ".git").exists():
        return ""
    url = (ask_git(CHECKOUT, "remote", "get-url", "origin") or "").strip()
    return f"git+{url}" if url.startswith("https://") and "@" not in url else ""


def _lesson_cells(kit: Kit, name: str) -> Iterator[dict[str, Any]]:
    """The statement in cells; those to fill in and to check follow the part that says what is to be returned."""
    read = statement.read(kit.statement(name))
    first, *rest = _parts(statement_of(kit, name))
    yield _markdown(first)
    for part in rest:
        yield from _with_examples(part)
        if part.startswith(f"## {read.heading(Heading.OUTPUT)}\n"):
            yield from _cells_to_fill_in(kit, name)


def _cells_to_fill_in(kit: Kit, name: str) -> Iterator[dict[str, Any]]:
    yield _code(stub_of(kit, name), f"answer:{name}")
    yield _code(f'grader.check("{name}")')
    yield _markdown(gettext(STUCK))
    yield _code(f'grader.hint("{name}")')


def _installs(source: str) -> str:
    """The code that has the grader, with what it does in comments."""
    if not source:
        needs = gettext(
            "Gets this notebook ready. It needs the grader: install it as its README says (pip install FOLDER), then run "
            "this cell."
        )
        return _comment(needs)
    said = gettext(
        "Gets this notebook ready. Where the grader is not installed, as in Colab, it is installed from\n{source}"
    )
    return _comment(said.format(source=source)) + INSTALLS.format(source=source)


def _has_kit(*, shipped: bool) -> str:
    """The code that has a kit, with what it does in comments."""
    if shipped:
        said = gettext("finds a kit here or above, or makes one: the problems come with the grader")
        return f'import grader\n\ngrader.init("grader_kit")  # {said}\n'
    said = gettext(
        "It needs its course's kit too: put this notebook into the folder that holds problems/, or set GRADER_KIT to that "
        "folder."
    )
    return f"{_comment(said)}import grader\n"


def _comment(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.split("\n"))


def _parts(text: str) -> list[str]:
    """A statement in parts: what stands above its first section, then each section."""
    lines, found = text.split("\n"), sections(text).values()
    starts = [0, *(section.start for section in found), len(lines)]
    return ["\n".join(lines[start:end]).strip() for start, end in pairwise(starts)]


def _with_examples(text: str) -> Iterator[dict[str, Any]]:
    """A part of a statement, in which each example of Python is a cell that runs."""
    lines, done = text.split("\n"), 0
    for fence in fences(text):
        if fence.language == "python":
            above = "\n".join(lines[done : fence.line - 1])
            if above.strip():
                yield _markdown(above)
            yield _code(fence.code)
            done = fence.line + fence.code.count("\n") + 1
    if (left := "\n".join(lines[done:])).strip():
        yield _markdown(left)


def _is_shipped(name: str) -> bool:
    try:
        return name in kit_of_grader().names
    except KitError:
        return False


def _markdown(text: str) -> dict[str, Any]:
    from grader.page.body import with_references_linked

    return {"cell_type": "markdown", "metadata": {}, "source": _lines(with_references_linked(text))}


def _code(text: str, *tags: str) -> dict[str, Any]:
    metadata = {"tags": list(tags)} if tags else {}
    empty: list[Any] = []
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": empty,
        "source": _lines(text),
    }


def _lines(text: str) -> list[str]:
    return text.strip("\n").splitlines(keepends=True)
