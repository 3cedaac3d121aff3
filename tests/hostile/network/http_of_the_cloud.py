# status: error
# says: URLError|PermissionError
# tiers: A B
# Asks the cloud's own address for credentials.
import urllib.request


def sinusoidal_pos(seed, T, d_model):
    print(urllib.request.urlopen("http://169.254.169.254/latest/meta-data/", timeout=2).read())
