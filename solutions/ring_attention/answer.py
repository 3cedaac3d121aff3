"""Attention whose keys and values travel around a ring of devices (Liu, Zaharia and Abbeel, 2023)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from grader import Heatmap, Problem, Trace, Whole


def ring_attention(seed, T, d, devices):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    q = jax.random.normal(k1, (T, d), dtype=jnp.float32)
    k = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    v = jax.random.normal(k3, (T, d), dtype=jnp.float32)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    size = T // devices
    ring = [(device, (device + 1) % devices) for device in range(devices)]

    def local(q, k, v):
        mine = jax.lax.axis_index("i")
        rows = mine * size + jnp.arange(size)

        def hop(carry, rounds):
            k, v, largest, total, result = carry
            # Each round, the blocks have travelled one device further.
            source = (mine - rounds) % devices
            #: wrong-source: mine - rounds -> mine + rounds
            columns = source * size + jnp.arange(size)
            #: mask-of-own-block (not with wrong-source): source * size -> mine * size
            scores = q @ k.T / d**0.5
            #: unscaled: / d**0.5 ->
            scores = jnp.where(rows[:, None] >= columns, scores, -jnp.inf)
            #: not-causal (not with wrong-source, mask-of-own-block): -
            #: mask-of-whole-blocks (not with mask-of-own-block): rows[:, None] >= columns -> source <= mine
            new = jnp.maximum(largest, scores.max(axis=1))
            weights, shrink = jnp.exp(scores - new[:, None]), jnp.exp(largest - new)
            total = shrink * total + weights.sum(axis=1)
            #: sum-not-rescaled: shrink * total -> total
            #: mean-of-blocks: total = total + (source <= mine)
            result = shrink[:, None] * result + weights @ v
            #: accumulator-not-rescaled: shrink[:, None] * result -> result
            #: mean-of-blocks:
            #:     own = jax.nn.softmax(jnp.where(jnp.isfinite(scores), scores, -1e9), axis=1)
            #:     result = result + jnp.where(source <= mine, own @ v, 0.0)
            # The last round sends too, though nobody needs it: so all rounds are alike.
            k, v = jax.lax.ppermute((k, v), "i", ring)
            #: keys-only-sent: k, v = jax.lax.ppermute((k, v), "i", ring) -> k = jax.lax.ppermute(k, "i", ring)
            return (k, v, new, total, result), None

        # The sums will differ from device to device, and a scan carries one type: so they do from the start.
        sums = jnp.full(size, -jnp.inf), jnp.zeros(size), jnp.zeros((size, d))
        start = k, v, *jax.lax.pcast(sums, "i", to="varying")
        # The own block comes first: each row sees its own key, so its largest score is a number from then on.
        (_, _, _, total, result), _ = jax.lax.scan(hop, start, jnp.arange(devices))
        #: one-hop-short (not with own-block-only): jnp.arange(devices) -> jnp.arange(max(devices - 1, 1))
        #: own-block-only: jnp.arange(devices) -> jnp.arange(1)
        return result / total[:, None]

    run = jax.shard_map(local, mesh=mesh, in_specs=(P("i"), P("i"), P("i")), out_specs=P("i"))
    return run(q, k, v).reshape(-1)


problem = Problem(
    axes=("position", "feature"),
    picture=Heatmap("position", "feature"),
    contract="trace",
    trace=Trace(
        needs=["shard_map", "ppermute"],
        forbids=["all_gather"],
        largest=lambda seed, T, d, devices: max(T * d, (T // devices) ** 2, 64),
    ),
    arguments={"T": Whole(), "d": Whole(), "devices": Whole(most=4)},
    legal=[lambda T, devices: T % devices == 0],
    cases=[
        (0, 4, 2, 2),
        (1, 2, 1, 2),
        (2, 8, 3, 4),
        (3, 4, 5, 4),
        (4, 3, 2, 1),
        (5, 24, 4, 4),
        (6, 1, 3, 1),
        (7, 9, 9, 3),
        (8, 2, 3, 1),
        (9, 3, 1, 3),
        (10, 2, 3, 2),
        (11, 3, 2, 3),
        (12, 4, 3, 2),
    ],
)
