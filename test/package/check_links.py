"""Fails if a link of an installed document leads nowhere, or no document is installed."""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^()\s#:]+)(?:#[^()\s]*)?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.M | re.S)

pages = sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
broken = [f"{page}: {target}" for page in pages for target in LINK.findall(CODE.sub("", page.read_text("utf-8")))
          if not (page.parent / target).exists()]
if broken or not pages:
    sys.exit("\n".join(broken) or f"error: expected documents in {sys.argv[1]}")
