"""Verdicts for programs: the JSON document `grader/verdict/1`, described by `schemas/verdict-1.json`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from grader.kit.versions import installed
from grader.marking.verdict import CaseResult, Verdict, weakest

SCHEMA = "grader/verdict/1"


def document(verdicts: Sequence[Verdict | dict[str, Any]], device: str, fresh: int | None, feedback: str) -> str:
    """All verdicts of a run as one JSON document.

    Args:
        verdicts: a dict is a verdict that was kept from an earlier run, as `verdict_to_json` made it.
        device: the platform that was asked for: cpu, gpu or tpu.
        fresh: the seed of the inputs beyond the cases; None for no such inputs.
        feedback: the level of feedback.
    """
    # An older grader kept no confinement, and confined nothing.
    rows = [{"confinement": "none", **one} if isinstance(one, dict) else verdict_to_json(one) for one in verdicts]
    devices = [row.get("device") for row in rows if row.get("device")]
    whole = {
        "schema": SCHEMA,
        "platform": device,
        "device": devices[0] if devices else device,
        "confinement": weakest(row["confinement"] for row in rows),
        "fresh": fresh,
        "feedback": feedback,
        "versions": {name: installed(name) for name in ("grader", "jax", "flax", "python")},
        "verdicts": [{key: value for key, value in row.items() if key != "device"} for row in rows],
    }
    return json.dumps(whole, indent=1, allow_nan=False)


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """One verdict. Text from the answer is not cleaned here: JSON escapes the characters that control a terminal."""
    row: dict[str, Any] = {
        "problem": verdict.problem,
        "file": verdict.file,
        "status": verdict.status.value,
        "pitfalls": list(verdict.diagnosis.names),
        "alternatives": [list(names) for names in verdict.diagnosis.alternatives],
        "explained": verdict.diagnosis.explained,
        "message": verdict.message,
        "cases": [_case(case) for case in verdict.cases],
        "insights": [{"name": one.name, "message": one.message} for one in verdict.insights],
        "output": verdict.output,
        "seconds": verdict.seconds,
        "device": verdict.device,
        "confinement": verdict.confinement,
    }
    if verdict.raised is not None:
        row["raised"] = {
            "type": verdict.raised.kind,
            "message": verdict.raised.message,
            "advice": verdict.raised.advice,
            "frames": [
                {"line": frame.line, "function": frame.function, "text": frame.text} for frame in verdict.raised.frames
            ],
        }
    return row


def _case(case: CaseResult) -> dict[str, Any]:
    return {
        "args": case.args,
        "status": case.status,
        "error": _number(case.error),
        "tolerance": _number(case.tolerance),
    }


def _number(value: float | None) -> float | str | None:
    """JSON has no infinity and no NaN: they become the strings "inf" and "nan"."""
    return value if value is None or math.isfinite(value) else str(value)
