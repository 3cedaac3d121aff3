"""Errors that people often meet, and what to write: a table for each subject."""
