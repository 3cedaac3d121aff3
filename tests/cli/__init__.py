"""The real command, as users run it."""
