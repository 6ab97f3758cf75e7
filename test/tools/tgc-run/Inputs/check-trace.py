#!/usr/bin/env python3
"""Checks a file of `tgc-run --trace-bits`.

    check-trace.py TRACE [NPY]

Runs of a step are counted from 0 in each call, some step of a trace without NPY
runs more than once in a call, and every call has the same lines except for the
digests. With NPY, the elements of that file are the result of some step.
"""

import collections
import hashlib
import json
import pathlib
import sys


def main(trace_path, npy_path=None):
    header, *lines = map(json.loads, pathlib.Path(trace_path).read_text().splitlines())
    assert header["lines"] == len(lines), header
    counts = collections.Counter()
    calls = collections.defaultdict(list)
    for line in lines:
        assert line["run"] == counts[line["call"], line["step"]], line
        counts[line["call"], line["step"]] += 1
        calls[line["call"]].append((line["step"], line["run"], line["kernel"], len(line["results"])))
    assert all(steps == calls[0] for steps in calls.values())
    if not npy_path:
        assert max(counts.values()) > 1
        return
    npy = pathlib.Path(npy_path).read_bytes()
    digest = hashlib.sha256(npy[10 + int.from_bytes(npy[8:10], "little"):]).hexdigest()
    assert any(digest in line["results"] for line in lines), digest


main(*sys.argv[1:])
