"""The report on a class for programs: the document `grader/class-report/1`, described by `schemas/class-report-1.json`."""

from __future__ import annotations

import json
from dataclasses import asdict

from grader.classroom.report import Report

SCHEMA = "grader/class-report/1"


def report_document(report: Report) -> str:
    """All of a report. Text of students is not cleaned here: JSON escapes the characters that control a terminal."""
    return json.dumps({"schema": SCHEMA, **asdict(report)}, indent=1, allow_nan=False)
