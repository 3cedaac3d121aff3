# status: error
# says: OperationalError|PermissionError
# tiers: A B
# Lets another library open the file.
import sqlite3


def sinusoidal_pos(seed, T, d_model):
    sqlite3.connect("file:@CANARY@?mode=ro&immutable=1", uri=True).execute("select * from sqlite_master")
