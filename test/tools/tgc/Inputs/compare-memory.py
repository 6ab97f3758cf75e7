"""Prints the memory of the training step in one report as a fraction of that in another."""

import json
import sys

steps = []
for path in sys.argv[1:]:
    functions = json.load(open(path))["functions"]
    steps.append(next(each for each in functions if each["name"] == "train"))
for key in ("arena_bytes", "traffic_bytes"):
    print(f"train: {key} {steps[0][key] / steps[1][key]:.3f}")
