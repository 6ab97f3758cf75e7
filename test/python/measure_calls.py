"""Prints the time of a call from Python and from C, and their difference.

The model is examples/mlir/mlp.mlir, and a call its function test on one image:

    tgc examples/mlir/mlp.mlir -o mlp.so
    build/python/bin/python test/python/measure_calls.py mlp.so
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

import tgc

CALLS, ROUNDS = 2000, 50


def least(call):
    """Returns the least time of a call in microseconds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(CALLS):
            call()
        best = min(best, (time.perf_counter() - begin) / CALLS)
    return best * 1e6


def in_c(library):
    """Returns the same of the same calls in C, with the runtime of the package."""
    package = pathlib.Path(tgc.__file__).parent
    with tempfile.TemporaryDirectory() as directory:
        program = pathlib.Path(directory) / "calls"
        source = pathlib.Path(__file__).with_suffix(".c")
        subprocess.run(["cc", "-O2", f"-I{package}/include", source, package / "lib/libtgrt.a",
                        "-lstdc++", "-o", program], check=True)
        return float(subprocess.run([program, library], check=True, text=True,
                                    stdout=subprocess.PIPE).stdout)


def main():
    """Measures the model of the command line."""
    context = tgc.load(sys.argv[1]).context(seed=1)
    x = numpy.zeros((1, 784), numpy.float32)
    memory = {"probabilities": numpy.empty((1, 10), numpy.float32),
              "digit": numpy.empty(1, numpy.int64)}
    c = in_c(sys.argv[1])
    print(f"C: {c:.2f} us")
    for name, call in [("new outputs", lambda: context.run("test", x=x)),
                       ("given outputs", lambda: context.run("test", x=x, out=memory))]:
        python = least(call)
        print(f"Python, {name}: {python:.2f} us, {python - c:.2f} us more")


if __name__ == "__main__":
    main()
