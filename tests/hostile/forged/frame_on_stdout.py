# status: crash
# says: exited with status 0
# Writes a whole result, but to the streams that are read as output.
import os
import struct

head = b'{"values": [], "again": [], "raised": null, "transformed": [], "broken": null, "outlines": [], "stopped": null, "insights": [], "programs": null, "derivatives": null, "compiled": false, "arrays": []}'
for descriptor in (0, 1, 2):
    try:
        os.write(descriptor, b"GRD1" + struct.pack("<I", len(head)) + head)
    except OSError:
        pass
os._exit(0)
