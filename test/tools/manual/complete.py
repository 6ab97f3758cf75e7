"""Completes a command line in an interactive bash, and prints the line with the completed word.

    complete.py FILE LINE

FILE defines the completion.
"""

import os
import pty
import select
import sys
import time


def read_until(terminal, text, seconds=30):
    """Returns what the terminal shows until it shows a text."""
    shown = b""
    end = time.monotonic() + seconds
    while text not in shown:
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            sys.exit(f"error: expected {text}, found {shown}")
        shown += os.read(terminal, 4096)
    return shown


def main(path, line):
    child, terminal = pty.fork()
    if not child:
        os.environ.update(PS1="ready> ", TERM="dumb", INPUTRC="/dev/null")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    read_until(terminal, b"ready> ")
    os.write(terminal, f"source {path}\n".encode())
    read_until(terminal, b"ready> ")
    # The line becomes the arguments of echo, which prints them.
    os.write(terminal, line.encode() + b"\t END\x01echo \x05\n")
    shown = read_until(terminal, b"END\r\nready> ")
    print(shown.decode().replace("\r", "").split("\n")[-2])
    os.write(terminal, b"exit\n")
    os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
