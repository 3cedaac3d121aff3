# status: error
# says: (ModuleNotFound|Permission|Import|FileNotFound|OS|ZipImport)Error
# tiers: A B
# Imports by an importer that opens files of its own accord.
import zipimport


def sinusoidal_pos(seed, T, d_model):
    return zipimport.zipimporter("@CANARY@").load_module("anything")
