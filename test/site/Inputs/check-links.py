"""check-links.py DIRECTORY: follows the links of all pages of a directory, and lists the pages.

A link must lead to a file of the directory, and to an anchor of its page. Styles, scripts and pictures must be
files of the directory, so that a page fetches nothing.
"""

import html.parser
import os
import posixpath
import sys
import urllib.parse

# What a browser loads with a page, by the tag: the attribute of its address.
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}


class Page(html.parser.HTMLParser):
    """Collects the anchors and the links of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = {""}, [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.add(attributes.get("id"))
        if tag == "a":
            self.anchors.add(attributes.get("name"))
            self.links.append(attributes.get("href"))
        elif tag == "link" and attributes.get("rel") != "search":
            self.loaded.append(attributes.get("href"))
        else:
            self.loaded.append(attributes.get(LOADED.get(tag)))


def read(path):
    with open(path, encoding="utf-8") as file:
        return Page(file.read())


def main(root):
    names = sorted(os.path.relpath(os.path.join(directory, name), root)
                   for directory, _, names in os.walk(root) for name in names)
    pages = {name: read(os.path.join(root, name)) for name in names if name.endswith(".html")}
    # Parts that scripts of Doxygen read, which are no pages.
    pages = {name: page for name, page in pages.items() if not name.startswith("api/search/")}
    if not pages:
        sys.exit("error: expected pages, found none")
    files, faults = set(names), []
    for name, page in pages.items():
        for address in filter(None, page.loaded):
            if urllib.parse.urlsplit(address).scheme not in ("", "data", "javascript") or address.startswith("//"):
                faults.append(f"{name}: expected a file of the site, found the source {address}")
        for address in filter(None, page.links + page.loaded):
            scheme, host, path, _, anchor = urllib.parse.urlsplit(address)
            if scheme or host or address.startswith("javascript:"):
                continue
            above = posixpath.dirname(name)
            target = posixpath.normpath(posixpath.join(above, urllib.parse.unquote(path))) if path else name
            if target not in files:
                faults.append(f"{name}: expected the file {target}, found none")
            elif target in pages and urllib.parse.unquote(anchor) not in pages[target].anchors:
                faults.append(f"{name}: expected the anchor {anchor} of {target}, found none")
    print("\n".join(faults or pages))
    if faults:
        sys.exit(f"error: found {len(faults)} broken links")


if __name__ == "__main__":
    main(*sys.argv[1:])
