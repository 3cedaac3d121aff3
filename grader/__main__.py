"""`python -m grader`: starts the template first, so that it imports JAX while this process imports the rest."""

# Nothing else is imported before `main` has left the current folder, not even `__future__`.
import sys

WITHOUT_JAX = frozenset(
    {"init", "list", "show", "hint", "solution", "reset", "new", "guide", "--help", "-h", "--version"}
)
"""Words that need no template. Without words, the grader first looks for changed stubs."""


TAKES_VALUE = frozenset(
    (
        *("--kit", "--device", "--time-limit", "--memory-limit", "--answer", "--export", "--fresh", "--feedback"),
        *("--title", "--track", "--difficulty", "--signature"),
    )
)
"""Options whose value is the next word."""


def main() -> None:
    """The entry point of the command line; exits with its status."""
    from grader.run.search_path import impostor, leave_current_folder

    searched = leave_current_folder()
    try:
        if file := impostor(searched=searched):
            from grader.cli import refuse

            sys.exit(refuse(file))
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
