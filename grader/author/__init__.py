"""The authoring side: a new problem, its audit, its key."""
