"""The authoring side."""
