"""check-dom.py DOM REPORT FUNCTION [timed] [alone] [FORMULAS EXTENT=SIZE...]: checks that a page shows a report.

DOM is a browser's DOM of the page, REPORT the report with numbers in place of formulas, FORMULAS the report of
the page if it has formulas, and EXTENT=SIZE the extents in them.
"""

import html.parser
import json
import re
import sys

dom, path, name, *options = sys.argv[1:]
elements = []


class Dom(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        elements.append((tag, dict(attributes)))


with open(dom, encoding="utf-8") as file:
    Dom().feed(file.read())
with open(path, encoding="utf-8") as file:
    report = json.load(file)
(function,) = [f for f in report["functions"] if f["name"] == name]
formulas = [option for option in options if option.endswith(".json")]
sizes = dict(option.split("=") for option in options if "=" in option)
page = report
if formulas:
    with open(formulas[0], encoding="utf-8") as file:
        page = json.load(file)


def find(tag, attribute):
    return [a for t, a in elements if t == tag and attribute in a]


# No name of the model was executed or parsed as an element.
assert not [t for t, _ in elements if t == "img"]
assert len([t for t, _ in elements if t == "script"]) == 2

# Each step has a row with the numbers of the formulas.
rows = {int(row["data-step"]): row for row in find("tr", "data-step")}
assert sorted(rows) == list(range(len(function["steps"])))
for number, step in enumerate(function["steps"]):
    assert float(rows[number]["data-flops"]) == step["flops"], (number, step)
    assert float(rows[number]["data-bytes"]) == step["traffic_bytes"], (number, step)
titles = {a.get("data-key") for a in find("th", "data-key")}
assert ("seconds" in titles) == ("timed" in options)

graphs = [a for a in find("svg", "class") if a["class"] == "graph"]
memories = [a for a in find("svg", "class") if a["class"] == "memory"]
if "alone" in options:
    assert not graphs and not memories
    sys.exit()

# Each step has a node, each buffer that a later step reads an edge.
nodes = [a["data-steps"] for a in find("g", "data-steps")]
assert sorted(int(n) for n in nodes if n) == sorted(rows)


def owner(value):
    return next((k, str(value[k])) for k in value if k not in ("type", "dims"))


writers, edges = {}, 0
for number, step in enumerate(function["steps"]):
    edges += sum(owner(v) in writers or owner(v)[0] == "input" for v in step["reads"])
    writers.update({owner(v): number for v in step["writes"]})
edges += sum(kind == "output" for kind, _ in writers)
(graph,) = graphs
assert int(graph["data-edges"]) == edges, (graph, edges)

# Each buffer has a bar; the arena and its lower bound are those of the plan.
(memory,) = memories
bars = find("rect", "data-buffer")
assert sorted(int(bar["data-buffer"]) for bar in bars) == [b["id"] for b in function["buffers"]]
assert int(memory["data-lower-bound"]) == function["lower_bound_bytes"]
assert int(memory["data-arena"]) == function["arena_bytes"]


class Size(int):
    """An operand of a formula: / rounds up, and // down."""

    def __add__(self, other):
        return Size(int(self) + other)

    def __mul__(self, other):
        return Size(int(self) * other)

    def __floordiv__(self, other):
        return Size(int(self) // other)

    def __truediv__(self, other):
        return Size(-(-int(self) // other))

    def __mod__(self, other):
        return Size(int(self) % other)


def evaluate(formula):
    text = str(formula).replace("ceildiv", "/").replace("floordiv", "//").replace("mod", "%")
    for symbol, size in sizes.items():
        text = text.replace(symbol, f"Size({size})")
    return eval(text, {"Size": Size})


def workspace_of(report, threads=1):
    """Returns the bytes of the header, the arena, and the kernel or host function that needs most."""
    (function,) = [f for f in report["functions"] if f["name"] == name]
    workspace = function["workspace"]
    kernels = [
        min(map(evaluate, each["shared"])) + threads * min(map(evaluate, each["per_worker"]))
        for each in workspace["scratch"]
    ]
    arena = int(memory["data-arena"])
    return arena + workspace["header_bytes"] + sum(map(evaluate, workspace["copies"])) + max([0, *kernels, *map(evaluate, workspace["staging"])])


# The workspace, which the caller of a run provides, is the arena and more. The
# library of a page with formulas has a longer header than one without, and may
# need more for kernels.
assert function["workspace_bytes"] > function["arena_bytes"]
assert workspace_of(report) == function["workspace_bytes"]
assert int(memory["data-workspace"]) == workspace_of(page), memory

# The whole graph lies in the picture: boxes and edge ends.
left, _, width, _ = (float(number) for number in graph["viewbox"].split())
boxes = [a for a in find("rect", "class") if a["class"] == "box"]
assert len(boxes) == len([a for a in find("g", "class") if a["class"].startswith("node")])
for box in boxes:
    assert left <= float(box["x"]) and float(box["x"]) + float(box["width"]) <= left + width, box
for edge in (a for a in find("path", "class") if a["class"].startswith("edge")):
    ends = re.findall(r"(?:M|C\S+ \S+ )(-?[\d.]+),", edge["d"])
    assert ends and all(left <= float(x) <= left + width for x in ends), edge
# No box is far from the next one.
lefts = sorted(float(box["x"]) for box in boxes)
assert all(b - a < 3 * float(boxes[0]["width"]) for a, b in zip(lefts, lefts[1:])), lefts
# The picture is as wide as the panel if it would otherwise be small or cut.
assert 0.75 <= float(graph["width"]) / width <= 1.4
