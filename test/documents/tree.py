"""Collects the existing files, words of the sources, operations, passes and options."""

import fnmatch
import functools
import os
import re
import subprocess
import sys

COMMENTED = {"c", "h", "cpp", "hpp", "td"}
SOURCES = COMMENTED | {"py", "sh", "cmake", "txt", "mlir", "test", "map", "json"}
# Endings of files that are in the tree. Files such as `model.so` or `x.npy` are examples.
ENDINGS = SOURCES | {"md", "csv", "toml"}

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'
                   r"'(?:\\.|[^'\\\n])'", re.S)
DESCRIPTION = re.compile(r"(?:description = |Method<)\[\{.*?\}\]", re.S)


def ending(path):
    return path.rsplit(".", 1)[-1] if "." in path else ""


def is_comment(token):
    return token.group().startswith(("//", "/*"))


def keep_lines(text, wanted):
    """Returns only the wanted (start, end) ranges of the text, on their original lines."""
    result, at = [], 0
    for start, end in wanted:
        result += ["\n" * text.count("\n", at, start), text[start:end]]
        at = end
    return "".join(result)


def comments_of(path, text):
    """Returns the comments of a source and the descriptions of a .td, on their original lines."""
    wanted = [found.span() for found in DESCRIPTION.finditer(text)] if ending(path) == "td" else []
    described = list(wanted)
    for token in TOKEN.finditer(text):
        if is_comment(token) and not any(a <= token.start() < b for a, b in described):
            wanted.append(token.span())
    # A span may continue in the next line.
    return re.sub(r"(?m)^[ \t]*//+<?", "", keep_lines(text, sorted(wanted)))


def code_of(path, text):
    """Returns the text of a source without its comments and descriptions."""
    if ending(path) in COMMENTED:
        text = DESCRIPTION.sub("", text) if ending(path) == "td" else text
        return TOKEN.sub(lambda token: " " if is_comment(token) else token.group(), text)
    return re.sub(r"(?m)^\s*(#|//(?! RUN)).*$", "", text)


class Tree:
    """The files of a checkout and the names that its build knows."""

    def __init__(self, root, build):
        self.root, self.build = os.path.abspath(root), os.path.abspath(build)
        self.files, self.directories = set(), {"."}
        for directory, names, files in os.walk(root):
            names[:] = sorted(n for n in names if not n.startswith((".git", "build", "__")))
            at = os.path.relpath(directory, root)
            self.directories.add(at)
            self.files |= {os.path.normpath(os.path.join(at, file)) for file in files}

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    @functools.cached_property
    def documents(self):
        """Returns (path, text) of all documents and commented sources."""
        return [(path, self.read(path)) for path in sorted(self.files)
                if ending(path) in COMMENTED | {"md"}]

    @functools.cached_property
    def code(self):
        """Returns the code of all sources except planted.py, which has wrong names."""
        return {path: code_of(path, self.read(path)) for path in sorted(self.files)
                if ending(path) in SOURCES and path != "test/documents/planted.py"}

    @functools.cached_property
    def words(self):
        """Returns the words of the code and the stems of files."""
        return {word for path, code in self.code.items()
                for word in re.findall(r"\w+", code) + [os.path.basename(path).split(".")[0]]}

    @functools.cached_property
    def messages(self):
        """Returns (path, line, text) of the strings of the compiler, the runtime and the tools."""
        return [(path, code.count("\n", 0, token.start()) + 1, token.group())
                for path, code in self.code.items()
                if ending(path) in COMMENTED - {"td"} and not path.startswith("test/")
                for token in TOKEN.finditer(code) if token.group().startswith('"')]

    @functools.cached_property
    def operations(self):
        """Returns the chapters of the references, and the attributes, which are whole strings in the code."""
        found = {word for code in self.code.values() for word in re.findall(r'"(tgx?\.\w+)"', code)}
        for dialect in ("tg", "tgx"):
            found |= set(re.findall(r"^### `(tgx?\.\w+)`", self.reference(dialect), re.M))
        return found

    def reference(self, dialect):
        path = os.path.join(self.build, "docs", dialect + ".md")
        if not os.path.exists(path):
            sys.exit(f"error: {path} is missing, build the target docs")
        with open(path, encoding="utf-8") as file:
            return file.read()

    def help(self, *command):
        """Returns the help of a program, which must have been built."""
        run = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False,
                             cwd=self.root)
        return run.stdout + run.stderr

    @functools.cached_property
    def programs(self):
        return {name for name in os.listdir(os.path.join(self.root, "tools"))
                if name.startswith("tgc") or name == "tg-lsp-server"}

    @functools.cached_property
    def targets(self):
        """Returns the words of the build files, including the programs."""
        return {word for path, code in self.code.items() if path.endswith("CMakeLists.txt")
                for word in re.findall(r"[\w-]+", code)}

    @functools.cached_property
    def options(self):
        texts = [self.help(os.path.join(self.build, "bin", name)) for name in self.programs]
        # Subcommands have their own options; the program's help names the subcommands.
        texts += [self.help(os.path.join(self.build, "bin", name), command) for text in texts
                  for name, command in re.findall(r"see ([\w-]+) ([\w-]+) --help", text)]
        texts.append(self.help("bash", "tools/check.sh"))
        texts.append(self.read("runtime/python/tgc/__main__.py"))
        return {option for text in texts for option in re.findall(r"--([a-z][a-z0-9-]*)", text)}

    @functools.cached_property
    def phases(self):
        """Returns the phases of the pipeline in order. Several options list them."""
        found = re.findall(r"^ +=(\w+)", self.help(os.path.join(self.build, "bin", "tgc")), re.M)
        return list(dict.fromkeys(found))

    @functools.cached_property
    def passes(self):
        return {option for option in self.options if re.match(r"tgx?-", option)}

    @functools.cached_property
    def entries(self):
        """Maps each directory to the paths of the files and directories that were in it at first."""
        entries = {}
        for path in self.files | self.directories:
            entries.setdefault(os.path.dirname(path), []).append(path)
        return entries

    def matches(self, pattern):
        """Returns true if a path relative to the root exists. `*` is a wildcard."""
        pattern = os.path.normpath(pattern)
        if "*" not in pattern:
            return pattern in self.files or pattern in self.directories
        directory = os.path.dirname(pattern)
        paths = self.files | self.directories if "*" in directory else self.entries.get(directory, [])
        return any(path in self.files or path in self.directories
                   for path in fnmatch.filter(paths, pattern))

    def has_path(self, document, word):
        """Returns true if a word is a path relative to the document's directory, one above
        or include/, a file ending, the name of any file, or a generated file."""
        pattern = re.sub(r"<\w+>", "*", word)
        if re.match(r"build/bin/.", word):
            return os.path.basename(word) in self.targets
        if word.startswith("build/"):
            return os.path.exists(os.path.join(self.build, word[len("build/"):]))
        above = os.path.dirname(document)
        places = ["include", above]
        while above:
            above = os.path.dirname(above)
            places.append(above)
        if any(self.matches(os.path.join(place, pattern)) for place in places):
            return True
        generated = os.path.join(self.build, os.path.dirname(document), word)
        if os.path.isfile(generated):
            return True
        if word.startswith("."):
            return any(file.endswith(word) for file in self.files)
        return "/" not in word and any(fnmatch.fnmatchcase(os.path.basename(file), pattern)
                                       for file in self.files)

    def has_beside(self, document, word):
        """Returns true if a word is a file, a stem or a directory in the document's directory."""
        beside = os.path.join(os.path.dirname(document), re.sub(r"<\w+>", "*", word))
        return self.matches(beside) or self.matches(beside + ".*")
