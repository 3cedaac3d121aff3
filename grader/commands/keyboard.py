"""Single keys from a terminal, read without Enter."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Callable, Generator
from types import FrameType

from grader.run.child import start_thread

END = "\x04"
"""What Ctrl-D sends, and what stands for the end of the input."""

OTHER = "?"
"""What stands for a key that is no letter, such as an arrow."""


Lend = Callable[[], contextlib.AbstractContextManager[None]]
"""Gives the terminal to another program, as long as the block of `with` runs."""


@contextlib.contextmanager
def keys(pressed: Callable[[str], None], resumed: Callable[[], None]) -> Generator[Lend]:
    """Read single keys inside the block. Without a terminal, no key is read.

    Args:
        pressed: is called with each key, in a thread of its own: a lower-case letter, `END` or `OTHER`.
        resumed: is called in the main thread when this process goes on after Ctrl-Z.
    """
    if not sys.stdin.isatty():
        yield contextlib.nullcontext
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    lent = threading.Lock()

    def go_on(_signal: int, _frame: FrameType | None) -> None:
        tty.setcbreak(descriptor)  # while this process was stopped, the shell used the terminal in its own mode
        resumed()

    @contextlib.contextmanager
    def lend() -> Generator[None]:
        with lent:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
            try:
                yield
            finally:
                tty.setcbreak(descriptor)

    tty.setcbreak(descriptor)
    handler = signal.signal(signal.SIGCONT, go_on)
    start_thread(_read, descriptor, lent, pressed)
    try:
        yield lend
    finally:
        signal.signal(signal.SIGCONT, handler)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _read(descriptor: int, lent: threading.Lock, pressed: Callable[[str], None]) -> None:
    data = b"a key"
    while data:
        select.select([descriptor], [], [])
        with lent:  # once the terminal is back, that key may have been read
            if not select.select([descriptor], [], [], 0)[0]:
                continue
            data = os.read(descriptor, 64)
        for key in in_words(data):
            pressed(key)
    pressed(END)


def in_words(data: bytes) -> list[str]:
    """The keys that sent these bytes. An arrow or another special key sends several bytes, and is one key."""
    if data.startswith(b"\x1b"):
        return [OTHER]
    text = data.decode("utf-8", "replace").lower()
    return [key if key.isalpha() or key == END else OTHER for key in text]
