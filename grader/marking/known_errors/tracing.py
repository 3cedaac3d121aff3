"""Errors of values that JAX traces: what needs a Python value, a size or a key of a dict."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError

_CONDITION = r"^(?!.*\b(?:if|while|assert)\b)[^#]*"
"""A line that computes a condition, and makes no choice by it."""

_SIZE = N_(
    "A size cannot be a traced value: take it from x.shape or from a Python int. Where jax.jit is called, name such an "
    'argument: jax.jit(f, static_argnames="n"), jax.checkpoint(f, static_argnums=1).'
)

TRACING: tuple[KnownError, ...] = (
    KnownError(
        "TracerArrayConversionError",
        "",
        N_("NumPy cannot take a value that JAX is tracing: use the function of the same name in jax.numpy."),
        {"jax.jit(lambda x: np.sin(x))(x)": "jax.jit(lambda x: jnp.sin(x))(x)"},
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_(
            "`while` needs a Python value, and this one is traced: loop with jax.lax.while_loop, or with "
            "jax.lax.fori_loop if the number of steps is known."
        ),
        {
            """
            @jax.jit
            def halved(a):
                while a > 1:
                    a = a / 2
                return a
            halved(5.0)
            """: "jax.lax.while_loop(lambda a: a > 1, lambda a: a / 2, 5.0)",
        },
        line=r"^\s*while\b",
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_(
            "`and`, `or` and `not` need Python values, and this one is traced: write (a > 0) & (b > 0), (a > 0) "
            "| (b > 0), "
            "~done."
        ),
        {
            "jax.lax.while_loop(lambda s: s[0] < 3 and s[1].any(), lambda s: (s[0] + 1, s[1]), (0, x))": (
                "jax.lax.while_loop(lambda s: (s[0] < 3) & s[1].any(), lambda s: (s[0] + 1, s[1]), (0, x))"
            ),
            "jax.lax.while_loop(lambda done: not done, lambda done: True, False)": (
                "jax.lax.while_loop(lambda done: ~done, lambda done: True, False)"
            ),
            "jax.jit(lambda a: jnp.where(a > 1 or a < 0, a, 0))(2.0)": (
                "jax.jit(lambda a: jnp.where((a > 1) | (a < 0), a, 0))(2.0)"
            ),
        },
        line=_CONDITION + r"\b(and|or|not)\b",
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_("Python joins `0 < x < 1` by `and`, and this value is traced: write (0 < x) & (x < 1)."),
        {
            "jax.jit(lambda x: jnp.where(0 < x < 1, x, 0))(2.0)": "jax.jit(lambda x: jnp.where((0 < x) & (x < "
            "1), x, 0))(2.0)"
        },
        line=_CONDITION + r"[<>]=?[^<>=&|,()#:]+[<>]",
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_(
            "max, min, any, all and sorted of Python need Python values, and this one is traced: use "
            "jnp.maximum(a, b), "
            "jnp.minimum(a, b), or jnp.max, jnp.min, jnp.any, jnp.all and jnp.sort of an array."
        ),
        {
            "jax.jit(lambda a, b: max(a, b))(1.0, 2.0)": "jax.jit(lambda a, b: jnp.maximum(a, b))(1.0, 2.0)",
            "jax.jit(lambda x: any(x > 1))(x[0])": "jax.jit(lambda x: jnp.any(x > 1))(x[0])",
        },
        line=_CONDITION + r"(?<![\w.])(max|min|any|all|sorted)\(",
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_("`assert` needs a Python value, and this one is traced: check a shape or a Python number, or leave it out."),
        {
            """
            @jax.jit
            def root(a):
                assert a > 0
                return jnp.sqrt(a)
            root(4.0)
            """: """
            @jax.jit
            def root(a):
                assert a.shape == ()
                return jnp.sqrt(a)
            root(4.0)
            """,
        },
        line=r"^\s*assert\b",
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_(
            "`if` needs a Python value, and in a kernel this one is traced: write `@pl.when(condition)` above a "
            "function without "
            "arguments, or choose with jnp.where."
        ),
        {
            """
            def kernel(x_ref, y_ref):
                if pl.program_id(0) == 0:
                    y_ref[...] = x_ref[...]
            pl.pallas_call(kernel, grid=(2,), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
            """: """
            def kernel(x_ref, y_ref):
                @pl.when(pl.program_id(0) == 0)
                def write():
                    y_ref[...] = x_ref[...]
            pl.pallas_call(kernel, grid=(2,), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
            """,
        },
        line=r"\bif\b.*(?:\bprogram_id\b|_ref\b)",
    ),
    KnownError(
        "TracerBoolConversionError",
        r"depends on the value of the argument (?P<name>\w+)",
        N_(
            "This call needs `{name}` as a Python value, and it is traced: name it where jax.jit is called, "
            'jax.jit(f, static_argnames="{name}"), or leave out that jax.jit.'
        ),
        {
            "jax.jit(lambda v, k: jax.lax.top_k(v, k))(x[0], 1)": (
                "jax.jit(lambda v, k: jax.lax.top_k(v, k), static_argnums=1)(x[0], 1)"
            ),
        },
        line=_CONDITION + r"\btop_k\(",
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_(
            "`if` and `while` need a Python value, and this one is traced: choose with jnp.where or "
            "jax.lax.cond. Conditions "
            "are combined with &, | and ~."
        ),
        {"jax.jit(lambda a: a if a > 0 else -a)(1.0)": "jax.jit(lambda a: jnp.where(a > 0, a, -a))(1.0)"},
    ),
    KnownError(
        "TypeError",
        r"^Shapes must be 1D sequences of concrete values of integer type, got .*Tracer",
        _SIZE,
        {
            "jax.jit(lambda x, n: x.reshape(n, -1))(x, 3)": "jax.jit(lambda x, n: x.reshape(n, -1), "
            'static_argnames="n")(x, n=3)',
            "jax.jit(lambda n: jnp.zeros(n))(3)": 'jax.jit(lambda n: jnp.zeros(n), static_argnames="n")(n=3)',
        },
    ),
    KnownError(
        "ConcretizationTypeError",
        r"It arose in the jnp\.\w+ argument",
        _SIZE,
        {"jax.jit(lambda n: jnp.arange(n))(3)": 'jax.jit(lambda n: jnp.arange(n), static_argnames="n")(n=3)'},
    ),
    KnownError(
        "TracerIntegerConversionError",
        "",
        N_(
            "A traced value cannot be the index of a list: make an array of it, jnp.array(rows)[i], or "
            "jnp.stack(arrays)[i]."
        ),
        {"jax.jit(lambda i: [1.0, 2.0][i])(1)": "jax.jit(lambda i: jnp.array([1.0, 2.0])[i])(1)"},
        line=r"^(?!.*\brange\().*[\w\])]\[",
    ),
    KnownError(
        "TracerIntegerConversionError",
        "",
        N_(
            "A traced value cannot be a Python index or the length of a `range`: take it from x.shape or from a "
            "Python int, or "
            "loop with jax.lax.fori_loop(0, n, step, carry)."
        ),
        {
            "jax.jit(lambda n, a: [a := a / 2 for _ in range(n)])(3, 1.0)": (
                "jax.jit(lambda n, a: jax.lax.fori_loop(0, n, lambda i, a: a / 2, a))(3, 1.0)"
            ),
        },
    ),
    KnownError(
        "NonConcreteBooleanIndexError",
        "",
        N_(
            "The shape of x[mask] depends on values, which are not known while JAX traces: use jnp.where(mask, x, "
            "other)."
        ),
        {"jax.jit(lambda x: x[x > 0].sum())(x)": "jax.jit(lambda x: jnp.where(x > 0, x, 0).sum())(x)"},
    ),
    KnownError(
        "ConcretizationTypeError",
        r"\b(?P<method>item|tolist)\(\) method",
        N_(
            ".{method}() gives Python numbers, and a traced value has none yet: leave .{method}() out, and "
            "compute with the "
            "array."
        ),
        {
            "jax.jit(lambda x: x.sum().item() * x)(x)": "jax.jit(lambda x: x.sum() * x)(x)",
            "jax.jit(lambda x: sum(x.tolist()) * x)(x)": "jax.jit(lambda x: x.sum() * x)(x)",
        },
    ),
    KnownError(
        "ConcretizationTypeError",
        r"arose with the `(?:float|int|bool|complex)` function",
        N_(
            "float(), int() and bool() need a Python value, and this one is traced: leave the call out, and compute "
            "with the array."
        ),
        {"jax.jit(lambda x: float(x.sum()) * x)(x)": "jax.jit(lambda x: x.sum() * x)(x)"},
    ),
    KnownError(
        "ConcretizationTypeError",
        "",
        N_(
            "A size, or which values there are, must be known before any number: compute sizes from the arguments, or "
            "keep the whole shape and choose with jnp.where."
        ),
        {"jax.jit(lambda x: x[jnp.nonzero(x)].sum())(x)": "jax.jit(lambda x: jnp.where(x != 0, x, 0).sum())(x)"},
    ),
    KnownError(
        "UnexpectedTracerError",
        "",
        N_(
            "A traced value is used outside of the function that JAX traced: return it, or pass it on as an argument. "
            "A function with a jax.custom_vjp and its rules get all values as arguments or residuals."
        ),
        {
            """
            kept = []
            jax.jit(lambda x: kept.append(x))(x)
            kept[0] + 1
            """: "jax.jit(lambda x: x)(x) + 1",
            """
            def scaled(theta, b):
                times = jax.custom_vjp(lambda b: theta * b)
                times.defvjp(lambda b: (theta * b, b), lambda b, g: (theta * g,))
                return times(b)
            jax.grad(scaled)(2.0, 3.0)
            """: """
            times = jax.custom_vjp(lambda theta, b: theta * b)
            times.defvjp(lambda theta, b: (theta * b, (theta, b)), lambda saved, g: (g * saved[1], g * saved[0]))
            jax.grad(times)(2.0, 3.0)
            """,
        },
    ),
    KnownError(
        "IndexError",
        r"must be static integers|Array slice indices must have static",
        N_(
            "The length of a slice must be known before any number: keep the whole shape, and hide the rest with "
            "jnp.where. If only the start is traced, cut with jax.lax.dynamic_slice_in_dim(x, start, length)."
        ),
        {
            "jax.lax.fori_loop(0, 3, lambda i, s: s + x[:, :i].sum(), 0.0)": (
                "jax.lax.fori_loop(0, 3, lambda i, s: s + jnp.where(jnp.arange(3) < i, x, 0).sum(), 0.0)"
            ),
            "jax.lax.fori_loop(0, 2, lambda i, s: s + x[:, i : i + 2].sum(), 0.0)": (
                "jax.lax.fori_loop(0, 2, lambda i, s: s + jax.lax.dynamic_slice_in_dim(x, i, 2, axis=1).sum(), 0.0)"
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Non-hashable static arguments.*Tracer",
        N_(
            "A static argument is a Python value, and this one is traced: pass a Python value, or do not name "
            "it as static."
        ),
        {
            """
            times = jax.jit(lambda x, n: x * n, static_argnums=1)
            jax.jit(lambda x, n: times(x, n))(x, 2)
            """: """
            times = jax.jit(lambda x, n: x * n)
            jax.jit(lambda x, n: times(x, n))(x, 2)
            """,
        },
    ),
    KnownError(
        "ValueError",
        r"^Non-hashable static arguments",
        N_("A static argument has to be hashable: pass a tuple in place of a list. An array is never static."),
        {
            "jax.jit(lambda x, n: x * n[0], static_argnums=1)(x, [1, 2])": "jax.jit(lambda x, n: x * n[0], "
            "static_argnums=1)(x, "
            "(1, 2))"
        },
    ),
    KnownError(
        "TypeError",
        r"^unhashable type: '\w*(Tracer|ArrayImpl)'",
        N_("An array cannot be a key of a dict, or a member of a set: put the values into an array, and index that."),
        {"jax.jit(lambda i: {0: 1.0, 1: 2.0}[i])(1)": "jax.jit(lambda i: jnp.array([1.0, 2.0])[i])(1)"},
    ),
    KnownError(
        "TypeError",
        r"^unsupported format string passed to \w*Tracer",
        N_('A traced value has no digits yet: print it with jax.debug.print("{{}}", x).'),
        {'jax.jit(lambda a: print(f"{a:.2f}"))(1.0)': 'jax.jit(lambda a: jax.debug.print("{}", a))(1.0)'},
    ),
    KnownError(
        "TypeError",
        r"^Error interpreting argument to .* as an abstract array\. The problematic value is of type <class 'str'>",
        N_('A text cannot be traced: name the argument as static, jax.jit(f, static_argnames="mode").'),
        {
            'jax.jit(lambda x, mode: x)(x, "train")': 'jax.jit(lambda x, mode: x, static_argnames="mode")(x, '
            'mode="train")'
        },
    ),
    KnownError(
        "TypeError",
        r"^Error interpreting argument to .* as an abstract array",
        N_(
            "jax.jit takes arrays, numbers and trees of them: use the object inside of the function without "
            "passing it, or make "
            "its class an nnx.Module."
        ),
        {"jax.jit(lambda f, x: f(x))(jnp.sin, x)": "jax.jit(lambda x: jnp.sin(x))(x)"},
    ),
)
