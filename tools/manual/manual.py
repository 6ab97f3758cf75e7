#!/usr/bin/env python3
"""Writes a tool's man page and its completion for bash, zsh and fish.

    manual.py PROGRAM VERSION README DIRECTORY

Everything is read from the tool's --help, and the summary from the table of tools in README. The files are man1/NAME.1,
bash/NAME, zsh/_NAME and fish/NAME.fish below DIRECTORY.
"""

import os
import re
import subprocess
import sys

from completion import SHELLS
from helptext import Help


def summary(readme, name):
    """Returns what the table of tools says about a tool, as plain text."""
    with open(readme, encoding="utf-8") as file:
        row = re.search(rf"^\| `{re.escape(name)}/` \| (.*?) \|$", file.read(), re.M)
    if not row:
        sys.exit(f"error: expected a row for {name}/ in {readme}, found none")
    return row.group(1).replace("`", "")


def ask(program, *words):
    """Returns the help of a program or of its command."""
    run = subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True)
    return run.stdout + run.stderr


def escape(text):
    """Returns text that roff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def option_entries(found):
    """Returns the lines of a list of options."""
    lines = []
    for option in found.options:
        heads = [f"\\fB{escape(name)}\\fR" for name in option.names]
        lines += [".TP", ", ".join(heads) + f"\\fI{escape(option.value)}\\fR", escape(option.description) or "\\&"]
        for value, meaning in option.values.items():
            lines += [".RS", ".TP", f"\\fB{escape(value)}\\fR", escape(meaning) or "\\&", ".RE"]
    return lines


def paragraphs(text):
    """Returns the lines of a text, filled except for lists and tables, which begin with spaces."""
    lines = []
    for paragraph in re.split(r"\n\n+", "\n".join(text)):
        kept = [escape(line) for line in paragraph.split("\n")]
        lines += [".PP", *kept] if not re.search("^ ", paragraph, re.M) else [".PP", ".nf", *kept, ".fi"]
    return lines


def page(name, version, summed, found, commands):
    lines = [f'.TH {name.upper()} 1 "" "tgc {version}" "User Commands"',
             ".SH NAME", f"{escape(name)} \\- {escape(summed)}",
             ".SH SYNOPSIS", ".nf", *map(escape, found.usage), ".fi"]
    if found.before:
        lines += [".SH DESCRIPTION", *paragraphs(found.before)]
    lines += [".SH OPTIONS", *option_entries(found)]
    for command, options in commands.items():
        lines += [f".SH OPTIONS OF {name.upper()} {command.upper()}", *option_entries(options)]
    if found.after:
        lines += [".SH NOTES", *paragraphs(found.after)]
    return "\n".join(lines) + "\n"


def main(program, version, readme, directory):
    name = os.path.basename(program)
    text = ask(program)
    found = Help(text)
    commands = {command: Help(ask(program, command))
                for command in re.findall(rf"see {re.escape(name)} ([\w-]+) --help", text)}
    found.commands += list(commands)
    files = {f"man1/{name}.1": page(name, version, summary(readme, name), found, commands)}
    for shell, (pattern, write) in SHELLS.items():
        files[f"{shell}/{pattern.format(name)}"] = write(name, found)
    for path, content in files.items():
        path = os.path.join(directory, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
