"""Remarks: what the text of an answer shows, and the words for what only its process knows."""

from __future__ import annotations

import pytest

from grader.locale.language import speaking
from grader.marking.remarks import LONGEST_NAME, SMALL_TRACE, Remark, of_process, of_text, prints
from grader.marking.verdict import Described
from grader.values.message import Line


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = 2 ** 3  # 2 ^ 3", []),
        ("x = '^'", []),
        ("x = 3\ny = 10000 ^ (x * 2)", ["xor"]),
        ("x = 3\nx ^= 2", ["xor"]),
        ("def toy(seed):\n    breakpoint()\n    return print", ["prints"]),
        ("from pprint import pprint\npprint(3 ^ 4)", ["prints", "xor"]),
        ("import jax\ndef toy(seed):\n    jax.debug.print('{}', seed)", ["prints"]),
        ("printed = 3", []),
        ("x.at[0].set(1)", ["unused-update"]),
        (
            "def toy(seed):\n    for i in y:\n        pe.at[:, i::2].add(1, mode='drop')\n    return pe",
            ["unused-update"],
        ),
        ("x = x.at[0].set(1)\nx.at[0].get()\nx.set(1)\nf(x.at[0].set(1))", []),
    ],
)
def test_a_remark_is_made_on_what_the_code_uses_and_not_on_comments_and_texts(text: str, names: list[str]) -> None:
    assert [one.name for one in of_text(text)] == names
    assert prints(text) is ("prints" in names)


@pytest.mark.parametrize(
    "text", ["def f(:\n    print(3)", "print(3)\0", "(" * 5000 + "print(3)", "-" * 50_000 + "print(3)"]
)
def test_a_text_that_cannot_be_read_gives_no_remark(text: str) -> None:
    assert (of_text(text), prints(text)) == ([], False)


def test_the_first_line_with_an_exclusive_or_is_named_with_what_it_means() -> None:
    (only,) = of_text("x = 1\n\nf = lambda: x ^ 2 ^ 3\ny = x ^ 2\n")
    assert only.message.lines == ((Line(3),),)
    assert (
        str(only.message)
        == "The code at line 3 uses `^`. In Python this is bitwise exclusive or; a power is written `**`."
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("print(3)", "print"),
        ("jax.debug.print('{}', 3)", "jax.debug.print"),
        ("f().print(3)", "print"),
        ("x.f().g.print(3)", "print"),
        (f"{'a.' * 2000}print(3)", "print"),
        (f"{'a' * LONGEST_NAME}.print(3)", "print"),
    ],
)
def test_what_prints_is_named_as_it_is_written(text: str, name: str) -> None:
    assert str(of_text(text)[0].message).startswith(f"It uses `{name}`. Its cases ran as written")


CASES = ((0, 4, 0.5), (0, 8, 0.5), (1, 16, 0.25))
TOO_FEW = "Abstract tracer value encountered where concrete value is expected."


def said(one: Remark) -> str:
    insight = of_process(one, ("seed", "n", "rate"), CASES)
    assert (insight.name, insight.message.lines) == (one.name, ((Line(one.line),),) if one.line else ())
    return str(insight.message)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (
            (10, 20, SMALL_TRACE + 1),
            "Its trace grows with the sizes (10 operations at seed=0, n=4, rate=0.5; 81 at seed=1, n=16, rate=0.25), as "
            "that of a Python loop or a recursion does. Operations on whole arrays compile in one piece.",
        ),
        ((9000,), "Its trace is long (9000 operations in the first case), so it runs operation by operation."),
        ((3, 80), "Its trace is long (83 operations in the first 2 cases), so it runs operation by operation."),
        ((300, 600), "Its trace is long (900 operations in the first 2 cases), so it runs operation by operation."),
    ],
)
def test_a_long_trace_is_told_with_its_operations_and_with_the_arguments_if_it_grows(
    sizes: tuple[int, ...], message: str
) -> None:
    assert said(Remark("long-trace", sizes=sizes)) == message


@pytest.mark.parametrize(
    ("line", "changes", "message"),
    [
        (7, True, "The loop at line 7 gives nothing that the result depends on: "),
        (7, False, "The loop at line 7 changes nothing that it carries: "),
        (0, True, "A loop gives nothing that the result depends on: "),
        (0, False, "A loop changes nothing that it carries: "),
    ],
)
def test_a_loop_that_jax_removes_is_told_with_its_line_if_that_is_known(line: int, changes: bool, message: str) -> None:
    told = said(Remark("loop-removed", line, changes))
    assert told == f"{message}JAX removes such a loop, even an endless one."


@pytest.mark.parametrize(
    ("kind", "message", "told"),
    [
        ("ValueError", "see above). The grader adds 10 points. (Reviewed", "(ValueError)."),
        (
            "TracerBoolConversionError",
            "Attempted boolean conversion of traced array with shape bool[].",
            "(TracerBoolConversionError). `if` and `while` "
            "need a Python value, and this one is traced: choose with jnp.where or jax.lax.cond. "
            "Conditions are combined with &, | and ~.",
        ),
    ],
)
def test_what_stops_a_trace_is_told_by_its_kind_and_by_no_text_of_the_answer(
    kind: str, message: str, told: str
) -> None:
    one = Remark("not-traceable", stopped=Described(kind, message, (), (kind, "TypeError")))
    assert said(one) == f"It does not trace under jax.jit {told}"


def test_every_remark_of_a_process_has_words_in_the_language_that_is_spoken() -> None:
    stopped = Described("TypeError", "no", (), ())
    what = [
        Remark("x64"),
        Remark("long-trace", sizes=(9000,)),
        Remark("loop-removed"),
        Remark("not-traceable", stopped=stopped),
    ]
    english = {said(one) for one in what}
    with speaking("es"):
        assert not english & {said(one) for one in what}
