"""What the kernel restricts for good is tried in a thread: the restriction holds for that thread alone, and ends with it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_own_thread(function: Callable[[], T]) -> T:
    """The result of a call in a new thread; its exceptions are raised here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()
