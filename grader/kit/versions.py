"""What is installed here, and the versions that this kit was proven with."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from packaging.version import Version

from grader import __version__
from grader.locale.language import N_

ABSENT = N_("not installed")
"""What stands in the place of a version. Reports translate it."""

OLDEST: Mapping[str, str] = {"python": "3.11.7", "jax": "0.10.2", "flax": "0.12.8"}
NEWEST: Mapping[str, str] = {"python": "3.13.0", "jax": "0.12.0.1", "flax": "0.12.12"}
"""The oldest and the newest versions that this kit was proven with: all tests passed, and `audit` found every problem sound.
Write newer ones here once both hold with them."""

DECISIVE = ("jax", "jaxlib", "flax", "optax", "numpy")
"""The distributions whose version may change a verdict."""


@cache
def installed(name: str) -> str:
    """The version of a distribution, of Python, or of the grader (which also runs without being installed)."""
    if name == "python":
        return platform.python_version()
    if name == "grader":
        return __version__
    try:
        return version(name)
    except PackageNotFoundError:
        return ABSENT


def newer() -> list[str]:
    """What is installed here in a newer version than the kit was proven with: `jax 0.13.0`."""
    return [
        f"{name} {installed(name)}"
        for name, proven in NEWEST.items()
        if installed(name) != ABSENT and Version(installed(name)) > Version(proven)
    ]


def proven() -> list[str]:
    """The oldest and the newest versions that the kit was proven with, in words."""
    return [f"Python {end['python']}, jax {end['jax']}, flax {end['flax']}" for end in (OLDEST, NEWEST)]


def missing_for_serve() -> list[str]:
    """The packages that `serve` needs and that are not installed: they come with the extra `web`."""
    return [name for name in ("starlette", "uvicorn", "websockets") if find_spec(name) is None]
