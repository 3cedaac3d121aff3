"""What a kit hands out: the files that are listed, those that a statement names, and nothing that lies elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.kit import shipped_kit
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError

PRIVATE = b"-----BEGIN PRIVATE KEY-----"
STUB = '"""Rope."""\n\n\ndef rope(seed, T):\n    raise NotImplementedError\n'
STATEMENT = """---
title: Rope
---

![waves](pictures/waves.svg) ![again](<./pictures/a b.png>) [data](data.csv?raw#top) [itself](README.md) [stub](stub.py)

[key](key.bin) [above](../../secret) [other](../other/README.md) [root](/etc/passwd) [web](https://example.org/x.png)
[nothing](nothing.png) [a folder](pictures) [strange](http://[x) [nul](%00)

```text
![in code](notes.txt)
```
"""
SPANISH = STATEMENT.replace("data.csv", "datos.csv")
"""Its own picture is named in the translation alone."""


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    (tmp_path / "secret").write_bytes(PRIVATE)
    kit = Kit(tmp_path / "kit")
    folder = kit.statement("rope").parent
    (folder / "pictures").mkdir(parents=True)
    kit.statement("rope").write_text(STATEMENT)
    (folder / "README.es.md").write_text(SPANISH)
    for name in ("stub.py", "stub.es.py"):
        (folder / name).write_text(STUB)
    for name in ("figure.py", "pictures/waves.svg", "pictures/a b.png", "data.csv", "datos.csv"):
        (folder / name).write_text(name)
    for name in ("notes.txt", "pictures/draft.svg", ".env", "key.bin", "stub.2026-01-01-120000.py", "README.fr.md"):
        (folder / name).write_text("nobody names this")
    return kit


def test_what_is_listed_and_what_a_statement_names_is_handed_out_and_nothing_else(kit: Kit) -> None:
    folder = kit.statement("rope").parent
    found = shipped_kit.handed_out_files(kit, "rope")
    assert sorted(str(path.relative_to(folder)) for path in found) == [
        "README.es.md",
        "README.md",
        "data.csv",
        "datos.csv",
        "figure.py",
        "pictures/a b.png",
        "pictures/waves.svg",
        "stub.es.py",
    ]
    assert all(path.read_bytes() == data for path, data in found.items())


def linked(at: str) -> Callable[[Kit, Path], str]:
    """Put a link to a private file in the place of a file of the problem."""

    def put(kit: Kit, secret: Path) -> str:
        (kit.statement("rope").parent / at).unlink()
        (kit.statement("rope").parent / at).symlink_to(secret)
        return f"problems/rope/{at} cannot be handed out: a link, not a file"

    return put


def hard_linked(kit: Kit, secret: Path) -> str:
    (kit.statement("rope").parent / "data.csv").unlink()
    os.link(secret, kit.statement("rope").parent / "data.csv")
    return "problems/rope/data.csv cannot be handed out: a hard link"


def moved(inside: str, said: str) -> Callable[[Kit, Path], str]:
    """Put a link in the place of a folder of the kit."""

    def put(kit: Kit, secret: Path) -> str:
        (kit.root / inside).rename(secret.parent / "elsewhere")
        (kit.root / inside).symlink_to(secret.parent / "elsewhere")
        return said

    return put


LINKS: dict[str, Callable[[Kit, Path], str]] = {
    **{name: linked(name) for name in ("README.md", "README.es.md", "stub.es.py", "figure.py", "pictures/waves.svg")},
    "a second name": hard_linked,
    "a folder of pictures": moved("problems/rope/pictures", "pictures/waves.svg cannot be handed out: the folder"),
    "the problem": moved(
        "problems/rope", "problems/rope/README.md cannot be handed out: the folder 'rope' on its path"
    ),
    "all problems": moved(
        "problems", "problems/rope/README.md cannot be handed out: the folder 'problems' on its path"
    ),
}


@pytest.mark.parametrize("put", LINKS.values(), ids=LINKS)
def test_a_link_in_the_place_of_something_handed_out_is_one_line_with_its_path(
    put: Callable[[Kit, Path], str], kit: Kit, tmp_path: Path
) -> None:
    said = put(kit, tmp_path / "secret")
    with pytest.raises(ProblemError) as refused:
        shipped_kit.handed_out_files(kit, "rope")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_link_that_nothing_names_stays_behind_and_stops_nothing(kit: Kit, tmp_path: Path) -> None:
    (kit.statement("rope").parent / "id_rsa").symlink_to(tmp_path / "secret")
    assert PRIVATE not in shipped_kit.handed_out_files(kit, "rope").values()


def test_a_kit_that_is_reached_through_a_link_is_a_kit_as_any_other(kit: Kit, tmp_path: Path) -> None:
    (tmp_path / "course").symlink_to(kit.root)
    there = Kit(tmp_path / "course")
    assert list(shipped_kit.handed_out_files(there, "rope").values()) == list(
        shipped_kit.handed_out_files(kit, "rope").values()
    )
    assert shipped_kit.handed_out_stub(there, "rope") == STUB.encode()


def test_the_stub_is_the_shipped_one_and_never_what_a_link_leads_to(kit: Kit, tmp_path: Path) -> None:
    assert shipped_kit.handed_out_stub(kit, "rope") == STUB.encode()
    kit.stub("rope").write_text(STUB.replace("raise NotImplementedError", "return 1"))
    with pytest.raises(KitError, match="is filled in, and the shipped one is not known"):
        shipped_kit.handed_out_stub(kit, "rope")
    (tmp_path / "elsewhere.py").write_text(STUB)
    kit.stub("rope").unlink()
    kit.stub("rope").symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(ProblemError, match=r"problems/rope/stub\.py cannot be handed out: a link"):
        shipped_kit.handed_out_stub(kit, "rope")
