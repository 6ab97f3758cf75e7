#!/usr/bin/env python3
"""Checks the lines of `tgc-run --digest` against a checkpoint and an .npy file.

    check-digests.py TEXT CHECKPOINT NPY

Every variable of the checkpoint has the digest of its bytes, the output that is
named as the .npy file has the digest of its elements, and the last line has the
digest of the lines of variables.
"""

import hashlib
import json
import pathlib
import re
import sys


def digest_of(data):
    return hashlib.sha256(data).hexdigest()


def main(text_path, checkpoint_path, npy_path):
    lines = pathlib.Path(text_path).read_text().splitlines(keepends=True)
    known = {}
    for line in lines:
        if match := re.match(r"([0-9a-f]{64})  (output|variable) (.*): (\w+)", line):
            known[match[2], match[3]] = match[1]
    checkpoint = pathlib.Path(checkpoint_path).read_bytes()
    size = int.from_bytes(checkpoint[:8], "little")
    tensors = json.loads(checkpoint[8:8 + size])
    tensors.pop("__metadata__", None)
    assert {name for kind, name in known if kind == "variable"} == set(tensors), known
    for name, tensor in tensors.items():
        first, last = (8 + size + offset for offset in tensor["data_offsets"])
        assert known["variable", name] == digest_of(checkpoint[first:last]), name
    npy = pathlib.Path(npy_path).read_bytes()
    start = 10 + int.from_bytes(npy[8:10], "little")
    assert known["output", pathlib.Path(npy_path).stem] == digest_of(npy[start:])
    variables = "".join(line for line in lines if line[64:].startswith("  variable "))
    assert lines[-1] == digest_of(variables.encode()) + "  all variables\n", lines[-1]


main(*sys.argv[1:])
