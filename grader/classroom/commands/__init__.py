"""The commands on a class, one module for each command or family."""
