"""Processes: the template that forks, the children it starts, and the bytes that cross between them."""
