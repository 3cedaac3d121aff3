"""Marks while typing: what Python cannot read and names that do not exist, and nothing on any right answer."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from grader.serve import looks
from grader.serve.looks import IMPORTS, Mark, NotFormatted, formatted, look
from grader.serve.names import Names
from tests import answers
from tests.conftest import ROOT

KNOWN: Names = {
    "jax": {"numpy": ("", "", "module"), "jit": ("(f)", "", "function"), "experimental": ("", "", "module")},
    "jax.numpy": {"arange": ("(start)", "", "function"), "pi": ("", "", "value")},
    "flax.nnx": {"Linear": ("()", "", "class")},
}
"""A few names: a test without JAX is fast."""


def marked(text: str, names: Names = KNOWN) -> list[tuple[str, str]]:
    """Each marked part of a text of one line a mark, and what is said of it."""
    found: list[tuple[str, str]] = []
    for mark in look(text, names):
        assert mark.line == mark.end_line
        found.append((text.split("\n")[mark.line - 1][mark.column : mark.end_column], mark.says))
    return found


@pytest.mark.parametrize(
    ("text", "part", "says"),
    [
        ("def f(x)\n    return x\n", "", "expected ':'"),
        ("x = (1,\n", "(", "'(' was never closed"),
        ("def f():\nreturn 1\n", "return", "expected an indented block after function definition on line 1"),
        ("x = 1 +\n", "", "invalid syntax"),
        ("é = '\n", "'", "unterminated string literal (detected at line 1)"),
        ("ééé = 1; return 2", "return 2", "'return' outside function"),
        ("é = 1; nonlocal x", "nonlocal x", "nonlocal declaration not allowed at module level"),
        ("x = 5\n  y = 6\n", "", "unexpected indent"),
    ],
)
def test_what_python_cannot_read_is_marked_with_python_s_reason(text: str, part: str, says: str) -> None:
    (mark,) = look(text, KNOWN)
    assert mark.says == f"Python cannot read this: {says}"
    line = text.split("\n")[mark.line - 1]
    assert 0 <= mark.column < mark.end_column <= len(line), "something is seen"
    assert part in line[mark.column : mark.end_column]


@pytest.mark.parametrize(
    ("text", "part", "says"),
    [
        ("def f(width):\n    return widht", "widht", "widht is not defined. Did you mean width?"),
        ("x = rnage(3)", "rnage", "rnage is not defined. Did you mean range?"),
        ("x = qqqqqq", "qqqqqq", "qqqqqq is not defined."),
        ("x = 'é' + zzzzzz", "zzzzzz", "zzzzzz is not defined."),
        ("x = jnp.pi", "jnp", "jnp is not defined. Add this line at the top: import jax.numpy as jnp"),
    ],
)
def test_a_name_that_nothing_defines_is_marked(text: str, part: str, says: str) -> None:
    assert marked(text) == [(part, says)]


@pytest.mark.parametrize(
    ("text", "part", "says"),
    [
        ("import jax.numpy as jnp\njnp.arrange(3)", "arrange", "jax.numpy has no arrange. Did you mean arange?"),
        ("from jax import numpy as n\nn.qqq", "qqq", "jax.numpy has no qqq."),
        ("import jax\nx = 'é', jax.numpy.arrange(3)", "arrange", "jax.numpy has no arrange. Did you mean arange?"),
        ("import jax, jax.numpy\njax.jitt(f := 1)", "jitt", "jax has no jitt. Did you mean jit?"),
        ("import flax\nflax.nnx.Liner", "Liner", "flax.nnx has no Liner. Did you mean Linear?"),
        ("from flax import nnx\n(nnx.\n   Liner)", "Liner", "flax.nnx has no Liner. Did you mean Linear?"),
        ("from jax.numpy import pi, arrange as a", "arrange", "jax.numpy has no arrange. Did you mean arange?"),
    ],
)
def test_a_name_that_a_module_does_not_have_is_marked(text: str, part: str, says: str) -> None:
    assert marked(text) == [(part, says)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "import os\nx = 1",
        "import jax\njax.experimental.anything.goes",
        "import jax\njax._src",
        "import jax\ndef f(jax):\n    return jax.anything",
        "import jax\njax = 3\njax.anything",
        "import jax\njax.added = 3\njax.added",
        "import jax\nhasattr(jax, 'newer') and jax.newer",
        "import jax\ntry:\n    jax.newer\nexcept AttributeError:\n    pass",
        "try:\n    from jax import newer\nexcept ImportError:\n    newer = None",
        "from jax import *\nx = anything",
        "import other.jax as jax\njax.anything",
        "from .jax import numpy\nnumpy.anything",
        "def f(x: Float[Array, 'batch time']) -> 'Array':\n    y: Array = x\n    return y",
        "def f(x: Array): return x",
        "x = '\\d'",
        "print(__file__, __name__, __doc__)",
        "def f():\n    global later\n    later = 1\nf()\nprint(later)",
        "try:\n    unknown\nexcept NameError:\n    pass",
        "match 1:\n    case [a, *b]:\n        print(a, b)\n    case {'k': 1, **c}:\n        print(c)",
        "x = 1\r\ny = x\r\n",
    ],
)
def test_a_right_program_has_no_marks(text: str) -> None:
    assert look(text, KNOWN) == []


def test_without_names_nothing_is_said_about_modules() -> None:
    assert look("import jax\njax.jitt", {}) == []


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\0", "x = '\ud800'", "(" * 1000, "-" * 100_000 + "1", "x = " + "[" * 150 + "]" * 150,
        "x = 0" + " + x" * 100_000, "x = f" + "(1)" * 20_000, "\ufeffx = 1", "\f\x0b", "# -*- coding: nonsense -*-\nx = 1",
        "x = 1\n" * 3 + "\\", "'''", "\t\tx\n  y", "if 1:\n" * 200, "lambda: " * 5000 + "1", "def f():\n", "é" * 5000,
        "x = 10 ** 10 ** 10", "9" * 5000, "async def f():\n    yield from 1", "f'{x!z}'", "f'{" * 50, "del (1)", "\r\r\n",
    ],
    ids=range(24),
)  # fmt: skip
def test_no_text_is_too_odd(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for mark in look(text, KNOWN):
        assert mark.says
        assert 1 <= mark.line <= mark.end_line <= len(lines)
        assert (mark.line, mark.column) <= (mark.end_line, mark.end_column)
        assert 0 <= mark.column <= len(lines[mark.line - 1])
        assert 0 <= mark.end_column <= len(lines[mark.end_line - 1])


def test_a_text_that_nobody_can_read_is_said_to_be_so() -> None:
    assert marked("x = 1\ny = '\0'") == [("\0", "A file of Python cannot hold this character.")]
    assert len(marked("(" * 1000)) == 1
    assert marked("x = 0" + " + x" * 100_000)[0][1] == "This text is nested too deeply for Python."


def test_a_text_that_is_too_deep_to_follow_and_that_python_can_read_has_no_mark() -> None:
    assert look("import jax\njax" + ".a" * 900, KNOWN) == [] != look("import jax\njax" + ".a" * 9, KNOWN)


def test_a_name_in_a_string_is_marked_or_its_whole_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert marked("x = f'é{qqqqqq:.2f}'")[0][0] in ("qqqqqq", "x = f'é{qqqqqq:.2f}'")
    for mark in look("import jax\nx = f'''\n\n  {qqqqqq} {\n  jax.jitt}'''", KNOWN):
        assert mark.column < mark.end_column


def test_no_text_is_run_or_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "planted.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.syspath_prepend(tmp_path)
    text = f"import planted\nfrom planted import *\nopen({str(tmp_path / 'ran')!r}, 'w')\n1 / 0\n"
    assert look(text, KNOWN) == []
    assert not (tmp_path / "ran").exists()
    assert "planted" not in sys.modules


def test_a_mark_is_a_document() -> None:
    (mark,) = look("x = qqqqqq", KNOWN)
    assert mark == Mark(1, 4, 1, 10, "qqqqqq is not defined.")
    assert json.loads(json.dumps(mark.document())) == asdict(mark)
    assert mark.document()["kind"] == "error"


def test_each_import_that_is_suggested_defines_its_name() -> None:
    for name, line in IMPORTS.items():
        assert look(f"{line}\nprint({name})", {}) == [], name


@pytest.fixture(scope="module")
def names() -> Names:
    """All names of the installed packages, read in a process of their own."""
    command = [sys.executable, "-m", "grader.serve.names"]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


PROBLEMS = sorted(path.name for path in (ROOT / "problems").iterdir())


@pytest.mark.nightly
def test_no_stub_and_no_right_answer_has_a_mark(names: Names) -> None:
    read = 0
    for problem in PROBLEMS:
        files = [*(ROOT / "problems" / problem).glob("stub*.py"), *(ROOT / "solutions" / problem).glob("answer*.py")]
        texts = [(str(file), file.read_text()) for file in files]
        if (ROOT / "tests" / "answers" / problem).is_dir():
            texts += [(f"{problem}: {one.title}", one.text) for one in answers.read(problem, "right")]
        for where, text in texts:
            assert look(text, names) == [], where
            read += 1
    assert read > 3 * len(PROBLEMS)


@pytest.mark.nightly
def test_a_wrong_answer_that_runs_has_no_mark(names: Names) -> None:
    for problem in PROBLEMS:
        if (ROOT / "tests" / "answers" / problem).is_dir():
            for one in answers.read(problem, "wrong"):
                assert look(one.text, names) == [], f"{problem}: {one.title}"


@pytest.mark.nightly
@pytest.mark.slow
def test_every_name_that_is_listed_is_known(names: Names) -> None:
    for module, entries in names.items():
        text = f"import {module}\n" + "".join(f"{module}.{name}\n" for name in entries)
        assert look(text, names) == [], module


@pytest.mark.slow
def test_a_text_is_laid_out_by_ruff() -> None:
    assert formatted("x  =  'é'\n") == 'x = "é"\n'
    assert formatted("") == ""
    assert formatted(f"f({'a' * 60}, {'b' * 30})\n").count("\n") == 1, "a line has 100 characters"
    with pytest.raises(NotFormatted, match=r"^The text has a syntax error, so it was not formatted\.$"):
        formatted("x = (")
    with pytest.raises(NotFormatted, match=r"^The text holds a character that a file of Python cannot hold\.$"):
        formatted("'\ud800'")


def test_without_ruff_the_command_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(NotFormatted, match=r"^ruff is not installed\. This installs it: pip install ruff$"):
        formatted("x = 1")


@pytest.mark.slow
def test_a_ruff_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ruff").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "ruff").chmod(0o755)
    monkeypatch.setattr(looks, "SECONDS_TO_FORMAT", 0.2)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(NotFormatted, match=r"^ruff did not answer\.$"):
        formatted("x = 1")
