"""`python -m grader` starts the process that imports JAX as soon as the command line is read, and only if it is needed."""

from __future__ import annotations

import ast
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import grader
import grader.run.launch
from grader import __main__, cli
from grader.commands import group
from tests.conftest import ROOT, clean_environment


class Started(Exception):
    """The process that imports JAX was started, for answers that are confined or not."""


@pytest.mark.parametrize(
    ("arguments", "starts"),
    [
        ("", ""),
        ("--kit somewhere", ""),
        ("--json --cpu-limit 20", ""),
        ("list", ""),
        ("--kit somewhere list", ""),
        ("show rope", ""),
        ("rope", "plain"),
        ("check rope --answer a.py", "plain"),
        ("--kit somewhere rope", "plain"),
        ("watch", "plain"),
        ("rope --tier=B", "confined"),
        ("--confine rope", "confined"),
        ("audit", "plain"),
        ("release kit rope", "plain"),
        ("release --keys rope", "plain"),
        ("trace rope", "plain"),
        ("picture rope --tier=A", "confined"),
        ("site out", "plain"),
        ("doctor", "confined"),
        ("class grade week1", "confined"),
        ("class grade week1 --engine dask --scheduler tcp://10.0.0.1:8786", ""),
        ("class merge one.gradebook two.gradebook -o all.gradebook", ""),
        ("class status week1.gradebook", ""),
        ("class report week1 -o grade.html", ""),
        ("class pitfall week1 rope ana", ""),
        ("notebook --out books --install-from git+https://example.org/rope", ""),
    ],
)
def test_jax_is_imported_ahead_by_commands_that_need_it_and_by_no_others(
    arguments: str, starts: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def start_early(*, clean: bool) -> None:
        raise Started("confined" if clean else "plain")

    monkeypatch.setattr(grader.run.launch, "start_early", start_early)
    monkeypatch.setattr("grader.classroom.commands.group.check_dask", lambda *_: None)
    monkeypatch.chdir(tmp_path)  # no kit is here: what needs one ends
    monkeypatch.delenv("GRADER_KIT", raising=False)
    if starts:
        with pytest.raises(Started, match=starts):
            cli.run(arguments.split())
    else:
        assert cli.run(arguments.split()) == group.FAULT


def test_what_was_started_for_a_command_ends_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    steps: list[str] = []

    def start_early(*, clean: bool) -> Callable[[], None]:
        steps.append("started")
        return lambda: steps.append("ended")

    monkeypatch.setattr(grader.run.launch, "start_early", start_early)
    assert cli.run(["rope", "--kit", str(tmp_path)]) == group.FAULT
    assert steps == ["started", "ended"]


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that `main` prints where it cannot run."""
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == group.FAULT
    return line


def test_with_an_old_python_one_line_says_which_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert "needs Python 3.11 or later" in (line := refused(capsys))
    assert "is Python 3.9.2" in line
    assert "python3.11 -m venv .venv" in line


def test_without_the_environment_one_line_names_the_package_and_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(arguments: list[str]) -> int:
        raise ModuleNotFoundError("No module named 'rich.text'", name="rich.text")

    monkeypatch.setattr("grader.run.search_path.leave_current_folder", lambda: False)
    monkeypatch.setattr(__main__, "_run", missing)
    assert "The package rich is not installed" in (line := refused(capsys))
    assert "source .venv/bin/activate" in line


def test_on_windows_one_line_says_where_the_grader_runs_before_anything_else_is_imported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "grader.run.search_path", None)  # to import it would fail
    assert "runs on Linux and macOS" in (line := refused(capsys))
    assert "WSL" in line


def test_python_3_6_can_read_the_lines_that_refuse_it() -> None:
    for file in (grader.__file__, __main__.__file__):
        module = ast.parse(Path(str(file)).read_text(encoding="utf-8"), feature_version=(3, 6))
        for node in ast.walk(module):  # it would evaluate a type with brackets as it defines the function
            types = [node.annotation] if isinstance(node, ast.arg) else []
            types += [node.returns] if isinstance(node, ast.FunctionDef) else []
            assert all(isinstance(written, ast.Name | ast.Constant | None) for written in types)


@pytest.mark.slow
@pytest.mark.parametrize("minor", range(6, 11))
def test_an_old_python_that_is_here_prints_one_line(minor: int) -> None:
    python = shutil.which(f"python3.{minor}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip(f"no Python 3.{minor} is here")
    ended = subprocess.run([python, "-m", "grader"], cwd=ROOT, capture_output=True, text=True, check=False)
    (line,) = ended.stderr.splitlines()
    assert (ended.returncode, ended.stdout) == (group.FAULT, "")
    assert f"is Python 3.{minor}." in line


def test_the_oldest_python_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=" + ".".join(map(str, __main__.OLDEST))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("arguments", ["list", "--version"])
def test_output_that_cannot_be_written_is_one_line(arguments: str) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "grader", *arguments.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=clean_environment(),
        )
    assert ended.returncode == group.FAULT
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("The output cannot be written")


def test_where_nobody_reads_the_output_nothing_is_said() -> None:
    command = f"{shlex.quote(sys.executable)} -m grader list | head -1"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT, env=clean_environment())
    assert "problem" in ended.stdout
    assert ended.stderr == ""


@pytest.mark.parametrize("module", ["grader.cli", "grader.commands.running", "grader.commands.inspection"])
def test_the_command_line_imports_little_before_it_is_read(module: str) -> None:
    """What starts JAX early waits for what the command line imports, and for what says which options a command takes."""
    known = {"grader", module, "grader.cli", "grader.locale.language", "grader.options", "grader.run.child"}
    known |= {f"grader.commands.{name}" for name in ("group", "parameters")}
    known |= {f"grader.kit.{name}" for name in ("kit", "names", "problem_error", "text")}
    known |= {name.rpartition(".")[0] for name in known}
    heavy = f"name for name in sys.modules if name.startswith(('grader', 'numpy', 'rich')) and name not in {known}"
    code = f"import sys, {module}, grader.cli; print([{heavy}])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env=clean_environment()
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("arguments", "sure"),
    [
        ("rope", True),
        ("check rope", True),
        ("watch rope", True),
        ("rope other", True),
        ("", False),
        ("check", False),
        ("list", False),
        ("show rope", False),
        ("check nothing", False),
        ("rope nothing", False),
        ("rope --confine", False),
        ("check rope --answer x.py", False),
        (".", False),
        ("../problems", False),
    ],
)
def test_jax_is_imported_before_the_command_line_is_read_where_a_problem_is_sure_to_be_graded(
    arguments: str, sure: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    steps: list[str] = []
    for name in ("rope", "other"):
        (tmp_path / "problems" / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        grader.run.launch, "start_early", lambda: steps.append("started") or (lambda: steps.append("ended"))
    )
    monkeypatch.setattr(cli, "run", lambda _: steps.append("run") or 0)
    assert __main__._run(arguments.split()) == 0  # pyright: ignore[reportPrivateUsage]
    assert steps == (["started", "run", "ended"] if sure else ["run"])
