"""The oracle child: loads one reference and answers questions about it, frame by frame, until its input ends."""

from __future__ import annotations

import functools
import gc
import importlib.util
import os
import pkgutil
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from grader.jaxpr.compat import only_cpu
from grader.kit.declared import case_lines, pitfall_lines
from grader.kit.origin import Origin
from grader.kit.picture import as_pictures, pictured
from grader.kit.problem import Problem, ProblemError, asked_of
from grader.marking.facts import Facts, Mistake
from grader.marking.judge import Expected
from grader.marking.verdict import Named
from grader.oracle import draws, messages, store
from grader.oracle.messages import Question, Reply
from grader.run.devices import NoDevice
from grader.where.packed import Packed

REQUESTS, RESULTS = 0, 1
TRACEBACK = 1 << 16
"""The most characters of a traceback that are sent. Its end is kept, because it shows the cause."""


GARBAGE = 100_000
"""New objects between two collections. Tracing makes many objects that stay: more collections slow it by a tenth."""


def main() -> None:
    """Serve on descriptors 0 and 1. A fault is sent as a message, and ends this process."""
    opening = _next()
    if opening is None:
        return
    shown = opening.shown if isinstance(opening, messages.OpenReference) else "the draws of this JAX"
    if not isinstance(opening, messages.OpenReference) or opening.device == "cpu":
        only_cpu()
    gc.set_threshold(GARBAGE)
    try:
        if isinstance(opening, messages.OpenReference):
            _serve_reference(opening)
        else:
            _answer(None, opening)
    except NoDevice as error:
        _send(messages.NoDeviceReply(str(error)))
    except ProblemError as error:
        line = declared_at(error, Path(opening.reference)) if isinstance(opening, messages.OpenReference) else None
        _send_fault(f"{shown}:{line}: {error}" if line else f"{shown}: {error}")
    except Exception as error:  # a fault of the grader, or a version of JAX that it does not know
        last = traceback.format_exception_only(error)[-1].strip()
        _send_fault(f"{shown}: the grader failed on it with {last} (GRADER_DEBUG=1 shows where)")


def _next() -> Question | None:
    message = messages.read(REQUESTS)
    return None if message is None else cast(Question, message[0])


def _send(reply: Reply, expected: Sequence[Expected] = ()) -> None:
    messages.write(RESULTS, reply, expected)


def _send_fault(text: str) -> None:
    _send(messages.FaultReply(text, traceback.format_exc()[-TRACEBACK:]))


def _serve_reference(opening: messages.OpenReference) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FutureWarning)
        problem = load(Path(opening.reference))
    lines = [f"line {one.lineno}: {one.message}" for one in caught if one.filename == opening.reference]
    _send(messages.FactsReply(facts(problem), lines))
    if opening.truth:
        _answer(problem, messages.AskTruth(opening.device))
    while (question := _next()) is not None:
        _answer(problem, question)


def load(path: Path) -> Problem:
    """The `problem` that a reference declares.

    Raises:
        ProblemError: if the file cannot be imported, or declares no problem.
    """
    spec = importlib.util.spec_from_file_location(f"reference_of_{path.parent.name}", path)
    if spec is None or spec.loader is None:
        raise ProblemError("cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.parent))
    try:
        spec.loader.exec_module(module)
    except ProblemError:  # of a declaration
        raise
    except FileNotFoundError as error:
        raise ProblemError("there is no such file") from error
    except (Exception, SystemExit) as error:
        raise ProblemError(f"{type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(path.parent.parent))
    problem = getattr(module, "problem", None)
    if not isinstance(problem, Problem):
        raise ProblemError("declares no problem: end it with `problem = Problem(...)`")
    if problem.name != path.parent.name:
        raise ProblemError(f"its function is called {problem.name!r}: name it {path.parent.name!r}, as its folder")
    return problem


def declared_at(error: ProblemError, path: Path) -> int | None:
    """The line of this file that a fault is about: of its pitfall or case, else where its cause or itself was raised."""
    text = path.read_text(encoding="utf-8") if error.pitfall or error.case is not None else ""
    declared = pitfall_lines(text).get(error.pitfall)
    if error.case is not None:
        declared = dict(enumerate(case_lines(text))).get(error.case)
    if declared is not None:
        return declared
    return (raised_at(error.__cause__, path) if error.__cause__ else None) or raised_at(error, path)


def raised_at(error: BaseException, path: Path) -> int | None:
    """The innermost line in the traceback of an error that is in this file; None if no line is."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == str(path):
            line = number
    return line


def facts(problem: Problem) -> Facts:
    """What a problem declares, without its code."""
    pitfalls = tuple(Named(pitfall.name, pitfall.why, pitfall.hint) for pitfall in problem.pitfalls)
    return Facts(
        problem.name,
        problem.parameters,
        tuple(problem.cases),
        tuple(problem.axes),
        pitfalls,
        problem.contract,
        problem.wrt,
        asked_of(problem),
        tuple(pictured(one) for one in as_pictures(problem.picture)),
    )


@functools.cache
def _origin(modules: int) -> Origin:
    """The software that this process has imported, cached by the number of modules: a reference may import more later."""
    return Origin.of_this_process()


def _answer(problem: Problem | None, question: Question) -> None:
    if isinstance(question, messages.AskDraws):
        _send(messages.DrawsReply(draws.sample(layers=question.layers)))
        return
    assert problem is not None, "all other questions are about a reference"
    from grader.oracle import mistakes

    match question:
        case messages.AskTruth(device):
            _send_truth(problem, device)
        case messages.AskLevel(size, case, part, parts):
            level = list(mistakes.outputs(problem, size, case, part, parts))
            _send(messages.LevelReply(_keys(level), _origin(len(sys.modules))), [one.expected for one in level])
        case messages.AskConfirmation(names, setting):
            _send(messages.ConfirmationReply(_origin(len(sys.modules))), mistakes.confirm(problem, names, setting))
        case messages.AskSets(size, cases):
            sets = list(mistakes.for_key(problem, size, cases))
            sampled = [store.sampled(one) for _, outputs in sets for one in outputs]
            _send(messages.SetsReply([key for key, _ in sets]), sampled)
        case messages.AskFresh(seed):
            _send_fresh(problem, seed)
        case messages.AskSteps(of_value, most):
            _send_steps(problem, of_value, most)
        case messages.AskExamination(place, arguments):
            _send(messages.ExaminationReply(pkgutil.resolve_name(place)(problem, **arguments)))
        case _:
            raise ProblemError(f"its process was asked something that it does not know: {question}")


def _keys(level: Sequence[Mistake]) -> list[store.MistakeKey]:
    return [(mistake.names, mistake.setting) for mistake in level]


def _send_truth(problem: Problem, device: str) -> None:
    from grader.oracle.device_check import check_reference
    from grader.oracle.expect import truth_of
    from grader.oracle.mistakes import screening_case

    truth = truth_of(problem)[1]
    check_reference(problem, truth.expected, device)
    case, origin = screening_case(problem, truth.expected), _origin(len(sys.modules))
    coarse, drawn = [dict(bounds) for bounds in truth.coarse], [list(one) for one in truth.draws]
    names = [list(one) for one in truth.numbers]
    reply = messages.TruthReply(list(truth.shapes), list(truth.dtypes), coarse, drawn, names, case, origin)
    _send(reply, store.sent_with(truth))


def _send_fresh(problem: Problem, seed: int) -> None:
    from grader.oracle.held_out import fresh

    drawn = fresh(problem, seed)
    traced = [one for _, one, _ in drawn]
    reply = messages.FreshReply(
        [case for case, _, _ in drawn], [one.shape for one in traced], [one.dtype for one in traced]
    )
    _send(reply, [due for _, _, due in drawn])


def _send_steps(problem: Problem, of_value: bool, most: int | None) -> None:
    from grader.oracle.steps import packed_steps, steps_of

    try:
        found = packed_steps(steps_of(problem, of_value=of_value), most)
    except ProblemError:  # the steps only show places: a reference without them can be graded all the same
        found = Packed(b"", ())
    _send(messages.StepsReply(list(found.cases), found.data))


if __name__ == "__main__":
    main()
    os._exit(0)
