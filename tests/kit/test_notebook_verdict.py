"""Lines of what was taken from a notebook, told as cells and the lines in them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from grader.kit.notebook_verdict import SEVERAL, CellOrigin, placed
from grader.marking.verdict import Computed, Diagnosis, Frame, Helper, Insight, Named, Raised, Status, Verdict
from grader.values.decode import Malformed, decode
from grader.values.message import NO_MESSAGE, Line, Message, lines_field, message, verbatim
from tests.marking.places import place

PLACES = ((2, 2), (5, 1), (5, 2), (5, 3))
BY_NOTHING = verbatim("Made by nothing.")
ORIGIN = CellOrigin(PLACES, {"table": verbatim("Made by a loop.")}, {"tabel": BY_NOTHING, "jnp": BY_NOTHING})
WHERE = place(
    *(3, 4, 4, 9, "a"), name="a", computed=(Computed("b", Line(1), 2.0),), helper=Helper("f", (Line(2), Line(4)))
)
DRAWS = Message("{lines} draw with the key of {line}.", {"lines": lines_field([2, 3, 1]), "line": lines_field([4])})
VERDICT = Verdict(
    "rope",
    Status.WRONG,
    Message("It stops at {line}.", {"line": lines_field([2])}),
    diagnosis=Diagnosis((Named("keys", DRAWS, verbatim("?")),)),
    where=(WHERE,),
    insights=(
        Insight("imprecise", Message("Rounding at {line}.", {"line": lines_field([1])})),
        Insight("prints", verbatim("Prints line 2.")),
    ),
    stopped_at=Frame(2, "rope", "while True:"),
    raised=Raised("ValueError", verbatim("bad line 3"), (Frame(1, "f", "x"), Frame(0, "g", ""), Frame(9, "h", ""))),
)


def raising(kind: str, said: str, advice: Message = NO_MESSAGE) -> Raised:
    raised = placed(replace(VERDICT, raised=Raised(kind, verbatim(said), (), advice)), ORIGIN).raised
    assert raised is not None
    return raised


def test_every_line_of_a_verdict_becomes_one_of_a_cell() -> None:
    told = placed(VERDICT, ORIGIN)
    assert str(told.message) == "It stops at cell 5, line 1."
    (named,) = told.diagnosis.named
    assert str(named.why) == "Cell 5, lines 1 and 2 and cell 2, line 2 draw with the key of cell 5, line 3."
    assert [(one.span.cell, one.span.line, one.span.end_line) for one in told.where] == [(5, 2, 3)]
    assert told.where[0].computed[0].line == Line(2, 2)
    assert told.where[0].helper == Helper("f", (Line(1, 5), Line(3, 5)))
    assert named.why.lines == ((Line(1, 5), Line(2, 5), Line(2, 2)), (Line(3, 5),))
    assert str(told.insights[0].message) == "Rounding at cell 2, line 2."
    assert told.stopped_at == Frame(1, "rope", "while True:", cell=5)


def test_a_line_whose_number_begins_another_is_told_in_its_own_place() -> None:
    origin = CellOrigin(tuple((1 + number // 6, 1 + number % 6) for number in range(12)), {}, {})
    reads = Message("{first} reads what {second} makes.", {"first": lines_field([12]), "second": lines_field([1])})
    told = placed(replace(VERDICT, insights=(Insight("reads", reads),)), origin)
    assert str(reads) == "Line 12 reads what line 1 makes."
    assert str(told.insights[0].message) == "Cell 2, line 6 reads what cell 1, line 1 makes."


def test_what_the_answer_says_itself_and_lines_that_are_not_known_stay() -> None:
    told = placed(VERDICT, ORIGIN)
    assert told.raised is not None
    assert str(told.raised.message) == "bad line 3"
    assert str(told.insights[1].message) == "Prints line 2.", "a text that is not the grader's"
    assert [(one.cell, one.line) for one in told.raised.frames] == [(2, 2), (0, 0), (0, 9)]


def test_a_message_of_pythons_parser_names_the_cell() -> None:
    said = raising("IndentationError", "after 'if' statement on line 4").message
    assert str(said) == "after 'if' statement on cell 5, line 3"


def test_a_name_that_the_text_lacks_is_told_by_what_makes_it() -> None:
    assert str(raising("NameError", "name 'table' is not defined", verbatim("Else.")).advice) == "Made by a loop."
    assert str(raising("NameError", "name 'tabel' is not defined").advice) == "Made by nothing."
    assert not raising("ValueError", "name 'table' is not defined").advice
    add = message("Add `import jax.numpy as jnp` at the top of the file.")
    told = raising("NameError", "name 'jnp' is not defined", add).advice
    assert str(told) == "Add `import jax.numpy as jnp` in a cell of the notebook."


def test_the_note_stands_among_the_remarks() -> None:
    noted = replace(ORIGIN, note=verbatim("2 cells define rope."))
    assert placed(VERDICT, noted).insights[-1] == Insight(SEVERAL, verbatim("2 cells define rope."))


def test_an_origin_is_kept_as_text() -> None:
    assert CellOrigin.of_text(ORIGIN.as_text()) == ORIGIN
    with pytest.raises(Malformed):
        CellOrigin.of_text("{}")


def test_a_saved_frame_has_all_names() -> None:
    data = {"line": 1, "function": "f", "text": "x", "start": 0, "end": 0, "cell": 0}
    assert decode(Frame, data) == Frame(1, "f", "x")
    with pytest.raises(Malformed):
        decode(Frame, {**data, "more": 1})
    with pytest.raises(Malformed):
        decode(Frame, json.loads('{"line": 1}'))


def test_of_a_file_without_cells_lines_alone_are_told() -> None:
    origin = CellOrigin(((0, 4), (0, 9)), {}, {})
    raised = Raised("NameError", NO_MESSAGE, (), verbatim("Add it at the top of the file."))
    stops = Insight("xor", Message("{line} stops.", {"line": lines_field([2])}))
    told = placed(Verdict("rope", Status.ERROR, verbatim("It stops."), insights=(stops,), raised=raised), origin)
    assert str(told.insights[0].message) == "Line 9 stops."
    assert told.raised is not None
    assert str(told.raised.advice) == "Add it at the top of the file."
