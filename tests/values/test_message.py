"""Messages travel as facts, and are put into the language that is spoken where they are printed."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from grader.locale.language import speaking
from grader.values.decode import Malformed, decode, parse
from grader.values.message import (
    LONGEST,
    NO_MESSAGE,
    Line,
    Lines,
    Message,
    in_a_row,
    lines_field,
    listed,
    message_in_context,
    plural_message,
    sentences,
    verbatim,
)

RAISES = Message("It raises {exception}.", {"exception": "ValueError"})
KIT = Message("It is too fast.", translations={"es": "Es demasiado rápido."})


def test_one_message_is_told_in_each_language() -> None:
    assert str(RAISES) == "It raises ValueError."
    with speaking("es"):
        assert str(RAISES) == "La respuesta lanza ValueError."
    assert str(RAISES) == "It raises ValueError."


def test_the_words_of_a_kit_are_told_in_the_languages_that_it_has() -> None:
    assert str(KIT) == "It is too fast."
    with speaking("es"):
        assert str(KIT) == "Es demasiado rápido."
        assert str(sentences(KIT, RAISES)) == "Es demasiado rápido. La respuesta lanza ValueError."
        assert str(Message("Nothing has this text.")) == "Nothing has this text."


@pytest.mark.parametrize(
    ("told", "english", "spanish"),
    [
        (lines_field([9]), "line 9", "línea 9"),
        (lines_field([3, 1]), "lines 3 and 1", "líneas 3 y 1"),
        (Lines((Line(3, 2), Line(1, 4), Line(2, 4))), "cell 2, line 3 and cell 4, lines 1 and 2", "celda 2, línea 3"),
        (plural_message("Right.", "Right on all {count} cases.", 1), "Right.", "Es correcta."),
        (plural_message("Right.", "Right on all {count} cases.", 3), "Right on all 3 cases.", "los 3 casos"),
        (message_in_context("axis of an array", "row"), "row", "fila"),
    ],
)
def test_a_number_and_a_context_choose_the_words(told: Message | Lines, english: str, spanish: str) -> None:
    assert str(told) == english
    with speaking("es"):
        assert spanish in str(told)


def test_a_sentence_that_begins_with_lines_or_a_list_begins_with_a_capital() -> None:
    assert str(Message("{lines} read it.", {"lines": lines_field([3, 4])})) == "Lines 3 and 4 read it."
    assert str(Message("See {lines}.", {"lines": lines_field([3])})) == "See line 3."
    assert str(Message("{changes}.", {"changes": ("with a", Message("without b"))})) == "With a and without b."
    assert str(Message("{name} is wrong.", {"name": "rope"})) == "rope is wrong."


def test_what_is_verbatim_is_told_as_it_is() -> None:
    assert str(verbatim("{it} {0} }{")) == "{it} {0} }{"
    assert verbatim("") == NO_MESSAGE
    with speaking("es"):
        assert str(verbatim("Right.")) == "Right."


def test_messages_without_a_text_are_left_out() -> None:
    assert sentences(NO_MESSAGE, RAISES, NO_MESSAGE) == RAISES
    assert sentences() == NO_MESSAGE
    assert not NO_MESSAGE
    assert str(in_a_row(verbatim("head 1"), NO_MESSAGE, verbatim("row 2"))) == "head 1, row 2"


def test_words_are_listed() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b", "c"])] == ["", "a", "a, b and c"]
    assert str(Message("It reads {names}.", {"names": ("`a`", "`b`")})) == "It reads `a` and `b`."


def test_the_lines_of_a_message_are_those_of_its_fields_in_its_order() -> None:
    inner = Message("See {line}.", {"line": lines_field([7])})
    told = sentences(Message("{b} before {a}.", {"a": lines_field([1]), "b": lines_field([12, 3])}), inner)
    assert told.lines == ((Line(12), Line(3)), (Line(1),), (Line(7),))
    assert verbatim("line 4").lines == ()


def test_each_line_of_a_message_is_changed_and_nothing_else() -> None:
    inner = Message("See {line} of {name}.", {"line": lines_field([1]), "name": "line 1"})
    told = sentences(Message("{changes}.", {"changes": (inner, "line 1")}), inner)
    placed = told.with_lines(lambda line: Line(line.number + 4, 2))
    assert str(placed) == "See cell 2, line 5 of line 1. and line 1. See cell 2, line 5 of line 1."


def test_a_message_is_kept_as_json() -> None:
    told = sentences(KIT, Message("{lines} and {all}", {"lines": lines_field([3]), "all": ("a", RAISES)}))
    assert decode(Message, json.loads(json.dumps(asdict(told)))) == told


def nested(depth: int, text: str) -> bytes:
    """The JSON of a message in a message, and so on."""
    begins = json.dumps({"text": text, "many": "", "context": "", "translations": {}})[:-1] + ', "fields": {"a": '
    return (begins * depth + '"x"' + "}}" * depth).encode()


@pytest.mark.parametrize("depth", [1_000, 20_000])
def test_a_message_that_is_nested_too_deep_is_malformed(depth: int) -> None:
    with pytest.raises(Malformed):
        decode(Message, parse(nested(depth, "{a}")))


def test_a_message_of_somebody_else_takes_no_long_time_and_no_attribute() -> None:
    doubled = decode(Message, parse(nested(60, "{a}{a}")))
    assert len(str(doubled)) <= LONGEST
    assert doubled.lines == ()
    assert str(Message("{a.__class__} {a[0]} {0} {a!r:>9}", {"a": "x"})) == "   x"
    assert str(Message("{a", {"a": "x"})) == "{a"
