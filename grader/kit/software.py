"""The software that an oracle's numbers depend on: what is installed, supported versions, files and settings."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from grader import __version__
from grader.kit.files import Unreadable, open_regular
from grader.kit.kit import CHECKOUT, KitError
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
def installed_version(name: str) -> str:
    """The version of a distribution, of Python, or of the grader (which also runs without being installed)."""
    if name == "python":
        return platform.python_version()
    if name == "grader":
        return __version__
    if found := _versions().get(_normal(name)):
        return found
    from importlib.metadata import PackageNotFoundError, version  # it imports a tenth of what a bare `grader` does

    try:
        return version(name)
    except PackageNotFoundError:
        return ABSENT


@cache
def _versions() -> Mapping[str, str]:
    """The versions of the distributions on the search path, as `NAME-VERSION.dist-info` says them; empty in another form."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            entries = os.listdir(folder or os.curdir)
        except OSError:  # an archive, or no folder
            continue
        for entry in entries:
            stem, form = os.path.splitext(entry)
            if form in (".dist-info", ".egg-info"):  # the latter says its version inside
                name, _, version = stem.partition("-")
                found.setdefault(_normal(name), version if form == ".dist-info" else "")
    return found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def is_newer() -> list[str]:
    """What is installed here in a newer version than the kit was proven with: `jax 0.13.0`."""
    from packaging.version import Version

    return [
        f"{name} {installed_version(name)}"
        for name, proven in NEWEST.items()
        if installed_version(name) != ABSENT and Version(installed_version(name)) > Version(proven)
    ]


def proven_versions() -> list[str]:
    """The oldest and the newest versions that the kit was proven with, in words."""
    return [f"Python {end['python']}, jax {end['jax']}, flax {end['flax']}" for end in (OLDEST, NEWEST)]


NEEDED = {"web": ("starlette", "uvicorn", "websockets", "pyflakes"), "lsp": ("pygls",), "mcp": ("mcp",)}
"""The packages that a front cannot do without, by the extra that brings them: those of `serve`, of `lsp`, of `mcp`."""


def missing_for(extra: str) -> list[str]:
    """The packages that a front needs and that are not installed: they come with an extra."""
    return [name for name in NEEDED[extra] if find_spec(name) is None]


def install_for(extra: str) -> str:
    """The command that installs what a front needs: in a clone that of README, else one that names what is missing."""
    if not (CHECKOUT / "pyproject.toml").is_file():
        return f"pip install {' '.join(missing_for(extra))}"
    here = Path.cwd() == CHECKOUT
    return f"pip install -e {shlex.quote(f'{os.curdir if here else CHECKOUT}[{extra}]')}"


def require(extra: str, said: str) -> None:
    """See that a front has its packages.

    Args:
        said: what it needs them for, with the fields `packages` and `command`.

    Raises:
        KitError: if one of them is not installed.
    """
    if missing := missing_for(extra):
        raise KitError(said.format(packages=", ".join(missing), command=install_for(extra)))


_SETTING = re.compile(r"JAX_(?!COMPILATION_CACHE|LOG)\w+|XLA_FLAGS")
"""Environment variables that may change a number: they set the PRNG, the precision, the compiler's options."""


@dataclass(frozen=True)
class SoftwareOrigin:
    """The software that made an oracle.

    Attributes:
        python: the version of Python.
        distributions: the version of every installed distribution that was imported, by name.
        files: a digest of every imported file that belongs to no distribution, by path.
        settings: the environment variables of JAX and XLA.
    """

    python: str = ""
    distributions: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    settings: Mapping[str, str] = field(default_factory=dict[str, str])

    @staticmethod
    def of_this_process() -> SoftwareOrigin:
        """What this process has imported, without Python's own modules and the grader's."""
        distributions: dict[str, str] = {}
        files: dict[str, str] = {}
        for package, listed in _imported_files().items():
            if _is_installed(package, listed):
                distributions[package] = installed_version(package)
            else:
                files.update({file: _digest(file) for file in listed})
        return SoftwareOrigin(installed_version("python"), distributions, files, settings())

    def here(self) -> SoftwareOrigin:
        """These distributions and files as they are here and now, with the settings that are set now."""
        return SoftwareOrigin(
            installed_version("python"),
            {name: installed_version(name) for name in self.distributions},
            {path: _digest(path) for path in self.files},
            settings(),
        )

    def differences(self) -> list[str]:
        """What differs here and now, in words (`flax 0.12.8, here 0.12.12`); empty where nothing differs."""
        made, now = (
            {"Python": origin.python, **origin.distributions, **origin.files, **origin.settings}
            for origin in (self, self.here())
        )
        pairs = [(name, made.get(name, "not set"), now.get(name, "not set")) for name in {**made, **now}]
        return [f"{name} {before}, here {here}" for name, before, here in pairs if before != here]


def _imported_files() -> dict[str, list[str]]:
    """The files of every imported package, without Python's own modules and the grader's."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, module in list(sys.modules.items()):
        package, file = name.partition(".")[0], getattr(module, "__file__", None)
        known = package in ("__main__", "grader") or package in sys.stdlib_module_names
        if isinstance(file, str) and not known and not package.startswith("_sysconfigdata"):
            found[package].append(file)
    return found


def _is_installed(package: str, files: Sequence[str]) -> bool:
    """Whether the files belong to the installed distribution of that name. Files of an editable install lie elsewhere."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        root = os.path.join(str(distribution(package).locate_file("")), "")
    except PackageNotFoundError:
        return False
    return all(file.startswith(root) for file in files)


def _digest(path: str) -> str:
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except (Unreadable, OSError):
        return "not there"


def settings() -> dict[str, str]:
    """The environment variables that may change a number, as they are set now."""
    return {name: value for name, value in sorted(os.environ.items()) if _SETTING.fullmatch(name)}
