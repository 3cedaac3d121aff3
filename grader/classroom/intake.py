"""What a gradebook takes over from a folder: which answers are new, which are gone, and where one must ask first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from grader.classroom.database import Unusable
from grader.classroom.row import KnownAnswer
from grader.classroom.row_text import listed
from grader.classroom.submission import Submission, UploadNumber, later

HERE, OTHER, EARLIER, REPLACED = "here", "other", "earlier", "replaced"

OPEN, GONE = "open", "gone"
"""How an answer stands: its folder holds it, and it is the latest there; its folder holds it beside a later one, or one that
nothing tells from it; another one is in its place there; one of another folder replaced it, as the user said; what is there
now is in doubt, or cannot be read; it is no more there, and nothing is in its place.

An earlier one may count as long as its folder holds another."""

CANDIDATES = (HERE, OTHER, EARLIER)
"""What may count, as the rule of attempts says."""


@dataclass(frozen=True)
class Item(KnownAnswer):
    """An answer as a gradebook keeps it, a column for each attribute.

    Attributes:
        folder: the class that it is of, under one name whether it came as a folder or as a zip.
        origin: of a notebook, the cells of the text's lines, as text.
        number: with `upload`, the attempt.
        standing: one of those above.
    """

    folder: str
    origin: str = ""
    number: int | None = None
    upload: int | None = None
    standing: str = HERE

    @property
    def attempt(self) -> UploadNumber | None:
        return None if self.upload is None else UploadNumber(self.number, self.upload)

    @property
    def key(self) -> tuple[str, ...]:
        return (*self.of, self.folder, self.path, self.digest)

    @property
    def place(self) -> str:
        return f"{self.path} of {self.source}"


@dataclass(frozen=True)
class Intake:
    """What a reading of a folder changes.

    Attributes:
        items: those that are new, or whose standing has changed.
        gone: whose answer to which problem was read from this folder before, and is there no more.
        replaced: each answer with the one of another folder that it replaces.
    """

    items: Sequence[Item]
    gone: Sequence[tuple[str, str]] = ()
    replaced: Sequence[tuple[Item, Item]] = ()


COMMON = tuple(field.name for field in fields(KnownAnswer) if field.name not in ("source", "read_at"))
"""What a submission and an answer of a gradebook have in common."""


def item_of(submission: Submission, folder: str, source: str, at: str, standing: str = HERE) -> Item:
    """A submission as it is kept."""
    shared = {name: getattr(submission, name) for name in COMMON}
    origin = "" if submission.origin is None else submission.origin.as_text()
    attempt = submission.attempt
    number, upload = (attempt.number, attempt.upload) if attempt else (None, None)
    kept = Item(**shared, folder=folder, origin=origin, number=number, upload=upload)
    return replace(kept, source=source, read_at=at, standing=standing)


@dataclass
class _FolderReading:
    """One reading of a folder, compared with all that was known."""

    folder: str
    known: Mapping[tuple[str, str], Sequence[Item]]
    doubt: bool
    unread: Collection[tuple[str, str]]
    replacing: bool
    changed: dict[tuple[str, ...], Item] = field(default_factory=dict[tuple[str, ...], Item])
    gone: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    replaced: list[tuple[Item, Item]] = field(default_factory=list[tuple[Item, Item]])

    def take(self, of: tuple[str, str], now: Sequence[Item]) -> None:
        """Compare what the folder holds of one student's answers to one problem with what is known of them."""
        known = self.known.get(of, ())
        own = {item.key: item for item in known if item.folder == self.folder}
        before = [item for item in own.values() if item.standing in (HERE, OTHER, REPLACED, OPEN)]
        if not now:
            self._is_gone(of, own.values())
            return
        others = [item for item in known if item.folder != self.folder and item.standing == HERE]
        for item in now:
            was = own.get(item.key)
            if was is not None:
                keeps = was.standing == REPLACED and item.standing == HERE and others and not self.replacing
                item = replace(item, read_at=was.read_at, standing=REPLACED if keeps else item.standing)
            self._note(item)
            if item.standing == HERE:
                self._beside(item, others, own.values())
        keys = {item.key for item in now}
        # A file that was removed from beside those that are left is meant to count no more.
        standing = EARLIER if keys - {item.key for item in before} else GONE
        for item in before:
            if item.key not in keys:
                self._note(replace(item, standing=standing if item.standing != REPLACED else REPLACED))

    def _is_gone(self, of: tuple[str, str], own: Iterable[Item]) -> None:
        there = of in self.unread
        if not there and any(item.standing in (HERE, OPEN) for item in own):
            self.gone.append(of)
        if there or not self.doubt:
            for item in own:
                if item.standing != EARLIER:  # it may count as before, as soon as the folder holds an answer again
                    self._note(replace(item, standing=OPEN if there else GONE))

    def _beside(self, item: Item, others: Sequence[Item], own: Iterable[Item]) -> None:
        """Look at the answers of other folders: what the folder held itself before is no question."""
        for other in others:
            if other.digest == item.digest or later(item, other) or later(other, item):
                continue
            if all(known.digest != other.digest for known in own):
                self.replaced.append((item, other))
            self._note(replace(other, standing=REPLACED))

    def _note(self, item: Item) -> None:
        self.changed[item.key] = item


def taken_over(
    folder: str,
    problems: Collection[str],
    known: Sequence[Item],
    read: Sequence[Item],
    *,
    doubt: bool,
    unread: Collection[tuple[str, str]] = (),
    replacing: bool = False,
) -> Intake:
    """What changes by a reading of a folder.

    Args:
        problems: those that were looked for.
        known: all that the gradebook holds.
        read: what the folder holds now.
        doubt: whether it is in doubt whose some files are: then nothing is gone.
        unread: whose answer to which problem the folder holds, though it is not graded: that is not gone.
        replacing: whether what the folder holds counts before what replaced it.
    """
    of_known, of_read = _grouped(known), _grouped(read)
    reading = _FolderReading(folder, of_known, doubt, unread, replacing)
    mine = {item.of for item in known if item.folder == folder and item.problem in problems}
    for of in sorted(mine | of_read.keys()):
        reading.take(of, of_read.get(of, ()))
    stored = set(known)
    return Intake([item for item in reading.changed.values() if item not in stored], reading.gone, reading.replaced)


def _grouped(items: Sequence[Item]) -> dict[tuple[str, str], list[Item]]:
    found: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        found.setdefault(item.of, []).append(item)
    return found


def check(taken: Intake, source: str, before: int, *, replacing: bool, fewer: bool) -> None:
    """Refuse what is likely a mistake of the user.

    Args:
        before: how many answers were read from this folder before.
        replacing: whether the user says that answers of other folders are to be replaced.
        fewer: whether the user says that the others are gone.

    Raises:
        Unusable: an answer of another folder would be replaced, and nothing says which of the two is later; or more than a
            third of what was read from this folder before is gone.
    """
    if taken.replaced and not replacing:
        answers = listed([" ".join(new.of) for new, _ in taken.replaced])
        others = listed(sorted({old.source for _, old in taken.replaced}))
        raise Unusable(
            f"Nothing tells which of two answers counts, and nothing was changed: {answers}. One is in {source}, and one in "
            f"{others}. If those of {source} are to count, add --replace. If those of {others} are to count, move "
            f"{listed([new.path for new, _ in taken.replaced])} out of {source}. If the folders are of two assignments, "
            "give each a --gradebook FILE of its own."
        )
    if len(taken.gone) * 3 > before and not fewer:
        gone = [" ".join(of) for of in taken.gone]
        raise Unusable(
            f"{source}: of the {before} answers that were read from it before, {len(gone)} are not in it now: "
            f"{listed(gone)}. Nothing was changed. Download the class again, or add --fewer if they are to count no more."
        )
