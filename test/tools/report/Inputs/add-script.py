"""add-script.py PAGE CODE: prints the page with a script that simulates a user's actions."""

import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
print(page.replace("</body>", f"<script>{sys.argv[2]}</script></body>"))
