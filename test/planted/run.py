#!/usr/bin/env python3
"""Plants faults, one at a time, and fails if the tests miss one.

    run.py ROOT BUILD

A fault replaces a text of a source file, which must occur there exactly once. The changed copy is
compiled with the build's command:

    embedded  into a model with the checks that every model contains; the call tests load it
    libtgrt   into a libtgrt that is preloaded into the test program
    header    with the ABI test, which must not compile

First the same is done without a fault: every test must pass. Prints one line for each fault, then
the totals; the status is 1 if a fault was missed.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# Write no bytecode next to the sources.
sys.dont_write_bytecode = True
from faults import FAULTS, Fault  # noqa: E402

# A fault that causes a hang counts as detected.
SECONDS = 60
EMBEDDED = "compiler/library/embedded/"
FIXTURES = "test/runtime/fixtures/"
# The targets of the objects of libtgrt.
RUNTIME = "TgRuntime(Lists)?"
LINE_SOURCES = [FIXTURES + "LineKernels.c", FIXTURES + "LineTables.c"] + [
    EMBEDDED + name for name in
    ("BlockChecks.c", "CallChecks.c", "Embedded.c", "ErrorText.c", "HostSteps.c", "KernelCalls.c",
     "Overlap.c", "TargetChoice.c", "Unwinding.c")]


class Tree:
    """The sources and the build's compile commands."""

    def __init__(self, root, build):
        self.root = root
        self.build = build
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
            entries = json.load(file)
        self.commands = {}
        for entry in entries:
            name = os.path.relpath(os.path.join(entry["directory"], entry["file"]), root)
            self.commands.setdefault(name, []).append(entry)

    def command(self, source, target):
        """Returns the command that compiles a source for a target of the build, which matches a
        pattern, and its object."""
        for entry in self.commands.get(source, []):
            words = shlex.split(entry["command"])
            output = words[words.index("-o") + 1]
            if re.search(f"/{target}\\.dir/", output):
                return words, os.path.join(entry["directory"], output), entry["directory"]
        sys.exit(f"error: the build has no {source} in {target}")

    def compiler(self, source):
        """Returns the compiler of a source; the command may begin with ccache."""
        words = shlex.split(self.commands[source][0]["command"])
        return next(word for word in words if os.path.basename(word).startswith("clang"))

    def compile(self, source, target, changed, output):
        """Compiles `changed` in place of a source."""
        words, _, directory = self.command(source, target)
        words[words.index("-o") + 1] = output
        at = words.index("-c") + 1
        words[at] = changed
        # Quoted includes are relative to the original.
        words += ["-iquote", os.path.dirname(os.path.join(self.root, source))]
        return subprocess.run(words, cwd=directory, capture_output=True, text=True, check=False)


def change(root, fault):
    """Returns the text of the fault's file and the changed text."""
    with open(os.path.join(root, fault.file), encoding="utf-8") as file:
        text = file.read()
    if not fault.old:
        return text, text
    if text.count(fault.old) != 1:
        sys.exit(f"error: {fault.name}: the text to change occurs {text.count(fault.old)} "
                 f"times in {fault.file}, expected once")
    return text, text.replace(fault.old, fault.new)


def plant(tree, fault, directory):
    """Writes the changed copy of the fault's file and returns its path."""
    _, text = change(tree.root, fault)
    path = os.path.join(directory, os.path.basename(fault.file))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def link(tree, sources, target, fault, changed, output):
    """Links a shared library of the build's objects, with the faulty source recompiled."""
    objects = []
    for source in sources:
        if source == fault.file:
            compiled = changed + ".o"
            result = tree.compile(source, target, changed, compiled)
            if result.returncode != 0:
                sys.exit(f"error: {fault.name} does not compile:\n{result.stderr}")
            objects.append(compiled)
        else:
            objects.append(tree.command(source, target)[1])
    subprocess.run([tree.compiler(sources[0]), "-shared", "-fuse-ld=lld", "-o", output, *objects, "-lstdc++", "-lm"],
                   check=True)


def test(build, fault, environment, seconds=SECONDS):
    """Runs the fault's tests. Returns True if all pass, and a text that says what detected it."""
    program, tests = fault.tests
    with tempfile.TemporaryDirectory() as scratch:
        try:
            result = subprocess.run(
                [os.path.join(build, "bin", program), "--gtest_brief=1",
                 f"--gtest_filter={tests}"],
                env={**os.environ, **environment, "TEST_TMPDIR": scratch}, timeout=seconds,
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
        except subprocess.TimeoutExpired:
            return False, "it hangs"
    if result.returncode == 3 or "] 0 tests from" in result.stdout:
        sys.exit(f"error: {fault.name}: the tests '{tests}' could not be run")
    failed = [line.split("]")[1].split(",")[0].split(" (")[0].strip() for line in result.stdout.split("\n")
              if line.startswith("[  FAILED  ] ") and "." in line]
    return result.returncode == 0, failed[0] if failed else f"status {result.returncode}"


def passes(tree, fault):
    """Returns True if all tests pass with the fault, and a text that says what detected it."""
    with tempfile.TemporaryDirectory() as directory:
        if fault.kind == "header":
            changed = plant(tree, fault, directory)
            result = subprocess.run(
                [tree.compiler("test/runtime/AbiTest.c"), "-std=c11", "-fsyntax-only",
                 "-include", changed, "-I", os.path.join(tree.root, "include"),
                 os.path.join(tree.root, "test/runtime/AbiTest.c")],
                capture_output=True, text=True, check=False)
            return result.returncode == 0, "AbiTest does not compile"
        changed = plant(tree, fault, directory)
        library = os.path.join(directory, "planted.so")
        if fault.kind == "embedded":
            link(tree, LINE_SOURCES, "TgTestLine", fault, changed, library)
            return test(tree.build, fault, {"TG_TEST_LINE": library})
        sources = [name for name, entries in tree.commands.items()
                   if any(re.search(f"/{RUNTIME}\\.dir/", entry["command"]) for entry in entries)]
        link(tree, sorted(sources), RUNTIME, fault, changed, library)
        return test(tree.build, fault, {"LD_PRELOAD": library})


def main():
    tree = Tree(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    # Run once without a fault for every kind and every set of tests.
    right = {(fault.kind, fault.tests):
             Fault("no fault", fault.kind, fault.file, "", "", fault.tests) for fault in FAULTS}
    unnoticed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for fault, (passed, what) in zip(right.values(),
                                         pool.map(lambda each: passes(tree, each), right.values())):
            if not passed:
                sys.exit(f"error: {what} fails without a fault in {fault.file}")
        for fault, (passed, what) in zip(FAULTS, pool.map(lambda each: passes(tree, each), FAULTS)):
            unnoticed += passed
            print(f"{fault.name}: {'NOT NOTICED' if passed else what}")
    print(f"{len(FAULTS)} faults planted, {len(FAULTS) - unnoticed} noticed")
    sys.exit(1 if unnoticed or not FAULTS else 0)


if __name__ == "__main__":
    main()
