"""A sentence of the reader's own: token, row of the vocabulary, encoding, sum."""

import jax
import jax.numpy as jnp
import numpy as np

from grader.locale.language import gettext
from grader.page.figure import Figure, Table, Walk, same

SEED, B, T, V, D_MODEL = 0, 400, 12, 50, 8


def figures(reference):
    tokens = np.asarray(jax.random.randint(jax.random.split(jax.random.key(SEED))[0], (B, T), 0, V, dtype=jnp.int32))
    due = reference(SEED, B, T, V, D_MODEL).reshape(B, T, D_MODEL)
    # The encoding of position 0 is 0 1 0 1 ...: what is left there is the token's vector. Row 0 is padding.
    vocabulary = np.zeros((V, D_MODEL))
    vocabulary[tokens[:, 0]] = due[:, 0] - np.arange(D_MODEL) % 2
    vocabulary[0] = 0.0
    row, place = (tokens != 0).argmax(axis=0), np.arange(T)
    positions = due[row, place] - vocabulary[tokens[row, place]]
    same(np.where((tokens != 0)[..., None], vocabulary[tokens] + positions, 0.0), due)
    return [_walk(vocabulary, positions)]


def _walk(vocabulary, positions):
    words = {
        "sentence": gettext("your sentence"),
        "step": gettext("step"),
        "token": gettext("token"),
        "position": gettext("position"),
        "row": gettext("row of the vocabulary"),
        "dim": gettext("dim {dim}"),
        "empty": gettext("Type a few words."),
        "cut": gettext("The first {shown} of {all} tokens are shown."),
        "step1": gettext(
            "Step 1 of 4, tokens: each token has a number. Here a hash of its letters chooses one of {count} "
            "rows; row 0 is kept for padding. '{token}' has row {row}."
        ),
        "step2": gettext(
            "Step 2 of 4, lookup: the row of each token, times the square root of {width}. A token that stands "
            "there twice has the same vector twice."
        ),
        "step3": gettext("Step 3 of 4, encoding: the row of each position, whatever token stands there."),
        "step4": gettext("Step 4 of 4, sum: both added. A token that stands there twice has two vectors now."),
    }
    return Figure(
        gettext("From words to vectors"),
        Walk(gettext("the dog bit the man"), vocabulary, positions, words),
        gettext(
            "Four steps from a sentence to the input of a transformer: each token chooses a row of the vocabulary, that "
            "row is looked up and scaled, the encoding of the position is looked up, and both are added. A token that "
            "stands there twice has the same vector twice after the lookup, and two vectors after the sum: in 'the dog bit "
            "the man', 'the' stands at positions 0 and 3."
        ),
        Table(
            f"d_model = {D_MODEL}",
            [gettext("position"), *(gettext("dim {dim} of the encoding").format(dim=dim) for dim in range(4))],
            [[p, *positions[p, :4]] for p in range(6)],
        ),
        section="A worked example",
    )
