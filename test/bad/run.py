#!/usr/bin/env python3
"""Runs tgc on every bad input of this directory and of generated.py.

Each run must end with status 1 and no signal, within 512 MB and a few seconds of CPU time, print the expected
message with file, line and column, and write no output file. Prints the failures, then one
line of totals; the status is 1 if any case failed.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

# Write no bytecode next to the sources.
sys.dont_write_bytecode = True
import generated  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# Three times the documented limit, since the threads of one core slow each other down under load. Quadratic growth
# exceeds it by far.
CPU_SECONDS = 6
MEGABYTES = 512
# A run is killed after this time and counts as hung.
WALL_SECONDS = 60


class FileCase:
    """A model in a file, whose first lines give the expectation:

    // expect: FRAGMENT     a part of the messages; may be repeated
    // expect-accepted      the model is unusual but valid

    The message must point at the line that ends in `// <- bad`, if there is one.
    """

    output = None

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.expected = [line[len("// expect: "):] for line in lines if line.startswith("// expect: ")]
        self.accepted = lines[0] == "// expect-accepted"
        if not self.expected and not self.accepted:
            sys.exit(f"{path}: expected a first line '// expect: ...'")
        self.line = next((i + 1 for i, line in enumerate(lines) if line.endswith("// <- bad")), None)


class Result:
    """The outcome of one run of tgc."""

    def __init__(self, status, messages, cpu, megabytes, wrote):
        self.status = status
        self.messages = messages
        self.cpu = cpu
        self.megabytes = megabytes
        self.wrote = wrote


def run(tgc, path, output):
    """Runs tgc on `path` and measures it."""
    with tempfile.TemporaryFile() as messages:
        child = subprocess.Popen([tgc, path, "-o", output], stdin=subprocess.DEVNULL,
                                 stdout=messages, stderr=messages)
        clock = threading.Timer(WALL_SECONDS, child.kill)
        clock.start()
        _, status, usage = os.wait4(child.pid, 0)
        clock.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        text = messages.read(1 << 20).decode("utf-8", "replace")
    return Result(child.returncode, text, usage.ru_utime + usage.ru_stime,
                  usage.ru_maxrss / 1024, os.path.isfile(output))


def place(case, path):
    """Returns the pattern of the location that a message must name, or None."""
    if isinstance(case, FileCase):
        line = str(case.line) if case.line else r"\d+"
        return re.escape(path) + ":" + line + r":\d+: error: "
    return re.escape(path) + r":\d+:\d+: error: " if case.located else None


def complaints(case, path, result):
    """Yields the complaints about a run of tgc."""
    if result.status < 0:
        yield "ended by signal " + signal.Signals(-result.status).name
        return
    if result.megabytes > MEGABYTES:
        yield f"took {result.megabytes:.0f} MB, expected at most {MEGABYTES}"
    if isinstance(case, FileCase) and case.accepted:
        if result.status != 0 or not result.wrote:
            yield f"was refused with status {result.status}, expected to be accepted"
        return
    if result.status != 1:
        yield f"ended with status {result.status}, expected 1"
    if result.wrote:
        yield "left an output file"
    if result.cpu > CPU_SECONDS:
        yield f"took {result.cpu:.1f} s, expected at most {CPU_SECONDS}"
    for fragment in case.expected:
        if fragment not in result.messages:
            yield f"expected the message to have: {fragment}"
    where = place(case, path)
    if where and not re.search(where, result.messages):
        yield f"expected a message at: {where}"
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", result.messages):
        yield "a message has control characters"


def try_case(case, tgc, scratch):
    """Runs one case; returns its result and the list of complaints."""
    directory = os.path.join(scratch, case.name)
    os.mkdir(directory)
    path = getattr(case, "path", None) or os.path.join(directory, "model.mlir")
    if not isinstance(case, FileCase):
        case.make(path)
    result = run(tgc, path, case.output or os.path.join(directory, "model.so"))
    problems = list(complaints(case, path, result))
    left = set(os.listdir(directory)) - {"model.mlir", "model.so"}
    if left:
        problems.append(f"left behind: {sorted(left)}")
    shutil.rmtree(directory)
    return result, problems


class Totals:
    """The totals of all runs."""

    def __init__(self):
        self.lock = threading.Lock()
        self.tried = self.failed = self.signals = 0
        self.cpu = self.megabytes = 0.0

    def add(self, case, result, problems):
        self.tried += 1
        self.failed += bool(problems)
        self.signals += result.status < 0
        self.cpu = max(self.cpu, result.cpu)
        self.megabytes = max(self.megabytes, result.megabytes)
        if problems:
            report(case, result, problems)


def work(cases, tgc, scratch, totals):
    """Tries cases until none is left. Creates each input only just before its run,
    because a child's memory counts this process's memory until exec."""
    while True:
        with totals.lock:
            case = next(cases, None)
        if case is None:
            return
        try:
            result, problems = try_case(case, tgc, scratch)
        except Exception as error:
            result, problems = Result(0, "", 0, 0, False), [repr(error)]
        with totals.lock:
            totals.add(case, result, problems)


def all_cases(examples):
    for name in sorted(os.listdir(HERE)):
        if name.endswith(".mlir"):
            yield FileCase(os.path.join(HERE, name))
    yield from generated.cases(examples)


def report(case, result, problems):
    print(f"{case.name}:")
    for problem in problems:
        print("  " + problem)
    for line in result.messages.splitlines()[:4]:
        print("    | " + line[:200])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tgc", required=True, help="the compiler")
    parser.add_argument("--examples", required=True, help="the directory of mlp.mlir")
    parser.add_argument("--only", default="", help="run the cases whose names contain this")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    totals = Totals()
    cases = (case for case in all_cases(arguments.examples) if arguments.only in case.name)
    with tempfile.TemporaryDirectory(prefix="tg-bad-") as scratch:
        workers = [threading.Thread(target=work, args=(cases, arguments.tgc, scratch, totals))
                   for _ in range(arguments.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    print(f"bad inputs: {totals.tried} tried, {totals.failed} not as expected, "
          f"{totals.signals} ended by a signal; at most {totals.cpu:.2f} s and "
          f"{totals.megabytes:.0f} MB")
    return 1 if totals.failed or totals.tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
