"""A kit on disk: problems, statements, stubs, and the grader's own files in it."""
