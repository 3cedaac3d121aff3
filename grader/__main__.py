"""`python -m grader`: what has to be right before the command line is read."""

# Nothing else is imported before `main` has left the current folder, not even `__future__`. Python 3.6 can read this file,
# so that it can say which Python is needed: types with brackets are in quotes.
import os
import sys

OLDEST = (3, 11)
"""The oldest Python that the grader runs with (see `requires-python` in pyproject.toml)."""

INSTALL = "-m venv .venv && .venv/bin/pip install -e ."
"""What makes the environment of the grader, after the name of a Python."""


def main() -> None:
    """The entry point of the command line; exits with its status."""
    if sys.platform == "win32":
        _refuse(
            "The grader runs on Linux and macOS, and not on Windows itself. Use it in WSL, the Linux that comes with "
            "Windows: run wsl --install, open Ubuntu, and set up the grader there as its README says."
        )
    if sys.version_info < OLDEST:
        here, needed = (".".join(map(str, version)) for version in (sys.version_info[:3], OLDEST))
        _refuse(
            f"The grader needs Python {needed} or later, and {sys.executable} is Python {here}. "
            "Use the grader's environment (source .venv/bin/activate), or make it with a newer Python: "
            f"python{needed} {INSTALL}"
        )
    try:
        from grader.run.search_path import impostor, leave_current_folder

        searched = leave_current_folder()
        _end_in_order()
        file = impostor(searched=searched)
        if file:
            from grader.commands.group import refuse

            sys.exit(refuse(file))
        _end(_run(sys.argv[1:]))
    except ModuleNotFoundError as error:
        if str(error.name).startswith("grader"):
            raise
        package = str(error.name).partition(".")[0]
        _refuse(
            f"The package {package} is not installed for {sys.executable}. "
            f"Use the grader's environment (source .venv/bin/activate), or make it in the grader's folder: python3 {INSTALL}"
        )
    except KeyboardInterrupt:
        sys.exit(130)


def _end_in_order() -> None:
    """Let a signal that asks this process to end close what is open, as Ctrl-C does. The next one ends it at once."""
    import signal

    def end(number: int, _: object) -> None:
        for signal_number in asked:
            signal.signal(signal_number, signal.SIG_DFL)
        sys.exit(128 + number)

    # One that is ignored stays so: `nohup` starts commands that go on without a terminal.
    asked = [
        signal_number
        for signal_number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(signal_number) is signal.SIG_DFL
    ]
    for signal_number in asked:
        signal.signal(signal_number, end)


def _end(status: int) -> None:
    """End this process with a status. The interpreter would take 40 ms more to free what nobody needs again."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # nobody reads the output any more
        status = 130
    except OSError as error:
        os.write(
            2, f"The output cannot be written: {error.strerror}. Write it elsewhere, and run this again.\n".encode()
        )
        status = 2
    os._exit(status)


def _refuse(why: str) -> None:
    """Print in one line why the grader cannot run here and what to do, and exit with the status of a fault."""
    print(why, file=sys.stderr)
    sys.exit(2)


def _run(arguments: "list[str]") -> int:
    if not _grades(arguments):
        return _obeyed(arguments)
    from grader.run.launch import start_early

    end = start_early()  # the command line takes long to import, and JAX longer
    try:
        return _obeyed(arguments)
    finally:
        end()


def _obeyed(arguments: "list[str]") -> int:
    from grader.cli import run

    return run(arguments)


def _grades(arguments: "list[str]") -> bool:
    """Whether a command line is sure to grade a problem of the current folder. One with options may ask for another way."""
    names = arguments[1:] if arguments[:1] in (["check"], ["watch"]) else arguments
    return bool(names) and all(name.isidentifier() and os.path.isdir(os.path.join("problems", name)) for name in names)


if __name__ == "__main__":
    main()
