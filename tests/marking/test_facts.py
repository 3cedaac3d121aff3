"""Facts of a problem: arguments by name, more cases, and the parameter of a derivative."""

from __future__ import annotations

import numpy as np
import pytest

from grader.locale.language import speaking
from grader.marking.facts import Facts, MistakeSet, Truth
from grader.marking.verdict import Named
from grader.values.arrays import Expected
from grader.values.message import NO_MESSAGE, Message

FACTS = Facts("toy", ("seed", "T", "t"), ((0, 2, 0.5), (1, 3, 0.25)), ("row",), (), "grad", "t")


def test_the_arguments_of_a_case_have_the_names_of_the_parameters() -> None:
    assert FACTS.arguments(1) == {"seed": 1, "T": 3, "t": 0.25}


def test_a_case_of_another_length_than_the_parameters_is_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        FACTS.with_cases([(0, 2)]).arguments(2)


def test_more_cases_come_after_its_own_and_nothing_else_changes() -> None:
    more = FACTS.with_cases([(9, 4, 1.0)])
    assert more.cases == ((0, 2, 0.5), (1, 3, 0.25), (9, 4, 1.0))
    assert (more.name, more.axes, more.contract, more.wrt) == ("toy", ("row",), "grad", "t")
    assert len(FACTS.cases) == 2
    assert FACTS.with_cases([]) == FACTS


def test_a_derivative_is_taken_by_the_index_of_its_parameter() -> None:
    assert FACTS.argnum == 2
    assert Facts("toy", ("seed", "T"), ((0, 2),), (), ()).argnum == 0


def test_the_truth_of_one_case_has_what_is_known_of_it() -> None:
    due = [Expected(np.zeros(size), 1e-6) for size in (1, 2)]
    whole = Truth(due, [(1,), (2,)], ["int32", "float32"], [{}, {"float16": 1.0}], numbers=[{}, {"a": np.ones(3)}])
    one = whole.of_case(1)
    assert (one.expected, one.shapes, one.dtypes, one.coarse) == ([due[1]], [(2,)], ["float32"], [{"float16": 1.0}])
    assert [list(case) for case in one.numbers] == [["a"]]
    assert (list(one.draws), list(one.uncertain)) == ([], [])


def test_each_mistake_of_a_set_is_told_with_the_note_of_its_form() -> None:
    second = Message("Its second form.", translations={"es": "Su segunda forma."})
    one, other = (
        Named("one", Message("It is one.", translations={"es": "Es uno."}), Message("Is it?")),
        Named("other", Message("It is other."), Message("Is it?")),
    )
    facts = Facts("toy", ("seed",), ((0,),), (), (one, other), notes=((NO_MESSAGE, second), (Message("A note."),)))

    def told(**made: int) -> list[str]:
        return [
            str(named.why) for named in facts.named(MistakeSet((*made,), (*made.values(),), Expected(np.zeros(1), 0.0)))
        ]

    assert told(one=0) == ["It is one."]
    assert told(one=1) == ["It is one. Its second form."]
    assert told(one=1, other=0) == ["It is one. Its second form.", "It is other. A note."]
    with speaking("es"):
        assert told(one=1) == ["Es uno. Su segunda forma."], "the same mistake, in the words that the kit has"
