"""Errors of loops, branches and maps: what `scan`, `while_loop`, `cond` and `vmap` ask of their functions."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError

_OF_PART = r"(?s)^\w+ body function carry input and .*?he input carry(?: component)? (?P<part>[^\n]+?) has type "
_BECOMES = " but the corresponding output carry component has type "
_COUNT = r"\(\) (takes .* positional arguments? but|takes from|missing \d+ required positional)"

LOOPS: tuple[KnownError, ...] = (
    KnownError(
        "TypeError",
        r"^scan body output must be a pair",
        N_("The body of a scan returns two things: the new carry, and what this step adds to the output, or None."),
        {
            "jax.lax.scan(lambda carry, row: carry + row, jnp.zeros(3), x)": "jax.lax.scan(lambda carry, row: (carry "
            "+ row, "
            "None), "
            "jnp.zeros(3), x)"
        },
    ),
    KnownError(
        "TypeError",
        r"^scan body function carry input and carry output must have the same pytree structure",
        N_("A step of a loop returns the whole carry, with as many parts and in the same order as at the start."),
        {
            "jax.lax.fori_loop(0, 3, lambda i, s: s[0] + 1, (0, x))": (
                "jax.lax.fori_loop(0, 3, lambda i, s: (s[0] + 1, s[1]), (0, x))"
            ),
        },
        line="fori_loop",
    ),
    KnownError(
        "TypeError",
        r"^scan body function carry input and carry output must have the same pytree structure",
        N_("The body of a scan returns two things: the new carry, built like the first one, and an output or None."),
        {
            "jax.lax.scan(lambda carry, row: (None, row), jnp.zeros(3), x)": (
                "jax.lax.scan(lambda carry, row: (carry + row, row), jnp.zeros(3), x)"
            ),
        },
    ),
    KnownError(
        "TypeError",
        r"^\w+ body function carry input and carry output must have the same pytree structure",
        N_("A step of a loop returns the whole carry, with as many parts and in the same order as at the start."),
        {
            "jax.lax.while_loop(lambda s: s[0] < 3, lambda s: s[0] + 1, (0, x))": (
                "jax.lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1]), (0, x))"
            ),
        },
    ),
    KnownError(
        "TypeError",
        _OF_PART + r"\S+\]" + _BECOMES + r"\S+\{V:\(?(?P<axis>\w+)\S*, so the manual axis types do not match",
        N_(
            "`{part}` is the same on all devices at the start, and then it varies: begin with "
            'jax.lax.pcast(x, "{axis}", to="varying").'
        ),
        {
            """
            def part(x):
                return jax.lax.scan(lambda carry, row: (carry + row, None), jnp.zeros(3), x)[0]
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """: """
            def part(x):
                start = jax.lax.pcast(jnp.zeros(3), "i", to="varying")
                return jax.lax.scan(lambda carry, row: (carry + row, None), start, x)[0]
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """,
            """
            def part(x):
                step = lambda carry, row: ((carry[0] + row, carry[1] + row.sum(), x), None)
                return jax.lax.scan(step, (jnp.zeros(3), jnp.zeros(()), x), x)[0][0]
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """: """
            def part(x):
                step = lambda carry, row: ((carry[0] + row, carry[1] + row.sum(), x), None)
                start = jax.lax.pcast((jnp.zeros(3), jnp.zeros(())), "i", to="varying")
                return jax.lax.scan(step, (*start, x), x)[0][0]
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        _OF_PART + r"(?P<start>\w+)\[\S*" + _BECOMES + r"(?P<later>\w+)\[\S*, so the dtypes do not match",
        N_(
            "`{part}` begins as {start}, and a step makes it {later}. A carry keeps its dtype: begin with "
            "jnp.zeros(shape, jnp.{later}), or convert in the step, .astype(jnp.{start})."
        ),
        {
            """
            step = lambda s: (s[0] + 1, jnp.where(s[0] > 1, 3, s[1].astype(int)))
            jax.lax.while_loop(lambda s: s[0] < 3, step, (0, -jnp.ones(4)))
            """: """
            step = lambda s: (s[0] + 1, jnp.where(s[0] > 1, 3, s[1].astype(int)))
            jax.lax.while_loop(lambda s: s[0] < 3, step, (0, -jnp.ones(4, jnp.int32)))
            """,
            "jax.lax.scan(lambda total, row: (total + row.sum(), None), jnp.zeros((), int), x)": (
                "jax.lax.scan(lambda total, row: (total + row.sum(), None), jnp.zeros((), jnp.float32), x)"
            ),
        },
    ),
    KnownError(
        "TypeError",
        _OF_PART + r"(?P<start>\S+\])\S*" + _BECOMES + r"(?P<later>\S+\])\S*, so the shapes do not match",
        N_(
            "`{part}` begins as {start}, and a step makes it {later}. A carry keeps its shape: begin with the "
            "later shape, as in "
            "jnp.zeros(shape), or let the step keep the first one."
        ),
        {
            "jax.lax.scan(lambda total, row: (total + row, None), jnp.zeros(()), x)": (
                "jax.lax.scan(lambda total, row: (total + row, None), jnp.zeros(3), x)"
            ),
            "jax.lax.while_loop(lambda s: s.sum() < 3, lambda s: s[:, None] + s, jnp.zeros(2))": (
                "jax.lax.while_loop(lambda s: s.sum() < 3, lambda s: s + 1, jnp.zeros(2))"
            ),
        },
    ),
    KnownError(
        "TypeError",
        _OF_PART + r"\S+\{V:\(?(?P<axis>\w+)\S*" + _BECOMES + r"\S+\], so the manual axis types do not match",
        N_(
            "`{part}` varies from device to device at the start, and then it is the same on all: begin with the sum, "
            'jax.lax.psum(x, "{axis}"), or let the step give jax.lax.pcast(x, "{axis}", to="varying").'
        ),
        {
            """
            def part(x):
                step = lambda total, _: (jax.lax.psum(total, "i"), None)
                return jax.lax.scan(step, x.sum(), length=3)[0][None]
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """: """
            def part(x):
                step = lambda total, _: (jax.lax.pcast(jax.lax.psum(total, "i"), "i", to="varying"), None)
                return jax.lax.scan(step, x.sum(), length=3)[0][None]
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"(?s)^(?:cond|switch) branches must have equal.*\{V:\(?(?P<axis>\w+)\S*[^\n]*manual axis types do not match",
        N_(
            "One branch gives the same on all devices, and the other one varies: write "
            'jax.lax.pcast(x, "{axis}", to="varying") for the first.'
        ),
        {
            """
            part = lambda x: jax.lax.cond(x.sum() > 3, lambda: jnp.zeros(3), lambda: x[0])
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """: """
            part = lambda x: jax.lax.cond(x.sum() > 3, lambda: jax.lax.pcast(jnp.zeros(3), "i", to="varying"), lambda: x[0])
            jax.shard_map(part, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^(cond|switch) branches must have equal output types",
        N_(
            "All branches return the same shapes and dtypes: compare what each returns. `1` is an int, and `1.0` a "
            "float."
        ),
        {"jax.lax.cond(x[0, 0] > 0, lambda: 1, lambda: 1.0)": "jax.lax.cond(x[0, 0] > 0, lambda: 1.0, lambda: 2.0)"},
    ),
    KnownError(
        "TypeError",
        r"^(cond|switch) branch outputs must have the same pytree structure",
        N_("All branches return the same structure: as many things, in the same order."),
        {
            "jax.lax.cond(x[0, 0] > 0, lambda: (x, x), lambda: x)": "jax.lax.cond(x[0, 0] > 0, lambda: (x, x), "
            "lambda: (x, -x))"
        },
    ),
    KnownError(
        "TypeError",
        r"true_fun and false_fun arguments should be callable",
        N_(
            "jax.lax.cond takes two functions: jax.lax.cond(p, lambda: a, lambda: b). Between arrays, choose "
            "with jnp.where."
        ),
        {
            "jax.lax.cond(x.sum() > 0, x, -x)": "jax.lax.cond(x.sum() > 0, lambda: x, lambda: -x), "
            "jnp.where(x.sum() > 0, x, -x)"
        },
    ),
    KnownError(
        "TypeError",
        r"^Pred must be a scalar",
        N_(
            "jax.lax.cond takes one boolean, and this is an array of them: choose element by element, "
            "jnp.where(p, a, b)."
        ),
        {"jax.lax.cond(x > 0, lambda: x, lambda: -x)": "jnp.where(x > 0, x, -x)"},
    ),
    KnownError(
        "TypeError",
        r"^cond_fun must return a boolean scalar, but got output type\(s\) \[ShapedArray\(bool\[\d",
        N_("A while_loop has one condition for all rows: write jnp.any(condition) to go on while one row has to."),
        {
            "jax.lax.while_loop(lambda s: s < 3, lambda s: s + 1, jnp.arange(4))": (
                "jax.lax.while_loop(lambda s: jnp.any(s < 3), lambda s: jnp.where(s < 3, s + 1, s), jnp.arange(4))"
            ),
        },
    ),
    KnownError(
        "TypeError",
        r"^cond_fun must return a boolean scalar",
        N_("The condition of a while_loop is one boolean: write a comparison, as in n < 3."),
        {
            "jax.lax.while_loop(lambda n: 3 - n, lambda n: n + 1, 0)": "jax.lax.while_loop(lambda n: n < 3, "
            "lambda n: n "
            "+ 1, 0)"
        },
    ),
    KnownError(
        "ValueError",
        r"^scan got (no values to scan over|value with no leading axis)",
        N_(
            "jax.lax.scan takes the first carry and then the array that it walks along: scan(step, carry, xs). "
            "For a number of "
            "steps without an array: scan(step, carry, length=n)."
        ),
        {
            "jax.lax.scan(lambda total, row: (total + row, None), x)": (
                "jax.lax.scan(lambda total, row: (total + row, None), jnp.zeros(3), x)"
            ),
            "jax.lax.scan(lambda total, _: (total + 1, None), 0, 5)": "jax.lax.scan(lambda total, _: (total + 1, "
            "None), 0, "
            "length=5)",
        },
    ),
    KnownError(
        "TypeError",
        _COUNT,
        N_("The body of a scan takes two arguments: the carry, and one element of what is scanned, or None."),
        {
            "jax.lax.scan(lambda total: (total + 1, None), 0, length=5)": "jax.lax.scan(lambda total, _: (total + 1, "
            "None), 0, "
            "length=5)",
        },
        line=r"(?<!associative_)scan\(",
    ),
    KnownError(
        "TypeError",
        _COUNT,
        N_("The function of an associative_scan takes two arguments: what came before, and what comes next."),
        {"jax.lax.associative_scan(lambda a: a + 1, x)": "jax.lax.associative_scan(lambda a, b: a + b, x)"},
        line=r"associative_scan\(",
    ),
    KnownError(
        "TypeError",
        _COUNT,
        N_("The body of a fori_loop takes two arguments: the number of the step, and the carry."),
        {
            "jax.lax.fori_loop(0, 3, lambda total: total + 1, 0)": "jax.lax.fori_loop(0, 3, lambda i, total: "
            "total + 1, 0)"
        },
        line=r"fori_loop\(",
    ),
    KnownError(
        "TypeError",
        _COUNT,
        N_(
            "Both functions of a while_loop take one argument, the whole state: take it apart inside, as in a, "
            "b = state."
        ),
        {
            "jax.lax.while_loop(lambda a, b: a < b, lambda a, b: (a + 1, b), (0, 3))": (
                "jax.lax.while_loop(lambda s: s[0] < s[1], lambda s: (s[0] + 1, s[1]), (0, 3))"
            ),
        },
        line=r"while_loop\(",
    ),
    KnownError(
        "TypeError",
        _COUNT,
        N_(
            "Both functions of jax.lax.cond take what stands after them: cond(p, f, g, x) calls f(x) or g(x), "
            "cond(p, f, g) f() or g()."
        ),
        {"jax.lax.cond(True, lambda x: x, lambda: x, x)": "jax.lax.cond(True, lambda x: x, lambda x: -x, x)"},
        line=r"\bcond\(",
    ),
    KnownError(
        "ValueError",
        r"^Too (?:many|few) leaves for PyTreeDef",
        N_(
            "The function of an associative_scan returns what it takes: one of what came before and what comes next, joined."
        ),
        {"jax.lax.associative_scan(lambda a, b: (a + b, b), x)": "jax.lax.associative_scan(lambda a, b: a + b, x)"},
        line=r"associative_scan\(",
    ),
    KnownError(
        "ValueError",
        r"^(scan|vmap) got (values with|inconsistent sizes for)",
        N_("All arrays that are mapped or scanned over have the same length along the axis that is taken apart."),
        {
            "jax.vmap(jnp.add)(jnp.ones(3), jnp.ones(4))": "jax.vmap(jnp.add)(jnp.ones(3), jnp.ones(3))",
            "jax.lax.scan(lambda carry, row: (carry, None), 0.0, (jnp.ones(3), jnp.ones(4)))": (
                "jax.lax.scan(lambda carry, row: (carry, None), 0.0, (jnp.ones(3), jnp.ones(3)))"
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^vmap was requested to map its argument along axis .* but is only \d",
        N_(
            "A stream or a key has no axis to map over: write @nnx.split_rngs(splits=n) above @nnx.vmap, or hand "
            "jax.random.split(key, n) over."
        ),
        {
            "nnx.vmap(lambda rngs: nnx.Linear(3, 2, rngs=rngs))(nnx.Rngs(0))": """
            @nnx.split_rngs(splits=4)
            @nnx.vmap
            def layers(rngs):
                return nnx.Linear(3, 2, rngs=rngs)
            layers(nnx.Rngs(0))
            """,
            "jax.vmap(lambda key: jax.random.normal(key, (3,)))(key)": (
                "jax.vmap(lambda key: jax.random.normal(key, (3,)))(jax.random.split(key, 4))"
            ),
        },
        line=r"[rR]ngs|\bkey\b",
    ),
    KnownError(
        "ValueError",
        r"^vmap was requested to map its argument along axis .* but is only \d",
        N_(
            "An argument that vmap takes apart has such an axis. One that stays whole has None: jax.vmap(f, "
            "in_axes=(0, None))."
        ),
        {
            "jax.vmap(lambda row, rate: rate * row)(x, 0.5)": "jax.vmap(lambda row, rate: rate * row, "
            "in_axes=(0, None))(x, 0.5)"
        },
    ),
    KnownError(
        "ValueError",
        r"^vmap in_axes must be an int, None, or a tuple",
        N_("in_axes has one entry for each argument of the call, such as in_axes=(0, None) for two."),
        {"jax.vmap(jnp.add, in_axes=(0, 0, None))(x, x)": "jax.vmap(jnp.add, in_axes=(0, 0))(x, x)"},
    ),
)
