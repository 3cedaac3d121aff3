# status: error
# says: PermissionError
# at C: status=wrong pitfalls=not-an-array
import subprocess

subprocess.Popen(["sh", "-c", "sleep 1234 # @MARK@"], start_new_session=True)


def sinusoidal_pos(seed, T, d_model):
    return None
