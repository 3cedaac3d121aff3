"""The symmetric contrastive loss (Radford et al., 2021, arXiv:2103.00020, figure 3)."""

import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def contrastive_loss(seed, N, d, temperature):
    k1, k2 = jax.random.split(jax.random.key(seed))
    images = 2.0 * jax.random.normal(k1, (N, d), dtype=jnp.float32)
    texts = images + jax.random.normal(k2, (N, d), dtype=jnp.float32)

    # With length 1, the product of two vectors is the cosine of their angle.
    a = images / jnp.linalg.norm(images, axis=1, keepdims=True)
    #: not-normalised: a = images
    #: not-normalised: a = images
    #: not-normalised: =
    #: normalised-by-columns: axis=1 -> axis=0
    #: normalised-as-a-whole: axis=1, keepdims=True -> keepdims=True
    #: divided-by-squares: jnp.linalg.norm(images, axis=1, keepdims=True) -> (images**2).sum(axis=1, keepdims=True)
    b = texts / jnp.linalg.norm(texts, axis=1, keepdims=True)
    #: not-normalised: b = texts
    #: not-normalised: =
    #: not-normalised: b = texts
    #: normalised-by-columns: axis=1 -> axis=0
    #: normalised-as-a-whole: axis=1, keepdims=True -> keepdims=True
    #: divided-by-squares: jnp.linalg.norm(texts, axis=1, keepdims=True) -> (texts**2).sum(axis=1, keepdims=True)
    scores = a @ b.T / temperature
    #: images-with-images: b.T -> a.T
    #: temperature-multiplied: / temperature -> * temperature
    #: temperature-left-out: / temperature ->
    #: exponential-of-temperature: / temperature -> * jnp.exp(temperature)
    #: negatives-of-one-half:
    #:     half = jnp.arange(N) < (N + 1) // 2
    #:     scores = jnp.where(half[:, None] == half, a @ b.T / temperature, -jnp.inf)
    #: negatives-of-one-half:
    #:     half = jnp.arange(N) < N // 2
    #:     scores = jnp.where(half[:, None] == half, a @ b.T / temperature, -jnp.inf)
    # Row n compares image n with all texts, and column n compares text n with all images.
    by_image = -jnp.diag(jax.nn.log_softmax(scores, axis=1))
    #: over-all-pairs: axis=1 -> axis=None
    #: pair-not-among-all:
    #:     apart = jnp.where(jnp.eye(N, dtype=bool), -jnp.inf, scores)
    #:     by_image = jax.nn.logsumexp(apart, axis=1) - jnp.diag(scores)
    #: pairs-added: -jnp.diag -> -N * jnp.diag
    #: number-inside-the-logarithm: by_image = -jnp.log(jnp.diag(jax.nn.softmax(scores, axis=1)) + 1e-6)
    #: number-inside-the-logarithm: by_image = -jnp.log(jnp.diag(jax.nn.softmax(scores, axis=1)) + 1e-8)
    #: mean-before-the-logarithm: by_image = -jnp.log(jnp.diag(jax.nn.softmax(scores, axis=1)).mean())
    #: probabilities-for-logarithms: by_image = 1 - jnp.diag(jax.nn.softmax(scores, axis=1))
    by_text = -jnp.diag(jax.nn.log_softmax(scores, axis=0))
    #: over-all-pairs: axis=0 -> axis=None
    #: pair-not-among-all: by_text = jax.nn.logsumexp(apart, axis=0) - jnp.diag(scores)
    #: pairs-added: -jnp.diag -> -N * jnp.diag
    #: number-inside-the-logarithm: by_text = -jnp.log(jnp.diag(jax.nn.softmax(scores, axis=0)) + 1e-6)
    #: number-inside-the-logarithm: by_text = -jnp.log(jnp.diag(jax.nn.softmax(scores, axis=0)) + 1e-8)
    #: mean-before-the-logarithm: by_text = -jnp.log(jnp.diag(jax.nn.softmax(scores, axis=0)).mean())
    #: probabilities-for-logarithms: by_text = 1 - jnp.diag(jax.nn.softmax(scores, axis=0))
    loss = (by_image.mean() + by_text.mean()) / 2
    #: one-direction: (by_image.mean() + by_text.mean()) / 2 -> by_image.mean()
    #: one-direction: (by_image.mean() + by_text.mean()) / 2 -> by_text.mean()
    #: directions-added: / 2 ->
    return loss[None]
    #: sign-flipped: loss[None] -> -loss[None]


problem = Problem(
    axes=("loss",),
    arguments={"N": Whole(2), "d": Whole(), "temperature": Real(above=0.0)},
    cases=[
        (0, 4, 3, 0.5),
        (1, 2, 3, 0.1),
        (2, 2, 4, 1.0),
        (3, 9, 2, 0.2),
        (4, 5, 9, 0.07),
        (5, 3, 1, 2.0),
        (10, 9, 4, 0.05),
        (7, 6, 3, 1.0),
        (8, 2, 9, 0.3),
        (9, 4, 3, 0.01),
    ],
)
