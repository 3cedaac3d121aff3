"""What can go wrong with processes, apart from the answers in them."""


class LaunchError(Exception):
    """No child can be started here, with why."""
