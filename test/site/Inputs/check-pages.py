"""check-pages.py SITE BROWSER: opens pages of a site in a browser, and checks what it shows.

A script that is added to a copy of a page measures what a reader sees, and writes it into the page.
"""

import json
import os
import re
import shlex
import subprocess
import sys

site, browser = sys.argv[1:]
number = 0

# Measures an element: its size, and whether it is shown.
BOX = """
const box = (name) => {
  const element = document.querySelector(name);
  if (!element) return null;
  const shape = element.getBoundingClientRect();
  return {width: shape.width, height: shape.height, top: shape.top, loaded: element.naturalWidth || 0};
};
const color = (name) => getComputedStyle(document.querySelector(name)).backgroundColor;
"""


def see(address, *options):
    """Returns the page as the browser has it after its scripts, which must report nothing."""
    result = subprocess.run(
        [*shlex.split(browser), "--enable-logging=stderr", "--virtual-time-budget=5000", "--window-size=1400,1000",
         *options, "--dump-dom", f"file://{site}/{address}"],
        check=True, capture_output=True, text=True)
    reported = [line for line in result.stderr.split("\n") if "CONSOLE" in line]
    assert not reported, reported
    assert "</html>" in result.stdout, address
    return result.stdout


def measure(page, values, prepare="", options=()):
    """Returns values of JavaScript that are evaluated in a copy of a page."""
    global number
    number += 1
    with open(os.path.join(site, page), encoding="utf-8") as file:
        text = file.read()
    script = (f"<script>{prepare}addEventListener('load', () => {{ {BOX} const result = JSON.stringify({values});"
              "document.documentElement.setAttribute('data-seen', result); });</script></body>")
    assert text.count("</body>") == 1, page
    copy = os.path.join(os.path.dirname(page), f"copy-{number}.html")
    with open(os.path.join(site, copy), "w", encoding="utf-8") as file:
        file.write(text.replace("</body>", script))
    try:
        seen = re.search(r' data-seen="([^"]*)"', see(copy, *options))
    finally:
        os.remove(os.path.join(site, copy))
    return json.loads(seen.group(1).replace("&quot;", '"'))


# The navigation stands beside the text.
seen = measure("index.html", "{tree: box('.sidebar-tree'), title: box('h1'), links: document.querySelectorAll('.sidebar-tree a').length}")
assert seen["tree"]["height"] > 300 and seen["tree"]["width"] > 150, seen
assert seen["title"]["top"] < 200 and seen["links"] > 30, seen

# Both colour schemes exist and differ: text on the pages and in the API reference.
for page in ("index.html", "api/classtg_1_1Linear.html"):
    choose = "localStorage.setItem('theme', '{0}'); document.body.dataset.theme = '{0}';" if page == "index.html" else \
        "document.documentElement.className = '{0}-mode';"
    light, dark = (measure(page, "color('body')", choose.format(theme)) for theme in ("light", "dark"))
    assert sum(map(int, re.findall(r"\d+", light)[:3])) > 600 > 200 > sum(map(int, re.findall(r"\d+", dark)[:3])), (page, light, dark)

# Code is highlighted, in C++ and in the text language.
for page, language in (("docs/guide/first-network.html", "cpp"), ("reference/tg.html", "mlir")):
    assert measure(page, f"document.querySelectorAll('.highlight-{language} span[class]').length") > 20, page

# Each picture of the guide is loaded and visible.
guide = os.path.join(site, "docs", "guide")
for name in sorted(os.listdir(guide)):
    with open(os.path.join(guide, name), encoding="utf-8") as file:
        if "<img" in file.read():
            seen = measure(f"docs/guide/{name}", "box('article img')")
            assert seen["loaded"] > 100 and seen["width"] > 200 and seen["height"] > 50, (name, seen)

# In the window of a phone tables and code scroll inside of the page.
for page in ("docs/comparison.html", "docs/guide/how-it-works.html"):
    seen = measure(page, "{page: document.documentElement.scrollWidth, window: innerWidth}", options=["--window-size=500,900"])
    assert seen["page"] <= seen["window"] <= 500, (page, seen)

# The search finds an operation.
found = re.findall(r'href="([^"]*)"', see("search.html?q=tg.matmul").split('id="search-results"')[1])
assert "reference/tg.html#tg-matmul" in found, found
