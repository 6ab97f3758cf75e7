"""Writes random images in the formats of MNIST and CIFAR-10, with the file names of these data sets."""

import random

generator = random.Random(1)


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def number(value):
    return value.to_bytes(4, "big")


for part, count in (("train", 32), ("t10k", 16)):
    pixels, labels = generator.randbytes(count * 784), bytes(generator.randrange(10) for _ in range(count))
    write(f"{part}-images-idx3-ubyte", number(0x803) + number(count) + number(28) + number(28) + pixels)
    write(f"{part}-labels-idx1-ubyte", number(0x801) + number(count) + labels)
for name in ("data_batch_1", "data_batch_2", "test_batch"):
    records = (bytes([generator.randrange(10)]) + generator.randbytes(3072) for _ in range(16))
    write(f"cifar-10-batches-bin/{name}.bin", b"".join(records))
