"""Errors of the grader's own processes, not of the answers in them."""


class LaunchError(Exception):
    """No child can be started; the message says why."""


class Killed(LaunchError):
    """Something outside the grader ended one of its processes: the system, for want of memory, or another program."""
