"""A kit on disk: problems, statements, stubs, and what the grader keeps of a learner's work."""
