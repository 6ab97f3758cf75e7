"""Writes rows of a linear function as a table: make-rows.py FILE COUNT."""

import random
import sys

draw = random.Random(1)
with open(sys.argv[1], "w") as table:
    table.write("a,b,c,d,target\n")
    for _ in range(int(sys.argv[2])):
        row = [draw.randrange(100) / 64 for _ in range(4)]
        target = sum((i + 1) * value for i, value in enumerate(row))
        table.write(",".join(str(value) for value in [*row, target]) + "\n")
