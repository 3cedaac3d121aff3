"""The fronts that speak with other programs: a language server for editors, and tools for assistants."""
