"""check-profile.py FILE SOURCE: checks that a profile of profile.mlir's `step` is complete."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    profile = json.load(file)
assert profile["model"] == "profile" and profile["function"] == "step"
assert profile["symbols"] == {"batch": 64}
assert profile["runs"] == 5 and profile["threads"] == 1

kernels = profile["steps"]
steps = len(kernels)
assert sorted(k["step"] for k in kernels) == list(range(steps))
assert 0 < sum(k["share"] for k in kernels) <= 1
assert kernels == sorted(kernels, key=lambda k: -k["seconds"])
for kernel in kernels:
    assert kernel["kernel"] and kernel["traffic_bytes"] > 0
    file, line = kernel["lines"][0].rsplit(":", 1)
    assert file.endswith("profile.mlir") and int(line) > 0
    # The rates follow from the times and costs in the same row.
    rate = kernel["flops"] / kernel["seconds"]
    assert abs(kernel["flops_per_second"] - rate) <= 1e-6 * rate
(product,) = [k for k in kernels if "tg.matmul" in k["ops"]]
assert product["flops"] >= 2 * 64 * 300 * 200
with open(sys.argv[2], encoding="utf-8") as file:
    lines = file.read().splitlines()
assert "tg.matmul" in lines[int(product["lines"][0].rsplit(":", 1)[1]) - 1]

# The events of a run are in the order of the steps.
events = profile["traceEvents"]
assert len(events) == 5 * steps
names = [k["kernel"] for k in sorted(kernels, key=lambda k: k["step"])]
at = 0
for number, event in enumerate(events):
    assert event["ph"] == "X" and event["name"] == names[number % steps]
    assert event["ts"] >= at - 1e-6 and event["dur"] >= 0
    at = event["ts"] + event["dur"]
