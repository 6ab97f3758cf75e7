"""Counts what the products of product_counts.mlir do on the simulator, prints the table, compares it with bounds, and compares the bits with the CPU's.

Usage: product_counts.py DIRECTORY SIMULATOR. The directory has products.so; the simulator is a directory.
"""

import os
import struct
import subprocess
import sys

from counts import measure
from inputs import write

IMAGES = (4, 28, 28, 64)
# The extents of both operands and the number of results of a function, and the bounds that hold today: the most bytes that threads move over
# those that must move, the least part of the touched sectors that requests need, and the least part of multiply-adds in the instructions. A
# tile of 32 columns reads all few rows again, and the tiles of a long sum share their operands with the others of their row and column. Rows of
# windows are read for each row of positions, and for each channel of a group.
PRODUCTS = {
    "vector": ((1, 1024), (1024, 4096), 4096, 1.05, 0.95, 0.13),
    "few_rows": ((8, 1024), (1024, 1024), 8 * 1024, 1.25, 0.95, 0.43),
    "few_columns": ((2048, 1024), (1024, 8), 2048 * 8, 1.25, 0.95, 0.43),
    "long_sum": ((16384, 64), (16384, 64), 64 * 64, 4.05, 0.95, 0.58),
    "first_filter": ((8, 28, 28, 1), (8, 28, 28, 32), 25 * 32, 1.7, 0.65, 0.35),
    "small_filter": ((8, 28, 28, 1), (8, 14, 14, 16), 9 * 16, 1.2, 0.7, 0.25),
    "depthwise": (IMAGES, (3, 3, 1, 64), 4 * 28 * 28 * 64, 3.2, 0.95, 0.16),
    "depthwise_input": (IMAGES, (3, 3, 1, 64), 4 * 28 * 28 * 64, 3.2, 0.95, 0.16),
    "depthwise_filter": (IMAGES, IMAGES, 9 * 64, 8.8, 0.95, 0.05),
    "grouped": ((4, 14, 14, 64), (3, 3, 8, 64), 4 * 14 * 14 * 64, 20.3, 0.59, 0.15),
}


def main():
    directory, simulator = sys.argv[1:]
    # A fixed sequence of numbers between -1 and 1.
    numbers = b"".join(struct.pack("<f", (i * 2654435761 % 2**32) / 2**31 - 1) for i in range(4096))

    def make(name, shape):
        """Writes a tensor and returns its number of elements."""
        count = 1
        for extent in shape:
            count *= extent
        write(name, shape, "<f4", (numbers * (count // 4096 + 1))[: count * 4])
        return count

    failures = []

    def check(what, holds):
        if not holds:
            failures.append(what)

    print(f"{'product':12} {'bytes':>6} {'sectors':>8} multiply-adds")
    for function, (lhs, rhs, results, most, least, share) in PRODUCTS.items():
        must = 4 * (make("x", lhs) + make("w", rhs) + results)
        arguments = ["--input", f"x={directory}/x.npy", "--input", f"w={directory}/w.npy", "--digest"]
        sums, _ = measure("products.so", function, arguments, directory, simulator)
        moved = (sums["global_bytes_read"] + sums["global_bytes_written"]) / must
        used = sums["sectors_needed"] / sums["sectors_touched"]
        multiplied = sums["multiply_adds"] / sums["instructions"]
        print(f"{function:12} {moved:6.3f} {used:8.3f} {multiplied:.3f}")
        check(f"{function}: expected at most {most} times the bytes that must move, found {moved:.3f}", moved <= most)
        check(f"{function}: expected at least {least} of the sectors, found {used:.3f}", used >= least)
        check(f"{function}: expected at least {share} multiply-adds of the instructions, found {multiplied:.3f}", multiplied >= share)
        environment = dict(os.environ, LD_LIBRARY_PATH=simulator)
        run = ["tgc-run", os.path.join(directory, "products.so"), function, *arguments]
        device, host = (subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout for command in (run + ["--device=cuda"], run))
        check(f"{function}: expected the results of the CPU, found others", device == host)
    if failures:
        sys.exit("\n".join(failures))


main()
