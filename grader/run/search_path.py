"""Where Python looks for modules: never in the current folder, which may hold submissions.

`python -m` puts the current folder first on `sys.path`; PYTHONPATH may name it too. Submodules of `grader` need no entry on
`sys.path`: Python finds them in the package's own folder. This file imports at its top only modules that are built in or
frozen: no file can replace them.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def without_current_folder(entries: "Iterable[str]") -> list[str]:
    """The entries of an import path that are absolute paths, without the current folder."""
    return [entry for entry in entries if os.path.isabs(entry) and not _same(entry, os.curdir)]


def absolute(folders: str) -> str:
    """The entries of a variable such as PATH that are absolute. An empty or relative entry means the current folder."""
    return os.pathsep.join(filter(os.path.isabs, folders.split(os.pathsep)))


def leave_current_folder() -> bool:
    """Drop the current folder from where this process looks for modules and for programs that it starts.

    Relative entries of PYTHONPATH and PATH depend on it, so they are dropped too.

    Returns:
        whether Python has looked for modules in the current folder until now.
    """
    relative = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if not os.path.isabs(part)]
    known = {os.path.abspath(part) for part in relative}  # `site` puts them on the path in this form
    searched = any(_same(entry or os.curdir, os.curdir) for entry in sys.path)
    sys.path[:] = [entry for entry in without_current_folder(sys.path) if entry not in known]
    if "PATH" in os.environ:
        os.environ["PATH"] = absolute(os.environ["PATH"])
    return searched


def python_path() -> str:
    """PYTHONPATH for processes that the grader starts."""
    return os.pathsep.join(without_current_folder(os.environ.get("PYTHONPATH", "").split(os.pathsep)))


def impostor(*, searched: bool) -> str:
    """A file of the current folder that Python runs, or has run, in place of the grader or of a module of Python.

    Args:
        searched: whether Python has looked for modules there until now. Then the file may also replace any module that is
            already imported; else only `grader` itself.

    Returns:
        the file's name; empty where there is no impostor.
    """
    names = ["grader"]
    if searched:
        names += [name for name in list(sys.modules) if "." not in name and name != "grader" and _from_a_file(name)]
    return next((file for name in names for file in _files_of(name) if os.path.lexists(file) and not _own(file)), "")


def _from_a_file(name: str) -> bool:
    origin = getattr(getattr(sys.modules[name], "__spec__", None), "origin", None)
    return name != "__main__" and origin not in ("built-in", "frozen")


def _files_of(name: str) -> "Iterator[str]":
    from importlib.machinery import all_suffixes

    for start in (name, os.path.join(name, "__init__")):
        for suffix in all_suffixes():
            yield start + suffix


def _own(file: str) -> bool:
    """Whether a file is the grader's own `__init__.py`, or has the same text: the checkout of an installed grader."""
    from grader.kit.files import Unreadable, read_regular

    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = os.path.join(package, "__init__.py")
    if os.path.basename(file) != "__init__.py" or os.path.dirname(file) != "grader":
        return False
    try:
        return _same(file, own) or read_regular(file, os.path.getsize(own)) == read_regular(own, os.path.getsize(own))
    except Unreadable:
        return False


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
