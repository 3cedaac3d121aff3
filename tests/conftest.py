"""What tests share: copies of the kit, and the real command on them."""

from __future__ import annotations

import atexit
import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import pytest
from xdist.scheduler import LoadScopeScheduling

from grader.jaxpr.compat import only_cpu
from grader.kit.kit import EDITOR_TASKS, Kit
from grader.kit.solution import bare
from grader.kit.state import take_warnings
from grader.locale.language import ENVIRONMENT
from grader.oracle.server import OBJECTS_BETWEEN_COLLECTIONS
from tests import answers, as_ordinary, in_process

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background so, and all processes below would be deaf to Ctrl-C, which tests send.
    signal.signal(signal.SIGINT, signal.default_int_handler)

for variable in ENVIRONMENT:  # the tests read English, whatever the language of who runs them
    os.environ.pop(variable, None)

for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):  # the tests leave nothing in the folders of who runs them
    os.environ[variable] = tempfile.mkdtemp(prefix="grader-tests-")
    atexit.register(shutil.rmtree, os.environ[variable], ignore_errors=True)

only_cpu()  # before a file of tests makes an array: JAX counts the devices of this machine then

ROOT = Path(__file__).parents[1]
FLAGSHIP = "sinusoidal_pos"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite the golden texts; review them with git diff")


class ByProblem(LoadScopeScheduling):
    """Runs all tests of one problem on the same worker, whichever file they are in, and all other tests of one file too.

    What the first of them computes or compiles is used by the others. Tests start in the order of the folders: a file of
    `tests/cli` takes minutes and starts early, and the many small problems keep both workers busy at the end.
    """

    def _split_scope(self, nodeid: str) -> str:
        scope, _, parameters = nodeid.partition("[")
        if scope.startswith(WHOLE_MACHINE):
            return "the whole machine"
        if scope.startswith(PORTS):
            return "the ports of serve"
        for shared in ONE_WORKER:
            if scope.startswith(shared):
                return shared
        found = re.match(r"[a-z0-9]+(?:_[a-z0-9]+)*", parameters)
        return found[0] if found and found[0] in PROBLEMS else scope.split("::", 1)[0]


WHOLE_MACHINE = ("tests/cli/test_hostile.py", "tests/cli/test_class_dask.py")
"""Files of tests that do not run at the same time: one sees all shared memory of the machine, which the other uses."""
PORTS = tuple(f"tests/serve/test_{name}.py" for name in ("stories", "window", "start", "command", "codespace"))
"""Files of tests that start `serve`: each takes the first port that is free, and some need that of one that has ended."""
ONE_WORKER = ("tests/page/test_driven.py", "tests/classroom/autograder/")
"""Tests that share what takes long to make: the site of all problems, a kit with keys. They run on one worker."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is left out of the tests with the mark `few(plain, ci)` (see `pyproject.toml`)."""
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("few"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for of_one in tests.values():
        mark = of_one[0].get_closest_marker("few")
        assert mark is not None
        plain, ci = (spread(len(of_one), count) for count in (mark.args[0], *mark.args[1:], len(of_one))[:2])
        for number, item in enumerate(of_one):
            if number not in plain:
                item.add_marker(pytest.mark.slow if number in ci else pytest.mark.nightly)


def spread(of: int, count: int) -> set[int]:
    """At most `count` of the first `of` numbers, the first among them, as far apart as they can be."""
    return {number * of // count for number in range(count)}


def calls_in(session: pytest.Session, test: Callable[..., None]) -> list[dict[str, Any]]:
    """The parameters with which a run calls a test: what makes all that they need at once makes no more."""
    items = [item for item in session.items if isinstance(item, pytest.Function) and item.function is test]
    return [item.callspec.params for item in items]


PROBLEMS = frozenset(folder.name for folder in (ROOT / "problems").iterdir())
SAMPLE = (
    *(FLAGSHIP, "jit_safe_nucleus", "vmap_pairwise", "grad_masked_entropy", "split_keys_dropout", "shard_layout"),
)
"""Problems of every kind: a table, each contract, several devices. `.ci/run` tests them closely."""


def closely(names: Iterable[str]) -> list[Any]:
    """Problems as parameters: a plain run tests the flagship, `.ci/run` those of `SAMPLE`, `.ci/nightly` all."""
    return [pytest.param(name, id=name, marks=closeness(name)) for name in names]


def closeness(name: str) -> Any:
    """The mark of what is tested closely of a problem."""
    return () if name == FLAGSHIP else pytest.mark.slow if name in SAMPLE else pytest.mark.nightly


ONLY_SLOW = ("tests/cli/test_hostile.py", "tests/test_devices.py", "tests/test_libraries.py")
"""Files without a test for a plain run: even to list theirs takes seconds."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    plain = str(config.getoption("markexpr")) == "not slow and not nightly"
    return True if plain and collection_path.as_posix().endswith(ONLY_SLOW) else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByProblem:
    return ByProblem(config, log)


@pytest.fixture(autouse=True, scope="session")
def _as_in_a_child() -> None:
    """Let the process of the tests collect garbage as the grader's children do."""
    gc.freeze()  # the thousands of tests that were collected are no garbage
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


@pytest.fixture(autouse=True)
def _no_warnings_of_another_test() -> None:
    """Drop warnings that another test of this process left: the next command would print them."""
    take_warnings()


@dataclass(frozen=True)
class Command:
    """The command on one kit: in a process of its own, as a user (see `tests.as_ordinary`), or in that of the tests."""

    kit: Path
    user: str = as_ordinary.ROOT
    patience: float = 300.0
    """The most seconds that a process may take."""
    process: bool = False
    """Whether it is a process of its own: that takes a second or two more (see `tests.in_process`)."""

    def __call__(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m grader ARGUMENTS` in the kit's folder, without a terminal.

        The answers of most tests lie in the kit, and a kit around answers that nobody trusts has to be named.
        """
        if arguments[:1] == ("class",) or any(one.startswith(("--confine", "--tier")) for one in arguments):
            environment = {"GRADER_KIT": str(self.kit), **environment}
        environment = {**clean_environment(), **environment}
        if self.process or self.user != as_ordinary.ROOT or environment.get("GRADER_START") == "spawn":
            done = subprocess.run(
                as_ordinary.command(self.user, [sys.executable, "-m", "grader", *arguments]),
                cwd=self.kit,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=self.patience,
                env=environment,
            )
        else:
            done = in_process.run(self.kit, arguments, environment)
        if "--json" in arguments and done.stdout:
            document(done.stdout)
        return done

    def json(self, *arguments: str, **environment: str) -> Any:
        """The JSON document of a run."""
        done = self(*arguments, "--json", **environment)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def verdict(self, text: str, *arguments: str, name: str = FLAGSHIP) -> Any:
        """The verdict on one text as an answer."""
        return self.verdicts({"one_answer": text}, *arguments, name=name)["one_answer"]

    def verdicts(self, texts: Mapping[str, str], *arguments: str, name: str = FLAGSHIP) -> dict[str, Any]:
        """The verdicts on several texts, graded in one run; texts and verdicts have the same titles."""
        folder = Path(tempfile.mkdtemp(prefix="answers", dir=self.kit))
        options: list[str] = []
        for number, text in enumerate(texts.values()):
            (folder / f"{number}.py").write_text(text, encoding="utf-8")
            options += ["--answer", str(folder / f"{number}.py")]
        document = self.json("check", name, *options, *arguments)
        return dict(zip(texts, document["verdicts"], strict=True))


def worked_answer(kit: Kit, name: str) -> str:
    """The worked answer to a problem, as a learner would hand it in."""
    return bare(kit.answer(name).read_text(encoding="utf-8"))


def document(text: str) -> Any:
    """A JSON document that the command printed; fails where its schema does not allow it."""
    read = json.loads(text, parse_constant=_no_constants)
    _, kind, version = read["schema"].split("/")
    validator(f"{kind}-{version}").validate(read)
    return read


@cache
def validator(name: str) -> Any:
    """What checks a document against one of the package's schemas, which may refer to each other."""
    from jsonschema import Draft202012Validator  # here, because it takes a second, and few tests need it
    from referencing import Registry, Resource

    schemas = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / "grader" / "schemas").iterdir()}
    known = Registry().with_resources((one["$id"], Resource.from_contents(one)) for one in schemas.values())
    return Draft202012Validator(schemas[name], registry=known)


def _no_constants(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def clean_environment() -> dict[str, str]:
    """The environment without the variables of the grader, of pytest, and of the terminal that the tests run in.

    PYTHONDONTWRITEBYTECODE is left out too: with it, every process compiles the grader again.
    """
    others = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE")
    own = {name: value for name, value in os.environ.items() if name not in others}
    return {name: value for name, value in own.items() if not name.startswith(("GRADER_", "PYTEST_"))}


def copy_kit(target: Path, *names: str, kit: Path = ROOT) -> Path:
    """A copy of a kit, of this repository's own where no other is given, with stubs and without `.grader/`.

    With `names`, it holds only those problems.
    """
    ignored = shutil.ignore_patterns("__pycache__", "stub.[0-9]*.py")
    for folder in ("problems", "solutions"):
        for source in sorted((kit / folder).iterdir()):
            if source.is_dir() and (not names or source.name in names):
                shutil.copytree(source, target / folder / source.name, ignore=ignored)
    if (kit / EDITOR_TASKS).is_file():
        (target / EDITOR_TASKS).parent.mkdir()
        shutil.copy(kit / EDITOR_TASKS, target / EDITOR_TASKS)
    for name in names:
        statement = target / "problems" / name / "README.md"
        # A problem that is not copied cannot come before this one.
        statement.write_text(re.sub(r"^after: .*$", "after: []", statement.read_text(), flags=re.MULTILINE))
    return target


@pytest.fixture(scope="session")
def shared_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit of the flagship alone. Tests that share it may add files, but change only its saved oracles."""
    return copy_kit(tmp_path_factory.mktemp("shared_kit"), FLAGSHIP)


@pytest.fixture(scope="session")
def grader(shared_kit: Path) -> Command:
    """The command on the shared kit."""
    return Command(shared_kit)


@pytest.fixture(scope="session")
def saved_oracles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the grader saves of the flagship as it grades a wrong answer whose mistake it names."""
    kit = copy_kit(tmp_path_factory.mktemp("saved"), FLAGSHIP)
    assert Command(kit).verdict(answers.read(FLAGSHIP, "wrong")[0].text)["mistakes"]
    return kit / ".grader" / "oracles"


@pytest.fixture
def own_kit(tmp_path: Path, saved_oracles: Path) -> Command:
    """The command on a kit of the flagship alone, which the test may change. Its oracle is saved: that makes tests fast."""
    kit = copy_kit(tmp_path / "kit", FLAGSHIP)
    shutil.copytree(saved_oracles, kit / ".grader" / "oracles")
    return Command(kit)


@pytest.fixture
def nothing_left(own_kit: Command) -> Iterator[None]:
    """Fails if a process of the grader still works in this kit 5 seconds after the test."""
    yield
    left = [process for process in psutil.process_iter() if _works_in(process, own_kit.kit)]
    _, alive = psutil.wait_procs(left, timeout=5)
    assert alive == []


def _works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return Path(process.cwd()).is_relative_to(folder)
    except (psutil.Error, OSError):  # a folder may be too deep to be named
        return False
