#!/usr/bin/env python3
"""Runs the commands that a document shows in some sections, in their order.

    run.py DOCUMENT DIRECTORY ROOT BUILD SECTION...

DIRECTORY is made anew and gets links to what the commands name (examples,
tools, build) and the models of the document: blocks of mlir whose first line is
`// NAME.mlir`. All of them compile, or are refused with each text that follows
`// error: ` in them. A section "" is what stands before the first. A command
that fails, or a section without commands, is an error.
"""

import os
import re
import shutil
import subprocess
import sys


def commands(readme, section):
    """The indented lines of a section that are not in a fenced block."""
    found, inside, fenced = [], section == "", False
    with open(readme, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("## "):
                inside = line == "## " + section
            elif line.startswith("```"):
                fenced = not fenced
            elif inside and not fenced and line.startswith("    "):
                found.append(line.strip())
    if not found:
        sys.exit(f"error: {readme} has no commands below '## {section}'")
    return found


def check_model(directory, name, text):
    """Writes a model of the document and shows that tgc says of it what the document says."""
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(text)
    result = subprocess.run(["tgc", name, "-o", name + ".so"], cwd=directory, check=False,
                            capture_output=True, text=True)
    expected = re.findall("^// error: (.*)$", text, re.M)
    missing = [fragment for fragment in expected if fragment not in result.stderr]
    if missing or (result.returncode != 0) != bool(expected):
        sys.exit(f"error: {name}: expected {missing or 'a library'}, found:\n{result.stderr}")


def check_models(document, directory):
    with open(document, encoding="utf-8") as file:
        text = file.read()
    for block in re.findall("^```mlir\n(.*?)^```$", text, re.M | re.S):
        name = re.match(r"// (\w+\.mlir)\n", block)
        if not name:
            sys.exit(f"error: {document} has a model without a name:\n{block}")
        check_model(directory, name.group(1), block)


def main():
    readme, directory, root, build, *sections = sys.argv[1:]
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for name, target in [("examples", root + "/examples"), ("tools", root + "/tools"),
                         ("build", build)]:
        os.symlink(target, os.path.join(directory, name))
    check_models(readme, directory)
    for section in sections:
        for command in commands(readme, section):
            print(command, flush=True)
            subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=directory, check=True)


if __name__ == "__main__":
    main()
