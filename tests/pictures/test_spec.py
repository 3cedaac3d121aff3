"""Pictures as Vega-Lite: the data, the encodings, the sentence for those who do not see them, and golden specifications."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from grader.marking.picture_data import Pictured
from grader.pictures.spec import spec, together
from grader.pictures.view import View, view
from tests.conftest import ROOT
from tests.pictures.samples import CURVE, HEATMAP, MATRIX, TOKENS, WAVES, compared, hostile, waves

GOLDEN = ROOT / "tests" / "golden" / "pictures"


def seen(picture: Pictured) -> View:
    due, given = waves(3, 4), waves(3, 4, 1.0)
    given[2, 3] = np.nan
    one = compared(due, given, arguments="T=3, d_model=4")
    if len(picture.axes) == 1:
        one = compared(due[:, 2], given[:, 3], "step", arguments="T=3")
    found = view(picture, one)
    assert found is not None
    return found


PICTURES = [HEATMAP, MATRIX, WAVES, CURVE, TOKENS]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda one: one.kind)
def test_the_specification_is_the_golden_one(picture: Pictured, request: pytest.FixtureRequest) -> None:
    text = json.dumps(spec(seen(picture)), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    path = GOLDEN / f"{picture.kind}.json"
    if request.config.getoption("--bless"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_specifications_are_vega_lite() -> None:
    altair = pytest.importorskip("altair")
    specs = [spec(seen(picture), dark=picture is HEATMAP) for picture in PICTURES]
    altair.Chart.from_dict(together(specs, "all"))
    altair.Chart.from_dict(specs[0])


def rows_of(table: dict[str, Any]) -> list[dict[str, Any]]:
    return table["data"]["values"]


def test_a_table_has_every_value_and_says_which_are_wrong() -> None:
    expected, yours, difference = spec(seen(HEATMAP))["hconcat"]
    assert [row["value"] for row in rows_of(expected)] == [float(f"{value:.6g}") for value in waves(3, 4).reshape(-1)]
    assert not any(row["wrong"] for row in rows_of(expected))
    assert rows_of(yours)[-1] == {"row": 2, "column": 3, "value": None, "said": "NaN", "wrong": True}
    assert [row["wrong"] for row in rows_of(yours)] == [row["wrong"] for row in rows_of(difference)]


def test_due_and_given_share_a_scale_and_zero_is_in_the_middle_of_the_difference() -> None:
    expected, yours, difference = (one["layer"][0]["encoding"]["color"] for one in spec(seen(HEATMAP))["hconcat"])
    assert expected["scale"] == yours["scale"]
    low, high = difference["scale"]["domain"]
    assert low == -high
    assert difference["scale"]["scheme"] == "redblue"


def test_what_is_withheld_is_not_in_it() -> None:
    found = view(HEATMAP, compared(waves(3, 4)))
    assert found is not None
    (only,) = spec(found, ["expected", "yours"])["hconcat"]
    assert only["title"] == "expected"
    assert "are wrong" not in spec(found)["description"]


def test_parts_can_be_called_by_other_names() -> None:
    named = spec(seen(CURVE), names={"expected": "esperado", "yours": "tuyo"})
    assert {row["of"] for row in rows_of(named)} == {"esperado", "tuyo"}
    assert named["description"].startswith("Curve of step: esperado, tuyo.")


def test_a_large_table_is_sampled_and_says_so() -> None:
    found = view(HEATMAP, compared(np.zeros((1000, 300))))
    assert found is not None
    drawn = spec(found)
    assert drawn["title"]["subtitle"] == "Drawn: 128 of 1000 along position and 128 of 300 along dim."
    assert len(rows_of(drawn["hconcat"][0])) == 128 * 128


@pytest.mark.parametrize("picture", [HEATMAP, MATRIX, WAVES], ids=lambda one: one.kind)
def test_whatever_an_answer_gives_is_json(picture: Pictured) -> None:
    due = np.arange(32.0).reshape(4, 8)
    for first, second in ((due, hostile()), (hostile(), due), (np.full((4, 8), np.nan), hostile())):
        found = view(picture, compared(first, second))
        assert found is not None
        assert "NaN" in json.dumps(spec(found), allow_nan=False)
