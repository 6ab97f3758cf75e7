"""lit configuration of this tree: lit -v test --param build=<build directory>."""

import importlib.util
import os
import shutil
import subprocess

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)


def setting(name, variable, default):
    """Returns the --param, or the environment variable, or the default."""
    value = lit_config.params.get(name, os.environ.get(variable))
    return os.path.abspath(value or default)


build = setting("build", "TG_BUILD", os.path.join(root, "build"))
llvm = setting("llvm", "TG_LLVM", "/usr/lib/llvm-22/bin")

config.name = "tg"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
# A fuzzing corpus and inputs of tests are no tests.
config.excludes = ["Inputs", "corpus", "plans"]
config.test_source_root = here
config.test_exec_root = os.path.join(build, "test", "lit")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), llvm, os.environ.get("PATH", "")]
)
# Disable the kernel cache: tests must compile, and must not touch the user's
# cache.
config.environment["TG_KERNEL_CACHE"] = ""
config.substitutions.append(("%examples", os.path.join(root, "examples")))
config.substitutions.append(("%root", root))
config.substitutions.append(("%build", build))

# With TG_VERIFY_ROUNDTRIP every test also tests the printer and the parser.
if os.environ.get("TG_VERIFY_ROUNDTRIP"):
    config.substitutions.append((r"\btgc-opt\b", "tgc-opt --verify-roundtrip"))

# A headless browser. Chromium has no sandbox when run as root.
browser = shutil.which("chromium-headless-shell") or shutil.which("chromium")
if browser:
    config.available_features.add("browser")
    config.substitutions.append(
        ("%browser", f"{browser} --headless --no-sandbox --disable-gpu")
    )

# The editor with which the language server is tested.
if shutil.which("nvim"):
    config.available_features.add("neovim")

# The debugger where the system lets it trace processes, and perf where it may
# open events.
if shutil.which("gdb"):
    probe = ["gdb", "-nx", "-batch", "-ex", "run", shutil.which("true")]
    if b"exited normally" in subprocess.run(probe, capture_output=True).stdout:
        config.available_features.add("gdb")
if shutil.which("perf"):
    probe = ["perf", "record", "-q", "-e", "cpu-clock", "-o", "/dev/null", "true"]
    if subprocess.run(probe, capture_output=True).returncode == 0:
        config.available_features.add("perf")

# The library that highlights code.
if importlib.util.find_spec("pygments"):
    config.available_features.add("pygments")

# The assembler of PTX, a part of CUDA.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")

# The run-time compiler of CUDA C++, where tgc looks for it.
if any(
    os.path.exists(os.path.join(directory, "libnvrtc.so"))
    for directory in ["/usr/local/cuda/lib64", *os.environ.get("LD_LIBRARY_PATH", "").split(":")]
):
    config.available_features.add("nvrtc")

# TensorBoard and tbparse, which tools/check.sh installs.
event_readers = os.path.join(build, "event-readers")
if os.path.exists(os.path.join(event_readers, "event-readers.txt")):
    config.available_features.add("event-readers")
    config.substitutions.append(
        ("%event-readers", os.path.join(event_readers, "bin", "python") + " -B")
    )

# The generators of the site: Sphinx, which tools/dev/make-environment.sh
# installs, and Doxygen.
site = os.path.join(build, "docs-python")
if shutil.which("doxygen") and os.path.exists(
    os.path.join(site, "requirements.txt")
):
    config.available_features.add("site")
    config.substitutions.append(
        ("%site-python", os.path.join(site, "bin", "python") + " -B")
    )

# The Python package tgc, which tools/dev/make-python.sh builds and installs.
python_package = os.path.join(build, "python")
if os.path.exists(os.path.join(python_package, "sources")):
    config.available_features.add("python-package")
    config.substitutions.append(
        ("%tgc-python", os.path.join(python_package, "bin", "python") + " -B")
    )

# The CPU flags of the x86-64 ISA levels: x86-64-v2, x86-64-v3, x86-64-v4.
LEVELS = {
    "x86-64-v2": {"cx16", "popcnt", "sse4_2", "ssse3"},
    "x86-64-v3": {"avx2", "bmi2", "fma", "f16c", "movbe"},
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}


def cpu_flags():
    """Returns the flags of the first processor, or none if the file is missing."""
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith("flags"):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


# Quick mode leaves out the tests with `UNSUPPORTED: quick`.
if "quick" in lit_config.params:
    config.available_features.add("quick")

flags = cpu_flags()
for level, needed in LEVELS.items():
    if not needed <= flags:
        break
    config.available_features.add(level)
