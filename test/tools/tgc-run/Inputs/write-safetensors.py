"""write-safetensors.py FILE NAME=DTYPE[:d0,d1,...]=v,v,... ...

Writes a safetensors file as other programs do, from the format's description
alone: no metadata, tensors in the order of the arguments."""

import json
import struct
import sys

LETTERS = {"F32": "f", "F64": "d", "I64": "q", "I32": "i", "BOOL": "B"}

header, data = {}, b""
for argument in sys.argv[2:]:
    name, kind, values = argument.split("=")
    dtype, _, dims = kind.partition(":")
    numbers = [float(v) if dtype[0] == "F" else int(v) for v in values.split(",")]
    begin = len(data)
    data += struct.pack(f"<{len(numbers)}{LETTERS[dtype]}", *numbers)
    header[name] = {
        "dtype": dtype,
        "shape": [int(d) for d in dims.split(",")] if dims else [],
        "data_offsets": [begin, len(data)],
    }
text = json.dumps(header, indent=1).encode()
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data)
