# status: error
# says: (Permission|FileNotFound|OS)Error
# at C: status=memory says=more than
# Takes 2 GB in a program that it starts, and that goes on without it in a session of its own.
import subprocess
import sys
import time


def sinusoidal_pos(seed, T, d_model):
    hog = "import time; kept = b'x' * (2 << 30); time.sleep(5) # @MARK@"
    subprocess.Popen([sys.executable, "-S", "-c", hog], start_new_session=True)
    time.sleep(5)
