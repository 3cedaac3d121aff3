"""What an autograder carries: the grader itself, a kit with keys and without solutions, and what it was asked for."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import grader
from grader.author import key
from grader.classroom.autograder.student_grading import FILE, Settings
from grader.kit import shipped_kit
from grader.kit.files import write_atomically
from grader.kit.kit import Kit, KitError
from grader.kit.output import write_new
from grader.kit.software import ABSENT, installed_version
from grader.oracle import answer_key
from grader.oracle.documents import LARGEST_KEY
from grader.oracle.draws import Sample
from grader.session import Session

TEMPLATES = Path(__file__).parent / "templates"
PROGRAMS = ("setup.sh", "run_autograder", "autograder.py")
"""The files that are executable."""

CARRIED = (".py", ".json", ".mo")
"""How the names of the grader's own files end that grade there. Others do not come along: anything may lie beside them."""

LARGEST_FOR_CLASSROOM50 = 10 << 20
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, so that equal contents are equal bytes."""

Files = Mapping[str, bytes]
"""Contents by their paths in an archive or a folder."""


def make_kit(
    kit: Kit, names: Sequence[str], target: Path, made: Callable[[], None] = lambda: None, *, places: bool = True
) -> None:
    """Write a kit of some problems: their statements, stubs and keys, and nothing else.

    A key that lies in the kit and is current is copied, not made again.

    Args:
        places: whether the keys tell the places of mistakes.

    Raises:
        KitError: the shipped stub of a problem is not known.
        ProblemError: a reference has a fault, a key does not fit its statement, or a file is a link.
    """
    files: dict[Path, bytes] = {}
    for name in names:
        files |= {kit.statement(name): shipped_kit.read_handed_out(kit, kit.statement(name))}
        files |= {kit.stub(name): shipped_kit.handed_out_stub(kit, name)}
    write_new(target, {kit.shown(path): data for path, data in files.items()}, force=True)
    samples: dict[bool, Sample] = {}
    with Session(kit) as session:
        for name in names:
            path = kit.key(name)
            if kit.answer(name).is_file() and not answer_key.is_current(kit, name, session.device, path, places=places):
                data = key.make(session, name, samples, places=places)
            else:
                answer_key.read(kit, name)
                data = shipped_kit.read_handed_out(kit, path, LARGEST_KEY)
            write_atomically(Kit(target).key(name), data if places else key.without_places(data))
            made()


def bundle(settings: Settings, kit: Path) -> dict[str, bytes]:
    """The files that every autograder has, by their paths in it.

    Args:
        kit: the folder that `make_kit` has written.

    Raises:
        KitError: this grader is not installed, so nobody knows what it needs.
    """
    package = Path(grader.__file__).parent
    return {
        **_below(kit, "kit"),
        **_below(package, "package/grader", CARRIED),
        FILE: settings.to_json().encode(),
        "requirements.txt": "".join(f"{line}\n" for line in requirements()).encode(),
        "python-version": f"{sys.version_info[0]}.{sys.version_info[1]}\n".encode(),
    }


def requirements() -> list[str]:
    """All that the grader needs, and what that needs in turn, in the versions that are installed here.

    So keys and answers agree there too, and nothing there changes when somebody publishes a new version. Conditions on the
    system and on the version of Python are decided here.

    Raises:
        KitError: this grader is not installed, so nobody knows.
    """
    if _needs("grader", "") is None:
        raise KitError("This grader is not installed, and an autograder must name what it needs: pip install it.")
    needed: set[tuple[str, str]] = set()
    waiting = [("grader", "")]
    while waiting:
        package = waiting.pop()
        if package not in needed:
            needed.add(package)
            waiting += _needs(*package) or ()
    found = {name: installed_version(name) for name in sorted({name for name, _ in needed} - {"grader"})}
    return [f"{name}=={Version(version).public}" for name, version in found.items() if version != ABSENT]


def _needs(name: str, extra: str) -> list[tuple[str, str]] | None:
    """What a distribution needs here for itself or for one of its extras: names, each with "" and with every extra of it.

    None if it is not installed.
    """
    try:
        listed = [Requirement(line) for line in requires(name) or ()]
    except PackageNotFoundError:
        return None
    return [
        (canonicalize_name(requirement.name), inner)
        for requirement in listed
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra})
        for inner in ("", *requirement.extras)
    ]


def for_gradescope(files: Files) -> bytes:
    """The zip that is uploaded to Gradescope."""
    return packed({**files, **{name: (TEMPLATES / name).read_bytes() for name in ("setup.sh", "run_autograder")}})


def for_classroom50(files: Files) -> dict[str, bytes]:
    """The files of the assignment's folder for Classroom 50.

    Raises:
        KitError: they are larger than what its runner fetches.
    """
    made = {"autograder.py": (TEMPLATES / "autograder.py").read_bytes(), "bundle.zip": packed(files)}
    size = sum(map(len, made.values()))
    if size > LARGEST_FOR_CLASSROOM50:
        raise KitError(
            f"The bundle has {size / 2**20:.1f} MB, and Classroom 50 fetches 10 MB at most: choose fewer problems."
        )
    return made


def packed(files: Files) -> bytes:
    """A zip of files: the same files give the same bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, MOMENT)
            info.create_system = 3  # Unix, on every machine: it has permissions
            info.external_attr = (0o100755 if name in PROGRAMS else 0o100644) << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()


def _below(folder: Path, name: str, endings: tuple[str, ...] = ("",)) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    found = {f"{name}/{path.relative_to(folder).as_posix()}": path for path in paths}
    return {inside: path.read_bytes() for inside, path in found.items() if inside.endswith(endings)}
