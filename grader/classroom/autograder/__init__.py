"""Autograders that run elsewhere: what is put into one here, and what it does there."""
