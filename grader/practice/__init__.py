"""Practice: one realistic mistake in the learner's own right answer, for the learner to find."""
