"""The language of what a learner reads. Messages stand in the code in English; GNU gettext looks them up beside this file.

`python -m grader` chooses a language once, before it prints anything: `use`. A catalogue is read when a message is first
needed in its language, so English costs nothing.
"""

from __future__ import annotations

import gettext as catalogues
import os
import stat
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

ENGLISH = "en"

LANGUAGES = {ENGLISH: "English", "es": "Español"}
"""The languages of the kit, each with its own name for itself."""

VARIABLE = "GRADER_LANG"

SETTINGS = "grader.toml"
"""The file in a kit's folder with its settings: `lang = "es"`."""

LARGEST_SETTINGS = 1 << 16
"""The most bytes of that file."""

FOLDER, DOMAIN = Path(__file__).parent, "grader"

ENVIRONMENT = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where GNU gettext looks for the language of a user, in this order."""

_chosen = ENGLISH
_within: ContextVar[str] = ContextVar("_within", default="")


class NoSuchLanguage(Exception):
    """A language that the kit does not have. The message is one line that says where it was given."""


def language() -> str:
    """The language that is spoken now, as HTML and gettext write it."""
    return _within.get() or _chosen


def use_language(chosen: str) -> None:
    """Speak this language from now on."""
    global _chosen
    _chosen = known_language(chosen, "--lang")


@contextmanager
def speaking(chosen: str) -> Generator[None]:
    """Speak this language within the block: in this thread, or in this task of an event loop, alone."""
    token = _within.set(known_language(chosen, "speaking"))
    try:
        yield
    finally:
        _within.reset(token)


def known_language(chosen: str, where: str) -> str:
    """A language, if the kit has it.

    Raises:
        NoSuchLanguage: if it does not; `where` is what gave it.
    """
    if chosen not in LANGUAGES:
        raise NoSuchLanguage(f"{where}: there is no language {chosen!r}: choose one of {', '.join(LANGUAGES)}.")
    return chosen


def language_of_user(kit: Path | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language of a user who gives no `--lang`: from GRADER_LANG, else the kit's settings, else the environment.

    Args:
        kit: the folder of the kit; None where there is none.

    Raises:
        NoSuchLanguage: if GRADER_LANG or the settings name a language that the kit does not have.
    """
    if given := environment.get(VARIABLE):
        return known_language(given, VARIABLE)
    if kit is not None and (given := language_of_kit(kit)):
        return given
    setting = next((environment[name] for name in ENVIRONMENT if environment.get(name)), "")
    listed = (part.partition(".")[0].partition("@")[0].partition("_")[0] for part in setting.split(":"))
    return next((code for code in listed if code in LANGUAGES), ENGLISH)


def language_of_kit(kit: Path) -> str:
    """The language that the settings of a kit name; empty if they name none.

    Raises:
        NoSuchLanguage: if they cannot be read, or name a language that the kit does not have.
    """
    file = kit / SETTINGS
    if not os.path.lexists(file):
        return ""
    import tomllib  # most kits have no settings

    try:
        settings = tomllib.loads(_read(file))
    except (OSError, ValueError) as error:
        raise NoSuchLanguage(f"{file} cannot be read: {' '.join(str(error).split())}") from None
    given = settings.get("lang", "")
    return known_language(str(given), str(file)) if given else ""


def _read(file: Path) -> str:
    """The text of the settings of a kit, which may be a stranger's: of a regular file that is no link, and is small."""
    status = file.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_SETTINGS:
        raise ValueError(f"it should be a file of at most {LARGEST_SETTINGS} bytes, and no link")
    return file.read_text(encoding="utf-8")


@cache
def _catalogue(chosen: str) -> catalogues.NullTranslations:
    return catalogues.translation(DOMAIN, FOLDER, [chosen])


def _spoken() -> catalogues.NullTranslations | None:
    return None if language() == ENGLISH else _catalogue(language())


def gettext(message: str) -> str:
    """A message in the language that is spoken. Its fields, as in `{count}`, are filled in afterwards with `format`."""
    spoken = _spoken()
    return spoken.gettext(message) if spoken and message else message


def ngettext(singular: str, plural: str, count: int) -> str:
    """The form of a message that fits a number, in the language that is spoken."""
    spoken = _spoken()
    return spoken.ngettext(singular, plural, count) if spoken else (singular if count == 1 else plural)


def pgettext(context: str, message: str) -> str:
    """A message that means different things in different places; `context` says which."""
    spoken = _spoken()
    return spoken.pgettext(context, message) if spoken else message


def N_(message: str) -> str:  # noqa: N802 - the name that gettext uses
    """Mark a message of a table for the catalogues: it is looked up where the table is read, with `gettext`."""
    return message


def alternatives(names: Sequence[str]) -> str:
    """Names of which one is meant: `a`, `a or b`, `a, b or c`."""
    if len(names) < 2:
        return "".join(names)
    return gettext("{names} or {last}").format(names=", ".join(names[:-1]), last=names[-1])
