"""Errors of arrays and of keys: shapes, indices, dtypes."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError

_KEY = N_(
    "A key is no number: jax.random.split(key) and jax.random.fold_in(key, i) give new keys, "
    "jax.random.bits(key) a number."
)

_READ = N_("A kernel gets references: read the array with x_ref[...], and compute with that.")

_INTEGER = N_("An index, a size or a shape has to be an int: divide with //, or convert with int().")

ARRAYS: tuple[KnownError, ...] = (
    KnownError(
        "Exception",
        "cannot reshape array|incompatible shapes for broadcasting",
        N_("A causal mask is made from an array with one number for each position: nnx.make_causal_mask(jnp.ones(T))."),
        {
            """
            attention = nnx.MultiHeadAttention(2, 4, rngs=rngs, decode=False)
            attention(cube[0], mask=nnx.make_causal_mask(cube[0])).reshape(-1)
            """: """
            attention = nnx.MultiHeadAttention(2, 4, rngs=rngs, decode=False)
            attention(cube[0], mask=nnx.make_causal_mask(jnp.ones(3))).reshape(-1)
            """,
            """
            attention = nnx.MultiHeadAttention(2, 4, rngs=rngs, decode=False)
            attention(jnp.eye(4), mask=nnx.make_causal_mask(jnp.eye(4))).reshape(-1)
            """: """
            attention = nnx.MultiHeadAttention(2, 4, rngs=rngs, decode=False)
            attention(jnp.eye(4), mask=nnx.make_causal_mask(jnp.ones(4))).reshape(-1)
            """,
        },
        line=r"\bmake_causal_mask\b",
    ),
    KnownError(
        "TypeError",
        r"JAX arrays are immutable|object does not support item assignment",
        N_("JAX arrays cannot be changed in place: build the new array with x = x.at[i].set(value)."),
        {"x[0] = 1.0": "x.at[0].set(1.0)", "x[0] += 1.0": "x.at[0].set(x[0] + 1.0)"},
    ),
    KnownError(
        "AttributeError",
        r"(?:ArrayImpl|Tracer)'?(?: object)? has no attribute '?(?P<method>set|add|multiply|divide|power)\b",
        N_("`at` is missing: write x.at[i].{method}(value), which gives the new array."),
        {
            "x[0].set(1.0)": "x.at[0].set(1.0)",
            "jax.jit(lambda x: x[0].add(1.0))(x)": "jax.jit(lambda x: x.at[0].add(1.0))(x)",
        },
    ),
    KnownError(
        "TypeError",
        r"^'_IndexUpdateHelper' object is not callable",
        N_("`at` takes an index in square brackets: x.at[i].set(value)."),
        {"x.at(0).set(1.0)": "x.at[0].set(1.0)"},
    ),
    KnownError(
        "AttributeError",
        r"(?:ArrayImpl|Tracer|ndarray)'?(?: object)? has no attribute '?(?:append|extend)\b",
        N_("An array has no append: collect the parts in a list, and then make one array with jnp.stack(parts)."),
        {
            "rows = jnp.zeros(0); rows.append(1.0)": "rows = []; rows.append(1.0); jnp.stack(rows)",
            "jax.jit(lambda x: x.append(1.0))(x)": "jnp.stack([x, x])",
        },
    ),
    KnownError(
        "AttributeError",
        r"^'numpy\.ndarray' object has no attribute 'at'",
        N_("An array of NumPy has no `at`: make one of JAX, jnp.array(x).at[i].set(value)."),
        {"np.ones(3).at[0].set(2.0)": "jnp.array(np.ones(3)).at[0].set(2.0)"},
    ),
    KnownError(
        "ValueError",
        "^Zero-dimensional arrays cannot be concatenated",
        N_("jnp.concatenate takes one list of arrays: jnp.concatenate([a, b]). A number has no axis: use `x[None]`."),
        {
            "jnp.concatenate(jnp.ones(2), jnp.ones(2))": "jnp.concatenate([jnp.ones(2), jnp.ones(2)])",
            "jnp.concatenate([x.sum(), jnp.ones(2)])": "jnp.concatenate([x.sum()[None], jnp.ones(2)])",
        },
    ),
    KnownError(
        "Exception",
        r"^Cannot (concatenate|stack) arrays with|^All input arrays must have the same shape",
        N_(
            "Arrays that are joined have equally many axes, and differ in size along the axis of the join "
            "alone: x[None] and "
            "x[:, None] add an axis. jnp.stack makes a new axis, and takes equal shapes."
        ),
        {
            "jnp.concatenate([x, x[0]])": "jnp.concatenate([x, x[0][None]])",
            "jnp.concatenate([x, x.T])": "jnp.concatenate([x, x])",
            "jnp.stack([x, x[0]])": "jnp.stack([x, x])",
            "jnp.stack([x, x.T])": "jnp.stack([x, x])",
        },
    ),
    KnownError(
        "TypeError",
        "^Only scalar arrays can be converted to Python scalars",
        N_("A function of `math`, float() or int() takes one number: for an array, use the function in jax.numpy."),
        {"math.sqrt(x[0])": "jnp.sqrt(x[0])", "float(x[0])": "x[0].astype(jnp.float32)"},
    ),
    KnownError(
        "TypeError",
        r"^(tuple|list) indices must be integers or slices, not (tuple|str)",
        N_(
            "A list or a tuple takes one number in the brackets: make an array of it, jnp.stack(rows)[i, j], or write "
            "rows[i][j]. Keys belong to a dict."
        ),
        {
            "rows = [x[0], x[1]]; rows[0, 1]": "rows = [x[0], x[1]]; jnp.stack(rows)[0, 1], rows[0][1]",
            "(x, x)['mean']": "dict(mean=x)['mean']",
        },
    ),
    KnownError(
        "Exception",
        r"^Expected the input to have a dtype that is a subdtype of <class 'numpy\.integer'>|^Input type must be an integer",
        N_("Tokens and labels are ints: write labels.astype(jnp.int32)."),
        {
            "optax.softmax_cross_entropy_with_integer_labels(x, jnp.ones(2))": (
                "optax.softmax_cross_entropy_with_integer_labels(x, jnp.ones(2).astype(jnp.int32))"
            ),
            "nnx.Embed(3, 4, rngs=rngs)(jnp.ones(2))": "nnx.Embed(3, 4, rngs=rngs)(jnp.ones(2).astype(jnp.int32))",
        },
    ),
    KnownError(
        "TypeError",
        r"^Indexer must have integer",
        N_("An index is an integer: convert an array with .astype(jnp.int32), and divide whole numbers with //."),
        {"x[1.5]": "x[3 // 2]", "x[jnp.array([0.0])]": "x[jnp.array([0.0]).astype(jnp.int32)]"},
    ),
    KnownError(
        "IndexError",
        r"^Too many indices: array is \d+-dimensional",
        N_("The index has more entries than the array has axes: look at its shape. x[:, None] adds an axis."),
        {"x[0][:, 1]": "x[:, 1]"},
    ),
    KnownError(
        "TypeError",
        r"must have every element be nonnegative",
        N_("A size is negative: look at what is subtracted. max(n, 0) is 0 where nothing is left."),
        {"jnp.zeros((2 - 3, 2))": "jnp.zeros((max(2 - 3, 0), 2))"},
    ),
    KnownError(
        "Exception",
        r"indices must be integers|cannot be interpreted as an integer|must be an integer"
        r"|Shapes must be 1D sequences of concrete values of integer type|slice indices must be|Grid must be a "
        r"tuple of integers"
        r"|lower and upper arguments to fori_loop must have equal types",
        _INTEGER,
        {
            "jnp.zeros(6 / 2)": "jnp.zeros(6 // 2)",
            "range(6 / 2)": "range(6 // 2)",
            "range(5)[1.5]": "range(5)[int(1.5)]",
            "[1, 2, 3][: 4 / 2]": "[1, 2, 3][: 4 // 2]",
            "jax.lax.switch(1.0, [lambda: x, lambda: -x])": "jax.lax.switch(int(1.0), [lambda: x, lambda: -x])",
            "jax.lax.fori_loop(0, 6 / 2, lambda i, total: total + 1, 0)": "jax.lax.fori_loop(0, 6 // 2, lambda i, "
            "total: total "
            "+ 1, 0)",
            "pl.pallas_call(lambda a, b: None, grid=(6 / 2,), out_shape=x, interpret=True)(x)": (
                "pl.pallas_call(lambda a, b: None, grid=(6 // 2,), out_shape=x, interpret=True)(x)"
            ),
        },
    ),
    KnownError(
        "IndexError",
        r"only integers, slices",
        N_("An index has to be an int: divide with //, or convert with int()."),
        {"np.ones(3)[1.5]": "np.ones(3)[int(1.5)]"},
    ),
    KnownError(
        "ValueError",
        r"^Invalid shape for `swap`",
        N_(
            "What a kernel writes has the shape of its block: keep the axis in x_ref[...].sum(axis=1, "
            "keepdims=True), or add one."
        ),
        {
            """
            def kernel(x_ref, y_ref):
                y_ref[...] = x_ref[...].sum(axis=1)
            pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((2, 1), jnp.float32), interpret=True)(x)
            """: """
            def kernel(x_ref, y_ref):
                y_ref[...] = x_ref[...].sum(axis=1, keepdims=True)
            pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((2, 1), jnp.float32), interpret=True)(x)
            """,
        },
    ),
    KnownError(
        "Exception",
        r"[Ii]ncompatible (?:shapes|types) for broadcasting|got incompatible shapes|could not be broadcast",
        N_(
            "Shapes broadcast from the right, and each pair of sizes must be equal or hold a 1. Compare the two "
            "shapes: is there an axis too many, or does x[:, None] add the one that is missing?"
        ),
        {
            "x + jnp.ones(2)": "x + jnp.ones(2)[:, None]",
            "np.ones((2, 3)) + np.ones(2)": "np.ones((2, 3)) + np.ones(2)[:, None]",
            "x.at[0].set(jnp.ones(4))": "x.at[0].set(jnp.ones(3))",
        },
    ),
    KnownError(
        "ValueError",
        r"truth value of an array with more than one element is ambiguous",
        N_(
            "`if`, `and`, `or` and `not` need one value, and this is an array: choose with jnp.where, combine with &, "
            "| and ~, each comparison in brackets."
        ),
        {
            "1 if x > 1 else 2": "jnp.where(x > 1, 1, 2)",
            "a = jnp.arange(3); a > 0 & a < 2": "a = jnp.arange(3); (a > 0) & (a < 2)",
        },
    ),
    KnownError(
        "TypeError",
        r"^(?:bitwise_)?(?:and|or|not) does not accept dtype float",
        N_(
            "&, | and ~ take booleans or ints, and are computed before a comparison: put each comparison in "
            "brackets, (x > 0) & (x < 1)."
        ),
        {"jnp.where(x > 0 & x < 1, x, 0)": "jnp.where((x > 0) & (x < 1), x, 0)"},
    ),
    KnownError(
        "TypeError",
        r"^(?:neg|negative|sub|subtract) does not accept dtype bool",
        N_(
            "Booleans are not subtracted: ~mask turns a mask round, a ^ b is true where they differ, "
            "mask.astype(int) gives numbers."
        ),
        {"-(x > 1)": "~(x > 1)", "(x > 1) - (x > 2)": "(x > 1) ^ (x > 2), (x > 1).astype(int) - (x > 2).astype(int)"},
    ),
    KnownError(
        "TypeError",
        r"^xor does not accept dtype|for \^:|bitwise_xor. not supported",
        N_("`^` is exclusive or in Python: a power is written `**`."),
        {"np.ones(3, np.float32) ^ 2.0": "np.ones(3, np.float32) ** 2.0", "x ^ 2": "x ** 2"},
    ),
    KnownError(
        "TypeError",
        r"^lax\.\w+ requires arguments to have the same dtypes",
        N_("A function of jax.lax converts nothing: use that of jax.numpy, or write y.astype(x.dtype)."),
        {
            "jax.lax.add(x, 1)": "jnp.add(x, 1)",
            "jax.lax.dynamic_update_slice(x, jnp.ones((1, 3), int), (0, 0))": (
                "jax.lax.dynamic_update_slice(x, jnp.ones((1, 3), int).astype(x.dtype), (0, 0))"
            ),
        },
    ),
    KnownError(
        "TypeError",
        r"^dynamic_update_slice update must have the same rank",
        N_("The update has as many axes as the array: x[None] adds the one that is missing."),
        {"jax.lax.dynamic_update_slice(x, x[0], (0, 0))": "jax.lax.dynamic_update_slice(x, x[0][None], (0, 0))"},
    ),
    KnownError(
        "TypeError",
        r"dot_general requires contracting dimensions to have the same shape",
        N_(
            "In a @ b the last axis of a must be as long as the second last of b: print both shapes. "
            "Is a slice empty, or an axis in another place?"
        ),
        {"x @ x": "x @ x.T"},
    ),
    KnownError(
        "ValueError",
        r"^matmul input operand \d must have ndim at least 1",
        N_("@ multiplies arrays, and one of these is a number: multiply by a number with `*`."),
        {"x @ 2.0": "x * 2.0"},
    ),
    KnownError(
        "ValueError",
        r"^Size of label|^Einstein sum subscript|did not appear in the input$",
        N_(
            "Each array of an einsum has one letter for each of its axes, and a letter has one size everywhere. "
            "The letters of "
            "the result stand in the inputs."
        ),
        {
            'jnp.einsum("ij,jk->ik", x, x)': 'jnp.einsum("ij,kj->ik", x, x)',
            'jnp.einsum("ijk,jk->ik", x, x)': 'jnp.einsum("ij,kj->ik", x, x)',
            'jnp.einsum("ij,kj->il", x, x)': 'jnp.einsum("ij,kj->ik", x, x)',
        },
    ),
    KnownError(
        "TypeError",
        "cannot reshape array",
        N_(
            "A reshape keeps the number of values: multiply out both shapes and compare. Where blocks do not divide a "
            "length, jnp.pad comes first."
        ),
        {
            "x.reshape(4, 2)": "x.reshape(3, 2)",
            "jnp.reshape(x, (4, 2))": "jnp.reshape(x, (3, 2))",
            "(x.reshape(4, 2), nnx.make_causal_mask(x))": "(x.reshape(3, 2), nnx.make_causal_mask(x))",
        },
        line="reshape",
    ),
    KnownError(
        "TypeError",
        "cannot reshape array",
        N_(
            "A function that this line calls reshapes an array: compare the shapes that it gets with those that it "
            "takes."
        ),
        {
            "nnx.GroupNorm(4, 2, rngs=rngs)(jnp.ones((2, 6)))": "nnx.GroupNorm(6, 2, rngs=rngs)(jnp.ones((2, 6)))",
        },
    ),
    KnownError(
        "AttributeError",
        r"^'AbstractRef' object has no attribute",
        _READ,
        {
            """
            def kernel(x_ref, y_ref):
                y_ref[...] = x_ref - x_ref[...].max()
            pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
            """: """
            def kernel(x_ref, y_ref):
                y_ref[...] = x_ref[...] - x_ref[...].max()
            pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"requires ndarray or scalar arguments, got <class '[\w.]*Tracer'>|a Ref can't be passed",
        _READ,
        {
            """
            def kernel(x_ref, y_ref):
                y_ref[...] = jnp.exp(x_ref)
            pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
            """: """
            def kernel(x_ref, y_ref):
                y_ref[...] = jnp.exp(x_ref[...])
            pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"requires ndarray or scalar arguments|not a valid JAX type|is not a valid JAX array type",
        N_("jax.numpy takes arrays and numbers, not lists: wrap the list in jnp.array(...)."),
        {"jnp.sin([1.0, 2.0])": "jnp.sin(jnp.array([1.0, 2.0]))"},
    ),
    KnownError(
        "Exception",
        r"does not accept dtypes? [^\n]*key<|Cannot call abstract method",
        _KEY,
        {
            "key >> 16": "jax.random.bits(key) >> 16",
            "key + 1": "jax.random.fold_in(key, 1)",
            "key.astype(jnp.uint32)": "jax.random.bits(key)",
        },
    ),
    KnownError(
        "ValueError",
        r"accepts a single key, but was given a key array",
        N_("jax.random.split gives an array of keys, and a draw takes one: write keys[0], or jax.vmap over the keys."),
        {
            "jax.random.normal(jax.random.split(key, 3), (2,))": (
                "jax.random.normal(jax.random.split(key, 3)[0], (2,)), "
                "jax.vmap(lambda one: jax.random.normal(one, (2,)))(jax.random.split(key, 3))"
            ),
        },
    ),
    KnownError(
        "TypeError",
        r"invalid PRNG key data: expected key_data.dtype",
        N_("The data of a key are uint32, as jax.random.key_data(key) gives them: keep this dtype."),
        {
            "jax.random.wrap_key_data(jax.random.key_data(key).astype(jnp.int32))": (
                "jax.random.wrap_key_data(jax.random.key_data(key))"
            ),
        },
    ),
    KnownError(
        "TypeError",
        r"JAX encountered invalid PRNG key|unexpected PRNG key type|must be a key",
        N_(
            "jax.random takes a key first: make one with jax.random.key(seed). A stream of nnx.Rngs gives one when it "
            "is called."
        ),
        {
            "jax.random.normal(0, (3,))": "jax.random.normal(jax.random.key(0), (3,))",
            "jax.random.normal((3,))": "jax.random.normal(jax.random.key(0), (3,))",
            "jax.random.normal(x, (3,))": "jax.random.normal(jax.random.key(0), (3,))",
            "jax.random.normal(rngs.params, (3,))": "jax.random.normal(rngs.params(), (3,))",
        },
    ),
    KnownError(
        "TypeError",
        r"Cannot interpret '-?[\d.]+' as a data type|data type '?-?[\d.]+'? not understood",
        N_(
            "A draw takes the key and the shape first, and limits by name: jax.random.uniform(key, shape, minval=0.0, "
            "maxval=1.0). A shape is one tuple."
        ),
        {"jax.random.uniform(key, 0, 1, (3,))": "jax.random.uniform(key, (3,), minval=0, maxval=1)"},
        line=r"\brandom\.|(normal|uniform)\(",
    ),
    KnownError(
        "TypeError",
        r"Cannot interpret '\d+' as a data type|data type '?\d+'? not understood",
        N_("A shape is one tuple: write jnp.ones((rows, columns)), with two pairs of brackets."),
        {"jnp.ones(3, 3)": "jnp.ones((3, 3))"},
    ),
    KnownError(
        "TypeError",
        r"^'([\w.]*\.)?(\w*Tracer|ArrayImpl|ndarray|float\d*|int\d*)' object is not callable",
        N_(
            "An array or a number is called here as if it were a function: is a `*` missing before the bracket, or are "
            "two arguments exchanged?"
        ),
        {"x(2)": "x * (2)", "jax.jit(lambda x: x(2))(x)": "jax.jit(lambda x: x * (2))(x)"},
    ),
    KnownError(
        "RuntimeError",
        r"^Array has been deleted",
        N_(
            "This array was given away by donate_argnums, and no longer exists: use the result, or leave "
            "donate_argnums out."
        ),
        {
            """
            doubled = jax.jit(lambda a: 2 * a, donate_argnums=0)
            start = jnp.ones(3)
            doubled(start)
            start + 1
            """: """
            doubled = jax.jit(lambda a: 2 * a, donate_argnums=0)
            start = jnp.ones(3)
            start = doubled(start)
            start + 1
            """,
        },
    ),
)
