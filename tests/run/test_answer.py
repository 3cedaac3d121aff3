"""The answer's process: which function it takes from a text, how it calls the function, and what it keeps of each call.

Most answers here use NumPy alone, so that nothing is compiled.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from grader.jaxpr.lower import Together
from grader.locale.language import speaking
from grader.marking.advice import raised_from
from grader.run.answer import process, progress_notes, tracing
from grader.run.answer.process import CallOutcome, Unfit, load
from grader.run.judge.result_reader import read
from grader.run.protocol import Likely, Result, ReturnedValue, Task, TracedPrograms
from grader.values.codec import encode
from grader.values.outline import Outline

TEXT = """
import numpy as np

def helper(seed):
    return seed

def toy(seed, n=2):
    return np.arange(n) + seed

constant = 3
"""


def test_the_function_of_that_name_is_loaded_from_the_text() -> None:
    assert load(TEXT, "answer.py", "toy", ["seed", "n"])(1, 3).tolist() == [1, 2, 3]


def test_an_answer_can_find_its_own_module() -> None:
    function = load("import sys\n\ndef toy():\n    return sys.modules[__name__].toy", "answer.py", "toy", [])
    assert function() is function
    assert sys.modules["answer"].__file__ == "answer.py"


@pytest.mark.parametrize(
    ("text", "name", "parameters", "kind", "said"),
    [
        (TEXT, "other", "seed", "AttributeError", "there is no function 'other' in the file; it has helper, toy"),
        ("x = 1", "toy", "seed", "AttributeError", "there is no function 'toy' in the file"),
        (TEXT, "constant", "seed", "TypeError", "'constant' is not a function: its type is int"),
        (
            *(TEXT, "toy", "seed n rate", "TypeError"),
            "toy is called as toy(seed, n, rate), and cannot take that: too many positional arguments",
        ),
        (
            TEXT,
            "toy",
            "",
            "TypeError",
            "toy is called as toy(), and cannot take that: missing a required argument: 'seed'",
        ),
    ],
)
def test_a_text_without_a_usable_function_is_told_as_an_exception(
    text: str, name: str, parameters: str, kind: str, said: str
) -> None:
    with pytest.raises(Unfit) as unfit:
        load(text, "answer.py", name, parameters.split())
    raised = raised_from(unfit.value.described)
    assert (raised.kind, str(raised.message)) == (kind, said)


@pytest.mark.parametrize(("text", "error"), [("def toy(:", SyntaxError), ("raise SystemExit(3)", SystemExit)])
def test_what_a_text_raises_is_raised(text: str, error: type[BaseException]) -> None:
    with pytest.raises(error):
        load(text, "answer.py", "toy", ["seed"])


@pytest.mark.parametrize(
    ("text", "name", "parameters", "kind", "message"),
    [
        (TEXT, "other", "seed", "AttributeError", "there is no function 'other' in the file; it has helper, toy"),
        ("x = 1", "toy", "seed", "AttributeError", "there is no function 'toy' in the file"),
        (TEXT, "constant", "seed", "TypeError", "'constant' is not a function: its type is int"),
        (
            TEXT,
            "toy",
            "seed n rate",
            "TypeError",
            "toy is called as toy(seed, n, rate), and cannot take that: too many",
        ),
        (TEXT, "toy", "", "TypeError", "toy is called as toy(), and cannot take that: missing"),
    ],
)
def test_a_text_without_a_usable_function_is_told_in_facts_and_the_judge_has_the_words(
    text: str, name: str, parameters: str, kind: str, message: str
) -> None:
    task = Task(text.encode(), "answer.py", name, tuple(parameters.split()), ((0,),))
    outcome = process._answer(task)  # pyright: ignore[reportPrivateUsage]
    given = read(encode(Result(raised=outcome.raised)), 0, task).raised
    assert given is not None
    assert (given.kind, given.message, given.frames) == (kind, "", ())
    said = raised_from(given).message
    assert str(said).startswith(message)
    with speaking("es"):
        assert not str(said).startswith(message)


def test_a_function_without_a_signature_is_loaded() -> None:
    assert load("toy = iter", "answer.py", "toy", ["seed"]) is iter


CASES = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5))


def called(
    text: str,
    *,
    cases: Sequence[Sequence[int]] = CASES,
    contract: str = "",
    as_written: bool = False,
    programs: int = 0,
    parameters: Sequence[str] = ("seed", "n"),
) -> CallOutcome:
    """What the answer's process keeps of an answer `toy(seed, n)`."""
    task = Task(
        f"import numpy as np\nimport jax.numpy as jnp\n\n{text}".encode(),
        "answer.py",
        "toy",
        tuple(parameters),
        tuple(map(tuple, cases)),
        as_written=as_written,
        contract=contract,
        programs=programs,
    )
    return process._answer(task)  # pyright: ignore[reportPrivateUsage]


def lists(outcome: CallOutcome) -> list[Any]:
    return [None if one.array is None else one.array.tolist() for one in outcome.values]


@pytest.mark.parametrize("as_written", [False, True])
def test_each_case_is_called_with_its_own_arguments(as_written: bool) -> None:
    outcome = called("def toy(seed, n):\n    return np.full(n, seed)", as_written=as_written)
    assert lists(outcome) == [[0], [1, 1], [2, 2, 2], [3] * 4, [4] * 5]
    assert (outcome.raised, outcome.insights) == (None, [])


def test_an_answer_that_runs_as_written_is_called_twice_on_some_cases() -> None:
    outcome = called(
        "calls = []\n\ndef toy(seed, n):\n    calls.append(n)\n    return np.array(calls)", as_written=True
    )
    assert lists(outcome)[1] == [1, 2]
    again = outcome.again[1].array
    assert again is not None
    assert again.tolist() == [1, 2, 3, 4, 5, 2]
    assert set(outcome.again) < set(range(len(CASES)))


def test_an_answer_that_cannot_be_traced_runs_as_written_with_a_remark() -> None:
    outcome = called("def toy(seed, n):\n    return np.ones(n) * float(jnp.float32(n))", cases=CASES[:2])
    assert lists(outcome) == [[1.0], [2.0, 2.0]]
    assert [one.name for one in outcome.insights] == ["not-traceable"]


PRINTS = """
def toy(seed, n):
    x = jnp.int32(seed)
    print(x, file=open(1, "w", closefd=False))
    return x.reshape(1)
"""


def test_an_answer_that_prints_prints_numbers_and_nothing_in_its_second_calls(
    capfd: pytest.CaptureFixture[str],
) -> None:
    outcome = called(PRINTS)
    assert (len(outcome.again), outcome.compiled, outcome.insights) == (3, False, [])
    assert capfd.readouterr().out.split() == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("prints", "compiled"), [("jax.debug.print('{}', seed)", False), ("sys.stdout.write(f'{seed} ')", True)]
)
def test_an_answer_prints_once_in_each_case(
    prints: str, compiled: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with open(1, "w", closefd=False) as stream, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", stream)
        outcome = called(f"import jax, sys\ndef toy(seed, n):\n    {prints}\n    return jnp.ones(n)")
    assert (outcome.insights, outcome.compiled) == ([], compiled)
    assert capfd.readouterr().out.split() == ["0", "1", "2", "3", "4"]


def test_values_before_an_exception_are_kept_with_the_line_that_raises() -> None:
    outcome = called("def toy(seed, n):\n    if n == 3:\n        raise SystemExit('no')\n    return np.zeros(n)")
    assert lists(outcome) == [[0.0], [0.0, 0.0]]
    assert outcome.raised is not None
    assert (outcome.raised.kind, outcome.raised.message) == ("SystemExit", "no")
    assert [(one.line, one.text) for one in outcome.raised.frames] == [(6, "raise SystemExit('no')")]


@pytest.mark.parametrize("on", [False, True])
def test_64_bits_are_off_and_only_an_answer_that_turns_them_on_is_told(on: bool) -> None:
    jax.config.update("jax_enable_x64", True)  # as an environment may do it
    text = "import jax\njax.config.update('jax_enable_x64', True)\n" if on else ""
    outcome = called(f"{text}def toy(seed, n):\n    return jnp.arange(n) * 1.0")
    assert [given.kind for given in outcome.values] == ["float32"] * len(CASES)
    assert [one.name for one in outcome.insights] == ["x64"] * on


def test_a_form_feed_does_not_end_a_line() -> None:
    outcome = called("# a page\x0chere\ndef toy(seed, n):\n    raise ValueError('no')")
    assert outcome.raised is not None
    assert [(one.line, one.text) for one in outcome.raised.frames] == [(6, "raise ValueError('no')")]


def test_a_text_that_cannot_be_loaded_gives_the_exception_and_no_values() -> None:
    outcome = called("def toy(seed, n):\nreturn 1")
    assert outcome.values == []
    assert outcome.raised is not None
    assert outcome.raised.kind == "IndentationError"


@pytest.mark.parametrize(
    ("body", "checked"),
    [("return np.full(n, seed)", True), ("return None", False), ("return 1 / 0 if n > 1 else np.zeros(n)", False)],
)
def test_a_contract_is_checked_if_every_call_gives_an_array(body: str, checked: bool) -> None:
    contract = called(f"def toy(seed, n):\n    {body}", contract="vmap").contract
    assert bool(contract.broken or contract.values) is checked


LONG = """
import jax
import jax.numpy as jnp
from grader.run.answer.tracing import SMALL_PROGRAM
at = []

def toy(seed, n):
    x = jnp.zeros(n)
    at.append(isinstance(x + seed, jax.core.Tracer))
    for _ in range(SMALL_PROGRAM + 1):
        x = x + seed
    return x
"""


@pytest.mark.slow
def test_a_long_trace_is_made_once_before_its_operations_run_one_by_one() -> None:
    outcome = called(LONG, cases=CASES[:2], programs=2)
    assert (len(outcome.traces), outcome.compiled) == (2, False)
    at = sys.modules["answer"].__dict__["at"]
    assert at == [True, True, False, False, False], "each is traced once, then called, then one is called again"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[TracedPrograms]:
    """The programs that an answer's process sends."""
    programs: list[TracedPrograms] = []
    monkeypatch.setattr(progress_notes, "send_programs", programs.append)
    return programs


def served(
    text: str, *, cases: Sequence[Sequence[float]] = CASES[:1], parameters: str = "seed n", **asked: Any
) -> None:
    source = f"import jax.numpy as jnp\n\n{text}".encode()
    task = Task(source, "answer.py", "toy", tuple(parameters.split()), tuple(map(tuple, cases)), **asked)
    process._serve(jax.devices("cpu")[0], task)  # pyright: ignore[reportPrivateUsage]


TO_ZEROS = "def toy(seed, n):\n    return jnp.zeros(n) + seed"


@pytest.mark.parametrize("as_written", [False, True])
def test_programs_are_sent_once(as_written: bool, sent: list[TracedPrograms]) -> None:
    served(TO_ZEROS, programs=1, as_written=as_written)
    assert [(one.dtypes, one.derivatives) for one in sent] == [(("float32",), None)]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (TO_ZEROS, 0),
        ("def toy(seed, n):\n    return 'one'", 1),
        ("def toy(seed, n):\n    raise ValueError", 1),
        ("def toy(seed, n):\n    return jnp.zeros(int(jnp.sum(jnp.ones(n))))", 1),
    ],
)
def test_no_programs_are_sent_where_none_are_asked_for_or_the_answer_has_none(
    text: str, asked: int, sent: list[TracedPrograms]
) -> None:
    served(text, programs=asked)
    assert sent == []


@pytest.mark.parametrize("as_written", [False, True])
def test_where_a_derivative_is_asked_for_both_programs_are_sent(as_written: bool, sent: list[TracedPrograms]) -> None:
    text = "def toy(scale):\n    return jnp.ones(3) * scale"
    asked: dict[str, Any] = {"contract": "grad", "programs": 2, "as_written": as_written}
    served(text, cases=[(0.5,), (1.5,)], parameters="scale", **asked)
    assert [one.derivatives is not None for one in sent] == [True]


def test_programs_are_sent_before_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    did: list[str] = []
    monkeypatch.setattr(progress_notes, "send_programs", lambda _: did.append("sent"))
    monkeypatch.setattr(Together, "run", lambda *_: did.append("run") or [jnp.zeros(1)])
    served(TO_ZEROS, programs=1)
    assert did == ["sent", "run"]


def test_an_array_that_cannot_be_sent_is_an_exception_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    strange = ReturnedValue("float8_e4m3fn", np.zeros(2, ml_dtypes.float8_e4m3fn))
    monkeypatch.setattr(process, "_answer", lambda task: CallOutcome([strange], outlines=[Outline()]))
    task = Task(b"", "answer.py", "toy", ("seed",), ((0,),), outlined=True)
    given = read(process._serve(jax.devices("cpu")[0], task), 0, task)  # pyright: ignore[reportPrivateUsage]
    assert (given.failure, given.answered) == (None, [])
    assert given.raised is not None
    assert given.raised.message == "an array of dtype float8_e4m3fn cannot be sent"


def test_half_a_character_is_sent_as_an_escape() -> None:
    raised = called("def toy(seed, n):\n    raise ValueError('half: \\ud83d')").raised
    assert raised is not None
    assert raised.message == r"half: \ud83d"
    task = Task(b"", "answer.py", "toy", ("seed", "n"), tuple(CASES))
    assert read(encode(Result(raised=raised)), 0, task).raised == raised


@pytest.mark.parametrize("name", ["process", "contracts", "exceptions", "output_streams", "tracing"])
def test_the_process_of_an_answer_sends_facts_in_no_language(name: str) -> None:
    text = (Path(process.__file__).with_name(f"{name}.py")).read_text(encoding="utf-8")
    assert "gettext" not in text
    assert not re.search(r"grader\.locale|import .*\bmessage\b", text)


STUB = "import jax\nimport jax.numpy as jnp\n\ndef toy(seed, n):\n    x = jnp.where(jnp.arange(n) > 1, 1.0, 2.0)\n"


def did(end: str) -> None:
    stub = Task(f"{STUB}    {end}\n".encode(), "<stub>", "toy", ("seed", "n"), CASES[:2])
    process._do(Likely(("uniform",), stub))  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("end", ["raise NotImplementedError", "raise SystemExit", "return x", "import nothing_there"])
def test_what_a_stub_does_before_the_answer_is_there_leaves_nothing(
    end: str, capfd: pytest.CaptureFixture[str]
) -> None:
    did(end)
    assert capfd.readouterr() == ("", "")
    assert "answer" not in sys.modules


def test_no_place_of_an_answer_is_a_line_of_the_stub() -> None:
    did("raise NotImplementedError")
    text = "import jax.numpy as jnp\n\n\n\n\n\ndef toy(seed, n):\n    return jnp.where(jnp.arange(n) > 1, 1.0, 2.0)\n"
    function = load(text, "answer.py", "toy", ["seed", "n"])
    (program,) = tracing.encoded([tracing.trace(function, CASES[1])], "answer.py") or ()
    assert {place.line for place in program.places} == {8}
