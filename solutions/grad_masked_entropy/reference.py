"""Entropy of a softmax over the columns that are seen, and its derivative with respect to the temperature."""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Real, Whole, any_of


def grad_masked_entropy(
    seed,
    N,
    V,
    temperature,
    *,
    hidden="left out",
    stopped="nothing",
    by="divided",
    length_off=0,
    base="e",
    sign="negated",
    result="sum",
):
    """The `(N,)` entropies, in nats, of `softmax(logits / temperature)` over the first `lengths[n]` columns of each row."""
    N, V = int(N), int(V)
    key = jax.random.key(seed)
    k1, k2 = jax.random.split(key, 2)
    logits = jax.random.normal(k1, (N, V), dtype=jnp.float32)
    lengths = jax.random.randint(k2, (N,), 1, V + 1, dtype=jnp.int32)
    if length_off:
        lengths = lengths + length_off
    seen = jnp.arange(V) < lengths[:, None]

    if stopped == "temperature":
        temperature = jax.lax.stop_gradient(temperature)
    scores = logits
    if by == "divided":
        scores = logits / temperature
    elif by == "multiplied":
        scores = logits * temperature
    if hidden == "infinite":
        scores = jnp.where(seen, scores, -jnp.inf)
    elif hidden == "zero":
        scores = jnp.where(seen, scores, 0.0)

    def row_sum(values, everywhere):
        return (values if everywhere else jnp.where(seen, values, 0.0)).sum(axis=-1, keepdims=True)

    log_total = jnp.log(row_sum(jnp.exp(scores), hidden in ("counted", "zero", "after softmax")))
    if stopped == "normaliser":
        log_total = jax.lax.stop_gradient(log_total)
    log_p = scores - log_total
    # Hidden or not, log_p is finite here: an infinity under a `where` comes back as NaN in the derivative.
    terms = jnp.exp(log_p) * log_p
    entropy = row_sum(terms, hidden in ("counted", "zero"))[:, 0]
    if sign == "negated":
        entropy = -entropy
    if base == "2":
        entropy = entropy / jnp.log(2.0)
    if result == "mean":
        entropy = entropy / V
    elif result == "mean over seen":
        entropy = entropy / lengths
    elif result == "perplexity":
        entropy = jnp.exp(entropy)
    return entropy


problem = Problem(
    reference=grad_masked_entropy,
    axes=("row",),
    contract="grad",
    wrt="temperature",
    arguments={"N": Whole(), "V": Whole(2), "temperature": Real(least=0.5)},
    cases=[
        (0, 1, 4, 0.7),
        (1, 2, 3, 2.0),
        (2, 3, 2, 1.5),
        (0, 3, 5, 0.5),
        (4, 10, 9, 0.8),
    ],
    pitfalls=[
        Pitfall(
            "infinite-where-hidden",
            why="The derivative is NaN as soon as anything is hidden: an infinity was computed and then hidden, which saves "
            "the values, but on the way back it is multiplied by zero.",
            hint="Which of your arrays holds an infinity in a hidden column, and what is its derivative there?",
            hidden="infinite",
            stopped="nothing",
        ),
        Pitfall(
            "gradient-stopped",
            why="The derivative is zero: to JAX, nothing here depends on the temperature.",
            hint="Which step on the way from the temperature to the result treats it, or what is made of it, as a constant?",
            stopped="temperature",
        ),
        Pitfall(
            "constant-normaliser",
            why="The derivative is that of a softmax whose normaliser does not move: it leaves out that the probabilities "
            "always sum to 1.",
            hint="If the temperature rises a little and one probability grows, what must the others do?",
            stopped="normaliser",
        ),
        Pitfall(
            "hidden-counted",
            why="All columns were counted, those beyond the length of a row as well.",
            hint="In which of the two sums, that of the softmax and that of the entropy, does a hidden column have a part?",
            hidden="counted",
            length_off=0,  # where all are counted, a length says nothing
        ),
        Pitfall(
            "hidden-scored-zero",
            why="The hidden columns have a score of zero and are counted with it: zero is a score like any other.",
            hint="Which score gives a column a probability of zero?",
            hidden="zero",
        ),
        Pitfall(
            "masked-after-softmax",
            why="The hidden columns are left out of the entropy, but they have had their share in the softmax: the "
            "probabilities of a row do not sum to 1.",
            hint="What do the probabilities that are left in one row sum to?",
            hidden="after softmax",
        ),
        Pitfall(
            "off-by-one-length",
            why="Each row sees one column more than its length.",
            hint="How many columns does a row of the smallest length see?",
            length_off=1,
        ),
        Pitfall(
            "multiplied-by-temperature",
            why="The logits grow with the temperature: a higher one makes the rows sharper.",
            hint="Should a hot distribution be flatter or sharper than a cold one?",
            by="multiplied",
        ),
        Pitfall(
            "temperature-ignored",
            why="These are the entropies at the temperature 1, whatever was asked for: nothing changes with it.",
            hint="Where does the temperature enter your result?",
            by="ignored",
            stopped="nothing",
        ),
        Pitfall(
            "base-two",
            why="The entropies are in bits, not in nats: they are too large by a constant factor.",
            hint="Which logarithm does the task name?",
            base="2",
        ),
        Pitfall(
            "not-negated",
            why="The entropies are negative: what is summed are logarithms of numbers below 1.",
            hint="What is the sign of the logarithm of a probability?",
            sign="plain",
            result="sum",
        ),
        Pitfall(
            "averaged",
            why="The terms of a row were averaged, not summed: the entropies are too small.",
            hint="The probabilities are weights already: what more is there to divide by?",
            result=any_of("mean", "mean over seen"),
        ),
        Pitfall(
            "perplexity",
            why="These are the exponentials of the entropies, the number of choices that a row amounts to.",
            hint="Which step comes after the entropy in your function, and is it asked for?",
            result="perplexity",
        ),
    ],
)
