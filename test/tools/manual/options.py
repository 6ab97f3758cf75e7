"""Fails unless the man page and the completions of a tool name each option that its --help begins a line with.

    options.py PROGRAM MANUAL
"""

import os
import re
import subprocess
import sys


def main(program, manual):
    name = os.path.basename(program)
    text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    options = set(re.findall(r"^ {1,6}--([a-z][\w-]*)", text, re.M))
    if len(options) < 2:
        sys.exit(f"error: expected options in the help of {name}, found {options}")
    for path in (f"man1/{name}.1", f"bash/{name}", f"zsh/_{name}", f"fish/{name}.fish"):
        with open(os.path.join(manual, path), encoding="utf-8") as file:
            text = re.sub(r"\\f[BIR]", " ", file.read()).replace("\\-", "-")
        words = set(re.findall(r"[a-z][\w-]*", text))
        missing = options - words
        if missing:
            sys.exit(f"error: {path} lacks {', '.join(sorted(missing))}")
    print(f"{name}: {len(options)} options")


if __name__ == "__main__":
    main(*sys.argv[1:])
