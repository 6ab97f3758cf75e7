"""add-script.py PAGE CODE: the page with a reader who does what the code says."""

import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
print(page.replace("</body>", f"<script>{sys.argv[2]}</script></body>"))
