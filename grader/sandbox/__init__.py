"""The confinement of an answer's process: namespaces, Landlock, seccomp, limits, control groups."""
