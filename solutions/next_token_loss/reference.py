"""Next-token cross-entropy with padding left out (Radford et al., 2018, section 3.1)."""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Whole, any_of


def next_token_loss(
    seed,
    B,
    T,
    V,
    *,
    shift="next",
    counts="targets",
    mean="over counted",
    softmax="once",
    negated=True,
    unit="nats",
    smoothing=(0.0, "all"),
):
    """`(1,)`: the mean of `-log p(token t + 1)` over the positions whose target is not 0."""
    B, T, V = int(B), int(T), int(V)
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    logits = jax.random.normal(k1, (B, T, V), dtype=jnp.float32)
    tokens = jax.random.randint(k2, (B, T), 0, V, dtype=jnp.int32)

    if softmax == "twice":
        logits = jax.nn.softmax(logits, axis=2)
    log_probabilities = jax.nn.log_softmax(logits, axis=2)
    if shift == "flat":
        log_probabilities, tokens = log_probabilities.reshape(1, B * T, V), tokens.reshape(1, B * T)
    inputs = tokens
    if shift in ("next", "flat"):
        log_probabilities, inputs, targets = log_probabilities[:, :-1], tokens[:, :-1], tokens[:, 1:]
    elif shift == "back":
        log_probabilities, inputs, targets = log_probabilities[:, 1:], tokens[:, 1:], tokens[:, :-1]
    elif shift == "two ahead":
        log_probabilities, inputs, targets = log_probabilities[:, :-2], tokens[:, :-2], tokens[:, 2:]
    elif shift == "two ahead, wrapped":
        log_probabilities, inputs, targets = log_probabilities[:, :-1], tokens[:, :-1], jnp.roll(tokens, -2, 1)[:, :-1]
    elif shift == "none, first cut":
        log_probabilities, inputs, targets = log_probabilities[:, 1:], tokens[:, 1:], tokens[:, 1:]
    elif shift == "none, last cut":
        log_probabilities, inputs, targets = log_probabilities[:, :-1], tokens[:, :-1], tokens[:, :-1]
    elif shift == "wrapped":
        targets = jnp.roll(tokens, -1, axis=1)
    else:
        targets = tokens

    # A sum over all words of which one is marked: the log probability of the target.
    costs = jnp.sum(jnp.where(targets[:, :, None] == jnp.arange(V), log_probabilities, 0.0), axis=2)
    share, to = smoothing
    if share:
        everything = jnp.sum(log_probabilities, axis=2)
        costs = (1 - share) * costs + share * (everything / V if to == "all" else (everything - costs) / (V - 1))
    if negated:
        costs = -costs
    if unit == "bits":
        costs = costs / jnp.log(2.0)
    if counts == "all":
        counted = jnp.ones(targets.shape)
    elif counts == "until padding":
        counted = jnp.cumprod((targets != 0).astype(jnp.float32), axis=1)
    elif counts == "until padding is read":
        counted = jnp.cumprod((tokens != 0).astype(jnp.float32), axis=1)[:, 1:]
    else:
        counted = ((inputs if counts == "inputs" else targets) != 0).astype(jnp.float32)
    if mean == "per sequence":
        loss = jnp.mean(jnp.sum(costs * counted, axis=1) / jnp.sum(counted, axis=1))
    else:
        loss = jnp.sum(costs * counted)
        if mean != "none":
            loss = loss / (targets.size if mean == "over all" else jnp.sum(counted))
    if unit == "perplexity":
        loss = jnp.exp(loss)
    return loss.reshape(-1)


problem = Problem(
    reference=next_token_loss,
    axes=("loss",),
    arguments={"B": Whole(), "T": Whole(2), "V": Whole(2)},
    cases=[
        (0, 1, 3, 4),
        (3, 4, 3, 2),
        (3, 2, 9, 3),
        (0, 3, 6, 5),
        (1, 4, 5, 7),
        (0, 10, 2, 9),
    ],
    pitfalls=[
        Pitfall(
            "no-shift",
            why="The logits of each position were compared with the token of the same position, which the model has just "
            "been given.",
            hint="When the model has read the first token, which one should it name?",
            shift=any_of("none", alone=["none, first cut", "none, last cut"]),
        ),
        Pitfall(
            "shifted-back",
            why="The logits of each position were compared with the token before it.",
            hint="Does the model predict what comes, or what was?",
            shift="back",
        ),
        Pitfall(
            "wrapped-shift",
            why="The last position was counted too, with the first token of its sequence for a target.",
            hint="Which token follows the last one?",
            shift="wrapped",
        ),
        Pitfall(
            "counts-padding",
            why="All positions count, also those at which padding was to be predicted.",
            hint="Should a model be praised for predicting that nothing follows?",
            counts="all",
        ),
        Pitfall(
            "masks-by-input",
            why="Positions were left out where the token that is read is padding, not where the one to be predicted is.",
            hint="Of the two tokens that belong to a position, which one decides whether it counts?",
            counts="inputs",
        ),
        Pitfall(
            "divides-by-all",
            why="The costs of padding are left out of the sum, but its positions are in the number that the sum is "
            "divided by.",
            hint="How many costs did you add up?",
            mean="over all",
        ),
        Pitfall(
            "mean-of-means",
            why="Each sequence got a mean of its own, and then the sequences were averaged: a token in a short one "
            "weighs more.",
            hint="Should a token cost more because its sequence is short?",
            mean="per sequence",
        ),
        Pitfall(
            "summed",
            why="The costs were added up, and the sum divided by nothing.",
            hint="Should the loss grow with the length of the text?",
            mean="none",
            unit="nats",  # the exponential of a sum is too large for float32
        ),
        Pitfall(
            "softmax-twice",
            why="The softmax was taken of probabilities, as if they were logits: they all come out nearly alike.",
            hint="What does the function that makes your logarithms expect, logits or probabilities?",
            softmax="twice",
        ),
        Pitfall(
            "not-negated",
            why="The number is the mean log probability itself: it grows as the model gets better, where a loss falls.",
            hint="Which sign does the logarithm of a probability have, and which one a cost?",
            negated=False,
        ),
        Pitfall(
            "in-bits",
            why="The loss is measured in bits: the logarithm has another base.",
            hint="Which logarithm undoes the exponential in the softmax?",
            unit="bits",
        ),
        Pitfall(
            "perplexity",
            why="This is the perplexity, the exponential of the loss.",
            hint="At which step does this problem stop?",
            unit="perplexity",
        ),
        Pitfall(
            "shifted-twice",
            why="The logits of each position were compared with the token two places on.",
            hint="How many lines of your code move the tokens against the logits?",
            shift=any_of(alone=["two ahead", "two ahead, wrapped"]),
        ),
        Pitfall(
            "flattened-before-shift",
            why="At the end of a sequence, the logits were compared with the first token of the next sequence.",
            hint="If all texts of a batch are laid end to end, what comes after the last token of the first text?",
            shift=any_of(alone=["flat"]),
        ),
        Pitfall(
            "stops-at-padding",
            why="Everything after the first padding of a sequence was left out, also the tokens that follow it.",
            hint="Where can padding stand in the drawn tokens, and what may come after it?",
            counts=any_of(alone=["until padding", "until padding is read"]),
        ),
        Pitfall(
            "label-smoothing",
            why="Each position also counts the cost of words other than its target, as if these had a small share.",
            hint="Which probability does the truth give to a word that did not come?",
            smoothing=any_of(alone=[(share, to) for share in (0.1, 0.2, 0.05, 0.01) for to in ("all", "others")]),
        ),
    ],
)
