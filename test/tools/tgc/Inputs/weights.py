"""weights.py FILE NAME=TYPE:EXTENTxEXTENT...: writes a safetensors file with tensors of random bytes.
`count LIBRARY FILE` prints how often the library contains the bytes of each tensor of 64 bytes or more."""

import json
import math
import random
import sys

BYTES = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "U8": 1}


def write(path, tensors):
    generator = random.Random(1)
    header, data = {}, b""
    for name, (dtype, extents) in tensors.items():
        begin = len(data)
        data += generator.randbytes(BYTES[dtype] * math.prod(extents))
        header[name] = {"dtype": dtype, "shape": extents, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + data)


def count(library, path):
    with open(path, "rb") as file:
        data = file.read()
    with open(library, "rb") as file:
        code = file.read()
    length = int.from_bytes(data[:8], "little")
    for name, entry in json.loads(data[8 : 8 + length]).items():
        if name == "__metadata__":
            continue
        values = data[8 + length :][slice(*entry["data_offsets"])]
        if len(values) >= 64:
            print(name, code.count(values))


if sys.argv[1] == "count":
    count(*sys.argv[2:])
else:
    pairs = (argument.split("=") for argument in sys.argv[2:])
    write(
        sys.argv[1],
        {
            name: (kind.split(":")[0], [int(extent) for extent in kind.split(":")[1].split("x") if extent])
            for name, kind in pairs
        },
    )
