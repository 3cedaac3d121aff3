"""The texts of a kit that the page reads and writes: stubs, what is kept beside them, and drafts."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.kit import ownership, shipped_stub, state
from grader.kit.files import LARGEST_ANSWER, PRIVATE, Unreadable, in_utf8, read_text, rewrite_text, write_atomically
from grader.kit.kit import Kit, KitError
from grader.kit.state import SECONDS_BEFORE_A_WRITE, NotSaved, locked
from grader.locale.language import gettext


@dataclass(frozen=True)
class StubText:
    """What lies at the path of a stub.

    Attributes:
        text: of the stub; empty where it cannot be read.
        digest: of that text, or of the reason why it cannot be read.
        fault: that reason, as a sentence without a capital; empty if there is none.
    """

    text: str
    digest: str
    fault: str = ""


class Conflict(Exception):
    """A text was to be saved in place of another one than the page has seen. `held` is what is there."""

    def __init__(self, held: StubText) -> None:
        super().__init__("the file holds another text")
        self.held = held


class Texts:
    """Reads and writes by the names of problems: no path comes from a page."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def held(self, name: str) -> StubText:
        """What lies at the path of a stub now."""
        try:
            ownership.allow(self._kit, [name], runs=False)
            text = read_text(self._kit.stub(name), limit=LARGEST_ANSWER)
        except (Unreadable, KitError) as error:
            return StubText("", digest_of(f"- {error}"), str(error))
        return StubText(text, digest_of(text))

    def save(self, name: str, text: str, match: str) -> str:
        """Put a text into a stub.

        Args:
            match: the digest of the text that it replaces, or `*` for any: what is there then is kept beside it.

        Returns:
            the path of what is kept, to be shown; empty if nothing is.

        Raises:
            Conflict: where the stub holds another text.
            KitError: where it cannot be written.
        """
        if "\0" in text:
            raise KitError(gettext("A text with a NUL character cannot be saved: remove that character."))
        stub = self._kit.stub(name)
        if self._replaced(name, match) == StubText(text, match):
            return ""
        aside = None
        with self._writing(stub, name):
            found = self._replaced(name, match)  # another grader may have written it meanwhile
            if match == "*" and (found.fault or found.text != text):
                aside = shipped_stub.keep_aside(stub)
            rewrite_text(stub, in_utf8(text))
        return "" if aside is None else self._kit.opened(aside)

    def _replaced(self, name: str, match: str) -> StubText:
        """What a text is about to replace. Raises Conflict where that is another one than the page has seen."""
        found = self.held(name)
        if match not in ("*", found.digest):
            raise Conflict(found)
        return found

    def keep(self, name: str, text: str) -> str:
        """Keep a text that was typed under a name with the date, beside the stub. Returns the path, to be shown.

        Raises:
            KitError: where it cannot be written.
        """
        stub = self._kit.stub(name)
        with self._writing(stub.parent, name, moves=True):
            return self._kit.opened(shipped_stub.keep_text(stub, text.encode()))

    def reset(self, name: str) -> str:
        """Put the shipped stub back. Returns the path of the learner's text, to be shown; empty if there was none.

        Raises:
            KitError: where no shipped stub is known, or nothing can be written.
        """
        with self._writing(self._kit.stub(name), name, moves=True):
            aside = shipped_stub.reset(self._kit, name)
        return "" if aside is None else self._kit.opened(aside)

    def draft(self, name: str, tab: str, text: str) -> None:
        """Keep a text of a tab that is not saved yet: the browser or the server may end.

        Raises:
            KitError: where it cannot be written.
        """
        if text == self.held(name).text:
            self.forget(name, tab)
            return
        with self._told(Path("drafts")):
            path = self._draft(name, tab)
            write_atomically(path, text.encode(), mode=PRIVATE)

    def forget(self, name: str, tab: str) -> None:
        """Remove the draft of a tab."""
        with contextlib.suppress(OSError):  # there may be none
            self._draft(name, tab).unlink()

    def drafted(self, name: str, opened: Collection[str]) -> dict[str, str] | None:
        """The newest text that was typed and not saved, with its tab and its time; None if there is none.

        Args:
            opened: the tabs that are open now: each has its own text still.
        """
        try:
            folder = self._draft(name, "").parent
        except OSError:  # what is wrong with it is told where something is to be written there
            return None
        found: list[tuple[float, str, str]] = []
        for path in folder.glob(f"{name}.*.py"):
            tab = path.suffixes[0].removeprefix(".")
            with contextlib.suppress(Unreadable, OSError):
                text = read_text(path, below=folder)
                if tab not in opened and text != self.held(name).text:
                    found.append((path.stat().st_mtime, tab, text))
        if not found:
            return None
        time, tab, text = max(found)
        return {"text": text, "tab": tab, "time": f"{datetime.fromtimestamp(time):%Y-%m-%d %H:%M}"}

    def _draft(self, name: str, tab: str) -> Path:
        """Where a draft is kept: in a folder of the user, since a kit of others may hold anything.

        Raises:
            OSError: where the user has no such folder.
        """
        return state.folder_of_kit(self._kit.root) / f"{name}.{tab}.py"

    @contextmanager
    def _writing(self, path: Path, name: str, *, moves: bool = False) -> Generator[None]:
        """Write what lies beside a problem, while no other grader does.

        Raises:
            KitError: where a link leads out of the kit that nobody has called their own, or for what goes wrong meanwhile.
        """
        ownership.allow(self._kit, [name], runs=False, moves=moves)
        try:
            with locked(self._kit.state / "stubs.lock", SECONDS_BEFORE_A_WRITE), self._told(path):
                yield
        except NotSaved as error:
            raise KitError(f"{error}.") from None

    @contextmanager
    def _told(self, path: Path) -> Generator[None]:
        """Raise a KitError for what goes wrong while a file is written."""
        try:
            yield
        except (OSError, Unreadable) as error:
            why = f"{error.strerror}." if isinstance(error, OSError) and error.strerror else str(error)
            said = gettext("{file} cannot be written: {why}")
            raise KitError(said.format(file=self._kit.opened(path), why=why)) from None


def digest_of(text: str) -> str:
    """A short name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
