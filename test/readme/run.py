#!/usr/bin/env python3
"""Runs the commands that the README shows in some sections, in their order.

    run.py README DIRECTORY ROOT BUILD SECTION...

DIRECTORY is made anew and gets links to what the commands name: examples,
tools, build. A command that fails, or a section without commands, is an error.
"""

import os
import shutil
import subprocess
import sys


def commands(readme, section):
    """The indented lines of a section that are not in a fenced block."""
    found, inside, fenced = [], False, False
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


def main():
    readme, directory, root, build, *sections = sys.argv[1:]
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for name, target in [("examples", root + "/examples"), ("tools", root + "/tools"),
                         ("build", build)]:
        os.symlink(target, os.path.join(directory, name))
    for section in sections:
        for command in commands(readme, section):
            print(command, flush=True)
            subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=directory, check=True)


if __name__ == "__main__":
    main()
