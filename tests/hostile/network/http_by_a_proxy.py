# status: error
# says: URLError|PermissionError
# tiers: A B
# Goes through a proxy that it names itself.
import os
import urllib.request

os.environ["http_proxy"] = "http://127.0.0.1:@PORT@"


def sinusoidal_pos(seed, T, d_model):
    print(urllib.request.urlopen("http://example.com/", timeout=2).read())
