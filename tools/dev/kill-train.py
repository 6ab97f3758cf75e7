#!/usr/bin/env python3
"""Kills trainings at random moments, and compares what they have at their end.

    kill-train.py TGC_TRAIN MODEL.so --data=SOURCE [--valid=SOURCE] [--moments=N]
                  [--seed=N] [--steps=N] [OPTION...]

Trains once without interruption. Then trains again and again in another
directory, with other numbers of threads and of batches that are read ahead,
and ends each process by SIGKILL or SIGTERM at a random moment, until N
processes were ended. Each training that has reached its end must have the same
bytes in its last checkpoint and in metrics.jsonl as the first one. Other
options, such as --set=learning_rate=0.1, are passed to all trainings.
"""

import argparse
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

RESULTS = ["checkpoint-{steps}.safetensors", "metrics.jsonl"]


def results(directory, steps):
    """Returns the bytes of the files to compare, by name."""
    names = [name.format(steps=steps) for name in RESULTS]
    return {name: (directory / name).read_bytes() for name in names}


class Trainer:
    """Starts trainings of one model on one data set."""

    def __init__(self, options, others):
        self.steps = options.steps
        self.command = [options.tgc_train, options.model, f"--data={options.data}", f"--steps={options.steps}"]
        if options.valid:
            self.command.append(f"--valid={options.valid}")
        self.command += others

    def start(self, directory, *more):
        return subprocess.Popen(
            [*self.command, f"--dir={directory}", *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, process, allowed):
        """Returns the status of a training. Exits if it is not an allowed one."""
        message = process.communicate()[1]
        if process.returncode not in allowed:
            sys.exit(f"error: expected one of the statuses {sorted(allowed)}, found {process.returncode}: {message}")
        return process.returncode


def shuffled_options(draw):
    return [
        f"--threads={draw.randint(1, 3)}",
        f"--data-threads={draw.randint(0, 3)}",
        f"--prefetch={draw.randint(0, 9)}",
    ]


def interrupt(trainer, directory, delay, draw):
    """Ends one process after a delay in seconds. Returns its status."""
    process = trainer.start(directory, *shuffled_options(draw))
    time.sleep(delay)
    number = draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
    process.send_signal(number)
    allowed = {0, -signal.SIGKILL} if number == signal.SIGKILL else {0, 143, -signal.SIGTERM}
    return trainer.finish(process, allowed)


def run_to_end(trainer, directory, duration, draw, moments):
    """Trains in a directory until its end, with up to so many interruptions.

    Returns the number of processes that were ended before.
    """
    shutil.rmtree(directory, ignore_errors=True)
    ended = 0
    while ended < moments:
        if interrupt(trainer, directory, draw.uniform(0, duration), draw) == 0:
            return ended
        ended += 1
    trainer.finish(trainer.start(directory, *shuffled_options(draw)), {0})
    return ended


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tgc_train")
    parser.add_argument("model")
    parser.add_argument("--data", required=True)
    parser.add_argument("--valid")
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=300)
    options, others = parser.parse_known_args()
    trainer = Trainer(options, others)
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        whole = pathlib.Path(place) / "whole"
        begin = time.monotonic()
        trainer.finish(trainer.start(whole), {0})
        duration = time.monotonic() - begin
        expected = results(whole, options.steps)
        ended = runs = 0
        while ended < options.moments:
            directory = pathlib.Path(place) / "interrupted"
            ended += run_to_end(trainer, directory, duration / 2, draw, min(8, options.moments - ended))
            runs += 1
            for name, found in results(directory, options.steps).items():
                if found != expected[name]:
                    sys.exit(f"error: {name} differs after interruptions, expected the same bytes")
    print(f"{ended} interruptions in {runs} trainings, all with the same bytes")


main()
