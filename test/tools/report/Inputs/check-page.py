"""check-page.py PAGE [REPORT [FUNCTION RUNS]]: checks that a page contains the report.

Without a report it prints the contents of the page, except times.
"""

import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    """Collects the elements of a page and the text of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.attributes = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag == "script":
            self.scripts.append([dict(attributes), ""])

    def handle_data(self, data):
        if self.tags[-1:] == ["script"] and self.scripts:
            self.scripts[-1][1] += data


with open(sys.argv[1], encoding="utf-8") as file:
    page = Page(file.read())

# No name was parsed as an element, and the page makes no network request.
FRAME = ["html", "head", "meta", "meta", "meta", "meta", "title", "style", "body",
         "noscript", "script", "script"]
assert page.tags == FRAME, page.tags
assert not [a for a in page.attributes if a[0] in ("src", "href") or a[0].startswith("on")]
(data, report), (code, _) = page.scripts
assert data == {"type": "application/json", "id": "report"} and not code
report = json.loads(report)
profiles = report.pop("profiles", [])

if len(sys.argv) == 2:
    for name in ("phases", "peak_bytes", "file_bytes"):
        report.pop(name)
    print(json.dumps(report, sort_keys=True))
    sys.exit()

if sys.argv[2]:
    with open(sys.argv[2], encoding="utf-8") as file:
        expected = json.load(file)
    for name in ("model", "kernels", "functions", "variables"):
        assert report[name] == expected[name], name
if len(sys.argv) > 3:
    (profile,) = [p for p in profiles if p["function"] == sys.argv[3]]
    assert profile["runs"] == int(sys.argv[4]) and "traceEvents" not in profile
    (function,) = [f for f in report["functions"] if f["name"] == sys.argv[3]]
    # The report and the profile have the same steps with the same names.
    known = {step["step"]: step for step in profile["steps"]}
    assert len(known) == len(function["steps"])
    for number, step in enumerate(function["steps"]):
        assert known[number]["kernel"] == step.get("kernel", "copy")
        assert known[number]["seconds"] >= 0
        for name in ("flops", "traffic_bytes"):
            if isinstance(step[name], int):
                assert known[number][name] == step[name]
else:
    assert not profiles
