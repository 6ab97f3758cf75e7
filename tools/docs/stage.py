"""Copies the documents of a tree to where the generators read them.

The copies have the paths of the tree, so that a link between documents works
here as it does in the tree. A link to a directory becomes one to its README, a
link to a public header one to its page of the API reference, and a link to
another file one to a page that shows the file.
"""

import glob
import os
import posixpath
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

# What documents link for the reference of the Python module.
PYTHON_MODULE = "runtime/python/tgc/__init__.py"

# The classes of NumPy that the Python module names, in place of the package.
NUMPY = """from typing import Generic, TypeVar
class ndarray: pass
class dtype(Generic[TypeVar("Type")]): pass
"""

HERE = os.path.dirname(os.path.abspath(__file__))

# The languages of files that documents link, by the end of the name.
LANGUAGES = {".c": "c", ".h": "cpp", ".hpp": "cpp", ".cpp": "cpp", ".mlir": "mlir", ".py": "python",
             ".sh": "bash", ".js": "javascript", ".cu": "cuda", ".cmake": "cmake", ".csv": "text"}

# A link or a picture: what stands before the target, the path, the anchor.
LINK = re.compile(r"(\]\()([^()\s#:]+)((?:#[^()\s]*)?\))")

# A word in angle brackets, as in <name>/weight, which Doxygen would take for a
# tag, or before a dot for the end of a sentence; and a span of code over two lines, whose second may look
# like an item of a list.
WORD = re.compile(r"<([a-z]+(?: [a-z]+)*)>")
BEFORE_DOT = re.compile(r"<([a-z]+)>\.<?([a-z_]+)>?")
SPLIT_SPAN = re.compile(r"^([ \t]*///(?:[^`\n]*`[^`\n]*`)*[^`\n]*`[^`\n]*)\n[ \t]*/// ([^`\n]*`\S*)", re.M)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def readable_comment(line):
    """Returns a line of a comment with what Doxygen would take for tags escaped."""
    if not line.lstrip().startswith("///"):
        return line
    return WORD.sub(r"&lt;\1&gt;", BEFORE_DOT.sub(r"\1.\2", line))


def reference(text, name):
    """Returns a reference of mlir-tblgen with a title, with verbatim text marked as such, and without headings inside of entries."""
    text = text.replace("[TOC]\n", "").replace('"Rules" in language.md', "[Rules](../dialects/tg/language.md#rules)")
    text = re.sub(r"^# '(\w+)' Dialect$", r"# Operations of `\1`", text, flags=re.M)
    text = re.sub(r"^#### (\w+):?$", r"**\1**", text, flags=re.M)
    text = re.sub(r"^```(\w*)\n(.*?)^```$", lambda block: f"```{block[1] or 'text'}\n{block[2]}```", text, flags=re.M | re.S)
    if re.search(r"^# ", text, re.M):
        return text
    title = name[:-3].replace("-", " ").capitalize()
    return f"# {title}\n\n" + re.sub("^###", "##", text, flags=re.M)


# The output of a command that prints IR.
PRINTED_IR = re.compile(r"^```output\n((?: .*\n)* .* (?:tgx?|arith)\.\w.*\n(?: .*\n)*```)$", re.M)


class Stage:
    def __init__(self, root, work):
        self.root, self.work = root, work
        self.source = os.path.join(work, "source")
        listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
                                check=False, capture_output=True, text=True)
        names = listed.stdout.split("\n") if listed.returncode == 0 else self.found()
        self.files = sorted(name for name in names if os.path.isfile(os.path.join(root, name)))
        self.pages = [name for name in self.files if name.endswith(".md")
                      and not name.startswith("tools/docs/") or name == "tools/docs/README.md"]
        self.shown = set()
        self.api = {}

    def found(self):
        """Returns the files of a tree without git, apart from builds."""
        return [name for name in glob.glob("**/*", root_dir=self.root, recursive=True)
                if not name.startswith("build")]

    def headers(self):
        """Copies the public headers, with comments that Doxygen reads as they are meant."""
        for name in self.files:
            if name.startswith("include/tg/") and name.endswith((".h", ".hpp")):
                text = SPLIT_SPAN.sub(r"\1 \2\n/// ", read(os.path.join(self.root, name)))
                lines = [readable_comment(line) for line in text.split("\n")]
                write(os.path.join(self.work, "api", name), "\n".join(lines))
        shutil.copy(os.path.join(HERE, "api.md.in"), os.path.join(self.work, "api", "api.md"))

    def python(self, environment):
        """Copies the Python module of an environment, with its types in place of the compiled part."""
        found = glob.glob(os.path.join(environment, "lib", "python*", "site-packages", "tgc"))
        if len(found) != 1:
            sys.exit(f"error: expected the package tgc in {environment}, found {len(found)} of them")
        module = os.path.join(self.work, "python", "tgc")
        os.makedirs(module)
        for path in glob.glob(os.path.join(found[0], "*.py")):
            shutil.copy(path, module)
        # Its classes name each other before they are defined.
        types = "from __future__ import annotations\n" + read(os.path.join(found[0], "_runtime.pyi"))
        write(os.path.join(module, "_runtime.py"), types)
        write(os.path.join(self.work, "python", "numpy.py"), NUMPY)
        for path in glob.glob(found[0] + "-*.dist-info/METADATA"):
            write(os.path.join(self.work, "python", *path.split(os.sep)[-2:]), read(path))

    def documents(self, references, tags):
        """Copies documents, references and pictures, and adds the contents."""
        for page in xml.etree.ElementTree.parse(tags).getroot().iter("compound"):
            if page.get("kind") == "file":
                header = posixpath.join(page.findtext("path"), page.findtext("name"))
                header = posixpath.relpath(header, os.path.join(self.work, "api"))
                self.api[header] = "api/" + page.findtext("filename")
        texts = {name: self.linked(name) for name in self.pages}
        for path in sorted(glob.glob(os.path.join(references, "*.md"))):
            name = os.path.basename(path)
            if name != "language.md":
                texts["reference/" + name] = reference(read(path), name)
        texts["reference/README.md"] = read(os.path.join(HERE, "reference.md.in"))
        texts["reference/python.md"] = read(os.path.join(HERE, "python.md.in"))
        for name in sorted(self.shown):
            language = LANGUAGES.get(os.path.splitext(name)[1], "text")
            base = posixpath.basename(name)
            shutil.copy(os.path.join(self.root, name), self.staged(name))
            texts[name + ".md"] = f"# `{name}`\n\n```{{literalinclude}} {base}\n:language: {language}\n```\n"
        self.add_contents(texts)
        for name, text in texts.items():
            write(os.path.join(self.source, name), text)

    def staged(self, name):
        path = os.path.join(self.source, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def linked(self, name):
        """Returns the text of a document with links to the pages of the site."""
        above = posixpath.dirname(name)

        def replace(match):
            before, target, after = match.groups()
            path = posixpath.normpath(posixpath.join(above, target))
            if path == PYTHON_MODULE:
                return f"{before}{posixpath.relpath('reference/python.md', above or '.')}{after}"
            if path in self.api:
                return f"{before}{posixpath.relpath(self.api[path], above or '.')}{after}{{.external}}"
            if os.path.isdir(os.path.join(self.root, path)):
                return f"{before}{self.readme(path, above)}{after}"
            if path.endswith((".svg", ".png")) and path in self.files:
                shutil.copy(os.path.join(self.root, path), self.staged(path))
            elif path in self.files and not path.endswith(".md"):
                self.shown.add(path)
                return f"{before}{target}.md{after}"
            return match.group(0)

        text = PRINTED_IR.sub(r"```mlir\n\1", read(os.path.join(self.root, name)))
        return LINK.sub(replace, text)

    def readme(self, directory, above):
        """Returns the path to the README of a directory, or of the nearest one around it."""
        while directory and directory + "/README.md" not in self.files:
            directory = posixpath.dirname(directory)
        return posixpath.relpath(posixpath.join(directory, "README.md"), above or ".")

    def add_contents(self, texts):
        """Adds the contents to the first page, and to other pages what stands below them."""
        lines, listed = [], set()
        contents = read(os.path.join(HERE, "contents.md.in")).splitlines()
        named = {line for line in contents if line + ".md" in texts}
        named |= {line[:-2] for line in contents if line[:-2] + ".md" in texts}
        for line in contents:
            if not line.endswith("/*"):
                lines.append(line)
                listed.add(line)
                continue
            name = line[:-2]
            above = posixpath.dirname(name) if name in named else name
            pages = [page for page in self.below(above, texts) if page not in named]
            listed.update(pages)
            if name not in named:
                lines += pages
                continue
            lines.append(name)
            listed.add(name)
            below = "\n".join("/" + page for page in pages)
            texts[name + ".md"] += f"\n```{{toctree}}\n:hidden:\n\n{below}\n```\n"
        for name in texts:
            if name[:-3] not in listed | {"README"}:
                search = "nosearch: true\n" if name.startswith("test/") else ""
                texts[name] = f"---\norphan: true\n{search}---\n" + texts[name]
        texts["README.md"] += "\n" + "\n".join(lines) + "\n"

    def below(self, directory, texts):
        """Returns the pages below a directory: those that its README links, in their order, then others of the directory."""
        pages = [name for name in sorted(texts) if name.startswith(directory + "/")]
        links = [posixpath.normpath(posixpath.join(directory, link[1]))
                 for link in LINK.findall(texts.get(directory + "/README.md", ""))]
        order = {link: number for number, link in reversed(list(enumerate(links)))}
        pages = [name for name in pages if name in order or posixpath.dirname(name) == directory]
        return [name[:-3] for name in sorted(pages, key=lambda name: (order.get(name, len(order)), name))
                if name[:-3] not in self.shown]
