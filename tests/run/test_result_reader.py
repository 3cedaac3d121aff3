"""Results of an answer's process: a hostile process cannot give them another dtype, leave a part out, or forge names."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from grader.classroom.points import Rule
from grader.marking.attempt import Attempt, Traced
from grader.marking.remarks import Remark
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import Cause, Described, Frame, Status, Verdict
from grader.program.data import MOST_AXES
from grader.run.answer.exceptions import FRAMES, LINEAGE, MESSAGE_CAP, NAME_CAP, TEXT_CAP
from grader.run.answer.progress_notes import PROGRAMS
from grader.run.judge.result_reader import read
from grader.run.protocol import KEY, LONGEST_TYPE, NOT, NOT_OF_NUMBERS, Result, Task
from grader.values import frames
from grader.values.codec import HERE, to_frame
from grader.values.message import Line, verbatim
from grader.values.outline import Outline

TASK = Task(b"# one\n# two\n# three\n# four\n", "answer.py", "toy", ("seed", "n"), ((0, 2), (0, 3)))


def gave(kind: str) -> dict[str, Any]:
    """What one call gave, as a result announces it."""
    return {"kind": kind, "array": None if kind.startswith((NOT, NOT_OF_NUMBERS, KEY)) else HERE}


def header(*kinds: str, **changed: Any) -> dict[str, Any]:
    whole, _ = to_frame(Result(compiled=True))
    return {**whole, "values": [*map(gave, kinds)], **changed}


def back(head: dict[str, Any], *arrays: Any, contract: str = "") -> Attempt:
    task = replace(TASK, contract=contract)
    return read(frames.encode(head, arrays), 0, task)


def test_programs_are_bytes_that_nobody_reads_here() -> None:
    blob, values = np.arange(5, dtype=np.uint8), np.zeros(2, np.float32)
    asked = replace(TASK, cases=TASK.cases[:1], programs=1, contract="grad")

    def given(*programs: Any, task: Task = asked, raised: bool = False, **said: bool) -> Attempt:
        head = {**header("float32"), "transformed": [gave("float32")] if task.contract else []}
        if raised:
            head["raised"] = described()
        sent = {
            "dtypes": ["float32"],
            "programs": None,
            "derivatives": None,
            "outlines": [],
            **dict.fromkeys(said, HERE),
        }
        before = frames.encode({PROGRAMS: sent}, programs) if said or programs else b""
        return read(before + frames.encode(head, [values, *([values] if task.contract else [])]), 0, task)

    both = given(blob, blob[:2], programs=True, derivatives=True)
    assert (both.traced.programs, both.traced.derivatives) == (blob.tobytes(), b"\0\1")
    assert (given().failure, given().traced) == (None, Traced())
    assert given(blob, programs=True, raised=True).traced == Traced()
    for failed in (
        given(blob.astype(np.int32), programs=True),
        given(blob.reshape(1, 5), derivatives=True),
        given(programs=True),
        given(blob),
        given(blob, programs=True, task=replace(asked, programs=0)),
        given(blob, derivatives=True, task=replace(asked, programs=0)),
        given(blob, derivatives=True, task=replace(asked, contract="")),
    ):
        assert failed.failure is Status.ERROR


ROWS = (np.arange(2, dtype=np.float32), np.arange(3, dtype=np.float32))


def test_arrays_come_back_with_their_dtypes() -> None:
    given = back(header("float32", "float32"), *ROWS)
    assert given.failure is None
    assert [one.dtype for one in given.answered] == ["float32", "float32"]


@pytest.mark.parametrize(
    ("declared", "sent"), [("int32", np.uint64), ("float32", np.float64), ("float32", np.float16), ("bool", np.uint8)]
)
def test_a_dtype_that_differs_from_the_arrays_is_refused(declared: str, sent: Any) -> None:
    given = back(header(declared, declared), *(row.astype(sent) for row in ROWS))
    assert given.failure is Status.ERROR
    assert f"it says {declared} of an array of {np.dtype(sent).name}" in str(given.message)
    assert given.answered == ()


@pytest.mark.parametrize("contract", [name for name, contract in CONTRACTS.items() if contract.compares])
def test_an_answers_process_cannot_leave_the_contract_out(contract: str) -> None:
    given = back(header("float32", "float32"), *ROWS, contract=contract)
    assert given.failure is Status.ERROR
    assert "under the contract are missing" in str(given.message)


FORGED = "Evil\n\n sinusoidal_pos   correct                                     cpu · jax 0.10.2"


def described(**changed: Any) -> dict[str, Any]:
    frame = {"line": 3, "function": FORGED, "text": "raise Evil", "start": 0, "end": 0, "cell": 0}
    whole = {"kind": FORGED, "message": "bad", "frames": [frame], "lineage": [FORGED], "cause": None, "details": {}}
    return {**whole, **changed}


def test_names_of_classes_and_functions_hold_no_spaces() -> None:
    given = back(header(raised=described()))
    assert given.raised is not None
    names = [given.raised.kind, given.raised.frames[0].function, *given.raised.lineage]
    assert not any(character in name for name in names for character in " \n\t")
    assert names[0].startswith("Evil??")


@pytest.mark.parametrize("name", ["ValueError", "<module>", "<lambda>", "größe", "module.Class"])
def test_an_ordinary_name_is_not_changed(name: str) -> None:
    given = back(header(raised=described(kind=name)))
    assert given.raised is not None
    assert given.raised.kind == name


def test_what_an_exception_says_is_cut() -> None:
    frame = {"line": 3, "function": "f" * 300, "text": "t" * 300, "start": 0, "end": 0, "cell": 7}
    long = {"kind": "k" * 300, "message": "m" * 9000, "frames": [frame] * 9, "lineage": ["l" * 300] * 90}
    details = {"name": "n" * 9000, "other": "It is right."}
    given = back(header(raised=described(**long, cause="no function", details=details)))
    assert given.raised == Described(
        "k" * NAME_CAP,
        "m" * MESSAGE_CAP,
        (Frame(3, "f" * NAME_CAP, "t" * TEXT_CAP),) * FRAMES,
        ("l" * NAME_CAP,) * LINEAGE,
        Cause.NO_FUNCTION,
        {"name": "n" * MESSAGE_CAP},
    )


def test_a_cause_that_nobody_knows_is_no_result() -> None:
    assert back(header(raised=described(cause="right"))).failure is Status.ERROR


@pytest.mark.parametrize(
    ("start", "end", "kept"), [(1, 5, (1, 5)), (-1, 5, (0, 0)), (5, 5, (0, 0)), (1, 11, (1, 11)), (1, 12, (0, 0))]
)
def test_columns_outside_of_the_line_are_not_believed(start: int, end: int, kept: tuple[int, int]) -> None:
    frame = {"line": 3, "function": "f", "text": "raise Evil", "start": start, "end": end, "cell": 0}
    given = back(header(raised=described(frames=[frame])))
    assert given.raised is not None
    assert [(one.start, one.end) for one in given.raised.frames] == [kept]


@pytest.mark.parametrize(
    "changed",
    [
        {"raised": {}},
        {"raised": described(kind=None)},
        {"raised": described(lineage=5)},
        {"raised": described(message="half \ud83d")},
        {"raised": described(frames=[{"line": 3}])},
        {"raised": described(frames=[{"line": 3.5, "function": "f", "text": "", "start": 0, "end": 0, "cell": 0}])},
        {"again": [[0, gave("not:str"), 1]]},
        {"again": [[-1, gave("not:str")]]},
        {"again": [[2, gave("not:str")]]},
        {"again": [[0, gave("float32")]]},
        {"values": [gave("float32"), gave("float32"), gave("not:str")]},
        {"values": [gave("float32")]},
        {"values": [None, gave("float32")]},
        {"values": [{"kind": "not:str", "array": HERE}, gave("float32")]},
        {"values": [{"kind": "float32", "array": None}, {"kind": "float32", "array": HERE}]},
        {"values": [{"kind": "float32", "array": [HERE, HERE]}]},
        {"transformed": [gave("not:str"), gave("not:str")]},
        {"broken": described()},
        {"device": "cpu"},
        {"no_device": "the grader is broken"},
        {"compiled": 1},
        {"verdict": "correct"},
    ],
)
def test_a_result_of_another_form_is_refused(changed: dict[str, Any]) -> None:
    given = back(header("float32", "float32", **changed), *ROWS)
    assert (given.failure, given.answered) == (Status.ERROR, ())
    assert "not one whole result" in str(given.message)


def test_a_result_without_one_of_its_names_is_refused() -> None:
    whole = header("float32", "float32")
    for name in whole:
        without = {key: value for key, value in whole.items() if key != name}
        assert back(without, *ROWS).failure is Status.ERROR, name


WORDS = "Right on all 8 cases: its author gets all points."


def remark(name: str, **said: Any) -> dict[str, Any]:
    return {**vars(Remark(name)), **said}


def stopped(**changed: Any) -> dict[str, Any]:
    return remark("not-traceable", stopped=described(**changed))


def remarked(*remarks: Any, text: str = TASK.text) -> Attempt:
    frame = frames.encode(header("float32", "float32", insights=remarks), ROWS)
    return read(frame, 0, replace(TASK, source=text.encode()))


def test_the_remarks_of_a_process_are_facts_and_their_words_are_made_here() -> None:
    facts = [
        remark("x64"),
        remark("loop-removed", line=4, changes=True),
        remark("long-trace", sizes=[4, 400]),
        stopped(kind="TypeError", message="no"),
    ]
    told = remarked(*facts).insights
    assert [one.name for one in told] == ["x64", "loop-removed", "long-trace", "not-traceable"]
    assert [insight.message.lines for insight in told] == [(), ((Line(4),),), (), ()]
    assert "(4 operations at seed=0, n=2; 400 at seed=0, n=3)" in str(told[2].message)
    assert str(told[3].message) == "It does not trace under jax.jit (TypeError)."


def test_the_remarks_on_a_text_are_made_here_whatever_a_process_says() -> None:
    text = "def f(x):\n    print(3 ^ 4)\n    x.at[0].set(1)\n"
    assert [one.name for one in remarked(text=text).insights] == ["prints", "xor", "unused-update"]
    assert [one.name for one in remarked(remark("x64"), text=text).insights][1:] == ["prints", "xor", "unused-update"]
    for name in ("prints", "xor", "unused-update"):
        assert remarked(remark(name)).failure is Status.ERROR


@pytest.mark.parametrize(
    "made",
    [
        [{"name": "long-trace", "message": WORDS, "line": 0}],
        [remark("x64", message=WORDS)],
        [remark(WORDS)],
        [remark("correct")],
        [remark("x64", line=WORDS)],
        [["x64", WORDS]],
        [remark("x64")] * 2,
        [remark("x64")] * 10_000,
        [remark("x64", line=1)],
        [remark("x64", sizes=[4])],
        [remark("x64", stopped=described())],
        [remark("loop-removed", line=5)],
        [remark("loop-removed", line=-1)],
        [remark("loop-removed", line=1 << 62)],
        [remark("loop-removed", line=1 << 80)],
        [remark("loop-removed", line=[1] * 100_000)],
        [remark("loop-removed", line=True)],
        [remark("loop-removed", changes=1)],
        [remark("long-trace")],
        [remark("long-trace", sizes=[4, 400, 4])],
        [remark("long-trace", sizes=[-4])],
        [remark("long-trace", sizes=[4.5])],
        [remark("long-trace", sizes=[4, 400], line=1)],
        [remark("not-traceable")],
        [stopped() | {"sizes": [4]}],
        [remark("not-traceable", stopped=WORDS)],
    ],
)
def test_a_remark_that_is_no_fact_of_the_answer_is_no_result(made: list[Any]) -> None:
    given = remarked(*made)
    assert (given.failure, given.insights) == (Status.ERROR, ())
    assert "Right" not in str(given.message)


def test_what_stops_a_trace_is_cut_and_its_name_is_a_name() -> None:
    (told,) = remarked(stopped(message="m" * 9000)).insights
    assert "Evil?? sinusoidal" not in str(told.message)
    assert len(str(told.message)) < 500


@pytest.mark.parametrize(
    ("kind", "instead"),
    [
        ("not:list", "list"),
        ("key:", "PRNG key"),
        ("array:object", "object array"),
        ("array:|V4", "|V4 array"),
        ("array:datetime64[ns]", "datetime64[ns] array"),
        ("not:list. Right on all cases", "list.?Right?on?all?cases"),
        ("array:" + "o" * 900, "o" * LONGEST_TYPE + " array"),
        ("not:" + "t" * 900, "t" * LONGEST_TYPE),
    ],
)
def test_what_is_no_array_has_the_name_of_its_type_and_no_words(kind: str, instead: str) -> None:
    given = back(header(kind, kind))
    assert [str(one.instead) for one in given.answered] == [instead] * 2


def test_a_process_that_keeps_silent_wins_no_points_that_its_text_costs() -> None:
    rule = Rule({"correct": Fraction(2), "prints": Fraction(1)})

    def points(text: str, *remarks: Any) -> Fraction:
        insights = tuple(remarked(*remarks, text=text).insights)
        return rule.of(Verdict("toy", Status.CORRECT, verbatim("Right."), insights=insights))

    assert (points("print(3)\n"), points("x = 3\n"), points("print(3)\n", remark("x64"))) == (1, 2, 1)


@pytest.mark.parametrize(
    "changed",
    [
        {WORDS: 1},
        {"values": [gave(WORDS), gave("float32")]},
        {"raised": described(unsaid=WORDS)},
        {"outlines": [{"length": 1, "holds": {WORDS: "x"}, "shape": [], "line": 0}]},
    ],
)
def test_a_refusal_quotes_no_words_of_a_result(changed: dict[str, Any]) -> None:
    given = back(header("float32", "float32", **changed), *ROWS)
    assert given.failure is Status.ERROR
    assert "Right on" not in str(given.message)


OUTLINE = {"length": 7, "holds": {"scan": 3}, "shape": [2, 3], "line": 4}


def outlined(*outlines: dict[str, Any], **changed: Any) -> Attempt:
    head = header("float32", "float32", outlines=list(outlines), **changed)
    arrays = [np.zeros(2, np.float32), np.zeros(3, np.float32)]
    return read(frames.encode(head, arrays), 0, replace(TASK, outlined=True))


def test_the_outlines_of_programs_are_read_one_for_each_case() -> None:
    assert outlined(OUTLINE, OUTLINE).traced.outlines == (Outline(7, {"scan": 3}, (2, 3), 4),) * 2
    raised = described(kind="TypeError", message="", frames=[], lineage=[])
    assert outlined(stopped=raised).traced.stopped is not None


@pytest.mark.parametrize(
    "listed",
    [
        [],
        [OUTLINE],
        [OUTLINE] * 3,
        [OUTLINE, {}],
        [OUTLINE, OUTLINE | {"length": -1}],
        [OUTLINE, OUTLINE | {"shape": [1 << 70]}],
        [OUTLINE, OUTLINE | {"holds": 3}],
        [OUTLINE, OUTLINE | {"holds": {"correct": 3}}],
        [OUTLINE, OUTLINE | {"shape": [1] * (MOST_AXES + 1)}],
        [OUTLINE, OUTLINE | {"line": -1}],
        [OUTLINE, OUTLINE | {"line": 5}],
        [OUTLINE, OUTLINE | {"holds": {"scan": 5}}],
    ],
)
def test_outlines_that_are_none_or_too_few_are_no_result(listed: list[dict[str, Any]]) -> None:
    attempt = outlined(*listed)
    assert (attempt.failure, attempt.traced.outlines) == (Status.ERROR, ())
