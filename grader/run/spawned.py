"""A child in a fresh interpreter, where children are not forked: the same protocol on the same three descriptors."""

from __future__ import annotations

import os
import sys


def main() -> None:
    from grader.run.template import run_child
    from grader.sandbox.limits import guard_memory

    guard_memory()
    run_child(sys.argv[1])
    os._exit(0)
