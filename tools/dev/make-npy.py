#!/usr/bin/env python3
"""Writes an .npy file of random numbers; needs only Python's standard library.

    make-npy.py FILE TYPE EXTENT... [--below N] [--seed N]

TYPE is an element type of include/tg/dtypes.h by its C++ name: f32, i8, u8 and
so on. Floating-point numbers lie in [0, 1), integers in [0, N); N is 2 by
default. The same seed gives the same file.
"""

import argparse
import array
import math
import pathlib
import random
import re


def read_types():
    """Returns the names of each number type in NumPy and in the module array."""
    header = pathlib.Path(__file__).resolve().parents[2] / "include" / "tg" / "dtypes.h"
    codes = {"f": "fd", "i": "bhiq", "u": "BHIQ"}
    types = {}
    for front, name in re.findall(r'^  X\(\w+, (\w+), .*"([<|][fiu]\d)"\)', header.read_text(), re.M):
        types[front] = (name, next(code for code in codes[name[1]] if array.array(code).itemsize == int(name[2])))
    return types


TYPES = read_types()


def main():
    parser = argparse.ArgumentParser(description="Writes an .npy file of random numbers.")
    parser.add_argument("file")
    parser.add_argument("type", choices=TYPES)
    parser.add_argument("extents", type=int, nargs="*", metavar="extent")
    parser.add_argument("--below", type=int, default=2, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    name, code = TYPES[options.type]
    source = random.Random(options.seed)
    sample = source.random if code in "fd" else lambda: source.randrange(options.below)
    elements = array.array(code, (sample() for _ in range(math.prod(options.extents))))
    shape = tuple(options.extents)
    header = f"{{'descr': '{name}', 'fortran_order': False, 'shape': {shape}, }}"
    # Pad so that 10 bytes, the header and a newline are a multiple of 64 bytes.
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(options.file, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        elements.tofile(file)


if __name__ == "__main__":
    main()
