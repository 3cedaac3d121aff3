"""Errors of the grader's own processes, not of the answers in them."""


class LaunchError(Exception):
    """No child can be started; the message says why."""
