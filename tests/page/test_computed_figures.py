"""The figures of every lesson: they can be read and drawn, and a broken `figure.py` is told with its line."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.kit import statement
from grader.kit.kit import Kit
from grader.locale.language import speaking
from grader.oracle.server import load
from grader.page.figure import LARGEST_FIGURES, examine_figures
from grader.pictures.spec import as_svg
from tests.conftest import PROBLEMS, ROOT, closely
from tests.language import english_in

KIT = Kit(ROOT)
NAMES = sorted(name for name in PROBLEMS if KIT.figure(name).is_file())
SAME = frozenset(
    """
    a array arrays b base beta bits block causal cursor d d_ff d_head d_model delta diagonal dim dt e error factor floor g
    gamma gelu hash i j jax k lam levels max_distance max_period momentum no none num_buckets omega original p peak q
    reshape ridge sinusoidal spec steps t token tokens train_len transformer transpose u v vector w warmup x y z ε
    """.split()  # noqa: SIM905 - a list would be a screen long
)
"""Words of figures that are the same in English and Spanish: those of code, and a few more."""
SVG = "{http://www.w3.org/2000/svg}"


def picture(vega: Any) -> ElementTree.Element:
    """A chart as the page draws it in another language, without Vega's own English about axes and legends."""
    sized = json.loads(json.dumps(vega).replace('"width": "container"', '"width": 400'))
    return ElementTree.fromstring(as_svg(sized | {"config": {"axis": {"aria": False}, "legend": {"aria": False}}}))


def texts(figure: Any) -> Iterator[str]:
    """What is read of a figure: on the page, in its controls, and in the drawing as it is at first."""
    yield from (figure["title"], figure["sentence"], figure["of"], *figure["columns"])
    yield from (cell for row in figure["rows"] for cell in row)
    if walk := figure["spec"].get("walk"):
        yield from (walk["sentence"], *walk["words"].values())
        return
    vega = figure["spec"]["vega"]
    for one in vega["params"]:
        yield from (one.get("bind", {}).get("name", ""), *one.get("bind", {}).get("labels", []))
        yield from re.findall(r'"([^"]*)"', one.get("expr", ""))
    yield from (
        each[1] for each in re.findall(r'"(title|description)": "([^"]*)"', json.dumps(vega, ensure_ascii=False))
    )
    for one in picture(vega).iter():
        yield from (one.text or "", one.get("aria-label", ""))


def drawn(vega: Any) -> int:
    """How many marks a specification that has controls draws at first."""
    assert vega["params"]
    groups = picture(vega).iter(f"{SVG}g")
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


@pytest.mark.slow
@pytest.mark.parametrize("name", closely(NAMES))
def test_the_figures_of_a_lesson_have_no_english_word_in_spanish(name: str) -> None:
    problem, file = load(KIT.answer(name)), str(KIT.figure(name))
    english, spanish = (
        [text for one in examine_figures(problem, file=file, language=language)["figures"] for text in texts(one)]
        for language in ("en", "es")
    )
    without_fields = (re.sub(r"\{\w+\}", "", " ".join(each)) for each in (spanish, english))
    words, theirs = (set(re.findall(r"[^\W\d]+", each.lower())) for each in without_fields)
    assert words & theirs - SAME == set()
    assert [text for text in spanish if english_in(text)] == []


def test_a_figure_is_english_where_no_language_is_asked_for() -> None:
    problem, file = load(KIT.answer("sinusoidal_pos")), str(KIT.figure("sinusoidal_pos"))
    with speaking("es"):
        assert examine_figures(problem, file=file)["figures"][0]["title"] == "Waves by dimension"


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


@pytest.mark.nightly
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
