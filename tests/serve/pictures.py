"""`python -m tests.serve.pictures`: the window as README shows it, light and dark. Needs Chromium and `.[test,dev]`."""

from __future__ import annotations

import base64
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.conftest import FLAGSHIP, ROOT, copy_kit
from tests.page.driven import driven, missing
from tests.serve.served import Page, serving, wait

PICTURES = ROOT / ".github" / "pictures"
SCHEMES = ("light", "dark")
SIZE = (1280, 720)
"""The width and the height of a picture, in pixels."""
COLOURS = 256
"""As many colours as a picture has at most: letters are smooth, so that the file is a third as large as with all of them."""

ANSWER = """\
import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    positions = jnp.arange(T)[:, None]
    pairs = jnp.arange(d_model // 2)
    angles = positions * 10000.0 ** (-pairs / d_model)
    waves = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1)
    return waves.reshape(-1)
"""
"""An answer with one mistake, which the window names."""


def main() -> int:
    if lacking := missing():
        print(f"The pictures are drawn by a browser: {lacking}.", file=sys.stderr)
        return 2
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        kit = copy_kit(Path(folder) / "kit")
        (kit / "problems" / FLAGSHIP / "stub.py").write_text(ANSWER, encoding="utf-8")
        with serving(kit) as served, driven() as browser:
            page = Page(browser, served, FLAGSHIP)
            page.save()
            wait(lambda: "half-exponent" in page.verdict() and not page.said("phase"), seconds=120)
            for scheme in SCHEMES:
                picture = PICTURES / f"window-{scheme}.png"
                picture.write_bytes(_small(_drawn(browser, scheme)))
                print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size // 1000} kB")
    return 0


def _drawn(browser: Any, scheme: str) -> bytes:
    width, height = SIZE
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wish = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
    return base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])


def _small(png: bytes) -> bytes:
    from PIL import Image

    written = io.BytesIO()
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(written, "PNG", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    sys.exit(main())
