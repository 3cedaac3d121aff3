"""Positions beside the tokens, mixed by a matrix (concatenation as in Dai et al., 2019, section 3.3, seen as a sum)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def concat_pos(
    seed,
    T,
    d_model,
    d_pos,
    *,
    joined="row by row",
    order="token first",
    mixed="both",
    rows="own",
    combine="add",
    scale=None,
    residual=False,
):
    """The `(T, d_model)` rows: each token by its part of the matrix, plus each position by its part."""
    T, d_model, d_pos = int(T), int(d_model), int(d_pos)
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    tokens = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    positions = jax.random.normal(k2, (T, d_pos), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_model + d_pos, d_model), dtype=jnp.float32) / (d_model + d_pos) ** 0.5

    if rows == "backwards":
        positions = positions[::-1]
    elif rows == "first":
        positions = jnp.broadcast_to(positions[0], (T, d_pos))
    elif rows == "next":
        positions = jnp.roll(positions, -1, axis=0)
    if scale == "tokens":
        tokens = tokens * d_model**0.5
    if joined == "all tokens, then all positions":
        long = jnp.concatenate([tokens.reshape(-1), positions.reshape(-1)]).reshape(T, d_model + d_pos)
        tokens, positions = long[:, :d_model], long[:, d_model:]
    of_token, of_position = (W[:d_model], W[d_model:]) if order == "token first" else (W[d_pos:], W[:d_pos])
    token, position = tokens @ of_token, positions @ of_position
    if mixed == "position alone":
        token = tokens
    elif mixed == "no token":
        token = jnp.zeros_like(token)
    elif mixed == "no position":
        position = jnp.zeros_like(position)
    whole = {
        "add": lambda: token + position,
        "multiply": lambda: token * position,
        "subtract": lambda: token - position,
        "mean": lambda: (token + position) / 2,
    }[combine]()
    return (tokens + whole if residual else whole).reshape(-1)


problem = Problem(
    reference=concat_pos,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "d_pos": Whole()},
    cases=[
        (0, 2, 1, 4),
        (0, 3, 1, 2),
        (1, 1, 3, 9),
        (2, 3, 2, 5),
        (1, 2, 4, 2),
        (3, 5, 7, 3),
        (0, 10, 9, 1),
    ],
    pitfalls=[
        Pitfall(
            "positions-first",
            why="The positions stand before the tokens: every row of the matrix meets another number than it should.",
            hint="Which numbers of a long row do the first rows of the matrix see?",
            order="position first",
        ),
        Pitfall(
            "positions-missing",
            why="The positions have no effect: the part of the matrix that sees them was left out.",
            hint="How many rows does the matrix have, and which of them have you used?",
            mixed="no position",
        ),
        Pitfall(
            "tokens-missing",
            why="The tokens have no effect: only the positions were mixed.",
            hint="What does the first part of a long row hold?",
            mixed="no token",
        ),
        Pitfall(
            "tokens-not-mixed",
            why="The tokens were added as they are, and only the positions went through the matrix.",
            hint="Does the matrix see the whole long row, or the positions alone?",
            mixed="position alone",
        ),
        Pitfall(
            "multiplied",
            why="The two parts are multiplied number by number, where a matrix product adds them.",
            hint="What does a matrix product do with the products of a row?",
            combine="multiply",
        ),
        Pitfall(
            "subtracted",
            why="The part of the positions is subtracted, where a matrix product adds it.",
            hint="What does a matrix product do with the products of a row?",
            combine="subtract",
        ),
        Pitfall(
            "halved",
            why="The sum of the two parts is halved: a matrix product adds, and takes no mean.",
            hint="What does a matrix product do with the products of a row?",
            combine="mean",
        ),
        Pitfall(
            "joined-lengthwise",
            why="All tokens were laid out before all positions, and then cut into rows: a row no longer holds one token and "
            "its position.",
            hint="Along which axis are two arrays joined so that each row keeps its own numbers?",
            joined=any_of(alone=["all tokens, then all positions"]),
        ),
        Pitfall(
            "residual-added",
            why="The tokens have been added once more to the mixed rows.",
            hint="Does the formula hold the tokens a second time?",
            residual=any_of(alone=[True]),
        ),
        Pitfall(
            "backwards",
            why="The positions are laid out from the last token to the first.",
            hint="Which row of the positions belongs to the first token?",
            rows="backwards",
        ),
        Pitfall(
            "same-position-for-all",
            why="All tokens have the position of the first one: their order is lost.",
            hint="How many different positions does a sequence need?",
            rows="first",
        ),
        Pitfall(
            "positions-shifted",
            why="Each token has the position of the token after it, and the last one has that of the first.",
            hint="Which row of the positions belongs to the first token?",
            rows="next",
        ),
        Pitfall(
            "scaled-tokens",
            why="The tokens have been multiplied by the square root of d_model: here they stay as they are.",
            hint="Does the formula of this lesson hold a factor?",
            scale="tokens",
        ),
    ],
)
