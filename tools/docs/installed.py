"""Copies documents for an installation, in the layout of the source tree.

    installed.py <root> <copies> <documents> <headers> <document>...

A link to an installed document or example stays, one to a public header leads
to the installed header, and one to another file of the tree becomes its text.
<documents> and <headers> are the directories of an installation.
"""

import os
import posixpath
import re
import sys

# A link: its text, which may have code or another pair of brackets, and its path.
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#:]+)(#[^()\s]*)?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.M | re.S)


class Copies:
    def __init__(self, root, documents, headers, names):
        self.root, self.documents, self.headers = root, documents, headers
        self.installed = set(names)

    def link(self, above, match):
        """Returns a link of a document in a directory as it stands in the copy."""
        text, target, anchor = match.group(1), match.group(2), match.group(3) or ""
        path = posixpath.normpath(posixpath.join(above, target))
        if path in self.installed or path.split("/")[0] == "examples":
            return match.group(0)
        if os.path.isdir(os.path.join(self.root, path)):
            readme = posixpath.join(path, "README.md")
            return f"[{text}]({posixpath.relpath(readme, above or '.')})" if readme in self.installed else text
        if path.startswith("include/"):
            header = posixpath.join(self.headers, posixpath.relpath(path, "include"))
            return f"[{text}]({posixpath.relpath(header, posixpath.join(self.documents, above))}{anchor})"
        return text

    def text(self, name):
        """Returns a document with the links of its copy; code stays as it is."""
        with open(os.path.join(self.root, name), encoding="utf-8") as file:
            text = file.read()
        above, copied, end = posixpath.dirname(name), [], 0
        for link in LINK.finditer(text):
            inside = any(code.start() < link.start() < code.end() for code in CODE.finditer(text))
            copied += [text[end:link.start()], link.group(0) if inside else self.link(above, link)]
            end = link.end()
        return "".join(copied) + text[end:]


def main():
    root, directory, documents, headers, *names = sys.argv[1:]
    copies = Copies(root, documents, headers, names)
    for name in names:
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(copies.text(name))


if __name__ == "__main__":
    main()
