"""Errors of derivatives: what `jax.grad` and its like ask of a function, and a rule of what it returns."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError

_COUNT = r"\(\) (takes .* positional arguments? but|missing \d+ required positional)"

DERIVATIVES: tuple[KnownError, ...] = (
    KnownError(
        "TypeError",
        r"^Gradient only defined for scalar-output functions\. Output was [(\[]",
        N_(
            "This function returns several things, and jax.grad differentiates one number. Return (loss, extra) "
            "and say so: "
            "jax.value_and_grad(loss, has_aux=True) gives ((value, extra), gradient)."
        ),
        {
            """
            def loss(w):
                error = x @ w
                return jnp.mean(error**2), error
            value, gradient = jax.value_and_grad(loss)(jnp.ones(3))
            """: """
            def loss(w):
                error = x @ w
                return jnp.mean(error**2), error
            (value, error), gradient = jax.value_and_grad(loss, has_aux=True)(jnp.ones(3))
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^Gradient only defined for scalar-output functions\. Output was None",
        N_("The function that is differentiated returns nothing: is its `return` missing?"),
        {
            """
            def loss(w):
                (x @ w).sum()
            jax.grad(loss)(jnp.ones(3))
            """: """
            def loss(w):
                return (x @ w).sum()
            jax.grad(loss)(jnp.ones(3))
            """,
        },
    ),
    KnownError(
        "TypeError",
        "^Gradient only defined for scalar-output functions",
        N_(
            "jax.grad differentiates one number: let the function return the sum or the mean. For a derivative "
            "at each number, "
            "write jax.vmap(jax.grad(f))(x)."
        ),
        {
            "jax.grad(lambda x: x**2)(x[0])": "jax.grad(lambda x: (x**2).sum())(x[0]), jax.vmap(jax.grad(lambda "
            "x: x**2))(x[0])"
        },
    ),
    KnownError(
        "TypeError",
        "^expected function with aux output to return a two-element tuple",
        N_("With has_aux=True the function returns two things, the loss and the rest: return loss, (a, b)."),
        {
            "jax.grad(lambda x: (x.sum(), x, x), has_aux=True)(x)": "jax.grad(lambda x: (x.sum(), (x, x)), "
            "has_aux=True)(x)"
        },
    ),
    KnownError(
        "TypeError",
        "^grad requires real- or complex-valued inputs",
        N_(
            "jax.grad differentiates with respect to floats: pass 3.0, or x.astype(jnp.float32). argnums says "
            "which argument."
        ),
        {"jax.grad(lambda n: n**2.0)(3)": "jax.grad(lambda n: n**2.0)(3.0)"},
    ),
    KnownError(
        "TypeError",
        "^grad requires real-valued outputs",
        N_("The loss has to be a float: a comparison, a rounding or an argmax has no derivative."),
        {"jax.grad(lambda x: (x > 1).sum())(x)": "jax.grad(lambda x: jax.nn.sigmoid(x - 1).sum())(x)"},
    ),
    KnownError(
        "TypeError",
        r"^Expected a callable value, got|^[^\n]* is not a callable object",
        N_(
            "A transform such as jax.grad takes a function, and here it got a value: write jax.grad(loss)(x), not "
            "jax.grad(loss(x))."
        ),
        {
            "jax.grad(jnp.sum(x))": "jax.grad(jnp.sum)(x)",
            "nnx.grad(jnp.sum(x))(model)": "nnx.grad(lambda model: model(x).sum())(model)",
        },
    ),
    KnownError(
        "ValueError",
        "^Reverse-mode differentiation does not work for lax.while_loop",
        N_(
            "JAX cannot go back through a while_loop. Loop with jax.lax.scan, or with jax.lax.fori_loop(0, n, "
            "...) where n is a Python int, and keep the carry with jnp.where once it is done. Or write a rule "
            "with jax.custom_vjp."
        ),
        {
            "jax.grad(lambda a: jax.lax.while_loop(lambda a: a < 9, lambda a: 2 * a, a))(1.0)": """
            jax.grad(lambda a: jax.lax.fori_loop(0, 5, lambda i, a: jnp.where(a < 9, 2 * a, a), a))(1.0)
            jax.grad(lambda a: jax.lax.scan(lambda a, _: (jnp.where(a < 9, 2 * a, a), None), a, length=5)[0])(1.0)
            """,
        },
    ),
    KnownError(
        "NotImplementedError",
        "^Differentiation rule for 'p(?:max|min)' not implemented",
        N_(
            "jax.lax.pmax and pmin have no derivative. Where the result does not depend on their value, as in a softmax, "
            'give them a constant: jax.lax.pmax(jax.lax.stop_gradient(x), "i").'
        ),
        {
            """
            def spread(x):
                return jax.lax.psum(jnp.exp(x - jax.lax.pmax(x, "i")), "i")
            jax.grad(lambda x: jax.vmap(spread, axis_name="i")(x).sum())(x)
            """: """
            def spread(x):
                return jax.lax.psum(jnp.exp(x - jax.lax.pmax(jax.lax.stop_gradient(x), "i")), "i")
            jax.grad(lambda x: jax.vmap(spread, axis_name="i")(x).sum())(x)
            """,
        },
    ),
    KnownError(
        "Exception",
        "^Linearization failed|^Differentiation rule for|JVP rule for|does not support reverse-mode",
        N_("JAX has no derivative of this operation, as of a kernel of Pallas: write a rule with jax.custom_vjp."),
        {
            """
            def kernel(a_ref, b_ref):
                b_ref[...] = 2 * a_ref[...]
            doubled = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)
            jax.grad(lambda x: doubled(x).sum())(x)
            """: """
            def kernel(a_ref, b_ref):
                b_ref[...] = 2 * a_ref[...]
            doubled = jax.custom_vjp(
                pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)
            )
            doubled.defvjp(lambda x: (doubled(x), None), lambda _, g: (2 * g,))
            jax.grad(lambda x: doubled(x).sum())(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^can't apply forward-mode autodiff \(jvp\) to a custom_vjp function",
        N_(
            "A function with jax.custom_vjp has a gradient and no forward derivative: use jax.grad or jax.vjp, "
            "or jax.custom_jvp."
        ),
        {
            """
            doubled = jax.custom_vjp(lambda x: 2 * x)
            doubled.defvjp(lambda x: (2 * x, None), lambda _, g: (2 * g,))
            jax.jvp(doubled, (x,), (x,))
            """: """
            doubled = jax.custom_jvp(lambda x: 2 * x)
            doubled.defjvp(lambda primals, tangents: (2 * primals[0], 2 * tangents[0]))
            jax.jvp(doubled, (x,), (x,))
            """,
        },
    ),
    KnownError(
        "AttributeError",
        r"^No VJP defined for custom_vjp function (?P<function>\w+)",
        N_("jax.custom_vjp needs two rules: write them, and then {function}.defvjp(forward, backward)."),
        {
            """
            @jax.custom_vjp
            def doubled(x):
                return 2 * x
            jax.grad(doubled)(1.0)
            """: """
            @jax.custom_vjp
            def doubled(x):
                return 2 * x
            doubled.defvjp(lambda x: (2 * x, None), lambda _, g: (2 * g,))
            jax.grad(doubled)(1.0)
            """,
        },
    ),
    KnownError(
        "TypeError",
        "^Custom VJP bwd rule .*must produce an output with the same container",
        N_(
            "The backward rule returns a tuple with one gradient for each argument of the function. For one argument "
            "it is `return (g,)`. Arguments of nondiff_argnums have none."
        ),
        {
            """
            doubled = jax.custom_vjp(lambda x: 2 * x)
            doubled.defvjp(lambda x: (2 * x, None), lambda _, g: 2 * g)
            jax.grad(doubled)(1.0)
            """: """
            doubled = jax.custom_vjp(lambda x: 2 * x)
            doubled.defvjp(lambda x: (2 * x, None), lambda _, g: (2 * g,))
            jax.grad(doubled)(1.0)
            """,
        },
    ),
    KnownError(
        "ValueError",
        "^Custom VJP bwd rule .*must produce an output with the same type",
        N_("Each gradient has the shape and the dtype of its argument: of a sum over x it is g * jnp.ones_like(x)."),
        {
            """
            total = jax.custom_vjp(lambda x: x.sum())
            total.defvjp(lambda x: (x.sum(), x), lambda x, g: (g,))
            jax.grad(total)(x)
            """: """
            total = jax.custom_vjp(lambda x: x.sum())
            total.defvjp(lambda x: (x.sum(), x), lambda x, g: (g * jnp.ones_like(x),))
            jax.grad(total)(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        "^Custom VJP fwd rule .*must produce a pair",
        N_("The forward rule returns two things: the output, and what the backward rule needs, or None."),
        {
            """
            doubled = jax.custom_vjp(lambda x: 2 * x)
            doubled.defvjp(lambda x: 2 * x, lambda _, g: (2 * g,))
            jax.grad(doubled)(1.0)
            """: """
            doubled = jax.custom_vjp(lambda x: 2 * x)
            doubled.defvjp(lambda x: (2 * x, None), lambda _, g: (2 * g,))
            jax.grad(doubled)(1.0)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^Custom JVP rule .*must produce a pair",
        N_("The rule of a jax.custom_jvp returns two things: the output, and its tangent."),
        {
            """
            doubled = jax.custom_jvp(lambda x: 2 * x)
            doubled.defjvp(lambda primals, tangents: 2 * tangents[0])
            jax.jvp(doubled, (x,), (x,))
            """: """
            doubled = jax.custom_jvp(lambda x: 2 * x)
            doubled.defjvp(lambda primals, tangents: (2 * primals[0], 2 * tangents[0]))
            jax.jvp(doubled, (x,), (x,))
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^\S*(bwd|back)\w*" + _COUNT,
        N_(
            "The backward rule takes first the arguments of nondiff_argnums, if there are any, then the "
            "residuals, and then the "
            "gradient of the output: def backward(n, saved, g)."
        ),
        {
            """
            @partial(jax.custom_vjp, nondiff_argnums=(1,))
            def times(x, n):
                return n * x
            def backward(saved, g):
                return (2 * g,)
            times.defvjp(lambda x, n: (n * x, None), backward)
            jax.grad(lambda x: times(x, 2))(1.0)
            """: """
            @partial(jax.custom_vjp, nondiff_argnums=(1,))
            def times(x, n):
                return n * x
            def backward(n, saved, g):
                return (n * g,)
            times.defvjp(lambda x, n: (n * x, None), backward)
            jax.grad(lambda x: times(x, 2))(1.0)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^\S*(fwd|forward)\w*" + _COUNT,
        N_("The forward rule takes all arguments of the function, in the same order; those of nondiff_argnums, too."),
        {
            """
            @partial(jax.custom_vjp, nondiff_argnums=(1,))
            def times(x, n):
                return n * x
            def forward(x):
                return 2 * x, None
            times.defvjp(forward, lambda n, saved, g: (n * g,))
            jax.grad(lambda x: times(x, 2))(1.0)
            """: """
            @partial(jax.custom_vjp, nondiff_argnums=(1,))
            def times(x, n):
                return n * x
            def forward(x, n):
                return n * x, None
            times.defvjp(forward, lambda n, saved, g: (n * g,))
            jax.grad(lambda x: times(x, 2))(1.0)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^\S*jvp\w*" + _COUNT,
        N_(
            "The rule of a jax.custom_jvp takes first the arguments of nondiff_argnums, if there are any, then "
            "two tuples: "
            "def rule(n, primals, tangents)."
        ),
        {
            """
            @partial(jax.custom_jvp, nondiff_argnums=(1,))
            def times(x, n):
                return n * x
            @times.defjvp
            def times_jvp(primals, tangents):
                return primals[0], tangents[0]
            jax.grad(lambda x: times(x, 2))(1.0)
            """: """
            @partial(jax.custom_jvp, nondiff_argnums=(1,))
            def times(x, n):
                return n * x
            @times.defjvp
            def times_jvp(n, primals, tangents):
                return n * primals[0], n * tangents[0]
            jax.grad(lambda x: times(x, 2))(1.0)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^primal and tangent arguments to jax\.jvp must be tuples",
        N_("jax.jvp takes the arguments as one tuple, and their tangents as another one: jax.jvp(f, (x,), (v,))."),
        {"jax.jvp(jnp.sin, x, x)": "jax.jvp(jnp.sin, (x,), (x,))"},
    ),
    KnownError(
        "Exception",
        r"^jvp called with different primal and tangent shapes|^primal and tangent arguments to jax\.jvp do not match",
        N_("A tangent has the shape and the dtype of its argument, as jnp.ones_like(x) has."),
        {
            "jax.jvp(jnp.sin, (x,), (jnp.ones(3),))": "jax.jvp(jnp.sin, (x,), (jnp.ones_like(x),))",
            "jax.jvp(jnp.sin, (1.0,), (1,))": "jax.jvp(jnp.sin, (1.0,), (1.0,))",
        },
    ),
    KnownError(
        "ValueError",
        r"^unexpected JAX type .* for argument to VJP function",
        N_("What jax.vjp returns takes one array like the output, with its shape and dtype: jnp.ones_like(output)."),
        {
            """
            output, back = jax.vjp(jnp.sin, x)
            back(1.0)
            """: """
            output, back = jax.vjp(jnp.sin, x)
            back(jnp.ones_like(output))
            """,
        },
    ),
)
