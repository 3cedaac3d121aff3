# status: error
# says: (Permission|FileNotFound|OS)Error
# tiers: A B
# Runs the worked answer in its own place.
exec(open("@KIT@/solutions/sinusoidal_pos/answer.py").read())
