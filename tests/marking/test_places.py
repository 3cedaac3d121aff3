"""The place of a mistake as a verdict keeps it."""

from __future__ import annotations

import json
from dataclasses import asdict

from grader.marking.verdict import Computed, Helper, Where
from grader.values.decode import decode
from grader.values.message import Line
from tests.marking.places import changed
from tests.report.test_places import REPAIR, WHERE


def test_a_place_is_the_same_after_it_was_saved_and_read() -> None:
    whole = changed(WHERE, computed=(Computed("low", Line(4, 2), None),), helper=Helper("norm", (Line(9), Line(12))))
    for place in (whole, changed(WHERE, **REPAIR)):
        assert decode(Where, json.loads(json.dumps(asdict(place)))) == place
