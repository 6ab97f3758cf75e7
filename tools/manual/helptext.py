"""Reads the text that a tool prints for --help."""

import dataclasses
import re

# A list of names with a value: --name=VALUE, --name VALUE, --name[=VALUE], -n <value>.
OPTION = re.compile(r"(?P<names>--?[A-Za-z][\w-]*(?:, --?[A-Za-z][\w-]*)*)"
                    r"(?P<value>\[?=\S+| <[^>]+>(?:=<[^>]+>)?| [^\s-]\S*(?=  |$))?"
                    r"(?: +- |\s+|$)(?P<description>.*)")
# A value of an option in LLVM's format.
VALUE = re.compile(r" +=(?P<value>\S+) +- +(?P<meaning>.*)")
FILES = re.compile(r"file|directory|dir\b|source|library", re.I)


@dataclasses.dataclass
class Option:
    names: list
    value: str
    description: str
    values: dict = dataclasses.field(default_factory=dict)

    @property
    def is_optional(self):
        """Returns true if the value may be absent."""
        return self.value.startswith("[")

    @property
    def takes_file(self):
        return bool(FILES.search(self.value))

    @property
    def may_repeat(self):
        return "repeat" in self.description

    @property
    def choices(self):
        """Returns the possible values, if the help names them all."""
        if self.values or "|" not in self.value:
            return list(self.values)
        return self.value.strip("[]= ").strip("<>").split("|")


class Help:
    """The parts of a help: usage, options, and the text before and after these."""

    def __init__(self, text):
        self.usage, self.before, self.options, self.after = [], [], [], []
        isInUsage, self.isInOption = False, False
        for line in text.rstrip().split("\n"):
            usage = re.match(r"usage: +(.*)", line, re.I)
            if usage:
                self.usage.append(usage.group(1))
                isInUsage = True
            elif isInUsage and line.startswith("       "):
                self.usage.append(line.strip())
            else:
                isInUsage = False
                self.read(line)
        self.before, self.after = self.trim(self.before), self.trim(self.after)
        words = [line.split() for line in self.usage]
        # The second words of usages that are not placeholders are commands.
        self.commands = [line[1] for line in words if len(line) > 1 and re.fullmatch(r"[a-z][a-z-]*", line[1])]

    def read(self, line):
        option = OPTION.fullmatch(line.strip()) if re.match(" {1,6}-", line) else None
        value = VALUE.fullmatch(line)
        # An option ends at a blank line.
        self.isInOption = bool(option or (line.strip() and self.isInOption))
        if option:
            self.options.append(Option(option["names"].split(", "), option["value"] or "", option["description"]))
        elif value and self.options:
            self.options[-1].values[value["value"]] = value["meaning"]
        elif self.isInOption:
            self.options[-1].description += " " + line.strip().removeprefix("- ")
        elif self.options:
            self.after.append(line)
        else:
            self.before.append(line)

    @staticmethod
    def trim(lines):
        """Returns the lines without LLVM's headings and without blank lines at the ends."""
        kept = [line.removeprefix("OVERVIEW: ") for line in lines
                if not re.fullmatch(r"(OPTIONS|Passes|[\w ]+ [Oo]ptions):|Compiler passes to run", line.strip())]
        return "\n".join(kept).strip("\n").split("\n") if any(line.strip() for line in kept) else []
