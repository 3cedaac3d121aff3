"""Verdicts for programs: the JSON document `grader/verdict/2`, described by `schemas/verdict-2.json`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from grader.kit.software import installed_version
from grader.locale.language import language
from grader.marking.verdict import CaseResult, Excerpt, Frame, Insight, Raised, Verdict, Where, weakest
from grader.options import NUMBERS, VERDICT
from grader.report.places import messages
from grader.values.message import Message

SCHEMA = "grader/verdict/2"


def document(verdicts: Sequence[Verdict], device: str, feedback: str) -> str:
    """All verdicts of a run as one JSON document.

    Args:
        verdicts: what the level of feedback shows of each.
        device: the platform that was asked for: cpu, gpu or tpu.
        feedback: the level of feedback.
    """
    devices = [verdict.run.device for verdict in verdicts if verdict.run.device]
    whole = {
        "schema": SCHEMA,
        "platform": device,
        "device": devices[0] if devices else device,
        "confinement": weakest(verdict.run.confinement for verdict in verdicts),
        "fresh": max((verdict.run.fresh for verdict in verdicts if verdict.run.fresh is not None), default=None),
        "feedback": feedback,
        "language": language(),
        "versions": {name: installed_version(name) for name in ("grader", "jax", "flax", "python")},
        "verdicts": [verdict_to_json(verdict) for verdict in verdicts],
    }
    return json.dumps(whole, indent=1, allow_nan=False)


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """One verdict. Text from the answer is not cleaned here: JSON escapes the characters that control a terminal."""
    row: dict[str, Any] = {
        "problem": verdict.problem,
        "file": verdict.file,
        "file_status": verdict.unread or "read",
        "status": verdict.status.value,
        "message": str(verdict.message),
        "pitfalls": list(verdict.diagnosis.names),
        "mistakes": [
            {
                "name": mistake.name,
                "why": str(mistake.why) or None,
                "hint": str(mistake.hint),
                "lines": _lines(mistake.why),
                "shows_expected": mistake.shows_expected,
            }
            for mistake in verdict.diagnosis.named
        ],
        "alternatives": [list(names) for names in verdict.diagnosis.alternatives],
        "explained": verdict.diagnosis.explained,
        "where": [
            _where(place, verdict.cases, told)
            for place, told in zip(verdict.where, messages(verdict.where), strict=True)
        ],
        "cases": [
            {
                "args": case.args,
                "status": "pass" if case.passed else "fail",
                "error": case.error,
                "tolerance": case.tolerance,
                "values": case.size,
            }
            for case in verdict.cases
        ],
        "excerpt": None if verdict.excerpt is None else _excerpt(verdict.excerpt),
        "insights": [_insight(insight) for insight in verdict.insights],
        "raised": None,
        "stopped_at": None if verdict.stopped_at is None else _frame(verdict.stopped_at),
        "output": str(verdict.run.output),
    }
    if verdict.raised is not None:
        row["raised"] = _raised(verdict.raised)
    if verdict.withheld == NUMBERS:
        row |= dict.fromkeys(("pitfalls", "mistakes", "alternatives", "explained", "where", "insights"))
    if verdict.withheld == VERDICT:
        shown = ("problem", "file", "file_status", "status", "message")
        row = {name: value if name in shown else None for name, value in row.items()}
    ran = {
        "seconds": verdict.run.seconds,
        "processor_seconds": verdict.run.processor,
        "confinement": verdict.run.confinement,
    }
    return finite({**row, **ran})


def finite(data: Any) -> Any:
    """Plain data for JSON, which has no infinity and no NaN: they become the strings "inf", "-inf" and "nan"."""
    match data:
        case float():
            return data if math.isfinite(data) else str(data)
        case dict():
            return {name: finite(value) for name, value in data.items()}
        case list() | tuple():
            return [finite(value) for value in data]
        case _:
            return data


def _insight(insight: Insight) -> dict[str, Any]:
    return {
        "name": insight.name,
        "message": str(insight.message),
        "lines": _lines(insight.message),
        "shows_expected": insight.shows_expected,
    }


def _raised(raised: Raised) -> dict[str, Any]:
    frames = [_frame(frame) for frame in raised.frames]
    return {"type": raised.kind, "message": str(raised.message), "frames": frames, "advice": str(raised.advice)}


def _frame(frame: Frame) -> dict[str, Any]:
    return {**asdict(frame), "cell": frame.cell or None}


def _excerpt(excerpt: Excerpt) -> dict[str, Any]:
    row = asdict(excerpt)
    del row["whole"]
    return {**row, "place": str(excerpt.place), "columns": [*map(str, excerpt.columns)]}


def _lines(told: Message) -> list[list[dict[str, int | None]]]:
    """The lines that a message tells, in its order."""
    return [[{"line": line.number, "cell": line.cell or None} for line in lines] for lines in told.lines]


def _where(where: Where, cases: Sequence[CaseResult], told: Message) -> dict[str, Any]:
    span, at, block = where.span, where.values, where.values.block
    values = {} if block is None else {"yours": block.yours, "needed": block.needed}
    number = float if block is None or block.kind == "real" else int
    rows = {name: [[number(value) for value in row] for row in listed] for name, listed in values.items()}
    return {
        **{name: getattr(span, name) for name in ("line", "column", "end_line", "end_column")},
        "cell": span.cell or None,
        "text": "\n".join(span.text),
        "name": where.name or None,
        "kind": where.kind or None,
        "operation": where.operation,
        "step": where.step or None,
        "args": cases[at.case].args if at.case < len(cases) else {},
        "shape": at.shape,
        "part": block.part if block else None,
        "evaluations": at.rounds,
        "evaluation": block.evaluation or None if block else None,
        "device": block.device if block and at.devices else None,
        **{"yours": None, "needed": None, **rows},
        "fixable": where.fixable,
        "derivative": where.derivative,
        "relation": where.relation,
        "message": str(told),
        "lines": _lines(told),
    }
