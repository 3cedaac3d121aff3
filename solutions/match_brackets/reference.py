"""Matching brackets by a search over all pairs of positions, as attention would."""

import jax
import jax.numpy as jnp
from jax import lax

from grader import Pitfall, Problem, Tokens, Whole, any_of


def match_brackets(
    seed,
    T,
    *,
    depth="same",
    choice="last",
    searched="before",
    candidates="openings",
    asked="closings",
    missing="-1",
):
    """The `(T,)` indices: of a closing bracket, its opening's; -1 where there is none, and of an opening."""
    T = int(T)
    tokens = jnp.where(jax.random.bernoulli(jax.random.key(seed), jnp.float32(0.5), (T,)), 1, -1)
    after = jnp.cumsum(tokens)
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    if depth == "never below zero":
        after = jnp.maximum(after, 0)
    if depth == "begun anew below zero":
        after = after - jnp.minimum(lax.cummin(after), 0)
    if depth == "after both":
        match = after[:, None] == after
    elif depth == "before both":
        match = after[:, None] == after + 2
    elif depth == "any":
        match = i != j
    else:
        match = after[:, None] == after + 1
    if candidates == "openings":
        match = match & (tokens[:, None] == 1)
    if asked == "closings":
        match = match & (tokens == -1)
    if searched == "before":
        match = match & (i < j)
    if choice == "first":
        index = jnp.where(match, i, T).min(axis=0)
        index = jnp.where(index == T, -1, index)
    else:
        index = jnp.where(match, i, -1).max(axis=0)
    if missing == "0 for closings":
        index = jnp.where((index == -1) & (tokens == -1), 0, index)
    if missing == "0 for all":
        index = jnp.maximum(index, 0)
    return index.reshape(-1)


problem = Problem(
    reference=match_brackets,
    axes=("at",),
    picture=Tokens("at"),
    arguments={"T": Whole()},
    cases=[
        (3, 1),
        (1, 2),
        (0, 5),
        (1, 9),
        (0, 16),
        (2, 33),
        (3, 64),
    ],
    pitfalls=[
        Pitfall(
            "first-not-last",
            why="A closing bracket points to the first opening of its depth, even where that one is closed already.",
            hint="Of several openings of the right depth, which one can still be open?",
            choice="first",
        ),
        Pitfall(
            "depth-off-by-one",
            why="Brackets one level apart were matched: the two depths that are compared are not those of one pair.",
            hint="What is the running sum right after a bracket opens, and what is it right after that one closes?",
            # Right after both brackets, or right before both.
            depth=any_of("after both", "before both"),
        ),
        Pitfall(
            "depth-never-negative",
            why="The depth begins anew at zero where it would go below: a closing bracket that nothing opened finds "
            "an opening that is closed already.",
            hint="Which depth has a closing bracket that nothing opened, and which openings have the depth that it "
            "looks for?",
            depth="begun anew below zero",
        ),
        Pitfall(
            "depth-cut-off",
            why="All depths below zero became zero: brackets at different depths look alike there, and closing ones "
            "do not find their own opening.",
            hint="After a closing bracket that nothing opened, may the next one have the depth of brackets before it?",
            depth="never below zero",
        ),
        Pitfall(
            "nearest-opening",
            why="A closing bracket points to the nearest opening of any depth, even where that one is closed already.",
            hint="Can one opening be closed twice?",
            depth="any",
            # Where closings match too, the one right before has the right depth already.
            candidates="openings",
        ),
        Pitfall(
            "looks-ahead",
            why="Some closing brackets point to an opening that comes after them.",
            hint="On which side of a closing bracket can its opening be?",
            searched="everywhere",
        ),
        Pitfall(
            "closings-match-too",
            why="Every closing bracket points to the bracket right before it: the search met its depth there, whether "
            "that bracket opens or closes.",
            hint="Is every bracket at the right depth one that opens?",
            candidates="all",
        ),
        Pitfall(
            "openings-answered",
            why="Openings point to an earlier opening, where they should point nowhere.",
            hint="Which brackets does the question ask about?",
            asked="all",
        ),
        Pitfall(
            "no-match-is-zero",
            why="Where nothing matches stands the index 0, as if the bracket at position 0 were the answer.",
            hint="What does your search return where it finds nothing, and can that be told from an index?",
            missing=any_of("0 for closings", "0 for all"),
        ),
    ],
)
