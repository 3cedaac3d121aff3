"""Pictures as SVG or PNG, drawn by vl-convert: no browser and no network is needed."""

from __future__ import annotations

import json
from typing import Any


def as_svg(spec: dict[str, Any]) -> bytes:
    """A Vega-Lite specification as SVG."""
    import vl_convert

    return vl_convert.vegalite_to_svg(json.dumps(spec)).encode()


def as_png(spec: dict[str, Any], scale: float = 1.0) -> bytes:
    """A Vega-Lite specification as PNG.

    Args:
        scale: pixels of the image for each pixel of the specification.
    """
    import vl_convert

    return vl_convert.vegalite_to_png(json.dumps(spec), scale=scale)
