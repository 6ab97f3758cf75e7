#!/usr/bin/env python3
"""Writes an .npy file of random numbers, with Python's own library alone.

    make-npy.py FILE TYPE EXTENT... [--below N] [--seed N]

TYPE is f32, f64, i32, i64 or u8. Floating-point numbers lie in [0, 1), integers
in [0, N); N is 2 by default. The same seed gives the same file.
"""

import argparse
import array
import math
import random

# Of each type: its names in NumPy and in array.
TYPES = {"f32": ("<f4", "f"), "f64": ("<f8", "d"), "i32": ("<i4", "i"),
         "i64": ("<i8", "q"), "u8": ("|u1", "B")}


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
    draw = source.random if code in "fd" else lambda: source.randrange(options.below)
    elements = array.array(code, (draw() for _ in range(math.prod(options.extents))))
    shape = tuple(options.extents)
    header = f"{{'descr': '{name}', 'fortran_order': False, 'shape': {shape}, }}"
    # Ten bytes before the header; with it and the newline a multiple of 64.
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(options.file, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        elements.tofile(file)


if __name__ == "__main__":
    main()
