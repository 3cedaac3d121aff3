"""Commands that run nothing: the statement, hints, the worked answer, the stub again. Each returns an exit status."""

from __future__ import annotations

from grader import progress as progress_file
from grader import statement, stubs
from grader.commands import noting
from grader.kit import KitError
from grader.options import Options
from grader.problem import ProblemError
from grader.report.markdown import code, render
from grader.report.terminal import Terminal


def show(options: Options, name: str) -> int:
    """A problem's statement, rendered."""
    kit = options.kit
    name = kit.resolve(name)
    render(Terminal.make(colour=options.colour), statement.read(kit.statement(name)).without_hints)
    terminal = Terminal.make(colour=options.colour)
    terminal.line(f"Fill in problems/{name}/stub.py, then: python -m grader {name}")
    return 0


def hint(options: Options, name: str, *, every: bool) -> int:
    """One more hint each time; all that were taken so far are shown again."""
    kit = options.kit
    name = kit.resolve(name)
    hints = statement.read(kit.statement(name)).hints
    if not hints:
        raise ProblemError(f"problems/{name}/README.md: it has no hints: write a numbered list under `## Hints`")
    progress = progress_file.load(kit)
    taken = len(hints) if every else min(progress.hints.get(name, 0) + 1, len(hints))
    if not every:
        progress.hints[name] = taken
        with noting(options):
            progress.save()
    terminal = Terminal.make(colour=options.colour)
    for number, text in enumerate(hints[:taken], start=1):
        render(terminal, f"**Hint {number} of {len(hints)}.** {text}")
    left = len(hints) - taken
    if left == 0:
        terminal.line(f"That was the last hint. With all of them: python -m grader solution {name} --spoil")
    return 0


def solution(options: Options, name: str, *, spoil: bool) -> int:
    """The worked answer, once the problem is solved."""
    kit = options.kit
    name = kit.resolve(name)
    path = kit.answer(name)
    if not path.is_file():
        raise KitError(f"{kit.shown(path)} is not here: this kit was handed out without solutions.")
    if name not in progress_file.load(kit).solved and not spoil:
        Terminal.make(colour=options.colour).line(
            f"{name} is not solved yet. A hint may do: python -m grader hint {name}. "
            f"To see the worked answer all the same: python -m grader solution {name} --spoil"
        )
        return 1
    code(Terminal.make(colour=options.colour), path.read_text(encoding="utf-8"))
    return 0


def reset(options: Options, name: str) -> int:
    """The shipped stub again; the learner's text is kept beside it."""
    kit = options.kit
    name = kit.resolve(name)
    kept = stubs.reset(kit, name)
    stub = kit.shown(kit.stub(name))
    if kept is None:
        Terminal.make(colour=options.colour).line(f"{stub} is as shipped.")
    else:
        Terminal.make(colour=options.colour).line(
            f"{stub} is as shipped again. Your text is kept in {kit.shown(kept)}."
        )
    return 0
