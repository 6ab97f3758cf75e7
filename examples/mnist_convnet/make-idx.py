#!/usr/bin/env python3
"""Writes digits.csv as IDX files with the names and the shapes of MNIST.

    make-idx.py digits.csv DIRECTORY

The images of 8 x 8 grey values are magnified three times and have a border.
Rows 1 to 1297 are for training, the others for tests.
"""

import gzip
import os
import struct
import sys


def magnify(row):
    """Returns the 28 x 28 bytes of 64 grey values from 0 to 16."""
    image = bytearray(28 * 28)
    for y in range(24):
        for x in range(24):
            value = int(row[y // 3 * 8 + x // 3])
            image[(y + 2) * 28 + x + 2] = value * 255 // 16
    return bytes(image)


def write(path, shape, body):
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + body)


def main(digits, directory):
    os.makedirs(directory, exist_ok=True)
    with open(digits, encoding="ascii") as file:
        rows = [line.strip().split(",") for line in file][1:]
    for part, part_rows in (("train", rows[:1297]), ("t10k", rows[1297:])):
        write(f"{directory}/{part}-images-idx3-ubyte.gz", (len(part_rows), 28, 28),
              b"".join(magnify(row) for row in part_rows))
        write(f"{directory}/{part}-labels-idx1-ubyte.gz", (len(part_rows),),
              bytes(int(row[64]) for row in part_rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
