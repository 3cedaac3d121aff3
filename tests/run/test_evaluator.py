"""The evaluator of an answer's programs: what it gives of right data; bad data is no program, and never a fault."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES
from grader.marking.draws import same_draws
from grader.marking.facts import Truth
from grader.oracle.expect import drawn as drawn_by
from grader.program import operations
from grader.run import evaluator
from grader.run.answer.tracing import packed, trace, traced
from grader.run.child import Child, start_thread
from grader.run.judge.evaluator_client import LARGEST_PROGRAMS, EvaluatorClient
from grader.values import frames
from grader.values.arrays import Array, Expected
from grader.values.outline import Reused
from tests.conftest import clean_environment
from tests.jaxpr.evaluating import as_reference
from tests.marking.evidence import evidence_of
from tests.program.attacks import ATTACKS, SCALAR, equation, loop, program

FILE = "answer.py"
TEXT = """
import jax.numpy as jnp
def toy(n):
    x = jnp.arange(float(n)) + 1.0
    small = (x + 1e6) - 1e6
    return small * 1.4142135
"""
ROUNDED = """
import jax.numpy as jnp
def toy(n):
    x = jnp.arange(float(n)) + 0.1
    late = (x > 1).astype(jnp.bfloat16)
    near = x.astype(jnp.float16).astype(jnp.float32)
    far = (3 * x).astype(jnp.bfloat16)
    return near + (far * late).astype(jnp.float32)
"""


RIGHT = [[1.4142135, 2.828427], [1.4142135, 2.828427, 4.2426405]]


def programs(text: str = TEXT) -> bytes:
    scope: dict[str, Any] = {}
    exec(compile(text, FILE, "exec"), scope)
    blob = packed([trace(scope["toy"], (n,)) for n in (2, 3)], FILE)
    assert blob is not None
    return blob


@contextlib.contextmanager
def evaluating(
    blob: bytes, sizes: Sequence[int] = (2, 3), numbers: Sequence[Mapping[str, Array]] = ()
) -> Generator[EvaluatorClient]:
    """The evaluator's own code, in a thread on two pipes. Each case has as many values as `sizes` says.

    `numbers` are what the reference draws in each case; nothing without them.
    """
    requests, request = os.pipe()
    result, results = os.pipe()
    child = Child(-1, request, lambda: child.ended.set(), result)

    def serve() -> None:
        try:
            evaluator.serve(requests, results)
        finally:
            child.status = 0
            os.close(results)
            child.ended.set()

    thread = start_thread(serve)
    client = EvaluatorClient(lambda: child, blob, numbers or [{}] * len(sizes), sizes, False)
    try:
        with mock.patch("grader.run.child.SECONDS_FOR_A_QUICK_STEP", 0.1):  # a reply that is none ends no thread
            yield client
    finally:
        os.close(child.request)
        child.request = os.open(os.devnull, os.O_RDONLY)
        thread.join(10)
        client.close()
        os.close(requests)


def test_the_values_are_those_of_float64_and_noise_is_asked_for_by_name() -> None:
    with evaluating(programs()) as client:
        values = client.values()
        assert values is not None
        assert [one.tolist() for one in values] == RIGHT
        constants, rounding = client.constants(), client.rounding()
        assert constants is not None
        assert rounding is not None
        assert 1e-8 < constants[0].max() < 1e-6
        assert 1e-2 < rounding[0].max() < 1.0
        assert client.worst_line(1, 2) == 5


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"GRD1\xff\xff\xff\xff",
        frames.encode({}, []),
        frames.encode({}, [np.zeros(3, np.float32)]),
        frames.encode({}, [np.frombuffer(b"[1, 2]", np.uint8)]),
        frames.encode({}, [np.frombuffer(json.dumps([]).encode(), np.uint8)]),
    ],
)
def test_bytes_that_hold_no_programs_give_none(blob: bytes) -> None:
    with evaluating(blob) as client:
        assert client.values() is None
        assert client.constants() is None
        assert client.worst_line(0, 0) == 0


def test_an_answer_that_computes_with_numpy_or_does_not_trace_has_no_programs() -> None:
    assert packed([trace(lambda: np.zeros(3), ())], FILE) is None
    assert traced(lambda n: 1 / 0, [(1,)]) == []
    assert len(traced(lambda n: jnp.zeros(n), [(1,), (2,)])) == 2


def test_a_draw_of_uniform_numbers_below_one_needs_no_table() -> None:
    def exact(draw: Any) -> Array:
        blob = packed([trace(draw, (3,))], FILE)
        assert blob is not None
        with evaluating(blob, (3,)) as client:
            values = client.values()
        return np.zeros(0) if values is None else values[0]

    key = jax.random.key(7)
    assert exact(lambda n: jax.random.uniform(key, (n,))).tolist() == jax.random.uniform(key, (3,)).tolist()
    assert (
        exact(lambda n: jax.random.bernoulli(key, 0.3, (n,)) * 1.0).tolist()
        == jax.random.bernoulli(key, 0.3, 3).tolist()
    )
    assert not exact(lambda n: jax.random.uniform(key, (n,), minval=-0.3)).size


def test_draws_count_only_if_the_value_depends_on_them_and_they_are_no_part_of_a_draw_that_is_known() -> None:
    key = jax.random.key(7)

    def reference(n: int) -> jax.Array:
        return jax.random.categorical(key, jnp.zeros((n, 5))) * 1.0

    def with_others(n: int) -> jax.Array:
        unused = 2.0 * jax.random.normal(jax.random.key(8), (n,))
        return jnp.where(True, reference(n), reference(n)) + (0.0 * unused).shape[0] - n

    def of_none_of_others(n: int) -> jax.Array:
        return reference(n) + 0.0 * jax.random.normal(jax.random.key(8), (n,))

    def of_others(n: int) -> jax.Array:
        return reference(n) + 1e-3 * jax.random.normal(jax.random.key(8), (n,))

    known = drawn_by(as_reference(trace(reference, (6,)).program))[1]
    answers = (reference, True), (with_others, True), (of_none_of_others, True), (of_others, False)
    for answer, is_known in answers:
        blob = packed([trace(answer, (6,))], FILE)
        assert blob is not None
        with evaluating(blob, (6,), [known]) as client:
            values = client.values()
        assert (values is not None) == is_known
        assert values is None or values[0].tolist() == reference(6).tolist()


def test_the_draws_of_a_program_are_those_of_its_trace() -> None:
    def toy(seed: int) -> Any:
        first, second = jax.random.split(jax.random.key(seed))
        drawn = jax.random.randint(first, (3,), 0, 9) + jax.random.bits(second, (3,), "uint8")
        keys = jax.random.split(second, 2)
        more = jax.vmap(lambda key: jax.random.uniform(key, (2,)))(keys).sum()
        return drawn + more + jax.lax.fori_loop(0, 2, lambda i, x: x + jax.random.randint(keys[i], (), 0, 9), 0)

    due = drawn_by(as_reference(trace(toy, (5,)).program))[0]
    blob = packed([trace(toy, (5,))], FILE)
    assert blob is not None
    with evaluating(blob, (3,)) as client:
        assert same_draws(client.draws(0), due)
        assert len(due) == 6


def test_the_draws_that_the_value_does_not_depend_on_are_none_of_the_answer_s() -> None:
    def toy(seed: int) -> Any:
        first, second = jax.random.split(jax.random.key(seed))
        jax.random.normal(second, (4,))
        return jax.random.normal(first, (3,))

    blob = packed([trace(toy, (5,))], __file__)
    assert blob is not None
    with evaluating(blob, (3,)) as client:
        ((draw),) = client.draws(0)
        assert (draw.count, draw.line) == (3, toy.__code__.co_firstlineno + 3)
        assert client.values() is None, "nobody knows what the reference draws from this key"


def key_of(seed: int) -> Any:
    return jax.random.key(seed)


def splits(seed: int) -> Any:
    a, b = jax.random.split(key_of(seed))
    return jax.random.normal(a) + jax.random.normal(b)


def draws_twice(seed: int) -> Any:
    key = key_of(seed)
    first = jax.random.normal(key, (3,))
    return first + jax.random.uniform(key, (3,))


def draws_in_a_loop(seed: int) -> Any:
    key = key_of(seed)
    return jax.lax.fori_loop(0, 3, lambda i, x: x + jax.random.normal(key), 0.0)


def makes_a_key_again(seed: int) -> Any:
    return jax.random.normal(key_of(seed)) + jax.random.normal(key_of(seed))


def folds_in(seed: int) -> Any:
    return sum(jax.random.normal(jax.random.fold_in(key_of(seed), i)) for i in range(2))


def maps_keys(seed: int) -> Any:
    return jax.vmap(jax.random.normal)(jax.random.split(key_of(seed), 3))


def reused(answer: Callable[[int], Any], file: str = __file__) -> Sequence[Reused | None] | None:
    """How an answer uses a key more than once, by its program on one case."""
    blob = packed([trace(answer, (3,))], file)
    assert blob is not None
    with evaluating(blob, (1,)) as client:
        return client.reused()


@pytest.mark.parametrize(
    ("answer", "times", "lines"),
    [(draws_twice, 2, [2, 3]), (draws_in_a_loop, 3, [2]), (makes_a_key_again, 2, [1])],
)
def test_a_key_that_is_used_twice_is_found_with_its_lines(
    answer: Callable[[int], Any], times: int, lines: list[int]
) -> None:
    (found,) = reused(answer) or ()
    assert found is not None
    assert found.times == times
    assert sorted(set(found.lines)) == [answer.__code__.co_firstlineno + after for after in lines]
    assert reused(answer, "elsewhere.py") == (Reused(times, ()),), "lines of other files are left out"


@pytest.mark.parametrize("answer", [splits, folds_in, maps_keys])
def test_keys_that_are_used_once_are_not_told(answer: Callable[[int], Any]) -> None:
    assert reused(answer) == (None,)


def test_of_what_cannot_be_evaluated_no_key_is_known() -> None:
    with evaluating(bytes(3), (1,)) as client:
        assert (client.reused(), client.draws(0), client.outlines()) == (None, (), None)


def test_a_trace_that_the_encoder_does_not_know_is_no_program_and_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a parameter of a newer JAX")

    monkeypatch.setattr("grader.jaxpr.encode.Encoder.program", broken)
    assert packed([trace(lambda: jnp.zeros(3), ())], FILE) is None


DUE = Truth([Expected(np.arange(8.0) + 1, 1e-6)], [(8,)], ["float32"], [{}], uncertain=[np.zeros(8)])
SECONDS, BYTES = 3.0, 400 << 20
"""Processor time and memory that an attack may take. Measuring its memory makes it some times slower."""


def bytes_of(text: bytes, arrays: Sequence[Array] = ()) -> bytes:
    return frames.encode({}, [np.frombuffer(text, np.uint8), *arrays])


def passes(values: Array, client: EvaluatorClient | None) -> bool:
    """Whether values pass, with programs beside them or alone."""
    return (
        evidence_of(DUE, [values.astype(np.float32)], programs=client, band=MOST_TOLERANCES_OF_VALUES).judged[0].passed
    )


@pytest.mark.few(18)
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_soon_with_little_memory_and_makes_no_verdict_better(name: str) -> None:
    blob = bytes_of(*ATTACKS[name]())
    tracemalloc.start()
    started = time.process_time()
    try:
        with evaluating(blob, (8,)) as client:
            for off in (4e-6, 1e-3, np.nan):
                values = DUE.expected[0].values + off
                assert not passes(values, None)
                assert not passes(values, client)
            client.rounding()
            assert 0 <= client.worst_line(0, 0) < 2**31
        assert time.process_time() - started < SECONDS
        assert tracemalloc.get_traced_memory()[1] < BYTES
    finally:
        tracemalloc.stop()
    with evaluating(programs()) as neighbour:
        assert [one.tolist() for one in neighbour.values() or ()] == RIGHT


def test_the_right_program_beside_other_values_gains_the_wide_band_and_no_more() -> None:
    due = DUE.expected[0].values
    with evaluating(bytes_of(program(constants=[[0, 0]]), [due.astype(np.float32)]), (8,)) as client:
        assert passes(due + 15e-6, client)
        assert not passes(due + 17e-6, client)
        assert not passes(due + 1e-3, client)


def test_noise_that_makes_a_loop_endless_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "LONGEST_LOOP", 50)
    number = ["float32", 1.4142135]
    product = equation("mul", {}, [number, ["float32", 2.0]], [0])
    total = equation("add", {}, [number, number], [1])
    until_equal = [[0, 1], [], [equation("ne", {}, [0, 1], [2], [["bool", []]])], [2]]
    waiting = loop(until_equal, [[0, 1], [], [], [0, 1]], [0, 1], [SCALAR, SCALAR])
    with evaluating(bytes_of(program(product, total, waiting, outputs=[9])), (1,)) as client:
        assert client.values() is not None
        assert client.constants() is not None
        assert client.rounding() is None
        assert client.worst_line(0, 0) == 0


def test_the_judge_holds_no_more_values_than_are_due_and_passes_on_no_more_bytes_than_programs_have() -> None:
    many = program(constants=[[0, 0]])
    with evaluating(bytes_of(many, [np.zeros(9)]), (8,)) as client:
        assert client.values() is None
    with evaluating(programs() + bytes(LARGEST_PROGRAMS)) as client:
        assert client.values() is None
    assert len(programs()) < LARGEST_PROGRAMS


def test_of_rounding_to_16_bits_the_first_line_that_costs_much_is_told_with_the_values_without_it() -> None:
    with evaluating(programs(ROUNDED)) as client:
        values, wide = client.values(), client.widened(1)
    assert values is not None
    assert wide is not None
    assert (wide.line, wide.dtype) == (7, "bfloat16")
    np.testing.assert_allclose(wide.values()[1], [0.1, 1.1 + 3.3, 2.1 + 6.3], rtol=1e-12)
    assert 1e-3 < np.abs(values[1] - wide.values()[1]).max() < 0.05
    with evaluating(programs()) as client:
        assert client.widened(1) is None


LIMITED = """
import resource, sys
from grader.run import evaluator

evaluator.LINUX = {linux}
evaluator._limit()
print(*(resource.getrlimit(name)[0] for name in (resource.RLIMIT_CPU, resource.RLIMIT_CORE, resource.RLIMIT_AS)))
"""


@pytest.mark.parametrize("linux", [True, False])
def test_its_time_is_bounded_on_every_system_and_its_memory_on_linux(linux: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED.format(linux=linux)], capture_output=True, text=True, env=clean_environment()
    )
    time, core, memory = map(int, done.stdout.split())
    assert (time, core) == (evaluator.SECONDS_OF_PROCESSOR, 0)
    assert (memory > 0) is (linux and sys.platform == "linux")
