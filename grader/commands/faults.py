"""Faults of usage and of the kit: one line on stderr, and the exit status."""

from __future__ import annotations

from grader.locale.language import gettext

FAULT = 2
"""The exit status."""


def fault(text: str) -> int:
    """Print the line, and return the exit status."""
    from grader.report.terminal import Terminal

    Terminal.make(stderr=True).fault(text)
    return FAULT


def refuse(impostor: str) -> int:
    """Report that nothing is graded where the file `impostor` lies, and return the exit status."""
    return fault(
        gettext(
            "{file} lies in the current folder, and `python -m grader` there would run it in place of a module of the "
            "grader: nothing is graded. Move it away; for answers of others use the `grader` script, or `python -P -m "
            "grader`."
        ).format(file=impostor)
    )
