"""Pictures as Vega-Lite: the marks, the scales, the data, and the sentence for those who do not see them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from grader.marking.verdict import Pictured
from grader.pictures.spec import SCHEMA, spec, together
from grader.pictures.view import View, view
from tests.pictures.samples import CURVE, HEATMAP, MATRIX, TOKENS, WAVES, compared, hostile, waves


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


TABLE = """
    rect color=value[-1.0, 1.0]redblue,reversed where isValid(datum.value)
    rect where datum.wrong
    text text=said where datum.said != ''
"""
NUMBERS = """
    rect color=value[-1.0, 1.0]redblue,reversed where isValid(datum.value)
    text text=value color=white if abs(datum.value) > 0.6 where isValid(datum.value)
    rect where datum.wrong
    text text=said where datum.said != ''
"""
BARS = """
    bar,clip x=value[0.0, 0.0249983]
    text x=0.0249983 text=told as (datum.said || format(datum.value, '.4~g')) + (datum.wrong ? ' ✗' : '')
"""
HEADS = "{} {}: {} of 12 wrong, x=column[0, 1, 2, 3]'dim' y=row[0, 1, 2]'position'"
BAR_HEADS = "{} 180x18 each: {} of 3 wrong, y=column[0, 1, 2]'step'"
LINES = """
    line,clip x=column'{x}' y=value[{low}, {high}]{y} color=of{both} strokeDash=of{both}
    point,clip x=column'{x}' y=value[{low}, {high}]{y} color=of{both} where datum.wrong && isValid(datum.value)
    text x=column'{x}' y={low} text=said color=of{both} where datum.said != ''
"""


def of_difference(layers: str) -> str:
    """The marks of a table or a matrix for the difference: what is right has no colour and no number."""
    scaled = layers.replace("[-1.0, 1.0]", "[-0.178671, 0.178671]").replace("> 0.6", "> 0.107202")
    return scaled.replace("isValid(datum.value)", "isValid(datum.value) && datum.wrong")


def of_lines(x: str, y: str, low: float, high: float) -> str:
    return LINES.format(x=x, y=y, low=low, high=high, both=["expected", "yours"])


def three(size: str, layers: str) -> str:
    said = [("expected", 0, layers), ("yours", 4, layers), ("difference", 4, of_difference(layers))]
    return "".join(HEADS.format(name, size, wrong) + marks for name, wrong, marks in said)


@pytest.mark.parametrize(
    ("picture", "due"),
    [
        (HEATMAP, three("112x84", TABLE)),
        (MATRIX, three("168x126", NUMBERS)),
        (WAVES, "520x60: 4 of 24 wrong, row=row'dim'" + of_lines("position", "", -1.0, 1.0)),
        (CURVE, "520x200: 3 of 6 wrong" + of_lines("step", "'value'", 0.0, 0.0249983)),
        (TOKENS, BAR_HEADS.format("expected", 0) + BARS + BAR_HEADS.format("yours", 3) + BARS),
    ],
    ids=lambda value: value.kind if isinstance(value, Pictured) else "",
)
def test_each_kind_has_its_marks_on_its_scales(picture: Pictured, due: str) -> None:
    assert outline(spec(seen(picture))).split("\n") == [line.strip() for line in due.strip().split("\n")]


def outline(whole: dict[str, Any]) -> str:
    """Each frame of a picture: its title, size, data and axes; under it each mark with its encodings and its filter."""
    lines: list[str] = []
    for frame in frames(whole):
        inner = frame.get("spec", frame)
        each = isinstance(inner["height"], dict)
        size = f"{inner['width']}x{inner['height']['step']} each" if each else f"{inner['width']}x{inner['height']}"
        wrong = sum(row["wrong"] for row in rows_of(frame))
        name = frame["title"] + " " if "hconcat" in whole else ""
        axes = channels(frame.get("encoding", {}) | frame.get("facet", {}))
        lines.append(
            ", ".join([f"{name}{size}: {wrong} of {len(rows_of(frame))} wrong", *filter(None, [" ".join(axes)])])
        )
        for layer in inner["layer"]:
            mark = layer["mark"]["type"] + (",clip" if layer["mark"].get("clip") else "")
            steps = layer.get("transform", [])
            done = [f"where {step['filter']}" if "filter" in step else f"as {step['calculate']}" for step in steps]
            lines.append(" ".join([mark, *channels(layer.get("encoding", {})), *done]))
    return "\n".join(lines)


def frames(whole: dict[str, Any]) -> list[dict[str, Any]]:
    return whole.get("hconcat", [whole])


def channels(encoding: dict[str, Any]) -> Iterator[str]:
    """What a mark shows, by channel: the field, the domain of its scale, the colours, and the title of its axis."""
    for channel, shown in encoding.items():
        if channel == "tooltip":
            continue
        if "condition" in shown:
            yield f"{channel}={shown['condition']['value']} if {shown['condition']['test']}"
            continue
        scale = shown.get("scale", {})
        colours = scale.get("scheme", "") + (",reversed" if scale.get("reverse") else "")
        title = repr(shown["title"]) if channel in ("x", "y", "row") and shown.get("title") else ""
        yield f"{channel}={shown.get('field', shown.get('datum'))}{scale.get('domain', '')}{colours}{title}"


@pytest.mark.parametrize(
    ("picture", "shown", "wrong", "tooltip"),
    [
        (HEATMAP, "Heat map of position by dim: expected, yours, difference", "4 of 12", "position dim value"),
        (MATRIX, "Matrix of position by dim: expected, yours, difference", "4 of 12", "position dim value"),
        (WAVES, "Waves of dim by position: expected, yours", "4 of 12", "dim position value"),
        (CURVE, "Curve of step: expected, yours", "3 of 3", "step value"),
        (TOKENS, "Bars of step: expected, yours", "3 of 3", "step value"),
    ],
    ids=lambda value: value.kind if isinstance(value, Pictured) else "",
)
def test_each_kind_is_told_in_words(picture: Pictured, shown: str, wrong: str, tooltip: str) -> None:
    drawn = spec(seen(picture))
    assert drawn["$schema"] == SCHEMA
    assert drawn["description"] == f"{shown}. {wrong} values are wrong."
    title = "T=3" if len(picture.axes) == 1 else "T=3, d_model=4"
    assert drawn["title"] == {"text": title, "subtitle": "", "anchor": "start"}
    for frame in frames(drawn):
        encodings = [layer.get("encoding", {}) for layer in frame.get("spec", frame)["layer"]]
        (fields,) = (encoding["tooltip"] for encoding in encodings if "tooltip" in encoding)
        assert [field["title"] for field in fields] == tooltip.split()


def test_lines_are_told_apart_by_their_dashes_and_what_is_wrong_by_crosses() -> None:
    line, cross, _ = spec(seen(CURVE))["layer"]
    assert line["encoding"]["strokeDash"]["scale"]["range"] == [[1, 0], [4, 3]]
    assert cross["mark"]["shape"] == "cross"
    assert line["encoding"]["x"]["axis"] == {"format": "d", "tickMinStep": 1}


@pytest.mark.parametrize(("dark", "ink", "paper"), [(False, "#222222", "#ffffff"), (True, "#e6e6e6", "#1e1e1e")])
def test_the_colours_of_words_fit_the_background(dark: bool, ink: str, paper: str) -> None:
    drawn = spec(seen(HEATMAP), dark=dark)
    config = drawn["config"]
    assert config["background"] == paper
    for part in ("axis", "legend", "header"):
        assert (config[part]["labelColor"], config[part]["titleColor"]) == (ink, ink)
    assert {config["title"]["color"], config["title"]["subtitleColor"], config["text"]["color"]} == {ink}
    _, outlined, said = (layer["mark"] for layer in drawn["hconcat"][1]["layer"])
    assert (outlined["stroke"], said["color"]) == (("white", "white") if dark else ("black", "black"))
    assert outlined["filled"] is False


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


def test_each_part_of_a_table_keeps_its_own_colours() -> None:
    assert spec(seen(HEATMAP))["resolve"] == {"scale": {"color": "independent"}}
    assert together([spec(seen(HEATMAP))] * 2, "both")["resolve"]["scale"]["color"] == "independent"


def test_bars_begin_at_zero() -> None:
    found = view(TOKENS, compared(np.array([-3.0, -2.0]), np.array([-3.0, -1.0]), "step"))
    assert found is not None
    for frame in spec(found)["hconcat"]:
        assert frame["layer"][0]["encoding"]["x"]["scale"]["domain"][1] == 0.0


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
