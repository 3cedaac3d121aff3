"""The cross-entropy over a vocabulary that is cut over devices (Megatron-LM, Shoeybi et al., 2019, section 3)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from grader import Problem, Trace, Whole


def vocab_parallel_loss(seed, N, V, devices):
    k1, k2 = jax.random.split(jax.random.key(seed))
    logits = 4 * jax.random.normal(k1, (N, V), dtype=jnp.float32)
    targets = jax.random.randint(k2, (N,), 0, V)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))

    def local(logits, targets):
        size = logits.shape[1]
        # `pmax` has no derivative, and the loss needs none here: it does not depend on what is subtracted.
        largest = jax.lax.pmax(jax.lax.stop_gradient(logits.max(axis=1)), "i")
        #: local-maximum: largest = logits.max(axis=1)
        #: local-maximum/for-all: largest = logits.max(axis=1)
        total = jax.lax.psum(jnp.exp(logits - largest[:, None]).sum(axis=1), "i")
        #: local-sum (not with mean-for-sum): total = jnp.exp(logits - largest[:, None]).sum(axis=1)
        #: mean-for-sum: psum -> pmean
        #: local-maximum/in-the-sum: largest[:, None] -> logits.max(axis=1, keepdims=True)
        # The place of a target among the logits of this device; on all devices but one it is outside.
        place = targets - jax.lax.axis_index("i") * size
        #: target-not-shifted: targets - jax.lax.axis_index("i") * size -> targets
        mine = (place >= 0) & (place < size)
        picked = jnp.take_along_axis(logits, jnp.clip(place, 0, size - 1)[:, None], axis=1)[:, 0]
        hit = jax.lax.psum(jnp.where(mine, picked, 0.0), "i")
        #: one-not-subtracted: hit = jax.lax.stop_gradient(jax.lax.psum(jnp.where(mine, picked, 0.0), "i"))
        #: target-in-every-shard: jnp.where(mine, picked, 0.0) -> picked
        #: local-maximum/for-all: jnp.where(mine, picked, 0.0) -> jnp.where(mine, picked - largest, 0.0)
        return largest + jnp.log(total) - hit
        #: logsumexps-added (not with local-maximum, local-sum, mean-for-sum):
        #:     return jax.lax.psum(jax.nn.logsumexp(logits, axis=1), "i") - hit
        #: maximum-forgotten: largest + jnp.log(total) - hit -> jnp.log(total) - hit
        #: local-maximum/for-all: largest + jnp.log(total) - hit -> jnp.log(total) - hit

    run = jax.shard_map(local, mesh=mesh, in_specs=(P(None, "i"), P()), out_specs=P())
    #: local-maximum: out_specs=P() -> out_specs=P(), check_vma=False
    #: local-sum: out_specs=P() -> out_specs=P(), check_vma=False

    def total(logits):
        losses = run(logits, targets)
        return losses.sum(), losses
        #: gradient-of-the-mean: losses.sum() -> losses.mean()

    gradient, losses = jax.grad(total, has_aux=True)(logits)
    return jnp.append(losses, gradient)
    #: gradient-times-devices: gradient) -> devices * gradient)


problem = Problem(
    axes=("number",),
    contract="trace",
    trace=Trace(
        needs=["shard_map", "psum"],
        forbids=["all_gather"],
    ),
    arguments={"N": Whole(), "V": Whole(least=2), "devices": Whole(most=4)},
    legal=[lambda V, devices: V % devices == 0],
    cases=[
        (0, 2, 4, 2),
        (1, 3, 8, 4),
        (2, 5, 12, 4),
        (3, 4, 3, 1),
        (4, 1, 2, 2),
        (5, 9, 9, 3),
        (6, 2, 2, 1),
        (7, 1, 6, 3),
        (8, 3, 2, 2),
        (9, 3, 2, 1),
        (10, 2, 3, 3),
        (11, 4, 6, 2),
    ],
)
