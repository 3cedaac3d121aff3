"""Errors of several devices and of kernels: meshes, specs, collectives, blocks."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError

_COLLECTIVE = (
    r"\b(?:psum|pmean|pmax|pmin|ppermute|psum_scatter|all_gather|all_to_all|axis_index|axis_size|pcast|pvary)\("
)

_COUNT = r"\(\) (takes .* positional arguments? but|missing \d+ required positional)"

_BLOCKS = N_(
    "A block is given by its shape, and then by its index map: pl.BlockSpec((rows, columns), lambda i: (i, 0)). "
    "The map has one "
    "argument for each axis of the grid, and gives one number for each axis of the block."
)

_DIVISIBLE = N_(
    'An axis that is cut has the same number of elements on each device: is this the axis that you mean? P("i") '
    "cuts the first "
    'axis, P(None, "i") the second.'
)

_AXIS_OF_MESH = N_("A spec has names of axes of the mesh, and this is none of them: compare with jax.make_mesh.")


def _with_kernel(kernel: str, call: str = "kernel", given: str = "x") -> str:
    """A program that runs a kernel on x, with out_shape and interpret filled in."""
    return (
        f"{kernel}pl.pallas_call({call}, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)({given})\n"
    )


_DOUBLED = """
def kernel(x_ref, y_ref):
    y_ref[...] = 2 * x_ref[...]
"""

_BY_ROWS = "kernel, grid=(2,), in_specs=[{0}], out_specs={0}"
_ROW = "pl.BlockSpec((1, 3), lambda i: (i, 0))"

DEVICES: tuple[KnownError, ...] = (
    KnownError(
        "AssertionError",
        "^$",
        N_("Does the mesh of jax.shard_map have an axis of this name? A collective names one."),
        {
            'jax.shard_map(lambda x: jax.lax.psum(x, "j"), mesh=mesh, in_specs=P("i"), out_specs=P())(x)': (
                'jax.shard_map(lambda x: jax.lax.psum(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P())(x)'
            ),
            'jax.shard_map(lambda x: jax.lax.ppermute(x, "j", [(0, 0)]), mesh=mesh, in_specs=P("i"), '
            'out_specs=P("i"))(x)': (
                'jax.shard_map(lambda x: jax.lax.ppermute(x, "i", [(0, 0)]), mesh=mesh, in_specs=P("i"), '
                'out_specs=P("i"))(x)'
            ),
        },
        line=r"^(?!\s*assert\b).*" + _COLLECTIVE,
    ),
    KnownError(
        "ValueError",
        r"scatter dimension size \d+ must match shard count",
        N_(
            "Without tiled=True, psum_scatter removes an axis with one element for each device: write tiled=True to cut an "
            "axis into parts."
        ),
        {
            'jax.shard_map(lambda x: jax.lax.psum_scatter(x, "i"), mesh=mesh, in_specs=P(), out_specs=P("i"))(x)': (
                'jax.shard_map(lambda x: jax.lax.psum_scatter(x, "i", tiled=True), mesh=mesh, in_specs=P(), '
                'out_specs=P("i"))(x)'
            ),
        },
    ),
    KnownError(
        "NameError",
        r"[Uu]nbound axis name: (?P<axis>\w+)",
        N_(
            'There is no axis "{axis}" here. A collective works in a function under jax.shard_map, with an axis '
            "of the mesh, or "
            'under jax.vmap(..., axis_name="{axis}").'
        ),
        {
            'jax.lax.psum(x, "i")': 'jax.shard_map(lambda x: jax.lax.psum(x, "i"), mesh=mesh, in_specs=P("i"), '
            "out_specs=P())(x)",
            'jax.vmap(lambda x: jax.lax.pmean(x, "batch"))(x)': 'jax.vmap(lambda x: jax.lax.pmean(x, "batch"), '
            'axis_name="batch")(x)',
            'jax.shard_map(lambda x: x * jax.lax.axis_index("j"), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)': (
                'jax.shard_map(lambda x: x * jax.lax.axis_index("i"), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)'
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"(?s)^shard_map applied to .*out_specs which require replication.*out_specs\S* is P\(",
        N_(
            "out_specs says that this result is the same on all devices, and that is not certain: add the parts "
            "up with "
            'jax.lax.psum(x, "i"), or join them with out_specs=P("i").'
        ),
        {
            'jax.shard_map(lambda x: x.sum(), mesh=mesh, in_specs=P("i"), out_specs=P())(x)': (
                'jax.shard_map(lambda x: jax.lax.psum(x.sum(), "i"), mesh=mesh, in_specs=P("i"), out_specs=P())(x)'
            ),
            'jax.shard_map(lambda x: 2 * x, mesh=mesh, in_specs=P("i"), out_specs=P())(x)': (
                'jax.shard_map(lambda x: 2 * x, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)'
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"out_specs entry which is too long",
        N_(
            "This result has fewer axes than out_specs. A number of each device gets an axis with x[None]; one "
            "that is the same on "
            "all devices has P()."
        ),
        {
            'jax.shard_map(lambda x: x.sum(), mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)': (
                'jax.shard_map(lambda x: x.sum()[None], mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)'
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"in_specs entry which is too long|is only valid for values of rank at least",
        N_('A spec has at most one entry for each axis of its array: P("i") for one axis, P("i", None) for two.'),
        {
            'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i", None), out_specs=P("i"))(x[0])': (
                'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x[0])'
            ),
            'jax.device_put(x[0], NamedSharding(mesh, P("i", None)))': "jax.device_put(x[0], NamedSharding(mesh, "
            'P("i")))',
        },
    ),
    KnownError(
        "ValueError",
        r"not evenly divisible by the corresponding mesh axis sizes|implies that array axis \d+ is partitioned",
        _DIVISIBLE,
        {
            'jax.shard_map(lambda x: x, mesh=two, in_specs=P(None, "i"), out_specs=P(None, "i"))(x)': (
                'jax.shard_map(lambda x: x, mesh=two, in_specs=P("i"), out_specs=P("i"))(x)'
            ),
            'jax.device_put(x, NamedSharding(two, P(None, "i")))': 'jax.device_put(x, NamedSharding(two, P("i")))',
        },
    ),
    KnownError(
        "ValueError",
        r"must refer to an axis marked as manual|^Resource axis: .* is not found in mesh",
        _AXIS_OF_MESH,
        {
            'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("j"), out_specs=P("i"))(x)': (
                'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)'
            ),
            'NamedSharding(mesh, P("j"))': 'NamedSharding(mesh, P("i"))',
        },
    ),
    KnownError(
        "DuplicateSpecError",
        "",
        N_(
            'An axis of the mesh cuts one axis of an array: P("i", None) cuts the rows, and P(None, "i") the '
            "columns. To cut both, "
            "make a mesh with two axes."
        ),
        {'NamedSharding(mesh, P("i", "i"))': 'NamedSharding(mesh, P("i", None)), NamedSharding(mesh, P(None, "i"))'},
    ),
    KnownError(
        "Exception",
        r"produces an illegally sharded result",
        N_(
            "These arrays are cut along different axes of the result. Make one of them whole first: "
            "jax.reshard(x, NamedSharding(mesh, P()))."
        ),
        {
            "cut_rows + cut_columns": "jax.reshard(cut_rows, NamedSharding(explicit, P())) + cut_columns",
            "cut_rows[:, :1] * cut_rows[:, 0]": (
                "jax.reshard(cut_rows[:, :1], NamedSharding(explicit, P())) * cut_rows[:, 0]"
            ),
        },
    ),
    KnownError(
        "Exception",
        r"must have the same shardings",
        N_(
            "These arrays are cut in different ways. Cut one as the other first: jax.reshard(x, jax.typeof(y).sharding)."
        ),
        {
            "jnp.where(cut_rows > 0, cut_rows, cut_columns)": (
                "jnp.where(cut_rows > 0, cut_rows, jax.reshard(cut_columns, jax.typeof(cut_rows).sharding))"
            ),
        },
    ),
    KnownError(
        "Exception",
        r"^Contracting dimensions are sharded",
        N_(
            "This product adds up numbers that lie on different devices. Make one of its arrays whole first: "
            "jax.reshard(x, NamedSharding(mesh, P()))."
        ),
        {
            "cut_rows.T @ cut_rows": "jax.reshard(cut_rows, NamedSharding(explicit, P())).T @ cut_rows",
            "cut_columns @ cut_rows": "jax.reshard(cut_columns, NamedSharding(explicit, P())) @ cut_rows",
        },
    ),
    KnownError(
        "Exception",
        r"^Use `\.at\[\.\.\.\]\.get\(out_sharding=",
        N_(
            "The array or its index is cut over devices along this axis. Make both whole first: "
            "jax.reshard(x, NamedSharding(mesh, P()))."
        ),
        {
            "cut_rows[0]": "jax.reshard(cut_rows, NamedSharding(explicit, P()))[0]",
            "jax.reshard(cut_rows, NamedSharding(explicit, P()))["
            "jax.device_put(jnp.arange(4), NamedSharding(explicit, P('i')))]": (
                "jax.reshard(cut_rows, NamedSharding(explicit, P()))["
                "jax.device_put(jnp.arange(4), NamedSharding(explicit, P()))]"
            ),
        },
    ),
    KnownError(
        "Exception",
        r"^Use `\.at\[\.\.\.\]\.set",
        N_(
            "The array or what is written into it is cut over devices along this axis. Make both whole first: "
            "jax.reshard(x, NamedSharding(mesh, P()))."
        ),
        {
            "jnp.zeros((4, 4)).at[0].set(cut_columns[0])": (
                "jnp.zeros((4, 4)).at[0].set(jax.reshard(cut_columns, NamedSharding(explicit, P()))[0])"
            ),
            "jnp.zeros(16).at[:].set(cut_rows.reshape(-1))": (
                "jnp.zeros(16).at[:].set(jax.reshard(cut_rows, NamedSharding(explicit, P())).reshape(-1))"
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Length of device assignment \d+ is not equal to the size of the mesh",
        N_(
            "An array of one device meets an array of the mesh here. Place it on all devices first: "
            "jax.device_put(x, NamedSharding(mesh, P()))."
        ),
        {
            "jax.reshard(cut_rows, NamedSharding(explicit, P())).at[0].set(jnp.ones(4))": (
                "jax.reshard(cut_rows, NamedSharding(explicit, P())).at[0].set("
                "jax.device_put(jnp.ones(4), NamedSharding(explicit, P())))"
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Please set a mesh via `jax.set_mesh`|^Using PartitionSpec when you are not under a mesh context",
        N_('Name the mesh: NamedSharding(mesh, P("i")) in place of P("i").'),
        {
            'jax.device_put(x, P("i"))': 'jax.device_put(x, NamedSharding(mesh, P("i")))',
            'jax.reshard(cut_rows, P("i"))': 'jax.reshard(cut_rows, NamedSharding(explicit, P("i")))',
        },
    ),
    KnownError(
        "RuntimeError",
        r"^with_sharding_constraint requires a non-empty mesh",
        N_('Name the mesh: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("i"))).'),
        {
            'jax.jit(lambda x: jax.lax.with_sharding_constraint(x, P("i")))(x)': (
                'jax.jit(lambda x: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("i"))))(x)'
            ),
        },
    ),
    KnownError(
        "Exception",
        r"^The context mesh cannot be empty|^shard_map\(\) (takes|got an unexpected keyword argument|missing)",
        N_(
            "All but the function is given by name: jax.shard_map(f, mesh=mesh, in_specs=..., out_specs=...). "
            "What was check_rep is "
            "check_vma."
        ),
        {
            'jax.shard_map(lambda x: x, in_specs=P("i"), out_specs=P("i"))(x)': (
                'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)'
            ),
            'jax.shard_map(lambda x: x, mesh, P("i"), P("i"))(x)': (
                'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)'
            ),
            'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_rep=False)(x)': (
                'jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False)(x)'
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Unsupported pcast from=varying",
        N_("This value varies from device to device already: leave pcast out."),
        {
            'jax.shard_map(lambda x: jax.lax.pcast(x, "i", to="varying"), mesh=mesh, in_specs=P("i"), '
            'out_specs=P("i"))(x)': ('jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(x)'),
        },
    ),
    KnownError(
        "ValueError",
        r"^Received incompatible devices",
        N_(
            "These arrays lie on different devices: jax.device_get(x) fetches one from its device, and then they can "
            "be joined."
        ),
        {
            "jnp.concatenate([jax.device_put(x, one) for one in jax.devices()[:2]])": (
                "jnp.concatenate([jax.device_get(jax.device_put(x, one)) for one in jax.devices()[:2]])"
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Number of devices \d+ must be",
        N_("A mesh cannot have more devices than there are: make it of as many as the task says."),
        {'jax.make_mesh((1000,), ("i",))': 'jax.make_mesh((1,), ("i",))'},
    ),
    KnownError(
        "ValueError",
        "^Only interpret mode is supported on CPU",
        N_("A CPU does not run a kernel of Pallas as it is: write pl.pallas_call(..., interpret=True)."),
        {
            "pl.pallas_call(lambda x_ref, y_ref: None, out_shape=jax.ShapeDtypeStruct((6,), jnp.float32))(x)": (
                "pl.pallas_call(lambda x_ref, y_ref: None, out_shape=jax.ShapeDtypeStruct((6,), jnp.float32), "
                "interpret=True)(x)"
            ),
        },
    ),
    KnownError(
        "TypeError",
        r"^'function' object is not iterable",
        _BLOCKS,
        {
            _with_kernel(_DOUBLED, _BY_ROWS.format("pl.BlockSpec(lambda i: (i, 0), (1, 3))")): _with_kernel(
                _DOUBLED, _BY_ROWS.format(_ROW)
            ),
        },
        line=r"pallas_call|BlockSpec",
    ),
    KnownError(
        "ValueError",
        r"^Index map function .* must return \d+ values|^Block shape for .* must have the same number of dimensions",
        _BLOCKS,
        {
            _with_kernel(_DOUBLED, _BY_ROWS.format("pl.BlockSpec((1, 3), lambda i: i)")): _with_kernel(
                _DOUBLED, _BY_ROWS.format(_ROW)
            ),
            _with_kernel(_DOUBLED, _BY_ROWS.format("pl.BlockSpec((1,), lambda i: (i,))")): _with_kernel(
                _DOUBLED, _BY_ROWS.format(_ROW)
            ),
        },
    ),
    KnownError(
        "TypeError",
        _COUNT,
        N_(
            "A kernel takes one reference for each input, and then one for each output. An index map takes one "
            "number for each axis "
            "of the grid."
        ),
        {
            _with_kernel("def kernel(x_ref):\n    return 2 * x_ref[...]\n"): _with_kernel(_DOUBLED),
            _with_kernel(_DOUBLED, _BY_ROWS.format("pl.BlockSpec((1, 3), lambda i, j: (i, j))")): _with_kernel(
                _DOUBLED, _BY_ROWS.format(_ROW)
            ),
        },
        line=r"pallas_call",
    ),
    KnownError(
        "ValueError",
        r"^The kernel function in the pallas_call .* should return None",
        N_("A kernel returns nothing: it writes its result into the last reference, y_ref[...] = value."),
        {_with_kernel("def kernel(x_ref, y_ref):\n    return 2 * x_ref[...]\n"): _with_kernel(_DOUBLED)},
    ),
    KnownError(
        "ValueError",
        r"^The kernel function in the pallas_call .* captures constants",
        N_(
            "A kernel uses no array from outside: hand the array over as one more input, with one more "
            "reference, or make it inside, "
            "as with jnp.arange."
        ),
        {
            _with_kernel(
                "scales = jnp.ones(3)\ndef kernel(x_ref, y_ref):\n    y_ref[...] = scales * x_ref[...]\n"
            ): _with_kernel(
                "scales = jnp.ones(3)\ndef kernel(x_ref, scales_ref, y_ref):\n    y_ref[...] = scales_ref[...] "
                "* x_ref[...]\n",
                given="x, scales",
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Invalid dtype for `swap`",
        N_("What a kernel writes has the dtype of out_shape: write value.astype(y_ref.dtype)."),
        {
            _with_kernel("def kernel(x_ref, y_ref):\n    y_ref[...] = x_ref[...].astype(int)\n"): _with_kernel(
                "def kernel(x_ref, y_ref):\n    y_ref[...] = x_ref[...].astype(int).astype(y_ref.dtype)\n"
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Invalid out_shape type",
        N_("out_shape has a shape and a dtype: jax.ShapeDtypeStruct(x.shape, x.dtype)."),
        {
            "pl.pallas_call(lambda x_ref, y_ref: None, out_shape=x.shape, interpret=True)(x)": (
                "pl.pallas_call(lambda x_ref, y_ref: None, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), "
                "interpret=True)(x)"
            ),
        },
    ),
    KnownError(
        "ValueError",
        r"^Pytree for `in_specs` and `inputs` do not match",
        N_("in_specs is a list with one pl.BlockSpec for each input."),
        {
            _with_kernel(
                "def kernel(a_ref, b_ref, y_ref):\n    y_ref[...] = a_ref[...] + b_ref[...]\n",
                _BY_ROWS.format(_ROW),
                "x, x",
            ): _with_kernel(
                "def kernel(a_ref, b_ref, y_ref):\n    y_ref[...] = a_ref[...] + b_ref[...]\n",
                f"kernel, grid=(2,), in_specs=[{_ROW}, {_ROW}], out_specs={_ROW}",
                "x, x",
            ),
        },
    ),
    KnownError(
        "Exception",
        "^$|program_id",
        N_("pl.program_id is known inside of a kernel alone: call it there."),
        {
            "pl.program_id(0)": _with_kernel(
                "def kernel(x_ref, y_ref):\n    y_ref[...] = x_ref[...] + pl.program_id(0)\n", "kernel, grid=(2,)"
            ),
        },
        line=r"^(?!\s*assert\b).*\bprogram_id\(",
    ),
)
