"""What `--engine dask` needs, checked before anything is read or made."""

from __future__ import annotations

from grader.kit.kit import KitError


def check_dask(scheduler: str | None, confine: str) -> None:
    """Check that other machines can be asked to grade.

    Raises:
        KitError: where an option is missing, or one is dangerous there, or the package is not installed.
    """
    from grader.classroom.engines.dask import CONFINED, require

    if scheduler is None:
        raise KitError(
            "--engine dask needs --scheduler ADDRESS: the address that `dask scheduler` prints, as in tcp://10.0.0.1:8786."
        )
    if confine not in CONFINED:
        raise KitError(
            f"--engine dask does not go with --tier {confine}: an answer could connect to the scheduler, and run "
            "anything on all workers."
        )
    require()
