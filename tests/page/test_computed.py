"""The figures of every lesson: their specs are those that were reviewed, and a broken `figure.py` is told with its line."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.kit import statement
from grader.kit.kit import Kit
from grader.oracle.server import load
from grader.page.computed import LARGEST, examine_figures
from grader.pictures.image import as_svg
from tests.conftest import PROBLEMS, ROOT, first_plain

pytest.importorskip("altair", reason="the extra [pictures] is not installed")

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
KIT = Kit(ROOT)
NAMES = sorted(name for name in PROBLEMS if KIT.figure(name).is_file())
FIRST = ["sinusoidal_pos", *(name for name in NAMES if name != "sinusoidal_pos")]
LONG = 6
"""A list with more numbers than these is told in the golden text by its count, its first numbers and its sum."""


def told(value: Any) -> Any:
    """A spec as a golden text has it."""
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    if isinstance(value, list):
        flat = list(numbers(value))
        if flat and len(flat) > LONG and all(isinstance(one, int | float) or one is None for one in flat):
            known = [one for one in flat if one is not None]
            return {"numbers": len(flat), "missing": len(flat) - len(known), "first": flat[:LONG], "sum": sum(known)}
        return [told(one) for one in value]
    return value


def numbers(value: Any) -> Any:
    if isinstance(value, list):
        for one in value:
            yield from numbers(one)
    else:
        yield value


def in_svg(spec: Any) -> Any:
    """What a figure draws at first, as SVG: how many marks of each kind, and the titles of its axes; None of a walk."""
    if "vega" not in spec:
        return None
    sized = json.loads(json.dumps(spec["vega"]).replace('"width": "container"', '"width": 400'))
    groups = list(ElementTree.fromstring(as_svg(sized)).iter(f"{SVG}g"))
    marks: Counter[str] = Counter()
    for group in groups:
        if kind := re.match(r"mark-(\w+) role-mark", group.get("class", "")):
            marks[kind[1]] += len(group)
    titles = [one for one in groups if "role-axis-title" in one.get("class", "")]
    return {"marks": dict(marks), "axes": [text.text for one in titles for text in one.iter(f"{SVG}text")]}


def agrees(given: Any, due: Any, places: int = 1) -> bool:
    """Whether two such texts are the same but for the last digit of numbers: another JAX may round otherwise."""
    if isinstance(given, dict) and isinstance(due, dict):
        many = given.get("numbers", 1)
        return given.keys() == due.keys() and all(
            agrees(given[key], due[key], many if key == "sum" else 1) for key in given
        )
    if isinstance(given, list) and isinstance(due, list):
        return len(given) == len(due) and all(agrees(one, other) for one, other in zip(given, due, strict=True))
    if isinstance(given, float) and isinstance(due, int | float):
        return abs(given - due) <= 2e-4 * places
    return type(given) is type(due) and given == due


@pytest.mark.parametrize("name", first_plain(FIRST))
def test_the_figures_of_a_lesson_are_the_reviewed_ones(name: str, pytestconfig: pytest.Config) -> None:
    """`pytest -m '' --bless tests/page/test_computed.py` rewrites them, `git diff` shows what changed."""
    made = examine_figures(load(KIT.answer(name)), file=str(KIT.figure(name)))["figures"]
    given = [{**one, "spec": told(one["spec"]), "svg": in_svg(one["spec"]), "rows": len(one["rows"])} for one in made]
    golden = GOLDEN / f"{name}.json"
    if pytestconfig.getoption("bless"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(json.dumps(given, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert agrees(given, json.loads(golden.read_text(encoding="utf-8"))), f"{golden} differs"
    sections = statement.read(KIT.statement(name)).sections
    for one in made:
        assert one["section"] in sections
        assert all(len(row) == len(one["columns"]) for row in one["rows"])
        assert len(one["sentence"]) > 80
        assert one["of"]
        cells = [*one["columns"], *(cell for row in one["rows"] for cell in row)]
        assert not [cell for cell in cells if re.search(r"(?<!\w)-\d|^−0\.?0*$", cell)]
        assert "walk" in one["spec"] or one["spec"]["vega"]["params"]


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
            f"of {LARGEST} at most",
        ),
    ],
)
def test_a_broken_file_is_told_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "sinusoidal_pos" / "figure.py"
    file.parent.mkdir()
    file.write_text(text)
    fault = examine_figures(load(KIT.answer("sinusoidal_pos")), file=str(file))["fault"]
    assert why in f"{fault['line']}: {fault['message']}"
