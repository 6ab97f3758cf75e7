"""bad-weights.py MODEL LIBRARY: writes invalid safetensors files, each of which `tgc --weights` and `tgc-run --load` must refuse.

The model has one variable, w : tensor<4xf32>."""

import subprocess
import sys

GOOD = '"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}'


def other(place):
    return '"x":{"dtype":"U8","shape":[0],"data_offsets":[%d,%d]}' % (place, place)


HEADERS = {
    "cut short": "{" + GOOD,
    "not an object": "[]",
    "null": "null",
    "a space before it": " {" + GOOD + "}",
    "a byte order mark": "\ufeff{" + GOOD + "}",
    "text behind it": "{" + GOOD + "}x",
    "a zero byte": "{" + GOOD + ',"__metadata__":{"a":"\0"}}',
    "a name twice": "{" + GOOD + "," + GOOD + "}",
    "metadata that is a number": '{"__metadata__":1,' + GOOD + "}",
    "a number in metadata": '{"__metadata__":{"a":1},' + GOOD + "}",
    "a list in metadata": '{"__metadata__":{"a":[]},' + GOOD + "}",
    "metadata twice": '{"__metadata__":{},"__metadata__":{},' + GOOD + "}",
    "a hash that is none": '{"__metadata__":{"tg.data_sha256":"xyz"},' + GOOD + "}",
    "a hash of capitals": '{"__metadata__":{"tg.data_sha256":"' + "A" * 64 + '"},' + GOOD + "}",
    "a wrong hash": '{"__metadata__":{"tg.data_sha256":"' + "0" * 64 + '"},' + GOOD + "}",
    "a shape of fractions": "{" + GOOD.replace("[4]", "[4.0]") + "}",
    "a shape with an exponent": "{" + GOOD.replace("[4]", "[4e0]") + "}",
    "a negative shape": "{" + GOOD.replace("[4]", "[-4]") + "}",
    "a huge shape": "{" + GOOD.replace("[4]", "[99999999999999999999]") + "}",
    "a shape of words": "{" + GOOD.replace("[4]", '["4"]') + "}",
    "a shape that is a number": "{" + GOOD.replace("[4]", "4") + "}",
    "a nested shape": "{" + GOOD.replace("[4]", "[[4]]") + "}",
    "another shape": "{" + GOOD.replace("[4]", "[5]") + "}",
    "another rank": "{" + GOOD.replace("[4]", "[4,1]") + "}",
    "another type": "{" + GOOD.replace("F32", "I32") + "}",
    "a type that is a number": "{" + GOOD.replace('"F32"', "32") + "}",
    "no type": "{" + GOOD.replace('"dtype":"F32",', "") + "}",
    "no shape": "{" + GOOD.replace('"shape":[4],', "") + "}",
    "no place": "{" + GOOD.replace(',"data_offsets":[0,16]', "") + "}",
    "two shapes": "{" + GOOD.replace('"shape":[4],', '"shape":[4],"shape":[4],') + "}",
    "a field of another name": "{" + GOOD.replace('"shape"', '"more":1,"shape"') + "}",
    "one offset": "{" + GOOD.replace("[0,16]", "[16]") + "}",
    "three offsets": "{" + GOOD.replace("[0,16]", "[0,16,16]") + "}",
    "fractions as offsets": "{" + GOOD.replace("[0,16]", "[0.0,16]") + "}",
    "descending offsets": "{" + GOOD.replace("[0,16]", "[16,0]") + "}",
    "offsets beyond the end": "{" + GOOD.replace("[0,16]", "[0,32]") + "}",
    "too few bytes": "{" + GOOD.replace("[0,16]", "[0,12]") + "}",
    "a gap": "{" + GOOD.replace("[0,16]", "[4,20]") + "}",
    "a tensor that is a number": '{"w":1}',
    "another name": "{" + GOOD.replace('"w"', '"v"') + "}",
    "nothing": "{}",
    "deep": '{"w":' + "{" * 100000,
    "wide": "[" * 100000,
}


def run(model, library, header):
    """Returns the statuses of both programs for a file with this header."""
    text = header.encode()
    with open("bad.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + bytes(16))
    commands = [
        ["tgc", model, "-o", "bad.so", "-O0", "--target=x86-64-v2", "--weights=bad.safetensors"],
        ["tgc-run", library, "f", "--load", "bad.safetensors", "--ignore-others"],
    ]
    results = [subprocess.run(command, check=False, capture_output=True, text=True) for command in commands]
    for result in results:
        if result.returncode not in (0, 1) or (result.returncode == 1) != ("bad.safetensors" in result.stderr):
            sys.exit(f"error: {header[:80]}: status {result.returncode}, {result.stderr}")
    return [result.returncode for result in results], results[0].stderr


model, library = sys.argv[1:]
for header in ("{" + GOOD + "}", "{" + GOOD + "," + other(16) + "}", '{"__metadata__":{"a":"b","a":"c"},' + GOOD + "}  "):
    if run(model, library, header)[0] != [0, 0]:
        sys.exit(f"error: a good file was refused: {header}")
wrong, refused = [], {}
for name, header in HEADERS.items():
    statuses, refused[name] = run(model, library, header)
    if statuses != [1, 1]:
        wrong.append((name, statuses))
if wrong:
    sys.exit(f"error: accepted: {wrong}")
if "has tensor 'w' twice" not in refused["a name twice"]:
    sys.exit("error: " + refused["a name twice"])
print(len(HEADERS), "bad files refused by both")
