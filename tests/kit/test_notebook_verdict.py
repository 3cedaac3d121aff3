"""Lines of what was taken from a notebook, told as cells and the lines in them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from grader.kit.decode import Malformed, decode
from grader.kit.notebook_verdict import SEVERAL, Origin, origin_of, placed
from grader.marking.places import Computed, Line, told_lines
from grader.marking.verdict import Diagnosis, Frame, Insight, Named, Raised, Status, Verdict
from grader.report.as_json import verdict_to_json
from grader.values.message import NO_MESSAGE, verbatim
from tests.marking.places import place

PLACES = ((2, 2), (5, 1), (5, 2), (5, 3))
ORIGIN = Origin(PLACES, {"table": "Made by a loop."}, {"tabel": "Made by nothing.", "jnp": "Made by nothing."})
WHERE = place(
    *(3, 4, 4, 9, "a"), name="a", computed=(Computed("b", Line(1), 2.0),), helper="f", calls=(Line(2), Line(4))
)
VERDICT = Verdict(
    "rope",
    Status.WRONG,
    verbatim("It was inside this loop, which may have no end:"),
    diagnosis=Diagnosis(
        (
            Named(
                "keys",
                verbatim("Lines 2, 3 and 1 draw with the key of line 4."),
                verbatim("?"),
                told_lines((2, 3, 1), (4,)),
            ),
        )
    ),
    where=(WHERE,),
    insights=(
        Insight("imprecise", verbatim("Rounding at line 1."), told_lines((1,))),
        Insight("prints", verbatim("Prints line 2.")),
    ),
    stopped_at=Frame(2, "rope", "while True:"),
    raised=Raised("ValueError", verbatim("bad line 3"), (Frame(1, "f", "x"), Frame(0, "g", ""), Frame(9, "h", ""))),
)


def raising(kind: str, message: str, advice: str = "") -> Raised:
    raised = placed(replace(VERDICT, raised=Raised(kind, message, (), advice)), ORIGIN).raised
    assert raised is not None
    return raised


def test_every_line_of_a_verdict_becomes_one_of_a_cell() -> None:
    told = placed(VERDICT, ORIGIN)
    assert (
        told.diagnosis.named[0].why == "Cell 5, lines 1 and 2 and cell 2, line 2 draw with the key of cell 5, line 3."
    )
    assert [(one.cell, one.line, one.end_line) for one in told.where] == [(5, 2, 3)]
    assert told.where[0].computed[0].line == Line(2, 2)
    assert told.where[0].calls == (Line(1, 5), Line(3, 5))
    assert told.diagnosis.named[0].lines == ((Line(1, 5), Line(2, 5), Line(2, 2)), (Line(3, 5),))
    assert told.insights[0].message == "Rounding at cell 2, line 2."
    assert told.stopped_at == Frame(1, "rope", "while True:", cell=5)


def test_what_the_answer_says_itself_and_lines_that_are_not_known_stay() -> None:
    told = placed(VERDICT, ORIGIN)
    assert told.raised is not None
    assert told.raised.message == "bad line 3"
    assert told.insights[1].message == "Prints line 2.", "a text that is not the grader's"
    assert [(one.cell, one.line) for one in told.raised.frames] == [(2, 2), (0, 0), (0, 9)]


def test_the_json_of_a_verdict_becomes_that_of_the_placed_one() -> None:
    assert placed(verdict_to_json(VERDICT), ORIGIN) == verdict_to_json(placed(VERDICT, ORIGIN))
    hidden = verdict_to_json(replace(VERDICT, withheld="verdict"))
    assert placed(hidden, ORIGIN)["where"] is None


def test_a_message_of_pythons_parser_names_the_cell() -> None:
    assert raising("IndentationError", "after 'if' statement on line 4").message.endswith("on cell 5, line 3")


def test_a_name_that_the_text_lacks_is_told_by_what_makes_it() -> None:
    assert raising("NameError", "name 'table' is not defined", "Else.").advice == "Made by a loop."
    assert raising("NameError", "name 'tabel' is not defined").advice == "Made by nothing."
    assert raising("ValueError", "name 'table' is not defined").advice == ""
    add = raising("NameError", "name 'jnp' is not defined", "Add `import jax.numpy as jnp` at the top of the file.")
    assert add.advice == "Add `import jax.numpy as jnp` in a cell of the notebook."


def test_the_note_stands_among_the_remarks_and_earns_no_points() -> None:
    noted = replace(ORIGIN, note="2 cells define rope.")
    assert placed(VERDICT, noted).insights[-1] == Insight(SEVERAL, verbatim("2 cells define rope."))
    assert len(placed(verdict_to_json(VERDICT), noted)["insights"]) == len(VERDICT.insights)


def test_an_origin_is_kept_as_text() -> None:
    assert origin_of(ORIGIN.as_text()) == ORIGIN
    with pytest.raises(Malformed):
        origin_of("{}")


def test_a_saved_frame_has_all_names() -> None:
    data = {"line": 1, "function": "f", "text": "x", "start": 0, "end": 0, "cell": 0}
    assert decode(Frame, data) == Frame(1, "f", "x")
    with pytest.raises(Malformed):
        decode(Frame, {**data, "more": 1})
    with pytest.raises(Malformed):
        decode(Frame, json.loads('{"line": 1}'))


def test_of_a_file_without_cells_lines_alone_are_told() -> None:
    origin = Origin(((0, 4), (0, 9)), {}, {})
    raised = Raised("NameError", NO_MESSAGE, (), verbatim("Add it at the top of the file."))
    stops = Insight("xor", verbatim("Line 2 stops."), told_lines((2,)))
    told = placed(Verdict("rope", Status.ERROR, verbatim("It stops."), insights=(stops,), raised=raised), origin)
    assert told.insights[0].message == "Line 9 stops."
    assert told.raised is not None
    assert told.raised.advice == "Add it at the top of the file."
