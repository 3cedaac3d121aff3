"""A stub that came filled in, or that is a link out of its kit, is nobody's until the learner says so."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.kit import ownership
from grader.kit import state as user_folders
from grader.kit.kit import Kit, KitError
from grader.kit.ownership import Doubt, allow, doubts, note_bare, own, saved
from grader.kit.state import take_warnings

BARE = """import jax

jax.config.update("jax_enable_x64", False)
EPS = -1e-6


def toy(seed, T=3):
    raise NotImplementedError
"""
FILLED = BARE.replace("raise NotImplementedError", "return seed")
EVIL = "__import__('os').system('touch ran')"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    """A kit without solutions."""
    return made(tmp_path / "kit")


def made(folder: Path, text: str = BARE) -> Kit:
    for name in ("toy", "other"):
        (folder / "problems" / name).mkdir(parents=True)
        (folder / "problems" / name / "stub.py").write_text(text.replace("toy", name))
        (folder / "problems" / name / "key.bin").touch()
    return Kit(folder.resolve())


def test_a_stub_that_was_bare_when_the_grader_first_saw_it_is_the_learner_s_own(kit: Kit) -> None:
    note_bare(kit)
    kit.stub("toy").write_text(FILLED)
    assert doubts(kit, kit.names, runs=True) == []


def test_a_stub_that_came_filled_in_is_asked_about_once(kit: Kit) -> None:
    kit.stub("toy").write_text(FILLED)
    note_bare(kit)
    assert doubts(kit, kit.names, runs=True) == [Doubt("toy")]
    assert doubts(kit, kit.names, runs=False) == [], "to read it or to confine it is no danger"
    with pytest.raises(KitError, match=r"toy/stub\.py is filled in, .* Say so once: python -m grader trust toy\."):
        allow(kit, ["toy"], runs=True)
    own(kit, [Doubt("toy")])
    assert doubts(kit, kit.names, runs=True) == []


def test_a_stub_that_is_saved_while_the_grader_looks_on_is_the_learner_s_own(kit: Kit) -> None:
    kit.stub("toy").write_text(FILLED)
    note_bare(kit)
    saved(kit, "toy")
    assert doubts(kit, kit.names, runs=True) == []


def test_a_kit_with_worked_answers_is_a_program_anyway_and_the_checkout_of_the_grader_too(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit.stub("toy").write_text(FILLED)
    kit.stub("other").write_text(FILLED)
    kit.answer("toy").parent.mkdir(parents=True)
    kit.answer("toy").write_text("")
    assert doubts(kit, kit.names, runs=True) == [Doubt("other")]
    monkeypatch.setattr(ownership, "CHECKOUT", kit.root)
    assert doubts(kit, kit.names, runs=True) == []


@pytest.mark.parametrize(
    "line",
    [
        EVIL,
        f"x = {EVIL}",
        "jax.jit = print",
        "jax.config['x'] = 1",
        f"x: {EVIL} = 1",
        f"x = f'{{{EVIL}}}'",
        f"x = [1 for _ in [{EVIL}]]",
        f"@(lambda one: {EVIL})\ndef more():\n    pass",
        f"def more(x={EVIL}):\n    pass",
        f"def more(x: {EVIL}):\n    pass",
        f"def more() -> {EVIL}:\n    pass",
        f"class More({EVIL}):\n    pass",
        f"class More:\n    x = {EVIL}",
        f"({EVIL}, {{}})[1].update('jax_x', 1)",
        f"jax.config.update('jax_x', {EVIL})",
        "x.config.update('jax_x', 1)",
        f"try:\n    {EVIL}\nexcept OSError:\n    pass",
    ],
)
def test_a_stub_that_calls_something_as_it_is_loaded_is_asked_about_once_it_is_filled_in(line: str, kit: Kit) -> None:
    kit.stub("toy").write_text(f"{BARE}\n{line}\n")
    note_bare(kit)
    kit.stub("toy").write_text(f"{FILLED}\n{line}\n")
    assert doubts(kit, kit.names, runs=True) == [Doubt("toy")]


@pytest.mark.parametrize("known", ["saved", "committed"])
def test_a_stub_that_looks_bare_and_acts_when_it_is_called_is_asked_about(known: str, kit: Kit) -> None:
    """The kit may bring another stub as the shipped one, so that this one is taken for one that somebody has filled in."""
    stub = BARE.replace("    raise", "    __import__('os').system('touch ran')\n    raise")
    if known == "saved":
        (kit.state / "stubs").mkdir(parents=True)
        (kit.state / "stubs" / "toy.py").write_text(BARE)
    else:
        git(kit, "init", "-q")
        git(kit, "add", ".")
        git(kit, "commit", "-qm", "shipped")
    kit.stub("toy").write_text(stub)
    note_bare(kit)
    assert doubts(kit, ["toy"], runs=True) == [Doubt("toy")]
    kit.stub("toy").write_text(stub.replace("raise NotImplementedError", "return 1"))
    assert doubts(kit, ["toy"], runs=True) == [], "it was changed here, and whoever did it saw that line"


def git(kit: Kit, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=kit.root, check=True, capture_output=True)


@pytest.mark.parametrize("first", ["missing", "no text"])
def test_a_stub_that_could_not_be_read_at_first_is_nobody_s(first: str, kit: Kit) -> None:
    if first == "missing":
        kit.stub("toy").unlink()
    else:
        kit.stub("toy").write_bytes(b"\xff")
    note_bare(kit)
    assert doubts(kit, ["toy"], runs=True) == []
    kit.stub("toy").write_text(FILLED)
    assert doubts(kit, ["toy"], runs=True) == [Doubt("toy")]


def test_what_a_kit_says_of_itself_does_not_count(kit: Kit, tmp_path: Path) -> None:
    """A stranger can put anything into `.grader/`, and a kit in the place of another one."""
    note_bare(kit)
    own(kit, [Doubt("toy"), Doubt("other")])
    stranger = made(tmp_path / "stranger", FILLED)
    shutil.copytree(kit.state, stranger.state)
    assert doubts(stranger, stranger.names, runs=True) == [Doubt("other"), Doubt("toy")]
    shutil.rmtree(kit.root)
    again = made(kit.root, FILLED)
    assert doubts(again, again.names, runs=True) == [Doubt("other"), Doubt("toy")]
    again.state.mkdir()
    for found in (stranger.state).glob("id-*"):
        (again.state / found.name).write_text("0" * 32)
    assert doubts(again, again.names, runs=True) == [Doubt("other"), Doubt("toy")]


@pytest.mark.parametrize("where", ["stub.py", "folder"])
def test_a_link_out_of_the_kit_is_the_learner_s_own_only_for_the_place_that_it_led_to(
    where: str, kit: Kit, tmp_path: Path
) -> None:
    private, place = tmp_path / "private", kit.stub("toy") if where == "stub.py" else kit.stub("toy").parent
    private.mkdir()
    for name in ("stub.py", "one", "two"):
        (private / name).write_text("secret")
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    place.symlink_to(private / "one" if where == "stub.py" else private)
    (found,) = doubts(kit, ["toy"], runs=False)
    assert found == Doubt("toy", str(private / ("one" if where == "stub.py" else "stub.py")))
    with pytest.raises(KitError, match="is a link that leads out of the kit"):
        allow(kit, ["toy"], runs=False)
    own(kit, [found])
    allow(kit, ["toy"], runs=False)
    allow(kit, ["toy"], runs=False, moves=True)
    place.unlink()
    place.symlink_to(private / "two" if where == "stub.py" else tmp_path)
    assert doubts(kit, ["toy"], runs=False)


def test_a_link_that_is_moved_away_leads_nowhere(kit: Kit, tmp_path: Path) -> None:
    kit.stub("toy").unlink()
    kit.stub("toy").symlink_to(tmp_path)
    assert doubts(kit, ["toy"], runs=False)
    assert doubts(kit, ["toy"], runs=False, moves=True) == []


def test_links_between_problems_and_a_kit_that_is_reached_by_a_link_are_fine(kit: Kit, tmp_path: Path) -> None:
    note_bare(kit)
    kit.stub("toy").unlink()
    kit.stub("toy").symlink_to("../other/stub.py")
    (tmp_path / "link").symlink_to(kit.root)
    assert doubts(Kit((tmp_path / "link").resolve()), ["toy"], runs=True) == []


def test_where_nothing_can_be_kept_a_stub_is_asked_about_and_the_message_says_what_to_do(
    kit: Kit, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state.write_text("a file in the place of the folder")
    note_bare(kit)
    kit.stub("toy").write_text(FILLED)
    assert doubts(kit, ["toy"], runs=True) == [Doubt("toy")]
    with pytest.raises(KitError, match="Set `XDG_STATE_HOME` to a folder of your own, or grade with --confine"):
        own(kit, [Doubt("toy")])


def test_what_is_kept_is_for_this_user_alone_and_damage_is_set_aside(kit: Kit) -> None:
    own(kit, [Doubt("toy")])
    (path,) = (user_folders.state_folder() / "kits").rglob("*.json")
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert json.loads(path.read_text())["own"] == ["toy"]
    path.write_text("damaged")
    kit.stub("toy").write_text(FILLED)
    assert doubts(kit, ["toy"], runs=True) == [Doubt("toy")]
    assert path.with_name("own.json.damaged").is_file()
    assert "is damaged" in take_warnings()[0]


def test_two_users_of_one_kit_do_not_take_each_other_s_word_away(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit.stub("toy").write_text(FILLED)
    for user in ("ana", "bo", "ana", "bo"):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / user))
        own(kit, doubts(kit, ["toy"], runs=True))
    for user in ("ana", "bo"):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / user))
        assert doubts(kit, ["toy"], runs=True) == []
