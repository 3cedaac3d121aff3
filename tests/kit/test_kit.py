"""Kits: how one is found, how problems are named and ordered, and whether a stub is filled in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.cli import app
from grader.commands.learner import catalogue
from grader.kit import statement
from grader.kit.kit import COMMANDS, Kit, KitError, find, in_order, is_bare, order_faults
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import save_shipped
from tests.conftest import ROOT


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    for name in ("rope", "rope_scores", "alibi"):
        (tmp_path / "problems" / name).mkdir(parents=True)
    (tmp_path / "problems" / ".hidden").mkdir()
    return Kit(tmp_path)


def test_folders_are_problems_and_hidden_ones_are_not(kit: Kit) -> None:
    assert kit.names == ("alibi", "rope", "rope_scores")


@pytest.mark.parametrize("name", [".grader", ".grader/stubs", ".grader/oracles"])
def test_nothing_is_written_through_a_link_of_a_stranger(
    kit: Kit, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    private = tmp_path_factory.mktemp("private")
    (kit.root / name).parent.mkdir(exist_ok=True)
    (kit.root / name).symlink_to(private)
    kit.stub("rope").write_text("def rope(seed):\n    raise NotImplementedError\n")
    with pytest.raises(KitError, match="is a link"):
        save_shipped(kit)
    assert not [*private.iterdir()]


def test_a_name_or_a_path_resolves(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kit.root)
    assert [kit.resolve(one) for one in ("rope", "problems/rope", "problems/rope/stub.py")] == ["rope"] * 3


@pytest.mark.parametrize(("name", "meant"), [("ropes", "rope"), ("albi", "alibi"), ("wach", "watch")])
def test_a_mistyped_name_gets_the_nearest(name: str, meant: str, kit: Kit) -> None:
    with pytest.raises(KitError, match=f"Did you mean .*{meant}"):
        kit.resolve(name)


def test_every_command_may_be_meant_by_a_mistyped_word() -> None:
    assert set(COMMANDS) == set(app.commands)


def test_the_nearest_kit_upwards_is_found(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRADER_KIT", raising=False)
    monkeypatch.chdir(kit.root / "problems" / "rope")
    assert find(None).root == kit.root


def test_problems_come_by_track_then_by_what_is_before_them_then_by_name() -> None:
    after = {"z_first": [], "a_last": ["middle"], "middle": ["z_first"], "b_other": [], "beside": ["z_first"]}
    tracks = {name: "2" if name == "b_other" else "1" for name in after}
    assert in_order(after, tracks) == ["z_first", "beside", "middle", "a_last", "b_other"]


def test_what_a_problem_builds_on_comes_before_it_also_from_a_later_track() -> None:
    after = {
        "module": ["first"],
        "first": ["start"],
        "start": [],
        "table": ["start", "module"],
        "apart": [],
        "end": ["table"],
    }
    tracks = {name: "2" if name in {"module", "first", "apart"} else "1" for name in after}
    assert in_order(after, tracks) == ["start", "first", "module", "table", "end", "apart"]


def test_a_circle_is_named() -> None:
    with pytest.raises(ProblemError, match=r"a -> b -> a|b -> a -> b"):
        in_order({"a": ["b"], "b": ["a"]}, {"a": "1", "b": "1"})


def test_an_unknown_problem_in_after_is_named() -> None:
    with pytest.raises(ProblemError, match=r"problems/a/README.md: `after` names 'c'"):
        in_order({"a": ["c"]}, {"a": "1"})


def test_a_stub_whose_lines_are_deeply_nested_is_looked_at_too() -> None:
    text = f"def f(n):\n    x = {'+'.join(['1'] * 2_000)}\n    raise NotImplementedError\n"
    assert is_bare(text, "f")


@pytest.mark.parametrize(
    ("body", "bare"),
    [
        ("    raise NotImplementedError", True),
        ("    '''Doc.'''\n    n = 1\n    raise NotImplementedError('fill in')", True),
        ("    return 1", False),
        ("    if n:\n        raise NotImplementedError\n    return 1", False),
        ("    raise ValueError", False),
        ("    return (", False),
        ("    return n\n    raise NotImplementedError", False),
        ("    for i in range(n):\n        return i\n    raise NotImplementedError", False),
        ("    def inner():\n        return n\n    raise NotImplementedError", True),
    ],
)
def test_a_stub_is_bare_if_it_returns_nothing_and_ends_by_raising_not_implemented(body: str, bare: bool) -> None:
    assert is_bare(f"import jax\n\ndef f(n):\n{body}\n", "f") is bare


def test_a_text_that_computes_at_its_top_is_not_a_bare_stub() -> None:
    assert not is_bare("1 / 0\n\ndef f(n):\n    raise NotImplementedError\n", "f")


def test_only_the_problems_that_break_the_order_are_faults() -> None:
    after = {"a": [], "b": ["a", "nowhere"], "c": ["d"], "d": ["e"], "e": ["c"], "f": ["b"]}
    faults = order_faults(after)
    assert sorted(faults) == ["b", "c", "d", "e"]
    assert "'nowhere', which is no problem here" in faults["b"]
    assert all("goes round in a circle: " in faults[name] for name in "cde")


def test_the_lessons_of_this_kit_come_in_an_order_without_circles() -> None:
    kit = Kit(ROOT)
    listed = catalogue(kit)
    assert [one.fault for one in listed if one.fault] == []
    places = {one.name: place for place, one in enumerate(listed)}
    for name in kit.names:
        assert all(places[before] < places[name] for before in statement.read(kit.statement(name)).after)
    assert listed[0].name == "first_arrays"


@pytest.mark.parametrize(
    ("option", "printed"),
    [
        (None, "python -m grader hint rope"),
        ("course", "python -m grader --kit course hint rope"),
        ("../my course's", "python -m grader --kit '../my course'\"'\"'s' hint rope"),
    ],
)
def test_a_command_for_a_kit_repeats_the_option_that_named_it(
    option: str | None, printed: str, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRADER_KIT", raising=False)
    work = kit.root / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    if option is not None:
        (work / option / "problems").mkdir(parents=True)
    found = find(Path(option) if option is not None else None)
    assert found.command("hint", "rope") == printed


def test_a_kit_that_the_environment_names_needs_no_option(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_KIT", str(kit.root))
    assert find(None).command("list") == "python -m grader list"


@pytest.mark.parametrize(
    ("folder", "shown"),
    [(".", "problems/rope/stub.py"), ("problems/rope", "stub.py"), ("..", "{kit}/problems/rope/stub.py")],
)
def test_a_path_can_be_opened_from_the_current_folder(
    folder: str, shown: str, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kit.root / folder)
    opened = kit.opened(kit.stub("rope"))
    assert opened == shown.format(kit=kit.root.name)
    assert Path(os.path.abspath(opened)) == kit.stub("rope")
    assert kit.shown(kit.stub("rope")) == "problems/rope/stub.py"


def test_far_from_the_kit_a_path_is_absolute(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/usr/lib")
    assert kit.opened(Path("/elsewhere/answer.py")) == "/elsewhere/answer.py"
    assert Path(os.path.abspath(kit.opened(kit.stub("rope")))) == kit.stub("rope")


def test_the_paths_of_a_message_can_be_opened_from_the_current_folder(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "solutions/rope/answer.py:3: made for another text of {}/problems/rope/README.md, not of my/problems/a"
    monkeypatch.chdir(kit.root)
    assert kit.located(said.format(kit.root)) == said.replace("{}/", "")
    monkeypatch.chdir(kit.root.parent)
    name = kit.root.name
    assert kit.located(said.format(kit.root)) == f"{name}/{said.format(name)}"


def test_a_current_folder_that_was_removed_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    monkeypatch.delenv("GRADER_KIT", raising=False)
    with pytest.raises(KitError, match="The current folder was removed: go to another one"):
        find(None)
