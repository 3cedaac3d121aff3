"""Byte-pair encoding (Sennrich et al., 2016) in fixed shapes: one sweep for each rule, in the order of their ranks."""

import jax
import jax.numpy as jnp

from grader import Problem, Whole


def bpe_encode(seed, T, V, merges):
    k1, k2 = jax.random.split(jax.random.key(seed))
    text = jax.random.randint(k1, (T,), 0, V)
    earlier = (V + jnp.arange(merges))[:, None]  # how many tokens a rule may name
    pairs = jnp.floor(earlier * jax.random.uniform(k2, (merges, 2), dtype=jnp.float32)).astype(jnp.int32)

    ranks = jnp.arange(merges)
    tokens = V + ranks
    #: rank-for-token: V + ranks -> ranks
    #: ids-one-too-high: V + ranks -> V + ranks + 1

    def take(before, here):
        # A pair whose first token was used by the pair before it is none any more.
        taken = here & ~before
        return taken, taken

    def merge(text, taken, token):
        used = jnp.append(False, taken[:-1])
        merged = jnp.where(taken, token, jnp.where(used, -1, text))
        #: overlaps-itself/one-token: merged = jnp.where(used, -1, jnp.where(taken, token, text))
        # The text keeps its shape: what is used up goes to the end, and the others keep their order.
        return merged[jnp.argsort(merged < 0, stable=True)]
        #: gaps-kept-between-rules: return merged

    def sweep(text, rank):
        following = jnp.append(text[1:], -1)
        meets = (text == pairs[rank, 0]) & (following == pairs[rank, 1])
        #: rules-for-letters-only:
        #:     meets = (text == pairs[rank, 0]) & (following == pairs[rank, 1]) & (pairs[rank].max() < V)
        #: last-duplicate-wins:
        #:     again = (pairs == pairs[rank]).all(axis=1) & (ranks > rank)
        #:     meets = (text == pairs[rank, 0]) & (following == pairs[rank, 1]) & ~again.any()
        _, taken = jax.lax.scan(take, False, meets)
        #: overlaps-itself/one-token: _, taken = None, meets
        #: overlaps-itself/two-tokens: _, taken = None, meets
        #: from-the-right: meets) -> meets, reverse=True)
        #: one-place-at-a-rule (not with overlaps-itself, from-the-right):
        #:     taken = meets & (jnp.cumsum(meets) == 1)
        return merge(text, taken, tokens[rank]), None

    # A rule names earlier tokens only, so no later rule makes a pair for it: one sweep of each is enough.
    text, _ = jax.lax.scan(sweep, text, ranks)
    #: gaps-kept-between-rules:
    #:     text, _ = jax.lax.scan(sweep, text, ranks)
    #:     text = text[jnp.argsort(text < 0, stable=True)]
    #: latest-rule-first: ranks -> ranks[::-1]
    #: latest-rule-first (alone):
    #:     def latest(text, _):
    #:         pair = (text == pairs[:, :1]) & (jnp.append(text[1:], -1) == pairs[:, 1:])
    #:         last = jnp.where(pair.any(axis=1), ranks, -1).max()
    #:         return jnp.where(last < 0, text, sweep(text, last)[0]), None
    #:     text, _ = jax.lax.scan(latest, text, length=T)
    #: first-pair-first (alone):
    #:     def leftmost(text, _):
    #:         pair = (text == pairs[:, :1]) & (jnp.append(text[1:], -1) == pairs[:, 1:])
    #:         at = pair.any(axis=0).argmax()
    #:         return merge(text, pair.any() & (jnp.arange(T) == at), tokens[pair[:, at].argmax()]), None
    #:     text, _ = jax.lax.scan(leftmost, text, length=T)
    #: most-frequent-first/of-the-rules (alone):
    #:     def frequent(text, _):
    #:         pair = (text == pairs[:, :1]) & (jnp.append(text[1:], -1) == pairs[:, 1:])
    #:         return sweep(text, pair.sum(axis=1).argmax())
    #:     text, _ = jax.lax.scan(frequent, text, length=T)
    #: most-frequent-first/learned (alone):
    #:     def learned(text, rank):
    #:         following = jnp.append(text[1:], -1)
    #:         same = (text[:, None] == text) & (following[:, None] == following)
    #:         often = jnp.where(following < 0, 0, same.sum(axis=1))
    #:         meets = same[often.argmax()] & (often.max() > 0)
    #:         return merge(text, jax.lax.scan(take, False, meets)[1], tokens[rank]), None
    #:     text, _ = jax.lax.scan(learned, text, ranks)
    #: longest-match (alone):
    #:     def spell(words, rank):
    #:         letters, sizes = words
    #:         one, two = pairs[rank]
    #:         shifted = letters[two][(jnp.arange(T) - sizes[one]) % T]
    #:         whole = jnp.where(jnp.arange(T) < sizes[one], letters[one], shifted)
    #:         size = jnp.minimum(sizes[one] + sizes[two], T + 1)
    #:         return (letters.at[V + rank].set(whole), sizes.at[V + rank].set(size)), None
    #:     alone = jnp.broadcast_to(jnp.arange(V + merges)[:, None], (V + merges, T))
    #:     (letters, sizes), _ = jax.lax.scan(spell, (alone, jnp.ones(V + merges, jnp.int32)), ranks)
    #:     places = jnp.arange(T)[:, None] + jnp.arange(T)
    #:     same = text[places % T][:, None] == letters
    #:     fits = (same | (jnp.arange(T) >= sizes[:, None])).all(axis=-1)
    #:     fits = fits & (jnp.arange(T)[:, None] + sizes <= T)
    #:     best = jnp.where(fits, sizes, 0).argmax(axis=1)
    #:     def read(at, _):
    #:         token = jnp.where(at < T, best[at % T], -1)
    #:         return jnp.minimum(at + sizes[best[at % T]], T), token
    #:     text = jax.lax.scan(read, 0, length=T)[1].astype(jnp.int32)
    return jnp.append(jnp.sum(text >= 0), text)


problem = Problem(
    axes=("entry",),
    contract="jit",
    arguments={"T": Whole(), "V": Whole(), "merges": Whole()},
    cases=[
        (2, 5, 2, 3),
        (6, 3, 2, 2),
        (7, 5, 1, 1),
        (1, 6, 2, 3),
        (2, 10, 3, 5),
        (3, 16, 2, 6),
        (4, 12, 3, 8),
        (6, 24, 2, 8),
        (5, 1, 3, 4),
        (10, 2, 3, 3),
        (22, 7, 3, 1),
        (20, 6, 4, 2),
        (0, 2, 1, 9),
        (5, 9, 2, 1),
        (0, 9, 9, 9),
        (3, 12, 9, 3),
    ],
)
