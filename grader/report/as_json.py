"""Verdicts for programs: the JSON document `grader/verdict/2`, described by `schemas/verdict-2.json`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from grader.kit.versions import installed
from grader.locale.language import language
from grader.marking.places import Kind, Reads, Where
from grader.marking.verdict import (
    CaseResult,
    Diagnosis,
    Excerpt,
    Frame,
    Insight,
    Named,
    Raised,
    Status,
    Verdict,
    weakest,
)
from grader.report.feedback import VERDICT
from grader.report.places import messages
from grader.values.message import Message, verbatim

SCHEMA = "grader/verdict/2"


def document(verdicts: Sequence[Verdict], device: str, feedback: str) -> str:
    """All verdicts of a run as one JSON document.

    Args:
        verdicts: what the level of feedback shows of each.
        device: the platform that was asked for: cpu, gpu or tpu.
        feedback: the level of feedback.
    """
    devices = [one.device for one in verdicts if one.device]
    whole = {
        "schema": SCHEMA,
        "platform": device,
        "device": devices[0] if devices else device,
        "confinement": weakest(one.confinement for one in verdicts),
        "fresh": max((one.fresh for one in verdicts if one.fresh is not None), default=None),
        "feedback": feedback,
        "language": language(),
        "versions": {name: installed(name) for name in ("grader", "jax", "flax", "python")},
        "verdicts": [verdict_to_json(one) for one in verdicts],
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
                "name": one.name,
                "why": str(one.why) or None,
                "hint": str(one.hint),
                "lines": _lines(one.why),
                "shows_expected": one.shows_expected,
            }
            for one in verdict.diagnosis.named
        ],
        "alternatives": [list(names) for names in verdict.diagnosis.alternatives],
        "explained": verdict.diagnosis.explained,
        "where": [
            _where(place, verdict.cases, told)
            for place, told in zip(verdict.where, messages(verdict.where), strict=True)
        ],
        "cases": [
            {**asdict(case), "error": _number(case.error), "tolerance": _number(case.tolerance)}
            for case in verdict.cases
        ],
        "excerpt": None if verdict.excerpt is None else _excerpt(verdict.excerpt),
        "insights": [_insight(insight) for insight in verdict.insights],
        "raised": None,
        "stopped_at": None if verdict.stopped_at is None else _frame(verdict.stopped_at),
        "output": str(verdict.output),
    }
    if verdict.raised is not None:
        row["raised"] = _raised(verdict.raised)
    if verdict.withheld == VERDICT:
        shown = ("problem", "file", "file_status", "status", "message")
        row = {name: value if name in shown else None for name, value in row.items()}
    return {
        **row,
        "seconds": verdict.seconds,
        "processor_seconds": verdict.processor,
        "confinement": verdict.confinement,
    }


def read_verdict(row: dict[str, Any]) -> Verdict:
    """What `verdict_to_json` made of a verdict at full feedback, as far as words need it: no case, no value, no excerpt.

    Rows of earlier versions do not say what shows expected values: all of it may there.
    """
    raised, stopped = row["raised"], row["stopped_at"]
    return Verdict(
        row["problem"],
        Status(row["status"]),
        verbatim(row["message"]),
        file=row["file"],
        unread="" if row["file_status"] == "read" else row["file_status"],
        diagnosis=Diagnosis(
            tuple(
                Named(one["name"], verbatim(one["why"] or ""), verbatim(one["hint"]), **_told(one))
                for one in row["mistakes"] or ()
            ),
            explained=bool(row["explained"]),
        ),
        where=tuple(map(_read_where, row["where"] or ())),
        insights=tuple(Insight(one["name"], verbatim(one["message"]), **_told(one)) for one in row["insights"] or ()),
        raised=raised
        and Raised(
            raised["type"],
            verbatim(raised["message"]),
            tuple(map(_read_frame, raised["frames"])),
            verbatim(raised["advice"]),
        ),
        stopped_at=stopped and _read_frame(stopped),
    )


def _told(row: dict[str, Any]) -> dict[str, Any]:
    return {"shows_expected": row.get("shows_expected", True)}


def _read_frame(row: dict[str, Any]) -> Frame:
    fields: dict[str, Any] = {**row, "cell": row.get("cell") or 0}
    return Frame(**fields)


def _read_where(row: dict[str, Any]) -> Where:
    shape, fixable = tuple(row["shape"]), bool(row.get("fixable"))
    return Where(
        *(row[name] for name in ("line", "column", "end_line", "end_column")),
        text=tuple(row["text"].split("\n")),
        kind=Kind(row["kind"] or ""),
        operation=row["operation"],
        step=row["step"] or "",
        name=row["name"] or "",
        case=0,
        proven=0,
        cases=0,
        places=1,
        rounds=row["evaluations"],
        alone=0,
        inner=False,
        shape=shape,
        needed=shape,
        block=None,
        reads=Reads.OTHER,
        fixable=fixable,
        onward=False,
        cell=row.get("cell") or 0,
    )


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
    return {
        "place": str(excerpt.place),
        "columns": [*map(str, excerpt.columns)],
        "expected": [*map(_number, excerpt.expected)],
        "yours": [*map(_number, excerpt.yours)],
        "wrong": list(excerpt.wrong),
    }


def _lines(told: Message) -> list[list[dict[str, int | None]]]:
    """The lines that a message tells, in its order."""
    return [[{"line": line.number, "cell": line.cell or None} for line in lines] for lines in told.lines]


def _where(where: Where, cases: Sequence[CaseResult], told: Message) -> dict[str, Any]:
    block = where.block
    values = {} if block is None else {"yours": block.yours, "needed": block.needed}
    number = _number if block is None or block.kind == "real" else int
    rows = {name: [[number(one) for one in row] for row in listed] for name, listed in values.items()}
    return {
        **{name: getattr(where, name) for name in ("line", "column", "end_line", "end_column")},
        "cell": where.cell or None,
        "text": "\n".join(where.text),
        "name": where.name or None,
        "kind": where.kind or None,
        "operation": where.operation,
        "step": where.step or None,
        "args": cases[where.case].args if where.case < len(cases) else {},
        "shape": where.shape,
        "part": block.part if block else None,
        "evaluations": where.rounds,
        "evaluation": block.evaluation or None if block else None,
        **{"yours": None, "needed": None, **rows},
        "fixable": where.fixable,
        "relation": where.relation,
        "message": str(told),
        "lines": _lines(told),
    }


def _number(value: float | None) -> float | str | None:
    """JSON has no infinity and no NaN: they become the strings "inf", "-inf" and "nan"."""
    return value if value is None or math.isfinite(value) else str(value)
