"""Ends a training by a signal: end-by-signal.py NUMBER DIRECTORY COMMAND...

Waits until the training has written a summary. Returns its status.
"""

import pathlib
import subprocess
import sys
import time

number, directory, *command = sys.argv[1:]
metrics = pathlib.Path(directory) / "metrics.jsonl"


def size():
    return metrics.stat().st_size if metrics.exists() else 0


before = size()
process = subprocess.Popen([*command, f"--dir={directory}"], stdout=subprocess.DEVNULL)
while process.poll() is None and size() <= before:
    time.sleep(0.01)
process.send_signal(int(number))
sys.exit(process.wait())
