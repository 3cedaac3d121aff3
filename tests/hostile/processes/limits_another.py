# status: error
# says: PermissionError|ProcessLookupError|OSError
# tiers: A B
# Takes another process's limits away from it (prlimit).
import resource


def sinusoidal_pos(seed, T, d_model):
    resource.prlimit(@PID@, resource.RLIMIT_NOFILE, (3, 3))
