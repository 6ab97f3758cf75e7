"""Counts what the kernels of counts.mlir and of a step of mlp do on the simulator, prints the table, and compares it with bounds.

Usage: counts.py DIRECTORY SIMULATOR. The directory has counts.so, mlp.so and the inputs of inputs.py; the simulator is a directory.
"""

import os
import struct
import subprocess
import sys

from inputs import write

ROWS = 1024 * 1000 * 4
POOLED = 16 * 40 * 40 * 10
WIDE = 4 * 32 * 32 * 32
PERMUTED = 8 * 64 * 28 * 28 * 4
SQUARE = 1024 * 1024 * 4
BIAS = 1001 * 4
# The bytes that a function must read and write, and the bounds that hold today: the most bytes that threads move over those that must move,
# and the least part of the touched sectors that requests need. The aims are 1.02 and 0.95.
# A thread also reads whether an earlier kernel has failed, and each row of a sum reads the bias again, from a cache. A batch norm reads its operand once for the moments and once for the result.
# A pixel of 10 channels ends within a sector. Windows that overlap read most elements more than once, from a cache.
KERNELS = {
    "elementwise": (2 * ROWS, 1.02, 0.95),
    "bias": (2 * ROWS, 1.52, 0.95),
    "softmax": (2 * ROWS, 1.02, 0.95),
    "layer_norm": (2 * ROWS, 1.02, 0.95),
    "batch_norm": (3 * ROWS, 1.03, 0.95),
    "adam": (7 * ROWS, 1.02, 0.95),
    "adam_joined": (7 * (ROWS + BIAS), 1.02, 0.95),
    "max_pool": (5 * 4 * POOLED, 1.02, 0.65),
    "max_pool_wide": (5 * 4 * WIDE, 1.02, 0.95),
    "avg_pool": (5 * 4 * WIDE, 1.02, 0.95),
    "max_pool_overlap": (5 * 4 * WIDE, 1.98, 0.95),
    "transpose": (2 * ROWS, 1.02, 0.95),
    "permute": (2 * PERMUTED, 1.02, 0.95),
    "transpose_add": (3 * SQUARE, 1.02, 0.95),
}
# The functions whose tiles in shared memory have no bank conflicts.
TILED = ("transpose", "permute", "transpose_add")
# The least part of multiply-adds in the instructions of a product of 1024 x 1024 matrices, the most bank conflicts for each request to shared
# memory, and the least part of the touched sectors.
PRODUCT = (0.8, 0.05, 0.95)
# The most launches, copies and waits of a step of mlp: the copy of all inputs and that of all outputs also have the report of errors.
STEP = {"kernel": 12, "copy": 2, "wait": 1}
# The shapes of the inputs of a step of workloads, and the most kernels of a step. A ResNet-50 on a CPU has 374 steps, of which 36 updates of variables, 59
# copies and 12 packings of filters are two kernels here; but a sum over rows does not share the kernel of the product before it.
WORKLOADS = {
    "lstm": ((32, 35), (32, 35), 596),
    "transformer": ((8, 128, 512), (8,), 306),
    "resnet50": ((8, 224, 224, 3), (8,), 376),
}
# The launches, waits and copies of such a step: the inputs are one copy, the outputs another.
GRAPH = {"graph": 1, "graph_copy": 2, "graph_fill": 0, "wait": 1, "copy": 0, "fill": 0}


def measure(library, function, arguments, directory, simulator, **settings):
    """Returns the sums of the counts of a run, and the numbers of events."""
    path = os.path.join(directory, "counts.txt")
    if os.path.exists(path):
        os.remove(path)
    environment = dict(os.environ, LD_LIBRARY_PATH=simulator, TG_SIMULATOR_COUNT=path, **settings)
    subprocess.run(["tgc-run", os.path.join(directory, library), function, "--device=cuda", *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
    sums, events = {}, {}
    with open(path) as file:
        for line in file:
            words = line.split()
            events[words[0]] = events.get(words[0], 0) + 1
            for field in words[2:]:
                name, value = field.split("=")
                sums[name] = sums.get(name, 0) + int(value)
    return sums, events


def check_workloads(directory, simulator, check):
    """Compares the events of a step that was run before with the bounds. Kernels do nothing, as that takes less time."""
    for workload, (shape, labels, most) in WORKLOADS.items():
        for name, extents, descr in (("x", shape, "<i4" if shape == labels else "<f4"), ("label", labels, "<i4")):
            count = 4
            for extent in extents:
                count *= extent
            write(name, extents, descr, bytes(count))
        start = os.path.join(directory, f"{workload}.safetensors")
        measure(f"{workload}.so", "init", ["--input=seed=42", f"--save={start}"], directory, simulator, TG_SIMULATOR_SKIP="1")
        events = []
        for repeats in ("2", "3"):
            arguments = [f"--load={start}", f"--input=x={directory}/x.npy", f"--input=label={directory}/label.npy", "--repeat", repeats]
            events.append(measure(f"{workload}.so", "train", arguments, directory, simulator, TG_SIMULATOR_SKIP="1")[1])
        os.remove(start)
        step = {event: events[1].get(event, 0) - events[0].get(event, 0) for event in ("kernel", *GRAPH)}
        print(f"step of {workload}: {step}")
        check(f"{workload}: expected at most {most} kernels in a step, found {step['kernel']}", 0 < step["kernel"] <= most)
        for event, expected in GRAPH.items():
            check(f"{workload}: expected {expected} of {event} in a step, found {step[event]}", step[event] == expected)


def main():
    directory, simulator = sys.argv[1:]
    for name, shape in (("x", (1024, 1000)), ("p", (16, 80, 80, 10)), ("q", (4, 64, 64, 32)), ("a", (1024, 1024)), ("i", (8, 64, 28, 28)), ("b", (1001,)), ("c", (1000,))):
        count = 1
        for extent in shape:
            count *= extent
        # A fixed sequence of numbers between -1 and 1.
        words = [struct.pack("<f", (i * 2654435761 % 2**32) / 2**31 - 1) for i in range(4096)]
        data = b"".join(words) * (count // 4096)
        write(name, shape, "<f4", data + b"".join(words[: count % 4096]))
    inputs = {"max_pool": "p", "max_pool_wide": "q", "avg_pool": "q", "max_pool_overlap": "q", "transpose_add": "a", "permute": "i", "adam_joined": "xb", "bias": "xc"}

    failures = []

    def check(what, holds):
        if not holds:
            failures.append(what)

    start = os.path.join(directory, "counts.safetensors")
    measure("counts.so", "init", [f"--save={start}"], directory, simulator)
    print(f"{'kernel':12} {'bytes':>6} {'sectors':>8} launches")
    for function, (must, most, least) in KERNELS.items():
        arguments = [f"--load={start}"]
        for name in inputs.get(function, "x"):
            arguments += ["--input", f"{name}={directory}/{name}.npy"]
        sums, events = measure("counts.so", function, arguments, directory, simulator)
        moved = (sums["global_bytes_read"] + sums["global_bytes_written"]) / must
        used = sums["sectors_needed"] / sums["sectors_touched"]
        print(f"{function:12} {moved:6.3f} {used:8.3f} {events['kernel']}")
        check(f"{function}: expected at most {most} times the bytes that must move, found {moved:.3f}", moved <= most)
        if function in TILED:
            check(f"{function}: expected no bank conflicts, found {sums['bank_conflicts']}", sums["bank_conflicts"] == 0)
        check(f"{function}: expected at least {least} of the sectors, found {used:.3f}", used >= least)

    sums, events = measure("counts.so", "matmul", [f"--load={start}", "--input", f"a={directory}/a.npy", "--input", f"b={directory}/a.npy"], directory, simulator)
    share = sums["multiply_adds"] / sums["instructions"]
    conflicts = sums["bank_conflicts"] / max(1, sums["shared_loads"] + sums["shared_stores"])
    used = sums["sectors_needed"] / sums["sectors_touched"]
    print(f"matmul       multiply-adds {share:.3f} of instructions, bank conflicts {conflicts:.3f} of requests, sectors {used:.3f}")
    check(f"matmul: expected {PRODUCT}, found {share:.3f}, {conflicts:.3f}, {used:.3f}", share >= PRODUCT[0] and conflicts <= PRODUCT[1] and used >= PRODUCT[2])

    start = os.path.join(directory, "mlp.safetensors")
    measure("mlp.so", "init", ["--input", "seed=42", f"--save={start}"], directory, simulator)
    step = [f"--load={start}", "--input", f"x={directory}/images.npy", "--input", f"label={directory}/labels.npy", "--input", "learning_rate=0.01"]
    _, once = measure("mlp.so", "train", step, directory, simulator)
    _, twice = measure("mlp.so", "train", step + ["--repeat", "2"], directory, simulator)
    for event, most in STEP.items():
        found = sum(run.get(name, 0) * sign for run, sign in ((twice, 1), (once, -1)) for name in (event, "graph_" + event))
        print(f"step of mlp: {event} {found}")
        check(f"mlp: expected at most {most} of {event} in a step, found {found}", found <= most)
    check_workloads(directory, simulator, check)
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
