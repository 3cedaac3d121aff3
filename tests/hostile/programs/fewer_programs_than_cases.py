# status: wrong
# tiers: B
# The right programs of all cases but the last.
import json

import jax.numpy as jnp
import numpy as np

import grader.run.answer.process as process
from grader.values import frames
from grader.run.answer import progress_notes
from grader.run.answer.tracing import packed
from grader.run.answer.tracing import trace
from grader.run.protocol import TracedPrograms


def right(seed, T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(-1)


def right_programs(request):
    return packed([trace(right, case) for case in request.cases[: request.programs]], "a.py")


def fewer(request):
    _, (text, *arrays) = frames.decode(bytes(right_programs(request)))
    text = np.frombuffer(json.dumps(json.loads(text.tobytes())[:-1]).encode(), np.uint8)
    return np.frombuffer(frames.encode({}, [text, *arrays]), np.uint8)


def forged(task, outcome, traces, derivatives):
    if not outcome.sent:
        outcome.sent = True
        progress_notes.send_programs(TracedPrograms(("float32",) * task.programs, bytes(fewer(task))))


process._send = forged


def sinusoidal_pos(seed, T, d_model):
    return jnp.cos(jnp.arange(T * d_model) * 0.1)
