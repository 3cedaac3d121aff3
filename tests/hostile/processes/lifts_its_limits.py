# status: error
# says: ValueError|PermissionError|OSError
# tiers: A B
# Lifts the limits that it was given: one who is root may, unless the call is refused.
import resource


def sinusoidal_pos(seed, T, d_model):
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
