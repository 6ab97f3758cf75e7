"""Adds a row to a copy of the element type table and compiles all sources with a switch over element types.

    fake-element-type.py ROOT BUILD

A handwritten switch has a case for f32. With the fake row, each such switch must fail to compile as not exhaustive. Prints
the number of switches, the sources whose switches compile, and the places that compare with single types instead.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SWITCH = re.compile(r"case (?:ElementType|DType|tg::DType)::f32:")
REFUSAL = re.compile(r"error: enumeration value 'fake' not handled in switch")
# Comparisons with single types; i64, the type of sizes, is compared rightly and
# not listed.
OTHER = re.compile(
    r"isB?F(?:16|32|64)\(\)|is(?:Signless|Unsigned)?Integer\((?:8|16|32)\)|TG_DTYPE_[A-Z]+ << 8|DType::\w+ [=!]="
    r"|[=!]= (?:f32|f64|i8|i16|i32|u8)\b")
SOURCES = ("compiler", "dialects", "runtime", "tools")
# The registers in these sources hold only f32 and f64; f32 is the default of an
# op.
EXCEPT = ("compiler/codegen/kernel/math/", "compiler/frontend/nn/Initializer.cpp", "compiler/frontend/ops/RandomFunctions.cpp")


def fake_table(root):
    """Returns the table with an additional row before the last one."""
    text = (root / "include/tg/dtypes.h").read_text()
    row = '  X(fake, fake, FLOAT, 24, float, NEAREST, fake, fake, fake, "FAKE", "<f3") \\\n'
    at = text.index("  X(i1, ")
    return text[:at] + row + text[at:]


def command_of(entry, overlay):
    """Returns the compiler invocation of an entry, changed to check only the syntax."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if re.search(r"/clang(\+\+)?(-\d+)?$", word)):]
    output = words.index("-o")
    del words[output:output + 2]
    words.remove("-c")
    return words + ["-fsyntax-only", "-ferror-limit=0", "-ivfsoverlay", overlay]


def count_refusals(entry, overlay):
    result = subprocess.run(command_of(entry, overlay), cwd=entry["directory"], capture_output=True, text=True)
    return len(REFUSAL.findall(result.stderr))


def main():
    root, build = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    files = subprocess.run(["git", "ls-files", *SOURCES], cwd=root, capture_output=True, text=True, check=True).stdout.split()
    texts = {name: (root / name).read_text() for name in files if name.endswith((".c", ".cpp", ".h", ".td"))}
    commands = {entry["file"]: entry for entry in json.loads((build / "compile_commands.json").read_text())}
    switches, wrong = 0, 0
    with tempfile.TemporaryDirectory() as directory:
        table, overlay = pathlib.Path(directory, "dtypes.h"), pathlib.Path(directory, "overlay.json")
        table.write_text(fake_table(root))
        overlay.write_text(json.dumps({"version": 0, "roots": [{
            "type": "file", "name": str(root / "include/tg/dtypes.h"), "external-contents": str(table)}]}))
        for name, text in texts.items():
            here = len(SWITCH.findall(text))
            if not here:
                continue
            switches += here
            refused = count_refusals(commands[str(root / name)], str(overlay))
            if refused != here:
                wrong += 1
                print(f"{name}: {refused} of {here} switches refuse a type that they do not know")
    if not wrong:
        print(f"{switches} switches, all refuse")
    places = [f"{name}:{number}: {line.strip()}" for name, text in texts.items() if not name.startswith(EXCEPT)
              for number, line in enumerate(text.splitlines(), 1) if OTHER.search(line)]
    print("\n".join(places + [f"{len(places)} other places tell element types apart"]))


if __name__ == "__main__":
    main()
