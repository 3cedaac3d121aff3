"""Where Python looks for modules: never in the current folder, where submissions may lie.

`python -m` puts that folder first on `sys.path`; PYTHONPATH may name it too. Submodules of `grader` need no entry there:
they are found in the package's own folder. What is imported here is built in or frozen: it cannot come from elsewhere.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def without_current_folder(entries: "Iterable[str]") -> list[str]:
    """The entries of an import path that are absolute and are not the current folder."""
    return [entry for entry in entries if os.path.isabs(entry) and not _same(entry, os.curdir)]


def leave_current_folder() -> bool:
    """Drop the current folder from this process's import path, and what PYTHONPATH gives relative to it.

    Returns:
        Whether modules were looked for in the current folder until now.
    """
    relative = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if not os.path.isabs(part)]
    absolute = {os.path.abspath(part) for part in relative}  # so `site` has put them on the path
    searched = any(_same(entry or os.curdir, os.curdir) for entry in sys.path)
    sys.path[:] = [entry for entry in without_current_folder(sys.path) if entry not in absolute]
    return searched


def python_path() -> str:
    """PYTHONPATH for processes that the grader starts."""
    return os.pathsep.join(without_current_folder(os.environ.get("PYTHONPATH", "").split(os.pathsep)))


def impostor(*, searched: bool) -> str:
    """A file of the current folder that Python runs, or has run, in place of the grader or of a module of its own.

    Args:
        searched: whether modules were looked for there until now: then all that Python has imported by itself counts.

    Returns:
        The file's name, empty where there is none.
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
    """Whether a file is the grader's own, or the same text in the checkout that an installed grader comes from."""
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
