"""The oracle child: loads one reference and answers questions about it, frame by frame, until its input ends."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from grader.kit.origin import Origin
from grader.kit.problem import Problem, ProblemError
from grader.marking.facts import Facts
from grader.marking.verdict import Named
from grader.oracle import draws, store
from grader.oracle.store import facts_to_json, pack
from grader.run import frames
from grader.run.devices import NoDevice, only_cpu

REQUESTS, RESULTS = 0, 1
TRACEBACK = 1 << 16
"""Characters of a traceback that are sent: its end, which says most."""


def main() -> None:
    """Serve on descriptors 0 and 1. A fault is sent as `{"fault": text, "traceback": text}`, and ends the child."""
    request = frames.read(REQUESTS)
    if request is None:
        return
    opening = request[0]
    shown = opening.get("shown", "the draws of this JAX")
    if opening.get("device", "cpu") == "cpu":
        only_cpu()
    try:
        if "sample" in opening:
            _send({"sample": draws.sample(layers=opening["sample"])})
            return
        problem = load(Path(opening["reference"]))
        _send({"facts": facts_to_json(facts(problem))})
        if opening["truth"]:
            _send_truth(problem, opening["device"])
        while (request := frames.read(REQUESTS)) is not None:
            _serve(problem, request[0])
    except NoDevice as error:
        _send({"no-device": str(error)})
    except ProblemError as error:
        _send_fault(f"{shown}: {error}")
    except Exception as error:  # a fault of the grader's own, or of a version of JAX that it does not know
        last = traceback.format_exception_only(error)[-1].strip()
        _send_fault(f"{shown}: the grader failed on it with {last} (GRADER_DEBUG=1 shows where)")


def _send_fault(text: str) -> None:
    _send({"fault": text, "traceback": traceback.format_exc()[-TRACEBACK:]})


def load(path: Path) -> Problem:
    """The `problem` that a reference declares.

    Raises:
        ProblemError: where the file cannot be imported or declares none.
    """
    spec = importlib.util.spec_from_file_location(f"reference_of_{path.parent.name}", path)
    if spec is None or spec.loader is None:
        raise ProblemError("cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.parent))
    try:
        spec.loader.exec_module(module)
    except ProblemError:
        raise
    except FileNotFoundError as error:
        raise ProblemError("there is no such file") from error
    except (Exception, SystemExit) as error:
        line = raised_at(error, path)
        raise ProblemError(f"{f'line {line}: ' if line else ''}{type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(path.parent.parent))
    problem = getattr(module, "problem", None)
    if not isinstance(problem, Problem):
        raise ProblemError("declares no problem: end it with `problem = Problem(...)`")
    if problem.name != path.parent.name:
        raise ProblemError(f"its function is called {problem.name!r}: name it {path.parent.name!r}, as its folder")
    return problem


def raised_at(error: BaseException, path: Path) -> int | None:
    """The innermost line of a file in the traceback of an error."""
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
        problem.by,
    )


def _send_truth(problem: Problem, device: str) -> None:
    from grader.oracle.device_check import check_reference
    from grader.oracle.expect import coarse, expect, trace
    from grader.oracle.mistakes import telling_case

    traced = [trace(problem, case) for case in problem.cases]
    expected = [expect(one, by_row=problem.by_row) for one in traced]
    check_reference(problem, expected, device)
    header = {
        "shapes": [one.shape for one in traced],
        "dtypes": [one.dtype for one in traced],
        "coarse": [coarse(one, due.values) for one, due in zip(traced, expected, strict=True)],
        "telling": telling_case(problem, expected),
        "origin": _origin(len(sys.modules)),
    }
    _send(header, pack(expected))


@functools.cache
def _origin(modules: int) -> dict[str, Any]:
    """What has been imported, looked at again where there are more modules than before: a reference may import late."""
    return Origin.of_this_process().to_json()


def _serve(problem: Problem, question: dict[str, Any]) -> None:
    from grader.oracle import mistakes

    match question:
        case {"truth": str(device)}:
            _send_truth(problem, device)
        case {"key": int(size), "telling": int(case)}:
            level = list(mistakes.outputs(problem, size, case))
            confirmed = mistakes.confirmed(problem, size)
            sampled = [store.sampled(one) for outputs in confirmed for one in outputs]
            keys = [[mutant.names, mutant.setting] for mutant in level]
            _send({"mutants": keys}, [*pack([mutant.expected for mutant in level]), *pack(sampled)])
        case {"examine": str(place), "arguments": dict() as arguments}:
            module, _, name = place.partition(":")
            _send(getattr(importlib.import_module(module), name)(problem, **arguments))
        case {"sample": bool(layers)}:
            _send({"sample": draws.sample(layers=layers)})
        case {"level": int(size), "telling": int(case)}:
            found = list(mistakes.outputs(problem, size, case))
            keys = [[mutant.names, mutant.setting] for mutant in found]
            _send({"mutants": keys, "origin": _origin(len(sys.modules))}, pack([mutant.expected for mutant in found]))
        case {"fresh": int(seed)}:
            _send_fresh(problem, seed)
        case {"confirm": [list() as names, int(setting)]}:
            _send({"origin": _origin(len(sys.modules))}, pack(mistakes.confirm(problem, tuple(names), setting)))
        case _:
            raise ProblemError(f"the oracle was asked something that it does not know: {question}")


def _send_fresh(problem: Problem, seed: int) -> None:
    from grader.oracle.held_out import fresh

    drawn = fresh(problem, seed)
    header = {
        "cases": [case for case, _, _ in drawn],
        "shapes": [traced.shape for _, traced, _ in drawn],
        "dtypes": [traced.dtype for _, traced, _ in drawn],
        "coarse": [{} for _ in drawn],
    }
    _send(header, pack([due for _, _, due in drawn]))


def _send(header: dict[str, Any], arrays: list[Any] | None = None) -> None:
    frames.write(RESULTS, frames.encode(header, arrays or []))


if __name__ == "__main__":
    main()
    os._exit(0)
