"""The packages import each other in one direction: as the guide lists them, read from the imports themselves."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import grader
from tests.conftest import ROOT

PACKAGE = ROOT / "grader"
GUIDE = (PACKAGE / "guides" / "architecture.md").read_text(encoding="utf-8")
LAYERS = re.findall(r"^\d+\. `(\w+)`", GUIDE.split("<!-- layers -->")[1].split("<!-- end -->")[0], re.MULTILINE)
MODULES = sorted(PACKAGE.rglob("*.py"))
ELSEWHERE = {"app", "flax", "jax", "jnp", "subprocess", "sys", "time"}
"""What docstrings call by a dotted name, and what is no module of the grader."""
OF_A_KIT = {"answer.py", "figure.py", "rope.py", "stub.py"}
"""Files of Python that docstrings name, and that are no modules of the grader."""
ENDINGS = {"MODULE", "gradebook", "json", "md", "php", "py", "txt", "zip"}
"""What may stand after a dot: the ending of a file, or a word for any module."""
BEGIN, END = "<!-- modules: written by `pytest --bless tests/test_architecture.py` -->\n", "<!-- /modules -->"
NOT_ON_TOP = {"__init__", "__main__"}
"""They hold nothing that others import but the version and the names for instructors."""


def dotted(path: Path) -> str:
    """The name of a module: `grader.kit.kit`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


NAMES = {dotted(path) for path in MODULES}


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it: `grader.kit.kit.Kit`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_the_guide_lists_every_package_and_module_at_the_top() -> None:
    assert sorted(LAYERS) == sorted({layer_of(path) for path in MODULES} - NOT_ON_TOP)


def test_few_modules_stand_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 7


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_from_above_it_in_the_list_alone(path: Path) -> None:
    here = layer_of(path)
    if here in NOT_ON_TOP:
        return
    for name in imported(path):
        package, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if package == "grader" and other in LAYERS:
            assert LAYERS.index(other) <= LAYERS.index(here), f"{here} imports {name}"


def modules_imported(path: Path) -> Iterator[str]:
    """The modules of the grader that a module imports, in functions and under TYPE_CHECKING too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from names & NAMES or {node.module} & NAMES
        elif isinstance(node, ast.Import):
            yield from {alias.name for alias in node.names} & NAMES


def test_no_modules_import_each_other_in_a_circle() -> None:
    imports = {dotted(path): {*modules_imported(path)} for path in MODULES if layer_of(path) not in NOT_ON_TOP}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(error.args[1][::-1]))


@pytest.mark.parametrize("path", sorted((PACKAGE / "marking").rglob("*.py")), ids=lambda path: path.name)
def test_marking_never_imports_jax(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imported(path)} & {"jax", "jaxlib", "flax", "optax"}


@pytest.mark.parametrize("package", ["program", "where", "jaxpr"])
def test_programs_and_places_know_nothing_of_marking(package: str) -> None:
    for path in (PACKAGE / package).glob("*.py"):
        assert not [name for name in imported(path) if name.startswith("grader.marking")], path.name


def test_what_runs_beside_an_answer_imports_nothing_of_the_oracle() -> None:
    for path in (PACKAGE / "run" / "answer").glob("*.py"):
        assert not [name for name in imported(path) if name.startswith("grader.oracle")], path.name


def list_of_modules() -> str:
    """Every module with the first sentence of its docstring, below the name of its folder."""
    lines: list[str] = []
    for folder in sorted({path.parent for path in MODULES}):
        modules = sorted(path for path in folder.glob("*.py") if path.stem not in NOT_ON_TOP)
        if modules:
            lines += ["", f"`{folder.relative_to(ROOT).as_posix()}/`", ""]
        for path in modules:
            said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            lines.append(f"- `{path.name}`: {' '.join(said.partition(chr(10) * 2)[0].split())}")
    return "\n".join([*lines, ""])


def test_the_guide_has_every_module_in_a_line(pytestconfig: pytest.Config) -> None:
    path = PACKAGE / "guides" / "architecture.md"
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    told, end, after = rest.partition(END)
    if pytestconfig.getoption("bless"):
        told = list_of_modules()
        path.write_text("".join([before, BEGIN, told, end, after]), encoding="utf-8")
    assert told == list_of_modules()


def test_the_files_that_the_guide_names_are_there() -> None:
    for name in re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py)`", GUIDE):
        found = [place / name for place in (PACKAGE, ROOT) if (place / name).is_file()] or list(PACKAGE.rglob(name))
        assert found, name


def prose(path: Path) -> str:
    """The docstrings and the comments of a module."""
    text = path.read_text(encoding="utf-8")
    strings = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)]
    said = [node.value for node in strings if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join([*said, *(token.string for token in tokens if token.type == tokenize.COMMENT)])


def defined(path: Path) -> set[str]:
    """The names at the top of a module, those that it imports too; of a package, its modules."""
    names = {module.stem for module in path.parent.glob("*.py")} if path.name == "__init__.py" else set[str]()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.ImportFrom():
                names |= {alias.asname or alias.name for alias in node.names}
            case _:
                names |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names


def gone(path: Path, inside: Mapping[str, set[str]]) -> Iterator[str]:
    """What a module names in its docstrings and comments, and what is not there: files and functions of the grader."""
    said = prose(path)
    files = OF_A_KIT | {module.name for module in MODULES}
    yield from (name for name in re.findall(r"`([a-z]\w*\.py)`", said) if name not in files)
    for name in re.findall(r"(?<![\w/])((?:[a-z_]\w*/)+\w+\.py)\b", said):
        if not any((place / name).is_file() for place in (ROOT, PACKAGE, *PACKAGE.iterdir())):
            yield name
    for module, name in re.findall(r"`(?:grader\.(?:\w+\.)*)?([a-z_]\w*)\.([A-Za-z_]\w*)`", said):
        if module not in ELSEWHERE and name not in ENDINGS and name not in inside.get(module, ()):
            yield f"{module}.{name}"


def test_the_modules_and_functions_that_docstrings_name_are_there() -> None:
    inside = defaultdict[str, set[str]](set, grader=set(grader.__all__))
    for path in MODULES:
        inside[path.parent.name if path.name == "__init__.py" else path.stem] |= defined(path)
    assert {dotted(path): found for path in MODULES if (found := [*gone(path, inside)])} == {}
