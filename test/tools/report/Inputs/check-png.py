"""check-png.py FILE: checks that a picture is not blank."""

import struct
import sys
import zlib

with open(sys.argv[1], "rb") as file:
    data = file.read()
assert data.startswith(b"\x89PNG\r\n\x1a\n")
at, pixels = 8, b""
while at < len(data):
    (size,) = struct.unpack(">I", data[at : at + 4])
    if data[at + 4 : at + 8] == b"IDAT":
        pixels += data[at + 8 : at + 8 + size]
    at += size + 12
rows = zlib.decompress(pixels)
assert len(set(rows)) > 32, "a picture of few colours"
