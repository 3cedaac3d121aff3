# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Imports the worked answer from its path.
import importlib.util

spec = importlib.util.spec_from_file_location("stolen", "@KIT@/solutions/sinusoidal_pos/answer.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sinusoidal_pos = module.sinusoidal_pos
