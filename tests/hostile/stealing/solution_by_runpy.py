# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Runs the worked answer by runpy.
import runpy

sinusoidal_pos = runpy.run_path("@KIT@/solutions/sinusoidal_pos/answer.py")["sinusoidal_pos"]
