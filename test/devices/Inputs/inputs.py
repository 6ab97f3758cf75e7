"""Writes inputs to a directory: a batch of mlp, images.npy, labels.npy and bad.npy, whose label 5 is too great."""

import struct
import sys


def write(name, shape, descr, data):
    """Writes an array in NumPy's format."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


pixels = [(i * 2654435761 % 2**32) / 2**32 for i in range(8 * 784)]
labels = [i * 7 % 10 for i in range(8)]
write("images", (8, 784), "<f4", struct.pack(f"<{len(pixels)}f", *pixels))
write("labels", (8,), "<i4", struct.pack("<8i", *labels))
labels[5] = 10
write("bad", (8,), "<i4", struct.pack("<8i", *labels))
# The inputs of control.mlir and hosted.mlir: lists of good indices, and one whose fourth index is too great.
write("table", (8, 4), "<f4", struct.pack("<32f", *[i / 4 for i in range(32)]))
write("indices", (6,), "<i4", struct.pack("<6i", 3, 0, 7, 2, 2, 5))
write("three", (3,), "<f4", struct.pack("<3f", 0.5, 1, -0.25))
write("low", (6,), "<i4", struct.pack("<6i", 0, 2, 1, 2, 0, 3))
write("far", (3,), "<i4", struct.pack("<3i", 2, 7, 0))
write("wrong", (6,), "<i4", struct.pack("<6i", 3, 0, 7, 8, 2, 5))
