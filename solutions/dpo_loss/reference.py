"""The loss of direct preference optimisation (Rafailov et al., 2023, arXiv:2305.18290, equation 7)."""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Real, Whole, any_of


def dpo_loss(
    seed,
    B,
    T,
    V,
    beta,
    *,
    counts="answer",
    shift="next",
    summed="sum",
    against="reference",
    preferred="chosen",
    beta_at="margin",
    form="log of sigmoid",
):
    """`(B,)`: `-log(sigmoid(beta * (gain of the chosen answer - gain of the rejected one)))`."""
    seed, B, T, V = int(seed), int(B), int(T), int(V)
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    policy = jax.random.normal(k1, (2, B, T, V), dtype=jnp.float32)
    reference = jax.random.normal(k2, (2, B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k3, (2, B, T), 0, V, dtype=jnp.int32)
    prompt = jax.random.randint(k4, (B,), 1, T, dtype=jnp.int32)

    place = jnp.arange(1, T)
    start = prompt[:, None]
    counted = {
        "answer": place >= start,
        "all": place >= 0,
        "one too many": place >= start - 1,
        "one too few": place > start,
        "prompt": place < start,
    }[counts]

    # Both models at once: mutants of one are mutants of the other.
    logits = jnp.stack([policy, reference])
    by_token = logits if form == "logits" else jax.nn.log_softmax(logits, axis=-1)
    if shift == "none":
        by_token, targets = by_token[..., 1:, :], tokens[:, :, 1:]
    elif shift == "none, last cut":
        by_token, targets = by_token[..., :-1, :], tokens[:, :, :-1]
    elif shift == "back":
        by_token, targets = by_token[..., 1:, :], tokens[:, :, :-1]
    else:
        by_token, targets = by_token[..., :-1, :], tokens[:, :, 1:]
    of_targets = jnp.sum(jnp.where(targets[..., None] == jnp.arange(V), by_token, 0.0), axis=-1)
    totals = jnp.where(counted, of_targets, 0.0).sum(axis=-1)
    if summed == "mean":
        totals = totals / jnp.maximum(counted.sum(axis=-1), 1)
    elif summed != "sum":
        totals = totals / (T - 1 if summed == "mean over all targets" else T)
    gain = {
        "reference": lambda: totals[0] - totals[1],
        "nothing": lambda: totals[0],
        "added": lambda: totals[0] + totals[1],
    }[against]()
    margin = gain[0] - gain[1] if preferred == "chosen" else gain[1] - gain[0]
    if beta_at == "loss":
        return (beta * jax.nn.softplus(-margin)).reshape(-1)
    if beta_at == "divides":
        return jax.nn.softplus(-margin / beta).reshape(-1)
    z = margin if beta_at == "nowhere" else beta * margin
    if form == "log of sigmoid, not negated":
        return -jax.nn.softplus(-z).reshape(-1)
    if form == "sigmoid alone":
        return jax.nn.sigmoid(-z).reshape(-1)
    if form == "hinge":
        return jnp.maximum(1 - z, 0.0).reshape(-1)
    return jax.nn.softplus(-z).reshape(-1)


problem = Problem(
    reference=dpo_loss,
    axes=("pair",),
    contract="grad",
    wrt="beta",
    arguments={"B": Whole(), "T": Whole(2), "V": Whole(2), "beta": Real(above=0.0)},
    cases=[
        (2, 1, 3, 4, 0.5),
        (1, 2, 4, 3, 0.5),
        (4, 3, 2, 4, 0.5),
        (6, 3, 6, 4, 50.0),  # one margin is so low that its sigmoid is zero
        (2, 4, 5, 2, 1.0),
        (2, 9, 11, 10, 0.05),
    ],
    pitfalls=[
        Pitfall(
            "mean-for-sum",
            why="The log probabilities of an answer were averaged over its tokens: their sum was divided by the number of "
            "tokens.",
            hint="How does the probability of a whole answer follow from those of its tokens?",
            summed="mean",
        ),
        Pitfall(
            "mean-over-all-places",
            why="The log probabilities of an answer were divided by the number of places in a whole text, T - 1 or T.",
            hint="By what does the formula divide the log probability of an answer?",
            summed=any_of(alone=["mean over all targets", "mean over all tokens"]),
        ),
        Pitfall(
            "prompt-counted",
            why="The tokens of the prompt count as well. Only those of the answer should.",
            hint="From which place on do the targets belong to the answer?",
            counts="all",
        ),
        Pitfall(
            "mask-unshifted",
            why="The mask is one place off: the answer's first token is left out, or the prompt's last one counts.",
            hint="After the shift, which token is the target of row 0?",
            counts=any_of("one too many", "one too few"),
        ),
        Pitfall(
            "mask-inverted",
            why="The tokens of the prompt count, and those of the answer do not.",
            hint="Where is your mask true, before or after the end of the prompt?",
            counts="prompt",
        ),
        Pitfall(
            "no-shift",
            why="The logits of each place were compared with the token of that same place, or of the one before it.",
            hint="About which token do the logits of place t say something?",
            shift=any_of("none", "none, last cut", alone=["back"]),
        ),
        Pitfall(
            "no-log-softmax",
            why="The logits were added up as they are. They are no log probabilities yet.",
            hint="What turns a row of logits into log probabilities?",
            form="logits",
        ),
        Pitfall(
            "no-reference",
            why="The loss looks at the policy alone: the reference model is missing.",
            hint="From what is the gain of an answer counted?",
            against="nothing",
        ),
        Pitfall(
            "reference-added",
            why="The log probability of the reference was added. It should be subtracted.",
            hint="Which gain has an answer that both models find equally probable?",
            against="added",
        ),
        Pitfall(
            "preference-swapped",
            why="The loss is low where the rejected answer gains more: chosen and rejected are exchanged, or policy and "
            "reference.",
            hint="Which answer should become more probable, so that the loss falls?",
            preferred="rejected",
        ),
        Pitfall(
            "beta-outside",
            why="beta multiplies the whole loss. It should multiply the margin.",
            hint="What stands inside of the sigmoid?",
            beta_at="loss",
        ),
        Pitfall(
            "beta-missing",
            why="beta is not used, or it has no effect on the result.",
            hint="What multiplies the margin in the formula?",
            beta_at="nowhere",
        ),
        Pitfall(
            "divided-by-beta",
            why="The margin was divided by beta. It should be multiplied.",
            hint="Is beta a temperature or a factor in the formula?",
            beta_at="divides",
        ),
        Pitfall(
            "not-negated",
            why="The log of the sigmoid was not negated: the loss is below zero.",
            hint="Which sign has the logarithm of a probability, and which sign should a loss have?",
            form="log of sigmoid, not negated",
        ),
        Pitfall(
            "no-logarithm",
            why="The loss is a probability: its logarithm was not taken.",
            hint="What does the formula do with the sigmoid?",
            form="sigmoid alone",
        ),
        Pitfall(
            "hinge",
            why="The loss is a hinge, `max(1 - z, 0)`, as another method has it.",
            hint="Which function of the margin does the formula name?",
            form="hinge",
        ),
    ],
)
