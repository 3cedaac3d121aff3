"""`serve`: the lesson, an editor and the verdict in one page, on this machine alone."""
