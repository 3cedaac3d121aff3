"""A whole class: what was handed in, the gradebook, and its grading."""
