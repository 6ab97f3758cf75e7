#!/usr/bin/env python3
"""Plants faults in the compiler, one at a time, and fails if the tests miss one.

    compiler_run.py ROOT BUILD [PATTERN]  plants the faults whose name or part matches a shell pattern
    compiler_run.py ROOT BUILD --check    only checks that texts, tests and table exist
    compiler_run.py ROOT BUILD --table    prints the table of test/README.md

A fault replaces a text of a source file, which must occur there exactly once. The test and what it
needs are built, the test must fail, and the file is restored, also when the run is interrupted. The
tree must have no changes. First every test must pass without a fault.

Prints one line for each fault, then the totals; the status is 1 if a fault was missed.
"""

import fnmatch
import os
import re
import signal
import subprocess
import sys
import time

# Write no bytecode next to the sources.
sys.dont_write_bytecode = True
from compiler_faults import FAULTS  # noqa: E402
from run import change, test  # noqa: E402

# A fault that causes a hang counts as detected.
SECONDS = 300
LIT = os.path.join(os.environ.get("TG_LLVM", "/usr/lib/llvm-22/bin"), "lit")


def call(words, seconds=None):
    """Runs a program. Returns its status, or None if it hangs, and its output."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, "it hangs"
        except BaseException:
            # Ninja stops its compilers before it ends.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise


def targets(root, fault):
    """Returns what ninja builds for the fault's test."""
    program, name = fault.tests
    if program != "lit":
        return {program}
    with open(os.path.join(root, name), encoding="utf-8") as file:
        runs = " ".join(line for line in file if "RUN:" in line)
    return set(re.findall(r"(?<![\w/-])(?:tgc(?:-opt|-run)?|emit-ptx)(?![\w-])", runs))


def build(directory, names):
    """Builds targets. Returns ninja's output on failure, otherwise ''."""
    status, output = call(["ninja", "-C", directory, "--quiet", *sorted(names)])
    return output if status != 0 else ""


def passes(directory, root, fault):
    """Runs the fault's test. Returns True if it passes, and a text that says what failed."""
    program, name = fault.tests
    if program != "lit":
        return test(directory, fault, {}, SECONDS)
    status, output = call([LIT, "-q", "--param", f"build={directory}", "--param",
                           f"llvm={os.path.dirname(LIT)}", os.path.join(root, name)], SECONDS)
    if status not in (None, 0) and "Failed Tests" not in output:
        sys.exit(f"error: {fault.name}: lit could not run {name}:\n{output}")
    return status == 0, os.path.basename(name) if status else "it hangs"


def notices(directory, root, fault):
    """Plants a fault. Returns a line that says what detected it, and True if something did."""
    path = os.path.join(root, fault.file)
    text, changed = change(root, fault)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(changed)
        if errors := build(directory, targets(root, fault)):
            return f"DOES NOT BUILD\n{errors}", False
        passed, what = passes(directory, root, fault)
        return f"NOT NOTICED by {fault.tests[1]}" if passed else f"noticed by {what}", not passed
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def cell(fault):
    """Returns the test of a fault for the table: a case by its name, without the suite."""
    program, name = fault.tests
    if program == "lit" or "/" not in name:
        return f"`{name}`"
    return f"{name.rsplit('/', 1)[1]} of `{program}`"


def table():
    """Returns the table of the faults, for test/README.md."""
    rows = ["| planted fault | in | turns red |", "| --- | --- | --- |"]
    for fault in FAULTS:
        rows.append(f"| {fault.name} | `{fault.file}` | {cell(fault)} |")
    return "\n".join(rows) + "\n"


def check(directory, root):
    """Yields an error for each test that does not exist, and for a table that is not the list."""
    for fault in FAULTS:
        change(root, fault)
        program, name = fault.tests
        if program == "lit":
            exists = os.path.isfile(os.path.join(root, name)) and targets(root, fault)
        else:
            status, output = call([os.path.join(directory, "bin", program), "--gtest_list_tests",
                                   f"--gtest_filter={name}"])
            exists = status == 0 and "\n  " in output
        if not exists:
            yield f"{fault.name}: expected the test {program} {name}, found none"
    if len({fault.name for fault in FAULTS}) < len(FAULTS):
        yield "expected faults of different names"
    with open(os.path.join(root, "test/README.md"), encoding="utf-8") as file:
        if table() not in file.read():
            yield "expected the table of plant-faults.sh --table in test/README.md"


def require_clean(root):
    """Ends the program if a tracked file has changes, which would mix with the faults."""
    status, output = call(["git", "-C", root, "status", "--porcelain", "--untracked-files=no"])
    if status != 0 or output:
        sys.exit(f"error: expected a git tree without changes, found\n{output}")


def plant_all(directory, root, faults):
    """Plants the faults. Returns the number of faults that were noticed."""
    needed = set().union(*(targets(root, fault) for fault in faults))
    if errors := build(directory, needed):
        sys.exit(f"error: the tree does not build:\n{errors}")
    for fault in {fault.tests: fault for fault in faults}.values():
        passed, what = passes(directory, root, fault)
        if not passed:
            sys.exit(f"error: {what} fails without a fault in {fault.file}")
    noticed = 0
    for fault in faults:
        begin = time.monotonic()
        line, isNoticed = notices(directory, root, fault)
        noticed += isNoticed
        print(f"{fault.name}: {line}, {time.monotonic() - begin:.0f} s", flush=True)
    if errors := build(directory, needed):
        sys.exit(f"error: the restored tree does not build:\n{errors}")
    return noticed


def main():
    root, directory = (os.path.abspath(path) for path in sys.argv[1:3])
    option = sys.argv[3] if len(sys.argv) > 3 else "*"
    if option == "--table":
        print(table(), end="")
        return
    if option == "--check":
        problems = list(check(directory, root))
        print(*problems, sep="\n", end="\n" if problems else "")
        print(f"{len(FAULTS)} faults in the compiler, {len(problems)} mistakes")
        sys.exit(bool(problems))
    faults = [fault for fault in FAULTS
              if any(fnmatch.fnmatchcase(word, option) for word in (fault.name, fault.kind))]
    if not faults:
        sys.exit(f"error: expected a pattern of names or parts, found '{option}'")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("interrupted; the sources are restored"))
    require_clean(root)
    for fault in faults:
        change(root, fault)
    noticed = plant_all(directory, root, faults)
    print(f"{len(faults)} faults planted, {noticed} noticed")
    sys.exit(noticed < len(faults))


if __name__ == "__main__":
    main()
