"""No text of a kit orders a terminal, a page or a reader of a file to do something: each loses its control characters."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from tests.author import toys
from tests.conftest import Command

NAME = "distance_decay"
ORDERS = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2066\u200b\x08"
"""Clears the screen, names the window, changes the colour, the direction of the text, and what was printed before."""
IN_YAML = '"\\e[2J\\x9b31m\\u202eDecay"'
SHOWN = [
    ("list",), ("show", NAME), ("hint", NAME), ("hint", NAME, "--all"), ("solution", NAME, "--spoil"), ("reset", NAME),
    ("trust",), ("check", NAME), ("run", NAME), ("trace", NAME), ("doctor",), ("check", "no_such"),
    ("list", "--track", "no"), ("audit", NAME), ("check", NAME, "--json"), ("class", "roster", "no_such"),
]  # fmt: skip


def unsafe(text: str) -> set[str]:
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn")}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Command:
    root = tmp_path_factory.mktemp("hostile") / f"kit{ORDERS}"
    statement = toys.STATEMENT.replace("title: Distance decay", f"title: {IN_YAML}").replace(
        "track: 0 Toys", f"track: {IN_YAML}"
    )
    for line in ("Near things matter", "How large is a weight", "A weight is above one", "Take differences"):
        assert line in statement
        statement = statement.replace(line, f"{ORDERS}{line}")
    words = toys.WORDS.replace("The weights fall", f"{ORDERS}The weights fall").replace("By what", f"{ORDERS}By what")
    worked = toys.WORKED.replace('"""Distance decay."""', f'"""Distance decay. {ORDERS[0]}[2J{ORDERS[-4:-1]}"""')
    files = {**toys.FILES, toys.STATEMENT_FILE: statement, toys.WORDS_FILE: words, toys.WORKED_FILE: worked}
    kit = Command(toys.make(root, files=files))
    # A folder that is no problem, and the name of one that is broken.
    for name in ("x\x1b[2Jy", "\u202ez"):
        (root / "problems" / name).mkdir()
        (root / "problems" / name / "README.md").write_text(f"no front matter{ORDERS}")
    assert kit("list").returncode in (0, 2)
    return kit


@pytest.fixture(autouse=True)
def _filled_in(hostile: Command) -> None:
    (hostile.kit / toys.STUB_FILE).write_text(toys.ANSWER.replace("/ 4", "/ 2"))


@pytest.mark.slow
@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
def test_what_a_command_prints_of_a_hostile_kit_is_text(arguments: tuple[str, ...], hostile: Command) -> None:
    done = hostile(*arguments)
    assert unsafe(done.stdout) == set()
    assert unsafe(done.stderr) == set()
    assert done.stdout or done.stderr


@pytest.mark.slow
def test_the_mistake_of_a_hostile_kit_is_still_told(hostile: Command) -> None:
    done = hostile("check", NAME)
    assert "The weights fall too fast." in done.stdout


@pytest.mark.slow
def test_what_is_written_of_a_hostile_kit_is_text(hostile: Command, tmp_path: Path) -> None:
    assert hostile("site", str(tmp_path / "site"), NAME).returncode == 0
    assert hostile("notebook", NAME, "-o", str(tmp_path / "notebooks")).returncode == 0
    pages = [*tmp_path.rglob("*.html"), *tmp_path.rglob("search.js")]
    assert pages
    for page in pages:
        assert unsafe(page.read_text(encoding="utf-8").replace("\t", "")) <= {"\u200b"}, page
    (notebook,) = tmp_path.rglob("*.ipynb")
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert unsafe("".join("".join(cell["source"]) for cell in cells)) == set()
