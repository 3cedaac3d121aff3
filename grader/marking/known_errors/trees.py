"""Errors of trees, and of what is no array: texts, None, tuples, results that are taken apart."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError

_TREE = N_(
    "A tree of arrays is no array: compute with each of its arrays, as in jax.tree.map(lambda p, g: p - rate * "
    "g, parameters, "
    "gradients)."
)

TREES: tuple[KnownError, ...] = (
    KnownError(
        "TypeError",
        r"requires ndarray or scalar arguments, got <class 'NoneType'>",
        N_(
            "One of the arguments is None: does a function lack its `return`, or jnp.where(mask, x, other) its "
            "last argument?"
        ),
        {"jnp.where(x > 1, x)": "jnp.where(x > 1, x, 0.0)"},
    ),
    KnownError(
        "TypeError",
        r"requires ndarray or scalar arguments, got <class 'dict'>",
        _TREE,
        {"jnp.square({'w': x})": "jax.tree.map(jnp.square, {'w': x})"},
    ),
    KnownError(
        "TypeError",
        r"got <class 'function'>|of type '?<class 'function'>'? is not a valid JAX type",
        N_(
            "A function stands where an array is expected: are two arguments exchanged? The function comes first, as in "
            "jax.lax.map(f, xs)."
        ),
        {"jax.lax.map(x, lambda row: 2 * row)": "jax.lax.map(lambda row: 2 * row, x)"},
    ),
    KnownError(
        "TypeError",
        r"^'(list|tuple|dict)' object is not callable",
        N_(
            "A list, a tuple or a dict is called here as if it were a function. A scan walks along arrays, and not along a "
            "list: loop in Python, `for layer in layers`, or stack the arrays of the layers."
        ),
        {
            "layers = [jnp.sin, jnp.cos]; layers(x)": "layers = [jnp.sin, jnp.cos]; [layer(x) for layer in layers]",
            "jax.lax.scan(lambda h, layer: (layer(h), None), x, [nnx.Linear(3, 3, rngs=rngs)])": """
            for layer in [nnx.Linear(3, 3, rngs=rngs)]:
                x = layer(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^can't multiply sequence by non-int",
        N_(
            "A list is no array: multiply jnp.array(numbers), or each array of the list with "
            "jax.tree.map(lambda p: 0.5 * p, parts)."
        ),
        {
            "0.5 * [1.0, 2.0]": "0.5 * jnp.array([1.0, 2.0])",
            "parts = [x, x[0]]; 0.5 * parts": "parts = [x, x[0]]; jax.tree.map(lambda p: 0.5 * p, parts)",
        },
    ),
    KnownError(
        "TypeError",
        r"of type <class 'str'> is not a valid JAX type",
        N_("JAX takes arrays and numbers, and this is a text: keep texts out of the tree, and out of the arguments."),
        {'jax.grad(lambda p: p["w"].sum())({"w": x, "name": "layer"})': 'jax.grad(lambda p: p["w"].sum())({"w": x})'},
    ),
    KnownError(
        "TypeError",
        r"^unsupported operand type\(s\) for .*'tuple'",
        N_("x.shape is a tuple: x.shape[0] is the size of the first axis, x.size the number of all values."),
        {"x.shape / 2": "x.shape[0] / 2"},
        line=r"\.shape\b(?!\[)",
    ),
    KnownError(
        "TypeError",
        r"^unsupported operand type\(s\) for .*'dict'",
        N_(
            "The gradients should be a tree of the same structure as the parameters that optimizer.init took: is one of "
            "them a single array?"
        ),
        {
            """
            tx = optax.sgd(0.1, momentum=0.9)
            tx.update(x, tx.init({"w": x}))
            """: """
            tx = optax.sgd(0.1, momentum=0.9)
            tx.update({"w": x}, tx.init({"w": x}))
            """,
        },
        line=r"\.update\(",
    ),
    KnownError(
        "TypeError",
        r"^unsupported operand type\(s\) for .*'(dict|list|tuple|State)'",
        _TREE,
        {
            "tree = {'w': x}; 0.1 * tree": "tree = {'w': x}; jax.tree.map(lambda p: 0.1 * p, tree)",
            "tree = {'w': x}; jax.jit(lambda rate: rate * tree)(0.1)": "jax.jit(lambda rate: jax.tree.map(lambda p: "
            "rate * p, "
            "{'w': x}))(0.1)",
            "parts = [x, x]; parts - parts": "parts = [x, x]; jax.tree.map(lambda p, g: p - 0.1 * g, parts, parts)",
            "nnx.state(model) - 0.1 * nnx.state(model)": (
                "jax.tree.map(lambda p, g: p - 0.1 * g, nnx.state(model), nnx.state(model))"
            ),
        },
    ),
    KnownError(
        "TypeError",
        r"^unsupported operand type\(s\) for .*'NoneType'|^'NoneType' object is not |^cannot unpack "
        r"non-iterable NoneType",
        N_("This value is None: does a function that you wrote lack its `return`?"),
        {
            """
            def double(x):
                2 * x
            double(x) + 1
            """: """
            def double(x):
                return 2 * x
            double(x) + 1
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^iteration over a 0-d array|^cannot unpack non-iterable (float|int)",
        N_(
            "One number cannot be taken apart. jax.grad gives the gradient alone, and jax.value_and_grad the "
            "value and the "
            "gradient. A loop goes over range(n)."
        ),
        {
            "value, gradient = jax.grad(jnp.sin)(1.0)": "value, gradient = jax.value_and_grad(jnp.sin)(1.0)",
            "[i for i in jnp.float32(3)]": "[i for i in range(3)]",
        },
    ),
    KnownError(
        "ValueError",
        r"^(not enough|too many) values to unpack",
        N_(
            "The names on the left are not as many as the values on the right. An array gives one value for each "
            "index of its first axis; jax.value_and_grad with has_aux=True gives (value, extra), gradient."
        ),
        {
            "a, b, c = x": "a, b = x",
            "a, b = jax.random.split(key, 3)": "a, b, c = jax.random.split(key, 3)",
        },
    ),
    KnownError(
        "ValueError",
        r"^pytree structure error: (?s:.)*shard_map (?P<specs>in_specs|out_specs)",
        N_('{specs} has one entry for each argument or result: (P("i"), P()) for two.'),
        {
            'jax.shard_map(lambda a, b: a + b, mesh=mesh, in_specs=(P("i"),), out_specs=P("i"))(x, x)': (
                'jax.shard_map(lambda a, b: a + b, mesh=mesh, in_specs=(P("i"), P("i")), out_specs=P("i"))(x, x)'
            ),
            'jax.shard_map(lambda a: (a, a), mesh=mesh, in_specs=P("i"), out_specs=(P("i"),))(x)': (
                'jax.shard_map(lambda a: (a, a), mesh=mesh, in_specs=P("i"), out_specs=(P("i"), P("i")))(x)'
            ),
        },
    ),
    KnownError(
        "ValueError",
        "^pytree structure error",
        N_("An optimizer of Optax gives two things: updates, state = optimizer.update(gradients, state, parameters)."),
        {
            """
            adam, tree = optax.adam(1e-3), {"w": x}
            updates = adam.update(tree, adam.init(tree))
            optax.apply_updates(tree, updates)
            """: """
            adam, tree = optax.adam(1e-3), {"w": x}
            updates, state = adam.update(tree, adam.init(tree), tree)
            optax.apply_updates(tree, updates)
            """,
        },
        line=r"apply_updates\(",
    ),
    KnownError(
        "ValueError",
        "^pytree structure error",
        N_(
            "Two trees should have the same structure, but they differ. For nnx.Optimizer: the filters of wrt= and of the "
            "gradient should pick the same variables."
        ),
        {
            "optimizer.update(model, nnx.State({'bias': nnx.state(model)['bias']}))": (
                "optimizer.update(model, nnx.state(model))"
            ),
        },
        line=r"\.update\(",
    ),
    KnownError(
        "ValueError",
        "^pytree structure error",
        N_(
            "Two trees should have the same structure, but they differ: a list is no tuple, and dicts need the same keys. "
            "jax.tree.structure(tree) shows that of a tree."
        ),
        {
            "jax.tree.map(jnp.add, {'a': x}, {'b': x})": "jax.tree.map(jnp.add, {'a': x}, {'a': x})",
            "jax.tree.map(jnp.add, [x, x], (x, x))": "jax.tree.map(jnp.add, [x, x], [x, x]), jax.tree.structure([x, x])",
        },
    ),
)
