#!/usr/bin/env python3
"""covered.py ROOT: fails if no plan of this directory names a README with commands or programs."""

import glob
import json
import os
import subprocess
import sys

from run import COMPILERS, events


def documents(root):
    """Returns every README.md of the tree, listed by git if possible, otherwise by a search."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "*README.md"],
                            check=False, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.split()
    found = glob.glob("**/README.md", root_dir=root, recursive=True)
    return [name for name in found if not name.startswith("build")]


def main(root):
    here = os.path.dirname(os.path.abspath(__file__))
    planned = set()
    for plan in glob.glob(os.path.join(here, "plans", "*.json")):
        if not os.path.exists(os.path.join(here, os.path.basename(plan)[:-5] + ".test")):
            sys.exit(f"error: no test follows {plan}")
        with open(plan, encoding="utf-8") as file:
            planned.add(json.load(file)["document"])
    missing = []
    for document in documents(root):
        with open(os.path.join(root, document), encoding="utf-8") as file:
            kinds = {kind for kind, _ in events(file.read())}
        if kinds & {"command", *COMPILERS} and document not in planned:
            missing.append(document)
    if missing:
        sys.exit("error: no plan in test/readme/plans for " + ", ".join(sorted(missing)))


if __name__ == "__main__":
    main(*sys.argv[1:])
