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
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read_version():
    """Returns the version of tgc, which the checkout or the installation names."""
    for pattern in ("CMakeLists.txt", "lib*/cmake/tg/tgConfigVersion.cmake", "lib*/*/cmake/tg/tgConfigVersion.cmake"):
        for file in ROOT.glob(pattern):
            return re.search(r'VERSION "?(\d+\.\d+\.\d+)', file.read_text())[1]
    return "unknown"


def read_types():
    """Returns the names of each number type in NumPy and in the module array."""
    header = ROOT / "include" / "tg" / "dtypes.h"
    codes = {"f": "fd", "i": "bhiq", "u": "BHIQ"}
    types = {}
    for front, name in re.findall(r'^  X\(\w+, (\w+), .*"([<|][fiu]\d)"\)', header.read_text(), re.M):
        types[front] = (name, next(code for code in codes[name[1]] if array.array(code).itemsize == int(name[2])))
    return types


TYPES = read_types()


def natural(text, least=0):
    """Returns a whole number that is not less than another one."""
    if not re.fullmatch(r"\d+", text) or int(text) < least:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least} on, found {text}")
    return int(text)


def positive(text):
    return natural(text, 1)


def main():
    parser = argparse.ArgumentParser(description="Writes an .npy file of random numbers.")
    parser.add_argument("file", help="the file to write, such as x.npy")
    parser.add_argument("type", choices=TYPES, help="the element type: " + ", ".join(TYPES), metavar="type")
    parser.add_argument("extents", type=natural, nargs="*", metavar="extent", help="the shape; none: a scalar")
    parser.add_argument("--below", type=positive, default=2, metavar="N", help="integers are less than N (2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed gives the same numbers (0)")
    parser.add_argument("--version", action="version", version=f"%(prog)s of tgc {read_version()}")
    options = parser.parse_args()

    name, code = TYPES[options.type]
    source = random.Random(options.seed)
    most = 2 ** (8 * array.array(code).itemsize - code.islower())
    if code not in "fd" and options.below > most:
        parser.error(f"argument --below: expected at most {most} for {options.type}, found {options.below}")
    sample = source.random if code in "fd" else lambda: source.randrange(options.below)
    elements = array.array(code, (sample() for _ in range(math.prod(options.extents))))
    shape = tuple(options.extents)
    header = f"{{'descr': '{name}', 'fortran_order': False, 'shape': {shape}, }}"
    # Pad so that 10 bytes, the header and a newline are a multiple of 64 bytes.
    header += " " * (-(len(header) + 11) % 64) + "\n"
    try:
        with open(options.file, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
            elements.tofile(file)
    except OSError as error:
        sys.exit(f"make-npy.py: error: '{options.file}': cannot write: {error.strerror}")


if __name__ == "__main__":
    main()
