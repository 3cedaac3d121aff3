"""`grader.check` and its like, for notebooks and scripts. What is graded is text; a process of the grader's own judges it."""
