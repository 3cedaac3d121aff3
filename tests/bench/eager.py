"""`python -m tests.bench.eager`: what one kind of operation costs alone, and what an operation costs in a program.

Their ratio is `grader.run.answer.tracing.OPERATIONS_PER_COMPILE`. Each answer is a Python loop over `loops` vectors of
`lengths` lengths.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import jax
import jax.numpy as jnp

from grader.jaxpr.compat import only_cpu
from grader.run.answer.tracing import count, kinds_of, run_as_written, run_traces, trace

LOOPS = [(100, 100), (400, 400), (400, 10), (3000, 10)]


def sums(loops: int, lengths: int) -> jax.Array:
    """The sum of `x * x + 1` over vectors whose lengths repeat after `lengths` of them."""
    total = jnp.zeros(())
    for number in range(loops):
        x = jnp.ones(number % lengths + 1) * 0.5
        total = total + (x * x + 1.0).sum()
    return total


def seconds_of(run: Callable[[], object]) -> float:
    """The processor time of one call, with nothing compiled before."""
    jax.clear_caches()
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    """Print a line for each loop."""
    only_cpu()
    print(
        f"{'operations':>10} {'kinds':>6} {'one program':>12} {'one by one':>11}   a kind, in operations of a program"
    )
    for loops, lengths in LOOPS:
        traces = [trace(sums, (loops, lengths))]
        size, kinds = count(traces[0].program.jaxpr), len(kinds_of(traces))  # pyright: ignore[reportOptionalMemberAccess]
        together = seconds_of(lambda traces=traces: run_traces(traces, ""))
        apart = seconds_of(lambda traces=traces: run_as_written(traces))
        ratio = apart / kinds / (together / size)
        print(f"{size:>10} {kinds:>6} {together:>10.2f} s {apart:>9.2f} s   {ratio:.0f}")


if __name__ == "__main__":
    main()
