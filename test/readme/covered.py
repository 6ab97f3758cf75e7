#!/usr/bin/env python3
"""Fails if a document is not tested, or if readers do not find it.

    covered.py ROOT

Reports documents with commands or programs that no plan of this directory names,
pages of docs that README.md does not link, and pages of docs/guide that the
guide's index does not link.
"""

import glob
import json
import os
import subprocess
import sys

from run import COMPILERS, events


def documents(root):
    """Returns every document of the tree, listed by git if possible, otherwise by a search."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "*.md"],
                            check=False, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.split()
    found = glob.glob("**/*.md", root_dir=root, recursive=True)
    return [name for name in found if not name.startswith("build")]


def is_linked(document, texts):
    """Returns True if the index of its directory links a page of docs."""
    directory, name = os.path.split(document)
    if directory == "docs/guide" and name != "README.md":
        return f"]({name})" in texts["docs/guide/README.md"]
    return f"]({document})" in texts["README.md"]


def main(root):
    here = os.path.dirname(os.path.abspath(__file__))
    planned = set()
    for plan in glob.glob(os.path.join(here, "plans", "*.json")):
        if not os.path.exists(os.path.join(here, os.path.basename(plan)[:-5] + ".test")):
            sys.exit(f"error: no test follows {plan}")
        with open(plan, encoding="utf-8") as file:
            planned.add(json.load(file)["document"])
    texts = {}
    for document in documents(root):
        with open(os.path.join(root, document), encoding="utf-8") as file:
            texts[document] = file.read()
    missing = [document for document, text in texts.items() if document not in planned
               and {kind for kind, _ in events(text)} & {"command", *COMPILERS}]
    if missing:
        sys.exit("error: no plan in test/readme/plans for " + ", ".join(sorted(missing)))
    unlinked = [document for document in texts if document.startswith("docs/")
                and not is_linked(document, texts)]
    if unlinked:
        sys.exit("error: no index has a link to " + ", ".join(sorted(unlinked)))


if __name__ == "__main__":
    main(*sys.argv[1:])
