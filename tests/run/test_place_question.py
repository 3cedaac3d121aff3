"""The question where a program goes wrong: a true reply is read, and of a forged one nothing is believed."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.oracle.steps import steps
from grader.run.evaluator_calls import CALLS, kinds_of, where
from grader.run.judge.evaluator_client import EvaluatorClient
from grader.run.questions import MOST_VALUES_OF_A_PLACE, believed_places
from grader.values.codec import HERE, from_frame
from grader.values.decode import Malformed
from grader.values.places import MOST_NUMBERS_READ, FoundPlace
from grader.where.steps import Packed, packed
from tests.jaxpr.evaluating import as_reference
from tests.program.attacks import ATTACKS
from tests.run.test_evaluator import SECONDS, bytes_of, evaluating, programs

TEXT = """
import jax.numpy as jnp
def toy(n):
    x = jnp.arange(float(n)) + 1.0
    small = x * 2.0
    return jnp.exp(-small)
"""


def right(n: int) -> Any:
    return jnp.exp(-(jnp.arange(float(n)) + 1.0) * 3.0)


DUE = [np.exp(-3.0 * np.arange(1.0, n + 1)) for n in (2, 3)]
ALLOWED = [np.full(one.shape, 1e-9) for one in DUE]
STEPS = [steps(as_reference(jax.make_jaxpr(lambda n=n: right(n))(), __file__)) for n in (2, 3)]


def asked(client: EvaluatorClient, steps: Packed) -> list[FoundPlace]:
    return [*client.where(steps, DUE, ALLOWED, TEXT)]


def test_the_place_of_a_mistake_comes_back_with_its_values() -> None:
    with evaluating(programs(TEXT)) as client:
        (found,) = asked(client, Packed(packed(STEPS), (0, 1)))
    assert (found.place.line, found.place.end_line, found.case) == (5, 5, 0)
    assert TEXT.splitlines()[4][found.place.column : found.place.end_column] == "x * 2.0"
    assert (found.kind, found.rounds) == ("repair", 1)
    assert (found.yours.tolist(), found.needed.tolist()) == ([2.0, 4.0], [3.0, 6.0])


def test_some_cases_are_enough_and_are_the_ones_that_are_told() -> None:
    with evaluating(programs(TEXT)) as client:
        (found,) = asked(client, Packed(packed(STEPS[1:]), (1,)))
    assert (found.place.line, found.case, found.yours.size) == (5, 1, 3)


@pytest.mark.parametrize("data", [b"", b"no steps", packed(STEPS[:1])])
def test_without_steps_nothing_is_found_and_the_evaluator_goes_on(data: bytes) -> None:
    with evaluating(programs(TEXT)) as client:
        assert asked(client, Packed(data, (0, 1))) == []
        assert client.rounding() is not None


def test_without_programs_nothing_is_found() -> None:
    with evaluating(b"") as client:
        assert asked(client, Packed(packed(STEPS), (0, 1))) == []


AT = {"line": 5, "column": 12, "end_line": 5, "end_column": 19}
PLACE: dict[str, Any] = {"kind": "value", "place": AT, "operation": "mul"}
PLACE |= {"step": "21:12:mul:0:0", "case": 1, "rounds": 1}
PLACE |= {one.name: one.default for one in fields(FoundPlace) if one.default is not MISSING}
PLACE |= {"numbers": [2.0], "traced": [4, 5], "argument": [0, 0], "yours": HERE, "needed": HERE}
VALUES = [np.zeros(3), np.ones(3)]


def located(listed: Any, arrays: list[Any]) -> Sequence[FoundPlace] | None:
    """The places of a reply; None if it is none, or is not believed."""
    try:
        found: Sequence[FoundPlace] = from_frame(kinds_of(where)[1], listed, arrays)
    except Malformed:
        return None
    return found if believed_places(found, (0, 1), TEXT) else None


def test_a_reply_of_the_right_form_is_read() -> None:
    (found,) = located([PLACE], VALUES) or ()
    assert (found.place.line, found.step, found.needed.tolist()) == (5, "21:12:mul:0:0", [1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    "change",
    [
        *({"place": {**AT, "line": line}} for line in (0, -1, 6, 7, 2**31, 5.0, True, "5", None)),
        *({"place": {**AT, "end_line": line}} for line in (4, 7, 2**40)),
        *({"place": {**AT, "column": column}} for column in (19, 30, -1, 10**9, "0")),
        *({"place": {**AT, "end_column": column}} for column in (12, 11, 27, -1)),
        *({"case": case} for case in (-1, 2, True, "1", None)),
        *({"devices": count} for count in (-1, 10**6, True, None)),
        *({"argument": pair} for pair in ([-1, 2], [2, 2], [0], [0, 1, 2], None)),
        *({"rounds": rounds} for rounds in (0, 10**9, 1.0)),
        *({"kind": kind} for kind in ("lie", "", None, 7)),
        *({"operation": text} for text in ("", "a" * 99, "mul\n", "mul x", 7)),
        *({"step": text} for text in ("x", "1:2", "1:2:mul:0:0\n", "a" * 99, None)),
        *({name: word} for name in ("change", "related", "reads") for word in ("\x1b[31m", "", 3)),
        *({"numbers": numbers} for numbers in ([1.0] * (MOST_NUMBERS_READ + 1), ["1"], [True], None)),
        *({"traced": lines} for lines in ([1] * 99, [1.0], None)),
        *({"constant": number} for number in (True, "1", None)),
        {"table": 1},
        {"alone": True},
        {"rounds": 2},
        {"more": 1},
    ],
    ids=str,
)
def test_a_forged_place_is_refused(change: dict[str, Any]) -> None:
    assert located([{**PLACE, **change}], VALUES) is None


@pytest.mark.parametrize(
    ("listed", "arrays"),
    [
        (None, []),
        ({}, []),
        ([PLACE], []),
        ([PLACE], VALUES[:1]),
        ([PLACE] * 3, VALUES * 3),
        ([[]], VALUES),
        ([PLACE], [np.zeros(MOST_VALUES_OF_A_PLACE + 1)] * 2),
        ([], VALUES),
    ],
    ids=str,
)
def test_a_forged_reply_is_refused(listed: Any, arrays: list[Any]) -> None:
    assert located(listed, arrays) is None


@pytest.mark.parametrize("change", [{"place": {**AT, "line": 99}}, {"kind": "lie"}, {"yours": None}], ids=str)
def test_an_evaluator_that_lies_gives_nothing(change: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CALLS, "where", lambda *_: [{**PLACE, "yours": VALUES[0], "needed": VALUES[1], **change}])
    monkeypatch.setattr("grader.run.evaluator.kinds_of", lambda _: kinds_of(where))
    with evaluating(programs(TEXT)) as client:
        assert asked(client, Packed(packed(STEPS), (0, 1))) == []


def with_places(text: bytes) -> bytes:
    """Programs of an attack, whose operations all stand at a place of the file, as far as they have the form of programs."""

    def mark(block: Any) -> None:
        for equation in block[2]:
            equation[5] = 0
            for inner in equation[6]:
                mark(inner)

    with contextlib.suppress(ValueError, TypeError, LookupError, RecursionError):
        listed = json.loads(text)
        for one in listed:
            one["places"] = [[5, 12, 5, 19]]
            mark(one["block"])
        return json.dumps(listed).encode()
    return text


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_soon_and_has_no_place_outside_of_its_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.where.search.SECONDS", 0.3)
    text, arrays = ATTACKS[name]()
    steps = Packed(packed([{"1:0:add:0:0": np.arange(8.0)[None] + 1, "1:0:mul:0:0": np.ones((1, 8))}]), (0,))
    started = time.process_time()
    with evaluating(bytes_of(with_places(text), arrays), (8,)) as client:
        found = client.where(steps, [np.arange(8.0) + 1], [np.full(8, 1e-9)], TEXT)
    assert time.process_time() - started < SECONDS
    assert {one.place.line for one in found} <= {5}
