"""The kit that comes with the grader: where it is, and a copy of it for a learner."""

from __future__ import annotations

import shutil
import site
import sysconfig
from pathlib import Path

from grader.kit.files import write_atomically
from grader.kit.kit import Kit, KitError
from grader.kit.shipped_stub import translated
from grader.locale.language import ENGLISH, SETTINGS, gettext, language

CHECKOUT = Path(__file__).parents[2]
"""The folder around this package: in a checkout, a kit."""

SHARE = "share/grader"
"""Where the kit lies below the folder that Python is installed in (see `shared-data` in pyproject.toml)."""

IGNORED = (".grader/", "stub.*.py", "__pycache__/")
"""What git should ignore in a kit: the grader's own files, and texts that `reset` moved."""


def source() -> Kit:
    """The kit that comes with the grader: in the checkout around the package, else where it was installed.

    Raises:
        KitError: where this grader was installed without a kit.
    """
    for folder in (CHECKOUT, *installed()):
        if (folder / "problems").is_dir() and (folder / "solutions").is_dir():
            return Kit(folder)
    said = gettext(
        "This grader was installed without a kit of problems: copy a kit from elsewhere, and give --kit DIR."
    )
    raise KitError(said)


def installed() -> list[Path]:
    """The folders that an installed kit may lie in: below the environment of Python, or below the user's own packages."""
    return [Path(base) / SHARE for base in (sysconfig.get_path("data"), site.getuserbase())]


def copy(target: Path) -> Kit:
    """Copy the kit that comes with the grader into a folder, with stubs that are not filled in.

    The stubs are in the language that is spoken, where they are translated, and the kit's settings name the language.

    Raises:
        KitError: where the folder is not empty, or cannot be written.
    """
    kit = source()
    ignored = shutil.ignore_patterns(*(pattern.rstrip("/") for pattern in IGNORED))
    try:
        if target.exists() and any(target.iterdir()):
            raise KitError(gettext("{folder} is not empty: name a new folder.").format(folder=repr(str(target))))
        # Permissions are not copied: installed files may be read-only.
        for folder in ("solutions", "problems"):
            shutil.copytree(kit.root / folder, target / folder, ignore=ignored, copy_function=shutil.copyfile)
        made = Kit(target.resolve())
        for name in made.names:
            if text := translated(kit, name):
                write_atomically(made.stub(name), text.encode())
        if language() != ENGLISH:
            write_atomically(target / SETTINGS, f'lang = "{language()}"\n'.encode())
        write_atomically(target / ".gitignore", "".join(f"{one}\n" for one in IGNORED).encode())
    except OSError as error:
        said = gettext("{path} cannot be written ({why}).")
        raise KitError(said.format(path=error.filename or target, why=error.strerror or error)) from None
    return made
