#!/usr/bin/env python3
"""Follows a document from its first line to its last: runs its commands, and compiles and runs its programs.

    run.py PLAN DIRECTORY ROOT BUILD

DIRECTORY is recreated with links to the directories that documents name (examples, include,
runtime, tools, build) and to the directory of the plan (plans). Commands are lines that are indented by four spaces; programs and
models are fenced blocks of cpp, c, python and mlir. A block of output is the whole standard output of the command or program before it.
The first failure ends the test.

PLAN is a JSON file:
  document   its path below ROOT
  before     commands that prepare what the document assumes
  inside     a directory that these create, in which the document's commands run
  blocks     by the number of a block of cpp, c or python, from 1: its use. "frame": a file
             next to the plan in which the block replaces `// the block`, so that a
             fragment is compiled and run; `block_N.h` are the earlier blocks.
             "write": the name of a file that later commands read. Without an
             entry a block is a whole program.
  descriptions  the names of the files that the blocks of json are, in their order
  libraries  more libraries that programs are linked with
  elsewhere  by command: the file below ROOT that runs this long program as a
             test; "instead": by command: its replacement and the reason.
A model is named by its first line, `// NAME.mlir`. It must compile, or be refused
with each text that follows `// error: ` in it.
"""

import json
import os
import re
import shutil
import subprocess
import sys


# The compile command of a user, and the libraries to link.
COMPILERS = {"cpp": ("c++ -std=c++20", "-ltg -ltgrt"), "c": ("cc -std=c11", "-ltgrt -lm")}


def events(text):
    """Yields the kind and the text of each block and command, in order."""
    fence, lines = None, []
    for line in text.split("\n"):
        if fence is None and line.startswith("```"):
            fence, lines = line[3:].strip(), []
        elif fence is not None and line.startswith("```"):
            yield fence, "\n".join(lines) + "\n"
            fence = None
        elif fence is not None:
            lines.append(line)
        elif line.startswith("    ") and line.strip():
            yield "command", line.strip()


def without_comment(command):
    return re.sub(r"\s+# .*$", "", command)


class Follower:
    def __init__(self, plan, directory, root, build):
        with open(plan, encoding="utf-8") as file:
            self.plan = json.load(file)
        self.beside = os.path.dirname(os.path.abspath(plan))
        self.directory, self.root, self.build = directory, root, build
        self.inside = directory
        self.number = 0
        self.printed = ""
        self.unused = set(self.plan.get("elsewhere", {})) | set(self.plan.get("instead", {}))
        self.unused |= set(self.plan.get("blocks", {}))
        self.descriptions = self.plan.get("descriptions", [])
        # The environment after `cmake --install` into a default search path.
        self.environment = dict(os.environ, CPATH=root + "/include", LIBRARY_PATH=build + "/lib",
                                LD_LIBRARY_PATH=build + "/lib", HOME=directory)
        for name in ("XDG_CACHE_HOME", "TG_KERNEL_CACHE"):
            self.environment.pop(name, None)

    def fail(self, what):
        sys.exit(f"error: {self.plan['document']}: {what}")

    def path(self, name):
        return os.path.join(self.directory, name)

    def run(self, command):
        print(command, flush=True)
        shell = ["bash", "-euo", "pipefail", "-c", command]
        result = subprocess.run(shell, cwd=self.inside, env=self.environment, check=False,
                                stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
        self.printed = result.stdout
        print(self.printed, end="", flush=True)
        if result.returncode:
            self.fail(f"this command failed: {command}")

    def run_command(self, command):
        command = without_comment(command)
        self.unused.discard(command)
        if command in self.plan.get("elsewhere", {}):
            test = self.plan["elsewhere"][command]
            with open(os.path.join(self.root, test), encoding="utf-8") as file:
                if os.path.basename(command.split()[0]) not in file.read():
                    self.fail(f"{test} does not run: {command}")
            self.printed = ""
            return
        self.run(self.plan.get("instead", {}).get(command, {"run": command})["run"])

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def use_program(self, kind, text):
        self.number += 1
        self.unused.discard(str(self.number))
        use = self.plan.get("blocks", {}).get(str(self.number), {})
        self.write(f"block_{self.number}.h", text)
        if "write" in use:
            self.write(use["write"], text)
            return
        if "frame" in use:
            with open(os.path.join(self.beside, use["frame"]), encoding="utf-8") as file:
                frame = file.read()
            if frame.count("// the block") != 1:
                self.fail(f"{use['frame']} has no place for block {self.number}")
            text = frame.replace("// the block", f'#include "block_{self.number}.h"')
        name = f"program_{self.number}"
        self.write(f"{name}.{kind}", text)
        if kind == "python":
            self.run(f"python3 -B {name}.{kind}")
            return
        compiler, libraries = COMPILERS[kind]
        libraries = self.plan.get("libraries", "") + " " + libraries
        self.run(f"{compiler} -Wall -Werror -I. {name}.{kind} {libraries} -o {name} && ./{name}")

    def use_model(self, text):
        name = re.match(r"// (\w+\.mlir)\n", text)
        if not name:
            self.fail(f"a model has no name:\n{text}")
        self.write(name.group(1), text)
        result = subprocess.run(["tgc", name.group(1), "-o", name.group(1) + ".so"], cwd=self.directory,
                                check=False, capture_output=True, text=True)
        expected = re.findall("^// error: (.*)$", text, re.M)
        missing = [fragment for fragment in expected if fragment not in result.stderr]
        if missing or (result.returncode != 0) != bool(expected):
            self.fail(f"{name.group(1)}: expected {missing or 'a library'}, found:\n{result.stderr}")

    def compare_output(self, text):
        if self.printed != text:
            self.fail(f"expected the output\n{text}found\n{self.printed}")

    def follow(self):
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)
        for name in ("examples", "include", "runtime", "tools"):
            os.symlink(os.path.join(self.root, name), self.path(name))
        os.symlink(self.build, self.path("build"))
        os.symlink(self.beside, self.path("plans"))
        for command in self.plan.get("before", []):
            self.run(command)
        self.inside = self.path(self.plan.get("inside", ""))
        with open(os.path.join(self.root, self.plan["document"]), encoding="utf-8") as file:
            found = list(events(file.read()))
        for kind, text in found:
            if kind == "command":
                self.run_command(text)
            elif kind in COMPILERS or kind == "python":
                self.use_program(kind, text)
            elif kind == "mlir":
                self.use_model(text)
            elif kind == "json" and self.descriptions:
                self.write(self.descriptions.pop(0), text)
            elif kind == "output":
                self.compare_output(text)
        if not found:
            self.fail("it has neither commands nor programs")
        if unused := self.unused | set(self.descriptions):
            self.fail(f"the plan has what is not there: {', '.join(sorted(unused))}")


if __name__ == "__main__":
    Follower(*sys.argv[1:]).follow()
