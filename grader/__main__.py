"""`python -m grader`: the template starts before anything else is imported, so that `import jax` runs beside the rest."""

from __future__ import annotations

import sys

WITHOUT_JAX = frozenset({"list", "show", "hint", "solution", "reset", "new", "--help", "-h", "--version"})
"""What needs no template. A bare `grader` first sees whether anything has changed."""


TAKES_VALUE = frozenset(
    (
        *("--kit", "--device", "--time-limit", "--memory-limit", "--answer", "--export", "--fresh", "--feedback"),
        *("--title", "--track", "--difficulty", "--signature"),
    )
)


def main() -> None:
    """The entry point of the command line; exits with its status."""
    try:
        sys.exit(_run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


def _run(arguments: list[str]) -> int:
    early = None
    words = [
        argument
        for before, argument in zip(["", *arguments], arguments, strict=False)
        if not argument.startswith("-") and before not in TAKES_VALUE
    ]
    if words and not WITHOUT_JAX.intersection(arguments):
        from grader.run.launch import start_early

        early = start_early(clean=any(argument.startswith("--confine") for argument in arguments))
    from grader.cli import run

    try:
        return run(arguments)
    finally:
        if early is not None:
            early()


if __name__ == "__main__":
    main()
