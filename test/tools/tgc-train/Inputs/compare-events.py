"""Compares the scalars of event files, as TensorBoard reads those of a directory,
with the lines of metrics.jsonl.

    compare-events.py DIRECTORY
"""

import json
import os
import sys

import numpy
from tensorboard.backend.event_processing import event_accumulator

directory = sys.argv[1]
expected = {}
with open(os.path.join(directory, "metrics.jsonl"), encoding="utf-8") as lines:
    for line in map(json.loads, lines):
        step = line.pop("step")
        for tag, value in line.items():
            expected.setdefault(tag, []).append((step, float(numpy.float32(value))))

sizes = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
events = event_accumulator.EventAccumulator(directory, size_guidance=sizes)
events.Reload()
found = {
    tag: [(event.step, event.value) for event in events.Scalars(tag)]
    for tag in events.Tags()["scalars"]
}
if found != expected:
    sys.exit(f"expected the scalars {expected}, found {found}")
files = [name for name in os.listdir(directory) if name.startswith("events.out")]
tags = ", ".join(f"{tag} {len(values)}" for tag, values in sorted(found.items()))
print(f"{len(files)} event files: {tags}")
