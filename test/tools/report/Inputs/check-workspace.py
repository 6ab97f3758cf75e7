"""check-workspace.py REPORT LISTING: checks that both give the same workspace size of each function for one thread."""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    listed = [int(number) for number in re.findall(r"workspace (\d+) bytes", file.read())]
assert listed == [function["workspace_bytes"] for function in report["functions"]], (listed, report)
assert all(f["workspace_bytes"] > f.get("arena_bytes", 0) for f in report["functions"]), report
