"""What confines an answer's process: namespaces, Landlock, seccomp, limits."""
