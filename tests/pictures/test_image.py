"""SVG and PNG of pictures: what is drawn, and not its pixels."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from grader.pictures.spec import as_png, as_svg, spec
from grader.pictures.view import view
from tests.pictures.samples import HEATMAP, MATRIX, compared, waves


def test_an_svg_has_a_cell_for_each_value_and_an_outline_for_each_wrong_one() -> None:
    found = view(HEATMAP, compared(waves(3, 4), waves(3, 4, 1.0)))
    assert found is not None
    svg = as_svg(spec(found)).decode()
    ElementTree.fromstring(svg)
    filled = re.findall(r'fill="rgb\(\d+, \d+, \d+\)"', svg)
    wrong, count = found.count
    assert (wrong, len(filled)) == (4, 2 * count + wrong)
    assert svg.count('stroke="black"') == 2 * wrong
    assert "expected" in svg
    assert "difference" in svg


def test_a_small_matrix_has_its_numbers() -> None:
    found = view(MATRIX, compared(waves(2, 2)))
    assert found is not None
    svg = as_svg(spec(found)).decode()
    assert ">0.84<" in svg
    assert ">0.54<" in svg


def test_a_png_is_one() -> None:
    found = view(HEATMAP, compared(waves(2, 2)))
    assert found is not None
    assert as_png(spec(found)).startswith(b"\x89PNG")
