#!/usr/bin/env python3
"""Checks that no directory of the compiler includes or names what it must not know.

    boundaries.py ROOT

Prints each violation, and each rule that does not find its planted violation.
"""

import os
import posixpath
import re
import sys

SOURCES = (".h", ".cpp", ".td")
BUILD = ("CMakeLists.txt",)
BACK_ENDS = r"codegen/(cpu|cuda)\b|\bTg(Cpu|Cuda)\b"
SHARED = ["compiler/codegen/kernel", "compiler/target", "compiler/transforms", "dialects"]


class Rule:
    """Forbids a pattern in the lines of the files of directories."""

    def __init__(self, reason, directories, pattern, planted, files=SOURCES + BUILD, outside=()):
        self.reason = reason
        self.directories = [directory + "/" for directory in directories]
        self.pattern = re.compile(pattern)
        # A file and a line that violates the rule.
        self.planted = planted
        self.files = files
        self.outside = tuple(directory + "/" for directory in outside)

    def forbids(self, path, line):
        return path.startswith(tuple(self.directories)) and not path.startswith(self.outside) \
            and path.endswith(self.files) and self.pattern.search(line)


RULES = [
    Rule("what all targets share, the passes and the dialects do not know a back end or the library",
         SHARED, BACK_ENDS + r"|compiler/library|\bTgLibrary\b",
         ("compiler/transforms/schedule/New.cpp", '#include "../../codegen/cuda/CudaTargets.h"')),
    Rule("back ends are used through compiler/codegen/Backend.h",
         ["compiler/library", "compiler/driver", "compiler/frontend", "tools"], BACK_ENDS,
         ("compiler/library/New.cpp", '#include "compiler/codegen/cpu/CpuBackend.h"')),
    Rule("a back end does not know another one",
         ["compiler/codegen/cpu"], r"codegen/cuda\b|\bTgCuda\b",
         ("compiler/codegen/cpu/New.cpp", '#include "../cuda/CudaTargets.h"')),
    Rule("a back end does not know another one",
         ["compiler/codegen/cuda"], r"codegen/cpu\b|\bTgCpu\b",
         ("compiler/codegen/cuda/CMakeLists.txt", "tg_add_mlir_library(TgCuda LINK TgCpu)")),
    Rule("code generation does not know its users",
         ["compiler/codegen"], r"compiler/(library|driver|frontend)/|\bTg(Library|Driver)\b",
         ("compiler/codegen/cpu/New.h", '#include "compiler/library/code/Timer.h"')),
    Rule("passes and ops ask the TargetDescription instead of naming parts of a CPU",
         ["compiler/transforms", "dialects"],
         r"(?i)x86|\bavx|\bsse[0-9]|[xyz]mm\b|256 bytes",
         ("dialects/tgx/New.td", "At most 16 ymm registers."), SOURCES),
    Rule("the library asks the back end instead of naming the CPU or LLVM's code for it",
         ["compiler/library"], r"(?i)x86|llvm/(MC|Target|TargetParser)/|TargetSelect",
         ("compiler/library/New.h", "#include \"llvm/Target/TargetMachine.h\""), SOURCES,
         outside=["compiler/library/embedded", "compiler/library/link"]),
    Rule("tuning constants are those of one back end",
         ["compiler", "dialects", "include", "runtime", "tools", "test"],
         r"\bTuning\.h|\btuning::|namespace (tg::)?tuning\b",
         ("tools/tgc/New.cpp", "int64_t bytes = tg::tuning::kPanelBytes;"), SOURCES,
         outside=["compiler/codegen/cpu"]),
]


def resolve(root, path, line):
    """Returns a line with the path that it includes relative to the root."""
    found = re.match(r'\s*#\s*include\s*"([^"]*)"', line)
    if not found:
        return line
    near = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))
    is_near = found[1].startswith(".") or os.path.exists(os.path.join(root, near))
    return f'#include "{near if is_near else found[1]}"'


def violations(root, path, lines):
    for number, line in enumerate(lines, 1):
        resolved = resolve(root, path, line)
        for rule in RULES:
            if rule.forbids(path, resolved):
                yield rule, f"{path}:{number}: {rule.reason}: {line.strip()}"


def files(root):
    for top in sorted({d.split("/")[0] for rule in RULES for d in rule.directories}):
        for directory, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith(SOURCES + BUILD):
                    yield os.path.relpath(os.path.join(directory, name), root)


def main(root):
    mistakes = []
    for path in files(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            mistakes += [message for _, message in violations(root, path, file)]
    for rule in RULES:
        path, line = rule.planted
        if rule not in [found for found, _ in violations(root, path, [line])]:
            mistakes.append(f"planted violation not found: {rule.reason}: {line}")
    for mistake in mistakes:
        print(mistake)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
