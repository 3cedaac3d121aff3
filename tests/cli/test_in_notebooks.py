"""`grader.check` in a real kernel of Jupyter, and in marimo: from a cell to what is shown below it."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from grader.kit.kit import Kit
from grader.notebooks import lesson_notebook
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, ROOT, Command, clean_environment

PATH = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nimport grader"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.delenv("GRADER_KIT", raising=False)


def run(folder: Path, book: Any) -> list[list[Any]]:
    """Run a notebook in a folder. Returns the outputs of each of its code cells."""
    NotebookClient(book, timeout=120, allow_errors=True, resources={"metadata": {"path": str(folder)}}).execute()
    return [cell.outputs for cell in book.cells if cell.cell_type == "code"]


def of_cells(*sources: str) -> Any:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


@pytest.mark.slow
def test_in_a_kernel_what_is_shown_is_what_the_cells_hold(own_kit: Command) -> None:
    cells = [
        f"%matplotlib nothing_here\n{PATH}",
        f"import numpy, warnings\nnumpy.seterr(all='raise')\nwarnings.simplefilter('error')\n{PATH}",
        f"%%time\n{HALF}",
        f'report = grader.check("{FLAGSHIP}")\nreport',
        "print(report.status, report.pitfalls, report.where[0].cell, report.where[0].line)",
        f'grader.hint("{FLAGSHIP}")',
        f'{RIGHT}\ngrader.check("{FLAGSHIP}")',
        'grader.check("sinusoidal")',
        "table = [n for n in range(3)]\nfor n in table:\n    last = n",
        f"def {FLAGSHIP}(seed, T, d_model):\n    return last",
        f"grader.check({FLAGSHIP})",
    ]
    outputs = run(own_kit.kit, of_cells(*cells))
    (shown,) = outputs[3]
    (line,) = [number for number, text in enumerate(HALF.splitlines(), 2) if "-pairs" in text]
    assert shown.data["text/plain"].startswith(f" {FLAGSHIP}   wrong")
    assert "cell 3" in shown.data["text/plain"]
    assert f"{line} │ " in shown.data["text/html"]
    assert outputs[4][0].text == f"wrong ('half-exponent',) 3 {line}\n"
    assert outputs[5][0].data["text/html"].startswith("<p><strong>Hint 1 of ")
    assert outputs[6][0].data["text/plain"].startswith(f" {FLAGSHIP}   correct")
    assert outputs[7][0].traceback == [f"KitError: There is no problem 'sinusoidal'. Did you mean {FLAGSHIP}?"]
    assert "`last` is made or changed outside the function, by a `for` loop in cell 9." in outputs[10][0].data[
        "text/plain"
    ].replace("\n ", " ")


@pytest.mark.nightly
@pytest.mark.slow
def test_a_written_notebook_runs_from_its_first_cell_to_its_last(own_kit: Command) -> None:
    book = nbformat.reads(lesson_notebook.notebook(Kit(own_kit.kit), [FLAGSHIP], ""), 4)
    (stub,) = [cell for cell in book.cells if cell.metadata.get("tags") == [f"answer:{FLAGSHIP}"]]
    book.cells.insert(0, nbformat.v4.new_code_cell(PATH))
    _, ready, *examples, _, checked, hinted = run(own_kit.kit, book)
    assert examples
    assert all(one.output_type != "error" for outputs in examples for one in outputs)
    assert "Found a kit of 1 problem" in ready[0].data["text/plain"]
    assert "Not filled in yet" in checked[0].data["text/plain"]
    assert "Hint 1 of" in hinted[0].data["text/html"]
    stub.source = RIGHT
    assert f"{FLAGSHIP}   correct" in run(own_kit.kit, book)[-2][0].data["text/plain"]


MARIMO = """\
import marimo

app = marimo.App()


@app.cell
def _():
    import jax.numpy as jnp
    import grader
    return grader, jnp


@app.cell
def _(grader, sinusoidal_pos):
    grader.check(sinusoidal_pos)
    return


@app.cell
def _(jnp):
    {function}
    return (sinusoidal_pos,)


@app.cell
def _(grader):
    grader.hint("sinusoidal_pos")
    return
"""


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("marimo") is None, reason="marimo is not installed: it is large")
def test_in_marimo_the_function_is_graded_as_its_cell_stands(own_kit: Command) -> None:
    function = HALF[HALF.index("def ") :].rstrip().replace("\n", "\n    ")
    (own_kit.kit / "book.py").write_text(MARIMO.format(function=function))
    done = subprocess.run(
        [sys.executable, "-m", "marimo", "export", "html", "book.py", "-o", "book.html"],
        cwd=own_kit.kit,
        env={**clean_environment(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    page = (own_kit.kit / "book.html").read_text()
    shown = [json.loads(f'"{one}"') for one in re.findall(r'"text/(?:html|markdown)": "((?:[^"\\]|\\.)*)"', page)]
    (report,) = [one for one in shown if "grader-report" in one]
    (line,) = [number for number, text in enumerate(function.splitlines(), 1) if "-pairs" in text]
    assert "half-exponent" in report
    assert "cell 3" in report
    assert f"{line} │ " in report
    assert any("<strong>Hint 1 of" in one for one in shown)
