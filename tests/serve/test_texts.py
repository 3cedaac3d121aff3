"""The file on disk is the truth, and no text is lost: not the file's, not the page's, not that of another tab."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.kit import ownership, shipped_stub, state
from grader.kit.kit import Kit, KitError
from grader.serve.texts import Conflict, Texts, digest_of

NAME = "toy"
BARE = "def toy(seed):\n    raise NotImplementedError\n"
ONE, OTHER = "a" * 16, "b" * 16


def drafts(kit: Kit) -> Path:
    return state.folder_of_kit(kit.root)


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "problems" / NAME
    folder.mkdir(parents=True)
    (folder / "stub.py").write_text("# there\n")
    (folder / "README.md").write_text("")
    return Kit(tmp_path)


def test_a_text_that_the_page_has_not_seen_is_not_written_over(kit: Kit) -> None:
    with pytest.raises(Conflict) as raised:
        Texts(kit).save(NAME, "# mine\n", digest_of("# old\n"))
    assert raised.value.held.text == kit.stub(NAME).read_text() == "# there\n"
    assert Texts(kit).save(NAME, "# mine\n", digest_of("# there\n")) == ""
    assert kit.stub(NAME).read_text() == "# mine\n"


def test_what_is_written_over_on_purpose_is_kept_beside_it(kit: Kit) -> None:
    kept = Texts(kit).save(NAME, "# mine\n", "*")
    (aside,) = kit.stub(NAME).parent.glob("stub.2*.py")
    assert kept.endswith(aside.name)
    assert aside.read_text() == "# there\n"
    assert Texts(kit).save(NAME, "# mine\n", "*") == "", "the same text replaces nothing"
    typed = Texts(kit).keep(NAME, "# typed\n")
    assert Path(typed).name != aside.name
    assert {one.read_text() for one in kit.stub(NAME).parent.glob("stub.2*.py")} == {"# there\n", "# typed\n"}


def test_each_tab_has_a_draft_and_the_newest_of_those_that_are_closed_is_offered(kit: Kit) -> None:
    texts = Texts(kit)
    texts.draft(NAME, ONE, "# typed\n")
    texts.draft(NAME, OTHER, "# typed in another tab\n")
    found = texts.drafted(NAME, {OTHER})
    assert found is not None
    assert (found["text"], found["tab"]) == ("# typed\n", ONE)
    assert texts.drafted(NAME, {ONE, OTHER}) is None
    texts.forget(NAME, OTHER)
    texts.draft(NAME, ONE, "# there\n")
    assert texts.drafted(NAME, ()) is None, "what is saved is no draft"
    assert [*(drafts(kit)).iterdir()] == []


def test_a_draft_is_for_its_owner_alone(kit: Kit) -> None:
    Texts(kit).draft(NAME, ONE, "# typed\n")
    (path,) = (drafts(kit)).iterdir()
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_drafts_that_came_with_a_kit_and_links_are_offered_to_nobody(kit: Kit, tmp_path: Path) -> None:
    (kit.state / "drafts").mkdir(parents=True)
    (kit.state / "drafts" / f"{NAME}.{ONE}.py").write_text("# of a stranger\n")
    assert Texts(kit).drafted(NAME, ()) is None
    (tmp_path / "secret.py").write_text("# secret\n")
    drafts(kit).mkdir(parents=True)
    (drafts(kit) / f"{NAME}.{ONE}.py").symlink_to(tmp_path / "secret.py")
    assert Texts(kit).drafted(NAME, ()) is None


def test_what_cannot_be_read_has_the_reason_as_its_fault(kit: Kit) -> None:
    kit.stub(NAME).write_bytes(b"\xff")
    held = Texts(kit).held(NAME)
    assert (held.text, "UTF-8" in held.fault) == ("", True)
    kit.stub(NAME).unlink()
    assert Texts(kit).held(NAME).fault == "there is no such file."


def test_texts_that_several_servers_keep_at_once_are_all_kept(kit: Kit) -> None:
    """A name with the date is the same for all that is kept within a second."""
    texts = [f"# {number}\n" for number in range(200)]
    with ThreadPoolExecutor(8) as servers:
        paths = list(servers.map(lambda text: Texts(kit).keep(NAME, text), texts))
    kept = kit.stub(NAME).parent.glob("stub.2*.py")
    assert sorted(path.read_text() for path in kept) == sorted(texts)
    assert len({*paths}) == len(texts)


def test_no_text_is_lost_where_servers_save_and_reset_at_once(kit: Kit) -> None:
    kit.stub(NAME).write_text(BARE)
    shipped_stub.save_shipped(kit)
    texts = [f"# {number}\n" for number in range(100)]

    def act(text: str) -> None:
        Texts(kit).save(NAME, text, "*")
        Texts(kit).reset(NAME)

    with ThreadPoolExecutor(4) as servers:
        list(servers.map(act, texts))
    found = {path.read_text() for path in kit.stub(NAME).parent.glob("stub*.py")}
    assert found - {BARE} == {*texts}


def test_a_text_that_an_editor_saves_during_a_reset_is_kept(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    kit.stub(NAME).write_text(BARE)
    shipped_stub.save_shipped(kit)
    kit.stub(NAME).write_text("# mine\n")
    moved = shipped_stub.move_to_new

    def interrupted(path: Path, free: Iterator[str]) -> Path:
        aside = moved(path, free)
        if aside.read_text() == "# mine\n":
            path.write_text("# saved meanwhile\n")
        return aside

    monkeypatch.setattr(shipped_stub, "move_to_new", interrupted)
    Texts(kit).reset(NAME)
    assert kit.stub(NAME).read_text() == BARE
    kept = {path.read_text() for path in kit.stub(NAME).parent.glob("stub.2*.py")}
    assert kept == {"# mine\n", "# saved meanwhile\n"}


@pytest.mark.parametrize("place", ["stub", "folder"])
def test_a_link_of_a_stranger_is_neither_shown_nor_written_through(place: str, kit: Kit, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "stub.py").write_text("secret")
    (private / "id_rsa").write_text("secret")
    if place == "stub":
        kit.stub(NAME).unlink()
        kit.stub(NAME).symlink_to(private / "id_rsa")
    else:
        shutil.rmtree(kit.stub(NAME).parent)
        kit.stub(NAME).parent.symlink_to(private)
    before = {path: path.read_text() for path in private.iterdir()}
    texts = Texts(kit)
    held = texts.held(NAME)
    assert held.text == ""
    assert "is a link that leads out of the kit" in held.fault
    for write in (lambda: texts.save(NAME, "# mine\n", "*"), lambda: texts.save(NAME, "# mine\n", held.digest)):
        with pytest.raises(KitError, match="leads out of the kit"):
            write()
    if place == "folder":
        with pytest.raises(KitError, match="leads out of the kit"):
            texts.keep(NAME, "# mine\n")
        shipped_stub.save_shipped(kit)
        with pytest.raises(KitError, match=r"leads out of the kit|is not known here"):
            texts.reset(NAME)
    assert {path: path.read_text() for path in private.iterdir()} == before
    ownership.own(kit, ownership.doubts(kit, [NAME], runs=False))
    texts.save(NAME, "# mine\n", "*")
    assert texts.held(NAME).text == "# mine\n"
