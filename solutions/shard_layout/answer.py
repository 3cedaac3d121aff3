"""What each device holds of an array (GSPMD, Xu et al., 2021, section 3.1)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from grader import Problem, Trace, Whole


def shard_layout(seed, N, M, a, b):
    x = jax.random.normal(jax.random.key(seed), (N, M), dtype=jnp.float32)
    mesh = jax.make_mesh((a, b), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)

    def held(spec):
        # Each device makes one row of what it holds. The rows are joined in the order of the mesh.
        joined = P(("x", "y"))
        #: devices-column-major: ("x", "y") -> ("y", "x")
        parts = jax.shard_map(lambda part: part.reshape(1, -1), mesh=mesh, in_specs=spec, out_specs=joined)
        #: part-column-major: part.reshape -> part.T.reshape
        return parts(x).reshape(-1)
        #: interleaved:
        #:     rows = {"x": a, "y": b, ("x", "y"): a * b, ("y", "x"): a * b}.get(spec[0], 1)
        #:     return parts(x.reshape(-1, rows, M).swapaxes(0, 1).reshape(N, M)).reshape(-1)

    cut_twice = held(P("x", "y"))
    #: axes-swapped: "x", "y" -> "y", "x"
    rows_alone = held(P(("y", "x")))
    #: tuple-in-mesh-order: ("y", "x") -> ("x", "y")
    copies = held(P(None, "x"))
    #: rows-for-columns: None, "x" -> "x"
    #: other-axis: "x" -> "y"
    #: copies-at-the-end:
    #:     once = jax.shard_map(jnp.ravel, mesh=mesh, in_specs=P(None, "x"), out_specs=P("x"))
    #:     copies = jnp.tile(once(x), b)
    return jnp.concatenate([cut_twice, rows_alone, copies])


problem = Problem(
    axes=("number",),
    contract="trace",
    trace=Trace(needs=["shard_map"]),
    arguments={"N": Whole(), "M": Whole(), "a": Whole(most=4), "b": Whole(most=4)},
    legal=[
        lambda a, b: a * b <= 4,
        lambda N, a, b: N % (a * b) == 0,
        lambda M, a: M % a == 0,
        lambda M, b: M % b == 0,
    ],
    cases=[
        (0, 4, 2, 2, 2),
        (1, 2, 2, 1, 2),
        (0, 2, 2, 2, 1),
        (2, 4, 8, 1, 4),
        (3, 8, 4, 4, 1),
        (4, 16, 12, 2, 2),
        (5, 1, 3, 1, 1),
        (6, 3, 1, 1, 1),
        (7, 9, 3, 3, 1),
        (8, 3, 3, 1, 3),
        (9, 2, 9, 1, 1),
    ],
)
