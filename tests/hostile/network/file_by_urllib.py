# status: error
# says: URLError|PermissionError|FileNotFoundError
# tiers: A B
# Reads a file of the user's by a library that is made for the network.
import urllib.request


def sinusoidal_pos(seed, T, d_model):
    print(urllib.request.urlopen("file://@CANARY@").read())
