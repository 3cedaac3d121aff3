"""The figures of every lesson: they can be read and drawn, and a broken `figure.py` is told with its line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.kit import statement
from grader.kit.kit import Kit
from grader.oracle.server import load
from grader.page.computed_figures import LARGEST_FIGURES, examine_figures
from grader.pictures.image import as_svg
from tests.conftest import PROBLEMS, ROOT, closely

KIT = Kit(ROOT)
NAMES = sorted(name for name in PROBLEMS if KIT.figure(name).is_file())
SVG = "{http://www.w3.org/2000/svg}"


def drawn(vega: Any) -> int:
    """How many marks a specification that has controls draws at first."""
    assert vega["params"]
    sized = json.loads(json.dumps(vega).replace('"width": "container"', '"width": 400'))
    groups = ElementTree.fromstring(as_svg(sized)).iter(f"{SVG}g")
    return sum(len(group) for group in groups if re.match(r"mark-\w+ role-mark", group.get("class", "")))


@pytest.mark.slow
@pytest.mark.parametrize("name", closely(NAMES))
def test_the_figures_of_a_lesson_can_be_read_and_drawn(name: str) -> None:
    """That what they show is what the reference gives is proven by `audit`, which runs each `figure.py`."""
    sections = statement.read(KIT.statement(name)).sections
    for one in examine_figures(load(KIT.answer(name)), file=str(KIT.figure(name)))["figures"]:
        assert one["section"] in sections
        assert all(len(row) == len(one["columns"]) for row in one["rows"])
        assert len(one["sentence"]) > 80
        assert one["of"]
        cells = [*one["columns"], *(cell for row in one["rows"] for cell in row)]
        assert not [cell for cell in cells if re.search(r"(?<!\w)-\d|^−0\.?0*$", cell)]
        assert "walk" in one["spec"] or drawn(one["spec"]["vega"])


def test_cells_have_one_minus_and_a_zero_has_none(tmp_path: Path) -> None:
    shutil.copy(KIT.statement("sinusoidal_pos"), tmp_path / "README.md")
    (tmp_path / "figure.py").write_text(
        "from grader.page.figure import Figure, Table, Walk\nimport numpy as np\n\ndef figures(reference):\n"
        "    rows = [['-31', -0.00001], [-3, -0.4953], ['head-0', '0 and -2']]\n"
        "    walk = Walk('a', np.zeros((2, 2)), np.zeros((2, 2)), {})\n"
        "    return [Figure('b', walk, 'c', Table('d', ['key -1', 'e'], rows))]\n"
    )
    (made,) = examine_figures(load(KIT.answer("sinusoidal_pos")), file=str(tmp_path / "figure.py"))["figures"]
    assert made["columns"] == ["key −1", "e"]
    assert made["rows"] == [["−31", "0.0000"], ["−3", "−0.4953"], ["head-0", "0 and −2"]]


@pytest.mark.slow
def test_the_two_positions_of_public_lessons_have_their_numbers() -> None:
    (figure,) = examine_figures(load(KIT.answer("compare_positions")), file=str(KIT.figure("compare_positions")))[
        "figures"
    ]
    assert ["0 and 1", "30.9168", "0.9662", "1.4718"] in figure["rows"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1\n", "there is no function `figures(reference)`"),
        ("def figures(reference):\n    return 3\n", "should return a list of Figure"),
        ("def figures(reference):\n    return 1 / 0\n", "2: ZeroDivisionError: division by zero"),
        ("import nothing_like_it\n", "1: ModuleNotFoundError"),
        (
            "from grader.page.figure import same\n\ndef figures(reference):\n    same(reference(0, 1, 2), [0.0, 2.0])\n",
            "4: what the figure shows gives 1 where the reference gives 2",
        ),
        (
            "from grader.page.figure import Figure, Table, Walk\nimport numpy as np\n\ndef figures(reference):\n"
            "    big = np.zeros((400, 400))\n"
            "    return [Figure('a', Walk('b', big, big, {}), 'c', Table('d', [], []))]\n",
            f"of {LARGEST_FIGURES} at most",
        ),
    ],
)
def test_a_broken_file_is_told_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "sinusoidal_pos" / "figure.py"
    file.parent.mkdir()
    file.write_text(text)
    fault = examine_figures(load(KIT.answer("sinusoidal_pos")), file=str(file))["fault"]
    assert why in f"{fault['line']}: {fault['message']}"
