"""`grader.check` and its like, for notebooks and scripts. A process of the grader's own judges the text of an answer."""
