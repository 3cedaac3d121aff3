"""Pack documents. Read README.md beside this file, fill in the function, then: python -m grader"""

import jax
import jax.numpy as jnp


def pack_documents(seed, docs, T, d):
    """The place of each token in a row of packed documents, and attention that stays inside of a document.

    Args:
        seed: the seed of the lengths, the queries, the keys and the values; under `jax.jit` it has no value yet.
        docs: the number of documents.
        T: the number of places in the row.
        d: the number of dimensions of a query, a key and a value.

    Returns:
        A row for each place, of shape (T, 3 + d), as a float32 array of shape (T * (3 + d),): the number of the
        document, the place in it, whether there is a target, and the d numbers of the attention.
    """
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    lengths = jax.random.randint(k1, (docs,), 1, 6)
    q = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    k = jax.random.normal(k3, (T, d), dtype=jnp.float32)
    v = jax.random.normal(k4, (T, d), dtype=jnp.float32)
    raise NotImplementedError
