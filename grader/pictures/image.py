"""Pictures as SVG or PNG. Altair checks the specification, and vl-convert draws it: both are in the extra `pictures`."""

from __future__ import annotations

import importlib.util
import io
from typing import Any, Literal

EXTRA = "grader[pictures]"


def missing() -> str:
    """The package that is missing to draw images; empty if none is."""
    return next((name for name in ("altair", "vl_convert") if importlib.util.find_spec(name) is None), "")


def image(spec: dict[str, Any], form: Literal["svg", "png"], scale: float = 1.0) -> bytes:
    """A Vega-Lite specification as an image.

    Args:
        scale: pixels of a PNG for each pixel of the specification.
    """
    import altair

    chart = altair.Chart.from_dict(spec)
    if form == "svg":
        text = io.StringIO()
        chart.save(text, format="svg")
        return text.getvalue().encode()
    data = io.BytesIO()
    chart.save(data, format="png", scale_factor=scale)
    return data.getvalue()
