"""The formats by name."""

from __future__ import annotations

from collections.abc import Callable

from grader.classroom.exports.junit import junit
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import canvas, everything, moodle

Export = Callable[[Sheet], str]

FORMATS: dict[str, Export] = {"canvas": canvas, "csv": everything, "junit": junit, "moodle": moodle}
