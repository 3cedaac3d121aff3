"""The public names of JAX, Flax and Optax as the editor shows them: how each is called, and its first sentence.

They are read from the installed packages, in a process of their own: to import these takes seconds, and much memory.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import sys
import textwrap
import warnings
from types import ModuleType
from typing import Any, Literal

from grader.kit.markup import fault_of_formula
from grader.report.formula import formula

Kind = Literal["function", "class", "module", "value"]
Entry = tuple[str, str, Kind]
"""How a name is called (empty where that is not known), the first sentence of its documentation, and what it is."""
Names = dict[str, dict[str, Entry]]
"""The entries by name, by module: `names["jax.numpy"]["arange"]`."""

MODULES = ("jax", "jax.numpy", "jax.lax", "jax.random", "jax.nn", "jax.tree", "flax.nnx", "optax")
LONGEST_SIGNATURE, LONGEST_SENTENCE, LONGEST_DEFAULT = 110, 180, 24
"""The most characters of what is shown."""

_FORMULA = re.compile(r":math:`([^`]*)`|\$([^$]*)\$")
_MARKUP = (
    (r":\w+(?::\w+)?:`~?([^`<]*?)\s*(?:<[^`]*>)?`", r"\1"),  # :func:`jax.jit`
    (r"`([^`<]+?)\s*<[^`]*>`_*", r"\1"),  # `a title <its address>`_
    (r"`+([^`]+)`+_*", r"\1"),
    (r"\[([^]]+)\]\([^)]*\)", r"\1"),
    (r"\*{1,2}(\w[^*]*)\*{1,2}", r"\1"),
    (r"\s*\[\d+\]_", ""),
    (r"\\ ?(?=\w)|[`\\]", ""),  # between a word of code and its ending, and what is left
)


class _Default:
    """A default value, as it is shown."""

    def __init__(self, value: Any) -> None:
        text = value.__name__ if inspect.isclass(value) or inspect.isroutine(value) else repr(value)
        self._text = text if len(text) <= LONGEST_DEFAULT and "<" not in text else "..."

    def __repr__(self) -> str:
        return self._text


def main() -> None:
    """Print all names as JSON."""
    sys.stdout.write(json.dumps(public_names(), separators=(",", ":")))


def public_names() -> Names:
    """All names of `MODULES`, from the packages that are installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a deprecated name is there, too
        return {name: _entries(importlib.import_module(name)) for name in MODULES}


def _entries(module: ModuleType) -> dict[str, Entry]:
    # Names that a module makes when they are asked for are in `_deprecations`; a submodule need not be imported yet.
    below = [found.name for found in pkgutil.iter_modules(getattr(module, "__path__", []))]
    names = sorted({*dir(module), *getattr(module, "_deprecations", ()), *below})
    entries: dict[str, Entry] = {}
    for name in names:
        if name.startswith("_"):
            continue
        try:
            entries[name] = _entry(getattr(module, name))
        except AttributeError:  # it was removed, or is a submodule that an import would bring
            if name in below:
                entries[name] = ("", "", "module")
    return entries


def _entry(value: Any) -> Entry:
    if inspect.ismodule(value):
        return "", first_sentence(value.__doc__), "module"
    if type(value).__module__ == "typing" or not callable(value):
        return "", "", "value"
    # The documentation of its class says nothing about an object.
    said = "" if value.__doc__ == type(value).__doc__ else first_sentence(value.__doc__)
    if said.startswith(f"{getattr(value, '__name__', '')}("):  # it is the signature
        said = ""
    return signature(value), said, "class" if inspect.isclass(value) else "function"


def signature(value: Any) -> str:
    """How something is called, without types: `(start, stop=None, ...)`. Empty where that is not known."""
    made = inspect.isclass(value) and value.__init__ is not object.__init__
    try:
        parameters = [*inspect.signature(value.__init__ if made else value).parameters.values()][made:]
    except (TypeError, ValueError):  # it is written in C++
        return ""
    plain = [
        one.replace(
            annotation=inspect.Parameter.empty,
            default=one.default if one.default is inspect.Parameter.empty else _Default(one.default),
        )
        for one in parameters
    ]
    whole = str(inspect.Signature(plain))
    while len(whole) > LONGEST_SIGNATURE and plain:
        plain.pop()
        whole = str(inspect.Signature(plain)).removesuffix(")") + (", ...)" if plain else "...)")
    return whole


def first_sentence(documentation: object) -> str:
    """The first sentence of a docstring as plain text; empty where there is none."""
    if not isinstance(documentation, str):
        return ""
    text = _FORMULA.sub(_formula, re.split(r"\n\s*\n", documentation.strip())[0])
    for markup, plain in _MARKUP:
        text = re.sub(markup, plain, text)
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(text.split()))[0]
    return textwrap.shorten(re.sub(r":+$", ".", sentence), LONGEST_SENTENCE, placeholder=" …")


def _formula(found: re.Match[str]) -> str:
    tex = found[1] or found[2] or ""
    return tex if fault_of_formula(tex) else formula(tex)


if __name__ == "__main__":
    main()
