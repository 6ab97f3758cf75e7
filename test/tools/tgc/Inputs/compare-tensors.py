"""compare-tensors.py PART WHOLE NAME...: fails unless the file PART has exactly these tensors
and WHOLE has each with the same type, shape and bytes."""

import json
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    return {
        name: (entry["dtype"], entry["shape"], data[8 + length :][slice(*entry["data_offsets"])])
        for name, entry in header.items()
    }


part, whole = read(sys.argv[1]), read(sys.argv[2])
assert sorted(part) == sorted(sys.argv[3:]), sorted(part)
for name, tensor in part.items():
    assert tensor == whole[name], name
