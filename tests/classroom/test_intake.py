"""What a reading of a folder changes: the later attempt counts over all folders, and what nothing tells is asked first."""

from __future__ import annotations

from typing import Any

import pytest

from grader.classroom.database import Unusable
from grader.classroom.intake import EARLIER, GONE, HERE, OPEN, OTHER, REPLACED, Intake, Item, check, item_of, taken_over
from grader.classroom.submission import Submission, UploadNumber


def item(path: str, folder: str = "/a", *, text: str = "", **more: Any) -> Item:
    return Item("ana", "rope", path, text or path, more.pop("submitted", ""), folder, source=folder, **more)


class Book:
    """What a gradebook knows, by reading after reading."""

    def __init__(self) -> None:
        self.items: dict[tuple[str, ...], Item] = {}

    def read(self, folder: str, *items: Item, doubt: bool = False, **more: Any) -> Intake:
        taken = taken_over(folder, ["rope"], list(self.items.values()), items, doubt=doubt, **more)
        self.items |= {one.key: one for one in taken.items}
        return taken

    def standing(self) -> dict[str, str]:
        return {f"{one.folder} {one.digest}": one.standing for one in self.items.values()}


def test_the_same_folder_again_changes_nothing_and_keeps_the_time_at_which_it_was_read() -> None:
    book = Book()
    book.read("/a", item("1.py", read_at="first"))
    assert book.read("/a", item("1.py", read_at="again")) == Intake([], [], [])
    assert [one.read_at for one in book.items.values()] == ["first"]


def test_another_answer_in_its_place_makes_the_first_an_earlier_one() -> None:
    book = Book()
    book.read("/a", item("1.py"))
    taken = book.read("/a", item("2.py"))
    assert (taken.gone, taken.replaced) == ([], [])
    assert book.standing() == {"/a 1.py": EARLIER, "/a 2.py": HERE}
    book.read("/a", item("1.py"))
    assert book.standing() == {"/a 1.py": HERE, "/a 2.py": EARLIER}


def test_an_attempt_that_is_removed_from_beside_another_counts_no_more() -> None:
    book = Book()
    book.read("/a", item("1.py", standing=OTHER), item("2.py"))
    book.read("/a", item("1.py"))
    assert book.standing() == {"/a 1.py": HERE, "/a 2.py": GONE}


def test_who_hands_in_nothing_any_more_is_gone_unless_something_is_in_doubt() -> None:
    book = Book()
    book.read("/a", item("1.py"))
    assert book.read("/a", doubt=True).gone == [("ana", "rope")]
    assert book.standing() == {"/a 1.py": HERE}
    assert book.read("/a").gone == [("ana", "rope")]
    assert book.standing() == {"/a 1.py": GONE}
    assert book.read("/a").gone == [], "it was told before"


@pytest.mark.parametrize("later", [{"upload": 9}, {"submitted": "2026-03-02"}])
@pytest.mark.parametrize("first_is_later", [False, True])
def test_of_two_folders_that_tell_which_is_later_nothing_is_asked(later: dict[str, Any], first_is_later: bool) -> None:
    earlier: dict[str, Any] = {"upload": 5, "submitted": "2026-03-01" if "submitted" in later else ""}
    known, now = (later, earlier) if first_is_later else (earlier, later)
    book = Book()
    book.read("/a", item("1.py", **known))
    assert book.read("/b", item("2.py", "/b", **now)).replaced == []
    assert set(book.standing().values()) == {HERE}, "which counts is said where rows are made"


def test_the_same_text_in_two_folders_is_no_question() -> None:
    book = Book()
    book.read("/a", item("1.py", text="x"))
    assert book.read("/b", item("2.py", "/b", text="x")).replaced == []
    taken = book.read("/b", item("2.py", "/b", text="y"))
    assert taken.replaced == [], "the second folder held the text of the first itself"
    assert book.standing() == {"/a x": REPLACED, "/b x": EARLIER, "/b y": HERE}


def test_what_replaced_another_stays_until_the_other_changes() -> None:
    book = Book()
    book.read("/a", item("1.py"))
    ((new, old),) = book.read("/b", item("2.py", "/b")).replaced
    assert (new.place, old.place) == ("2.py of /b", "1.py of /a")
    assert book.read("/a", item("1.py")).replaced == []
    assert book.standing() == {"/a 1.py": REPLACED, "/b 2.py": HERE}
    ((new, old),) = book.read("/a", item("3.py")).replaced
    assert (new.path, old.path) == ("3.py", "2.py")


def test_what_was_replaced_counts_again_where_the_other_is_gone() -> None:
    book = Book()
    book.read("/a", item("1.py"))
    book.read("/b", item("2.py", "/b"))
    book.read("/b")
    book.read("/a", item("1.py"))
    assert book.standing() == {"/a 1.py": HERE, "/b 2.py": GONE}


def test_both_folders_are_named_where_it_is_asked() -> None:
    taken = Intake([], replaced=[(item("2.py", "/b"), item("1.py"))])
    with pytest.raises(
        Unusable,
        match=r"ana rope\. One is in /b, and one in /a\. If those of /b are to count, add --replace\. If those of /a are to "
        r"count, move 2\.py out of /b\.",
    ):
        check(taken, "/b", 1, replacing=False, fewer=False)
    check(taken, "/b", 1, replacing=True, fewer=False)


@pytest.mark.parametrize(("gone", "before", "refused"), [(1, 3, False), (2, 3, True), (1, 2, True), (0, 0, False)])
def test_more_than_a_third_gone_is_refused(gone: int, before: int, refused: bool) -> None:
    taken = Intake([], gone=[("ana", f"p{n}") for n in range(gone)])
    check(taken, "/a", before, replacing=False, fewer=True)
    if not refused:
        check(taken, "/a", before, replacing=False, fewer=False)
        return
    with pytest.raises(Unusable, match=rf"/a: of the {before} answers .*, {gone} are not in it now: ana p0.*--fewer"):
        check(taken, "/a", before, replacing=False, fewer=False)


def test_a_submission_is_kept_with_its_attempt() -> None:
    one = item_of(Submission("ana", "rope", "a.py", "x", attempt=UploadNumber(2, 7)), "/a", "/a.zip", "now", OTHER)
    assert (one.number, one.upload, one.attempt, one.source, one.standing) == (
        2,
        7,
        UploadNumber(2, 7),
        "/a.zip",
        OTHER,
    )
    assert item_of(Submission("ana", "rope", "a.py", "x"), "/a", "/a", "now").attempt is None


def test_replacing_works_again_and_again_in_both_directions() -> None:
    book = Book()
    book.read("/a", item("1.py"))
    book.read("/b", item("2.py", "/b"), replacing=True)
    for _ in range(2):
        ((new, old),) = book.read("/a", item("1.py"), replacing=True).replaced
        assert (new.path, old.path) == ("1.py", "2.py")
        assert book.standing() == {"/a 1.py": HERE, "/b 2.py": REPLACED}
        ((new, old),) = book.read("/b", item("2.py", "/b"), replacing=True).replaced
        assert (new.path, old.path) == ("2.py", "1.py")
        assert book.standing() == {"/a 1.py": REPLACED, "/b 2.py": HERE}


def test_what_is_there_and_not_graded_is_not_gone() -> None:
    book, ana = Book(), {("ana", "rope")}
    book.read("/a", item("1.py"))
    assert book.read("/a", unread=ana).gone == []
    assert book.standing() == {"/a 1.py": OPEN}, "it does not count, and nobody says that it is not there"
    assert book.read("/a").gone == [("ana", "rope")]
    assert book.standing() == {"/a 1.py": GONE}
    book.read("/a", item("1.py"))
    book.read("/a", unread=ana)
    book.read("/a", item("1.py"))
    assert book.standing() == {"/a 1.py": HERE}


@pytest.mark.parametrize("unread", [True, False])
def test_an_earlier_attempt_is_one_still_after_a_download_without_a_readable_answer(unread: bool) -> None:
    book = Book()
    book.read("/a", item("1.py"))
    book.read("/a", item("2.py"))
    book.read("/a", unread=[("ana", "rope")] if unread else [])
    assert book.standing() == {"/a 1.py": EARLIER, "/a 2.py": OPEN if unread else GONE}
    book.read("/a", item("2.py"))
    assert book.standing() == {"/a 1.py": EARLIER, "/a 2.py": HERE}
