"""What draws figures in a browser: Altair's own scripts for a page, which vl-convert holds."""

from __future__ import annotations

import sys


def bundle() -> str:
    """The scripts as one file that defines `vegaEmbed`: Vega, Vega-Lite and Vega-Embed, in the versions of Altair."""
    import vl_convert

    # A page that is opened from a disk can load no module, so a function keeps the short names of the bundle to itself.
    return f"(() => {{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;', _version())}\n}})();\n"


def _version() -> str:
    """The version of Vega-Lite that Altair writes specs for, as vl-convert names it: 6.4."""
    import altair

    return ".".join(altair.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def main() -> None:
    """Print the scripts: making them takes a hundred megabytes, which a server would keep."""
    sys.stdout.buffer.write(bundle().encode())
