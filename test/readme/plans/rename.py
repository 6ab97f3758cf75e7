"""rename.py FROM TO transposed|same OLD=NEW...: writes some tensors of a safetensors file under new names, with matrices
transposed to PyTorch's layout or unchanged."""

import json
import sys


def read(path):
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return json.loads(file.read(length)), file.read()


def transpose(data, rows, columns):
    cells = [data[at : at + 4] for at in range(0, len(data), 4)]
    return b"".join(cells[row * columns + column] for column in range(columns) for row in range(rows))


def main():
    source, target, how, *names = sys.argv[1:]
    header, data = read(source)
    made, body = {}, b""
    for old, new in (name.split("=") for name in names):
        begin, end = header[old]["data_offsets"]
        shape, content = header[old]["shape"], data[begin:end]
        if how == "transposed" and len(shape) == 2:
            content, shape = transpose(content, *shape), shape[::-1]
        made[new] = {"dtype": header[old]["dtype"], "shape": shape, "data_offsets": [len(body), len(body) + len(content)]}
        body += content
    text = json.dumps(made).encode()
    with open(target, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + body)


if __name__ == "__main__":
    main()
