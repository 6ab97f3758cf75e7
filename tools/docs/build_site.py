#!/usr/bin/env python3
"""Makes the site from a tree and the generated references.

    build_site.py --references build/docs --python build/python --work DIRECTORY --output DIRECTORY

The Python environment is one with the package tgc. The work directory holds what the generators read. Both are made anew.
A warning of a generator is an error.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

from stage import Stage

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def version():
    """Returns the version of the project, which the top CMakeLists.txt sets."""
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(\w+ VERSION ([\d.]+)", file.read()).group(1)


def run(what, command, **options):
    """Runs a generator quietly; prints what it says, and ends if it fails."""
    result = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, **options)
    if result.returncode:
        sys.exit(f"{result.stdout}error: {what} failed with status {result.returncode}")


def make_api(work, output):
    """Makes the API reference by Doxygen. Returns the path of its list of pages."""
    import doxygen_awesome_css

    style = os.path.dirname(doxygen_awesome_css.__file__)
    pages = os.path.join(work, "api.tag")
    with open(os.path.join(HERE, "Doxyfile"), encoding="utf-8") as file:
        settings = file.read() + f"""
OUTPUT_DIRECTORY = "{output}"
PROJECT_NUMBER = {version()}
HTML_EXTRA_STYLESHEET = "{style}/doxygen-awesome.css"
HTML_HEADER = "{HERE}/header.html"
GENERATE_TAGFILE = "{pages}"
"""
    run("doxygen", ["doxygen", "-"], input=settings, cwd=os.path.join(work, "api"))
    for page in glob.glob(os.path.join(output, "class*.html")):
        remove_lost_anchor(page)
    return pages


def remove_lost_anchor(page):
    """Removes Doxygen's link to the nested classes of a class that has only private ones."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    if 'name="nested-classes"' in text or "#nested-classes" not in text:
        return
    with open(page, "w", encoding="utf-8") as file:
        file.write(re.sub(r'<a href="#nested-classes">Classes</a>(?: &#124;\s*)?', "", text))


def make_pages(source, module, output):
    """Makes the pages of the documents, and of the Python module in a directory, by Sphinx."""
    run("sphinx-build",
        [sys.executable, "-B", "-m", "sphinx", "-b", "html", "-c", HERE, "-q", "-W", "--keep-going",
         "-j", "auto", "-D", f"version={version()}", "-d", source + "-doctrees", source, output],
        env=dict(os.environ, SOURCE_DATE_EPOCH="0", PYTHONHASHSEED="0", PYTHONPATH=module))
    # What only a later build would read.
    for name in (".buildinfo", "objects.inv"):
        os.remove(os.path.join(output, name))
    shutil.rmtree(os.path.join(output, "_sources"), ignore_errors=True)
    for directory, _, names in os.walk(output):
        if "README.html" in names:
            shutil.copy(os.path.join(directory, "README.html"), os.path.join(directory, "index.html"))


def main():
    parser = argparse.ArgumentParser(description="Makes the site of the documents.")
    for name in ("references", "python", "work", "output"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    work, output = os.path.abspath(arguments.work), os.path.abspath(arguments.output)
    if os.path.exists(output) and os.listdir(output) and not os.path.exists(os.path.join(output, "searchindex.js")):
        sys.exit(f"error: expected a site or nothing in {output}, found other files")
    shutil.rmtree(work, ignore_errors=True)
    site = os.path.join(work, "site")
    os.makedirs(os.path.join(site, "api"))
    stage = Stage(ROOT, work)
    stage.headers()
    pages = make_api(work, os.path.join(site, "api"))
    stage.documents(arguments.references, pages)
    stage.python(arguments.python)
    make_pages(stage.source, os.path.join(work, "python"), site)
    shutil.rmtree(output, ignore_errors=True)
    shutil.move(site, output)


if __name__ == "__main__":
    main()
