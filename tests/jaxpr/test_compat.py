"""The facts about JAX that its documentation does not promise: a version that changes one of them fails here first."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random
from jax.extend import core
from jax.extend.core import primitives

from grader.author.mutation import OTHERS
from grader.jaxpr import compat
from grader.kit.problem_error import ProblemError
from grader.program import devices
from grader.program.operations import EXACT, RULES, SUMS
from tests.conftest import ROOT

X = np.array([1.0, 2.0, 3.0], np.float32)


def eqns(program: Callable[..., Any], *inputs: Any) -> list[Any]:
    return list(jax.make_jaxpr(program)(*inputs).eqns)


def one(name: str, program: Callable[..., Any], *inputs: Any) -> Any:
    """The only equation with this name."""
    (eqn,) = [eqn for eqn in eqns(program, *inputs) if eqn.primitive.name == name]
    return eqn


class Altered:
    """An equation with other parameters, inputs or outputs, as a future version of JAX might write it."""

    def __init__(self, eqn: Any, *, without: str = "", **changed: Any) -> None:
        self.primitive, self.source_info = eqn.primitive, eqn.source_info
        params = {name: value for name, value in eqn.params.items() if name != without}
        self.params: dict[str, Any] = {**params, **changed.pop("params", {})}
        self.invars = changed.pop("invars", eqn.invars)
        self.outvars = changed.pop("outvars", eqn.outvars)
        assert not changed


SCANS: dict[str, tuple[Callable[..., Any], tuple[int, int, int, bool]]] = {
    "constants, a carry, a sequence and stacked outputs": (
        lambda x: lax.scan(lambda c, one: (c + x[0] * one, (c, one)), 0.0, x),
        (1, 1, 3, False),
    ),
    "no sequence": (lambda x: lax.scan(lambda c, _: (c * x, None), x, None, length=4), (1, 1, 4, False)),
    "no carry": (lambda x: lax.map(lambda one: one * 2, x), (0, 0, 3, False)),
    "no round": (lambda x: lax.scan(lambda c, one: (c + one, c), 0.0, x[:0]), (0, 1, 0, False)),
    "in reverse": (lambda x: lax.scan(lambda c, one: (c + one, c), 0.0, x, reverse=True), (0, 1, 3, True)),
    "a sequence of matrices, a carried matrix": (
        lambda x: lax.scan(lambda c, one: (c @ one, c), jnp.eye(3), jnp.stack([x[:, None] * x] * 5)),
        (0, 1, 5, False),
    ),
    "keys": (
        lambda x: lax.scan(lambda c, key: (c * 2, random.normal(key, (2,))), x, random.split(random.key(0), 6)),
        (0, 1, 6, False),
    ),
    "a counted loop": (lambda x: lax.fori_loop(0, 7, lambda i, c: c + x * i, x), (1, 2, 7, False)),
}


@pytest.mark.parametrize("title", SCANS)
def test_a_scan_is_read_from_its_shapes(title: str) -> None:
    program, due = SCANS[title]
    scan = compat.scan(one("scan", program, X))
    assert (scan.constants, scan.carried, scan.length, scan.reverse) == due


def test_the_derivative_of_a_scan_keeps_the_order_of_its_inputs() -> None:
    def loss(x: Any) -> Any:
        return lax.scan(lambda c, one: (c * one + x[0], c), 1.0, x)[1].sum()

    scans = [e for e in eqns(jax.grad(loss), X) if e.primitive.name == "scan"]
    assert len(scans) == 2
    assert all(compat.scan(scan).length == 3 for scan in scans)


def test_a_while_loop_is_read_from_its_shapes() -> None:
    loop = compat.while_loop(
        one("while", lambda x: lax.while_loop(lambda s: s[0] < x[0], lambda s: (s[0] + x[1], s[1] * x[2]), (0.0, x)), X)
    )
    assert (loop.condition_constants, loop.body_constants) == (1, 1)


def test_a_cond_holds_its_branches_in_order() -> None:
    listed = compat.branches(one("cond", lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), X))
    names = [[e.primitive.name for e in compat.open_program(one)[0].eqns] for one in listed]
    assert names == [["cos"], ["sin"]]


@jax.custom_vjp
def with_vjp(x: Any) -> Any:
    return jnp.sin(x)


with_vjp.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (g * x,))


@jax.custom_jvp
def with_jvp(x: Any) -> Any:
    return jnp.sin(x)


with_jvp.defjvp(lambda primals, tangents: (jnp.sin(primals[0]), tangents[0]))


@jax.custom_batching.custom_vmap
def with_vmap(x: Any) -> Any:
    return jnp.sin(x)


with_vmap.def_vmap(lambda size, batched, x: (jnp.sin(x), batched[0]))


CALLS: dict[str, Callable[..., Any]] = {
    "jit": jax.jit(jnp.sin),
    "checkpoint": jax.checkpoint(jnp.sin),
    "custom_vjp": with_vjp,
    "custom_jvp": with_jvp,
    "custom_vmap": with_vmap,
}


@pytest.mark.parametrize("title", CALLS)
def test_a_call_holds_the_program_that_it_calls(title: str) -> None:
    calls = [eqn for eqn in eqns(CALLS[title], X) if compat.is_call(eqn)]
    jaxpr, _ = compat.open_program(compat.called_program(calls[0]))
    while compat.is_call(jaxpr.eqns[0]):
        jaxpr, _ = compat.open_program(compat.called_program(jaxpr.eqns[0]))
    assert [eqn.primitive.name for eqn in jaxpr.eqns] == ["sin"]


def test_operations_that_hold_a_program_but_do_not_call_it_are_not_calls() -> None:
    def scattered(x: Any) -> Any:
        return x.at[jnp.array([0, 0])].add(x[:2])

    (eqn,) = [e for e in eqns(scattered, X) if e.primitive.name.startswith("scatter")]
    assert not compat.is_call(eqn)
    assert not compat.is_call(one("scan", SCANS["no carry"][0], X))


def test_what_prints_shows_values_and_computes_none() -> None:
    def prints(x: Any) -> Any:
        jax.debug.print("{}", x)
        jax.debug.callback(print, x)
        return x * 2

    assert [compat.only_shows(eqn) for eqn in eqns(prints, X)] == [True, True, False]


def test_a_search_is_a_call_or_holds_none() -> None:
    """JAX 0.12 keeps it as one operation of a kind of its own, which is expanded."""

    def names(jaxpr: Any) -> set[str]:
        called = (
            names(compat.open_program(compat.called_program(eqn))[0]) for eqn in jaxpr.eqns if compat.is_call(eqn)
        )
        return {eqn.primitive.name for eqn in jaxpr.eqns}.union(*called)

    assert "scan" in names(jax.make_jaxpr(lambda x: jnp.searchsorted(x, x))(X.ravel()).jaxpr)


def test_constants_of_an_inner_program_are_found() -> None:
    held = jnp.arange(3.0)
    closed = jax.make_jaxpr(lambda x: x + held)(X)
    jaxpr, consts = compat.open_program(closed)
    assert len(jaxpr.constvars) == len(consts)
    assert all(np.array_equal(const, held) for const in consts)
    bare, none = compat.open_program(jaxpr if not hasattr(jaxpr, "jaxpr") else jaxpr.replace(constvars=[], invars=[]))
    assert (list(bare.eqns), list(none)) == (list(jaxpr.eqns), [])


@pytest.mark.parametrize(
    ("name", "program", "due"),
    [
        ("jit", jax.jit(jnp.sin), ["jaxpr"]),
        ("scan", SCANS["no carry"][0], ["jaxpr"]),
        ("while", lambda x: lax.while_loop(lambda s: s < 3, lambda s: s + 1, x[0]), ["body_jaxpr", "cond_jaxpr"]),
        ("cond", lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), ["branches", "branches"]),
        ("sin", jnp.sin, []),
    ],
)
def test_the_inner_programs_of_an_equation_are_listed(name: str, program: Callable[..., Any], due: list[str]) -> None:
    listed = list(compat.inner_programs(one(name, program, X)))
    assert sorted(parameter for parameter, _ in listed) == due
    assert all(compat.open_program(inner)[0].eqns for _, inner in listed)


SAMPLERS: dict[str, Callable[[Any], Any]] = {
    "normal": lambda key: random.normal(key, (3,)),
    "uniform": lambda key: random.uniform(key, (3,)),
    "randint": lambda key: random.randint(key, (3,), 0, 9),
    "bernoulli": lambda key: random.bernoulli(key, 0.5, (3,)),
    "truncated_normal": lambda key: random.truncated_normal(key, -1, 1, (3,)),
    "gumbel": lambda key: random.gumbel(key, (3,)),
    "exponential": lambda key: random.exponential(key, (3,)),
    "gamma": lambda key: random.gamma(key, 2.0, (3,)),
    "shuffle": lambda key: random.permutation(key, 5),
}


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_sampler_is_known_by_its_name(name: str) -> None:
    calls = [eqn for eqn in eqns(SAMPLERS[name], random.key(0)) if compat.is_call(eqn)]
    assert [compat.sampler(eqn) for eqn in calls] == [name]


def normal_in_two_halves(key: Any) -> Any:
    return jax.scipy.special.erfinv(random.uniform(key, (3,), minval=-0.9)) * 2**0.5


def test_a_uniform_draw_that_becomes_a_normal_one_is_its_first_half() -> None:
    def halves(program: Callable[..., Any]) -> tuple[list[str], list[str]]:
        jaxpr = jax.make_jaxpr(program)(random.key(0)).jaxpr
        first = [compat.sampler(eqn) for eqn in jaxpr.eqns if compat.begins_normal(eqn, jaxpr)]
        return first, [eqn.primitive.name for eqn in jaxpr.eqns if compat.ends_normal(eqn, jaxpr)]

    assert halves(normal_in_two_halves) == (["uniform"], ["erf_inv"])
    others = {
        "read twice": lambda key: (u := random.uniform(key)) + lax.erf_inv(u),
        "given back": lambda key: ((u := random.uniform(key)), lax.erf_inv(u)),
        "uniform": lambda key: random.uniform(key) * 2,
        "normal": random.normal,
        "erf_inv of something else": lambda key: lax.erf_inv(random.uniform(key) / 2),
    }
    assert {title: halves(program) for title, program in others.items()} == dict.fromkeys(others, ([], []))


def test_a_call_of_another_function_is_not_a_sampler() -> None:
    @jax.jit
    def shifted(key: Any) -> Any:
        return random.normal(key) + 0.1

    @jax.jit
    def normal(x: Any) -> Any:
        return x + 1

    assert compat.sampler(one("jit", shifted, random.key(0))) == ""
    assert compat.sampler(one("jit", normal, X)) == ""


def test_numbers_of_a_threefry_key_depend_on_their_index_alone() -> None:
    key = random.key(3)
    assert compat.draws_by_index(jax.typeof(key))
    assert np.array_equal(random.bits(key, (5,)), random.bits(key, (40,))[:5])
    assert not compat.draws_by_index(jax.typeof(random.key(3, impl="rbg")))


def test_an_equation_knows_the_line_that_made_it() -> None:
    def program(x: Any) -> Any:
        return jnp.sin(x)

    line = program.__code__.co_firstlineno + 1
    assert compat.line_of(one("sin", program, X), __file__) == line
    assert compat.line_of(one("sin", program, X), "elsewhere.py") == 0


def test_an_equation_knows_the_expression_that_made_it() -> None:
    def program(x: Any) -> Any:
        return 1 + jnp.sin(
            x,
        )

    line = program.__code__.co_firstlineno + 1
    assert compat.position_of(one("sin", program, X), __file__) == (line, 19, line + 2, 9)
    assert compat.position_of(one("sin", program, X), "elsewhere.py") is None


def test_an_equation_knows_whether_it_belongs_to_a_backward_pass() -> None:
    def loss(x: Any) -> Any:
        return jnp.sum(jnp.sin(2 * x))

    both = eqns(jax.value_and_grad(loss), X)
    backward = {eqn.primitive.name for eqn in both if compat.is_backward(eqn)}
    forward = {eqn.primitive.name for eqn in both if not compat.is_backward(eqn)}
    assert {"broadcast_in_dim", "mul"} <= backward
    assert {"sin", "reduce_sum", "mul"} <= forward
    assert not {"sin", "reduce_sum"} & backward
    assert not any(map(compat.is_backward, eqns(loss, X)))
    calls = [eqn for eqn in eqns(jax.grad(jax.jit(loss)), X) if compat.is_call(eqn)]
    assert {compat.is_backward(eqn) for eqn in calls} == {False, True}
    again = [
        inner
        for eqn in eqns(jax.grad(jax.checkpoint(loss)), X)
        if compat.is_backward(eqn)
        for jaxpr in compat.inner_jaxprs(eqn)
        for inner in jaxpr.eqns
    ]
    assert {eqn.primitive.name for eqn in again if compat.is_backward(eqn, within=True)} >= {"mul"}
    assert {eqn.primitive.name for eqn in again if not compat.is_backward(eqn, within=True)} >= {"cos"}


def test_an_operation_of_a_library_has_the_innermost_expression_of_the_file() -> None:
    def inner(x: Any) -> Any:
        return jax.nn.logsumexp(x)

    def program(x: Any) -> Any:
        return inner(x)

    line = inner.__code__.co_firstlineno + 1
    assert compat.position_of(one("log", program, X), __file__) == (line, 15, line, 34)


def test_a_tracer_says_in_one_sentence_that_it_has_no_sharding() -> None:
    compat.short_sharding_errors()
    said: list[str] = []

    def program(x: Any) -> Any:
        y = jnp.sin(2 * x)
        assert not hasattr(y, "sharding")
        with pytest.raises(AttributeError, match="'sharding' attribute is not available on") as raised:
            _ = y.sharding
        said.append(str(raised.value))
        return y

    eqns(program, X)
    eqns(jax.vmap(jax.grad(program)), X)
    assert len(said) == 2
    assert not [one for one in said if "operation" in one or len(one) > 200]
    assert jnp.ones(2).sharding is not None


@pytest.mark.parametrize(("platform", "branch"), [("cpu", jnp.sin), ("cuda", jnp.cos), ("tpu", jnp.cos)])
def test_the_branch_of_a_platform_is_its_own_or_the_one_for_all_others(platform: str, branch: Any) -> None:
    def program(x: Any) -> Any:
        return lax.platform_dependent(x, default=jnp.cos, cpu=jnp.sin)

    index = compat.branch_of_platform(one("platform_index", program, X), platform)
    chosen, _ = compat.open_program(compat.branches(one("cond", program, X))[index])
    assert [eqn.primitive.name for eqn in chosen.eqns] == [branch.__name__]


def test_only_parameters_that_may_change_values_are_reported() -> None:
    (summed,) = [e for e in eqns(lambda x: jnp.sum(x, 0), X) if e.primitive.name == "reduce_sum"]
    assert compat.asks_for(summed, ("axes",)) == []
    assert compat.asks_for(summed, ()) == ["axes"]
    assert compat.asks_for(Altered(summed, params={"where": "everywhere"}), ("axes",)) == ["where"]


MATRICES = SCANS["a sequence of matrices, a carried matrix"][0]
SCAN, LOOP = SCANS["constants, a carry, a sequence and stacked outputs"][0], SCANS["a counted loop"][0]


def loop(x: Any) -> Any:
    return lax.while_loop(lambda s: s < 3, lambda s: s + 1, x[0])


def choice(x: Any) -> Any:
    return lax.cond(x[0] > 0, jnp.sin, jnp.cos, x)


def halved(x: Any) -> Any:
    return lax.custom_linear_solve(lambda y: 2 * y, x, lambda _, b: b / 2, symmetric=True)


UNKNOWN: dict[str, Callable[[], object]] = {
    "scan: without its body": lambda: compat.scan(Altered(one("scan", SCAN, X), without="jaxpr")),
    "scan: without its length": lambda: compat.scan(Altered(one("scan", SCAN, X), without="length")),
    "scan: inputs in another order": lambda: compat.scan(
        Altered(one("scan", MATRICES, X), invars=one("scan", MATRICES, X).invars[::-1])
    ),
    "scan: one input more": lambda: compat.scan(
        Altered(one("scan", SCAN, X), invars=[*one("scan", SCAN, X).invars, one("scan", SCAN, X).invars[0]])
    ),
    "scan: a carry of another form": lambda: compat.scan(
        Altered(one("scan", LOOP, X), params={"jaxpr": jax.make_jaxpr(lambda x, i, c: (c[0], x))(X, 0, X)})
    ),
    "while: without its body": lambda: compat.while_loop(Altered(one("while", loop, X), without="body_jaxpr")),
    "while: one input more": lambda: compat.while_loop(
        Altered(one("while", loop, X), invars=[*one("while", loop, X).invars] * 2)
    ),
    "cond: without branches": lambda: compat.branches(Altered(one("cond", choice, X), without="branches")),
    "cond: one input more": lambda: compat.branches(
        Altered(one("cond", choice, X), invars=[*one("cond", choice, X).invars] * 2)
    ),
    "custom_linear_solve: without its programs": lambda: compat.linear_solve(
        Altered(one("custom_linear_solve", halved, X), without="jaxprs")
    ),
    "custom_linear_solve: with other programs": lambda: compat.linear_solve(
        Altered(one("custom_linear_solve", halved, X), params={"jaxprs": ()})
    ),
    "jit: without its program": lambda: compat.called_program(Altered(one("jit", CALLS["jit"], X), without="jaxpr")),
    "jit: one input more": lambda: compat.called_program(
        Altered(one("jit", CALLS["jit"], X), invars=[*one("jit", CALLS["jit"], X).invars] * 2)
    ),
}


@pytest.mark.parametrize("title", UNKNOWN)
def test_an_unknown_form_is_a_fault_that_names_the_operation_and_the_version(title: str) -> None:
    with pytest.raises(ProblemError) as caught:
        UNKNOWN[title]()
    assert f"'{title.split(':')[0]}' of jax {jax.__version__} is not as this grader knows it" in str(caught.value)


NOT_IN_THE_PUBLIC_LIST = {
    *("expand_dims", "one_minus_square", "random_clone", "random_unwrap", "random_wrap", "reshard", "scatter-sub"),
    *("split", "stack", "tile", "unstack"),
}
"""Primitives of some version of JAX that `jax.extend.core.primitives` does not list."""


def test_every_primitive_that_has_a_rule_a_class_or_a_mutation_is_one_of_jaxs() -> None:
    """Without this, a renamed primitive would lose its rule and its mutations, or get noise although it rounds nothing."""
    listed = (getattr(primitives, name) for name in dir(primitives) if name.endswith("_p"))
    names = {primitive.name for primitive in listed if isinstance(primitive, core.Primitive)}
    mutated = {*OTHERS, *(other for others in OTHERS.values() for other in others)}
    assert {*RULES, *EXACT, *SUMS, *mutated} - names - devices.RULES.keys() <= NOT_IN_THE_PUBLIC_LIST


def test_a_part_of_a_program_takes_and_gives_other_values() -> None:
    program = jax.make_jaxpr(lambda: jnp.sin(jnp.arange(3.0)) * 2)()
    first, *rest = program.jaxpr.eqns
    part = compat.part_of(program, first.outvars, rest, program.jaxpr.outvars)
    (given,) = jax.jit(core.jaxpr_as_fun(part))(jnp.ones(3))
    assert np.allclose(given, 2 * np.sin(1))


def test_without_an_option_that_only_saves_time_answers_run(monkeypatch: pytest.MonkeyPatch) -> None:
    update = jax.config.update

    def older(name: str, value: Any) -> None:
        if name == "jax_disable_most_optimizations":
            raise AttributeError(f"Unrecognized config option: {name}")
        update(name, value)

    monkeypatch.setattr(jax.config, "update", older)
    compat.only_cpu()
    compat.optimise(fully=False)


def test_jax_says_so_of_an_option_that_it_does_not_have() -> None:
    with pytest.raises(AttributeError):
        jax.config.update("jax_no_such_option", True)


@pytest.mark.parametrize("fully", [True, False])
def test_optimisations_are_switched_on_and_off(fully: bool) -> None:
    compat.optimise(fully=fully)
    try:
        assert jax.config.read("jax_disable_most_optimizations") is not fully  # pyright: ignore
    finally:
        compat.optimise(fully=False)


def test_programs_inside_an_equation_are_found() -> None:
    jaxprs = compat.inner_jaxprs(one("cond", lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), X))
    assert [[eqn.primitive.name for eqn in jaxpr.eqns] for jaxpr in jaxprs] == [["cos"], ["sin"]]
    assert compat.inner_jaxprs(one("sin", jnp.sin, X)) == []


class Lies:
    @property
    def __class__(self) -> type:  # pyright: ignore
        return jax.Array


def test_arrays_and_tracers_of_jax_are_its_own_and_what_only_looks_like_one_is_not() -> None:
    seen: list[bool] = []
    jax.make_jaxpr(lambda x: seen.append(compat.is_array(x)))(X)
    assert seen == [True]
    assert compat.is_array(jnp.zeros(2))
    assert not compat.is_array(X)
    assert isinstance(Lies(), jax.Array)
    assert not compat.is_array(Lies())


def test_programs_are_traced_for_the_default_platform() -> None:
    assert compat.default_platform() == "cpu"
    with jax.default_device(jax.devices("cpu")[0]):
        assert compat.default_platform() == "cpu"


# Where these facts stand

PRIVATE = re.compile(
    r"jax\._src|jax\.(?:core|interpreters|lib)\b|\bconfig\.(?:update|read|jax_)|\bJAX 0\.\d"
    r"|\.(?:source_info|debug_info|name_stack|raw_frames|weak_type|jaxprs_in_params)\b|\"(?:source_info|weak_type)\""
)
"""What JAX does not document, options of JAX, and versions of it."""
OF_CALLS = {*compat._CALLS} - {"jit", "checkpoint"}  # pyright: ignore[reportPrivateUsage]
"""Names of calls. Two of them are words of JAX's documentation as well."""
NAMED = {"kit/names.py", "values/outline.py"}
"""Modules that may name an option of JAX in words, and the operations that a problem can ask for."""


def test_what_differs_between_versions_of_jax_stands_in_one_module() -> None:
    package = ROOT / "grader"
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        module, text = path.relative_to(package).as_posix(), path.read_text(encoding="utf-8")
        if module in ("jaxpr/compat.py", *NAMED):
            continue
        found += [f"{module}: {private[0]}" for private in PRIVATE.finditer(text)]
        constants = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
        found += [f"{module}: {name}" for name in sorted(OF_CALLS & constants)]
    assert found == []
