"""What a page says of a lesson that it leads to."""

from __future__ import annotations

from typing import Protocol


class Entry(Protocol):
    """What a page says of a lesson that it leads to. `text` is its statement, in which the search looks."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def track(self) -> str: ...
    @property
    def difficulty(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def after(self) -> tuple[str, ...]: ...
    @property
    def text(self) -> str: ...
