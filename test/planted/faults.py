"""The faults that run.py plants."""

from typing import NamedTuple, Tuple


class Fault(NamedTuple):
    """A text to replace in a file, its replacement, and the tests that must detect it."""

    name: str
    kind: str
    file: str
    old: str
    new: str
    tests: Tuple[str, str]  # a program of the build and which of its tests


EMBEDDED = "compiler/library/embedded/"
CORE = "runtime/core/"
CHECKPOINT = "runtime/checkpoint/"
FILES = "runtime/files/"
CALLS = ("TgRuntimeTests", "Call*")
LOADS = ("TgRuntimeTests", "LoadTest.*")
CHECKPOINTS = ("TgRuntimeTests", "CheckpointTest.*")
SHARED = ("TgRuntimeTests", "SharedVariables*")
POWER = ("TgRuntimeFileTests", "PowerFailureTest.*")
QUIET = ("TgRuntimeQuietTests", "QuietTest.nothing*:QuietTest.noSystemCall*")

FAULTS = [
    # Models: the checks of every call.
    Fault("unknown bits behind a struct are ignored", "embedded", EMBEDDED + "CallChecks.c",
          "isZero((const char *)object + known, size - known)",
          "isZero((const char *)object + known, 0)", CALLS),
    Fault("a flag of a function of the host is ignored", "embedded", EMBEDDED + "HostSteps.c",
          " ||\n        function->flags)", ")", CALLS),
    Fault("a step is not counted as a new generation", "embedded", EMBEDDED + "Embedded.c",
          "++header->generation;", ";", CALLS),
    Fault("a label out of range is not reported", "embedded", EMBEDDED + "KernelCalls.c",
          "if (__builtin_expect(element == INT64_MAX, 1))", "if (1)", CALLS),
    Fault("the bound of an index is one too great", "embedded", "test/runtime/fixtures/LineKernels.c",
          "(uint32_t)index[i] < WIDTH;", "(uint32_t)index[i] <= WIDTH;", CALLS),
    Fault("an overlap of the workspace is not looked for", "embedded", EMBEDDED + "Overlap.c",
          "function->output_count + 1 +", "function->output_count +", CALLS),
    Fault("a level that the CPU lacks is given", "embedded", EMBEDDED + "TargetChoice.c",
          "if (!isDevice && table->target > level) {", "if (level == 0) {", CALLS),
    Fault("registers that the system does not save are used", "embedded", EMBEDDED + "TargetChoice.c",
          "hasAll(saved, V4_XCR0)", "1", CALLS),
    Fault("a sum follows the workers, not the tiles", "embedded",
          "test/runtime/fixtures/LineKernels.c",
          "  const task_t *task = opaque;\n"
          "  for (int64_t tile = first; tile < last; ++tile) {\n"
          "    float *sum = task->partial + tile * (WIDTH + 1);\n"
          "    for (int j = 0; j <= WIDTH; ++j)\n"
          "      sum[j] = 0;\n",
          "  const task_t *task = opaque;\n"
          "  for (int64_t tile = first; tile < last; ++tile) {\n"
          "    float *sum = task->partial + first * (WIDTH + 1);\n"
          "    for (int j = 0; j <= WIDTH; ++j)\n"
          "      sum[j] = tile > first ? sum[j] : 0;\n", CALLS),
    # libtgrt: files.
    Fault("the contents of a model are not compared with their hash", "libtgrt",
          FILES + "Trailer.cpp", "std::memcmp(ofPayload.data(), trailer.payload_sha256, 32)",
          "std::memcmp(ofPayload.data(), trailer.payload_sha256, 0)", LOADS),
    Fault("the trailer is not compared with its hash", "libtgrt", FILES + "Trailer.cpp",
          "std::memcmp(ofTrailer.data(), trailer.trailer_sha256, 32)",
          "std::memcmp(ofTrailer.data(), trailer.trailer_sha256, 0)", LOADS),
    Fault("a newer model is accepted", "libtgrt", FILES + "Trailer.cpp",
          "!fitsAbi(trailer.abi_version)", "trailer.abi_version >> 16 != TG_ABI_MAJOR",
          ("TgRuntimeTests", "OtherAbiTest.theTrailer*")),
    Fault("a checkpoint is written in place", "libtgrt", FILES + "AtomicFile.cpp",
          "::open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)",
          "::open(std::strcpy(temporary, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)",
          ("TgRuntimeTests", "CheckpointTest.aFailed*:CheckpointTest.aKilled*")),
    Fault("a checkpoint is renamed before its data is safe", "libtgrt", FILES + "AtomicFile.cpp",
          "if (::fsync(file.get()) != 0)", "if (false)", POWER),
    Fault("the name of a checkpoint is not made safe", "libtgrt", FILES + "AtomicFile.cpp",
          "if (const int number = syncDirectoryOf(path))",
          "if (const int number = 0 && syncDirectoryOf(path))", POWER),
    Fault("a checkpoint that failed leaves a file behind", "libtgrt", FILES + "AtomicFile.cpp",
          "if (exists)\n    ::unlink(temporary);", "if (false)\n    ::unlink(temporary);", POWER),
    Fault("the data of a checkpoint is not compared with its hash", "libtgrt",
          CHECKPOINT + "Checkpoint.cpp", "if (reading.info.hasDigest && hash.finish()",
          "if (!reading.info.hasDigest && hash.finish()", CHECKPOINTS),
    Fault("what a killed saver left aside stays there", "libtgrt", FILES + "AtomicFile.cpp",
          "    removeAbandoned(temporary);\n", "    if (index < 0)\n      removeAbandoned(temporary);\n",
          ("TgRuntimeTests", "CheckpointTest.aKilled*")),
    Fault("a file aside that is written counts as abandoned", "libtgrt", FILES + "AtomicFile.cpp",
          "::flock(left.get(), LOCK_EX | LOCK_NB) == 0", "true",
          ("TgRuntimeTests", "CheckpointTest.filesAside*")),
    Fault("a limit of file sizes ends the host", "libtgrt", FILES + "Files.cpp",
          "::pthread_sigmask(SIG_BLOCK, &signals, &before);",
          "::pthread_sigmask(SIG_UNBLOCK, &signals, &before);",
          ("TgRuntimeTests", "CheckpointTest.aFailed*:LoadTest.aLimit*")),
    # libtgrt: runs.
    Fault("a run leaks memory", "libtgrt", CORE + "FunctionRun.cpp",
          "  call.error = error;\n  host = ",
          "  call.error = error;\n"
          "  __asm__ volatile(\"\" : : \"r\"(__builtin_malloc(64)));\n  host = ", QUIET),
    Fault("a run takes a lock", "libtgrt", CORE + "FunctionRun.cpp",
          "  call.error = error;\n  host = ",
          "  call.error = error;\n"
          "  std::lock_guard<std::mutex> guard(context.module->lock);\n  host = ", QUIET),
    Fault("a module takes shared variables from readers of another layout", "libtgrt",
          CORE + "SharedVariables.cpp", "isFree = isSame || !readers;", "isFree = true;", SHARED),
    Fault("packed weights do not notice a rollback", "libtgrt", CORE + "SharedVariablesCalls.cpp",
          "    from += variable->bytes;\n  }\n  variables.markChanged();\n",
          "    from += variable->bytes;\n  }\n", SHARED),
    Fault("shared variables that grow lose their values", "libtgrt", CORE + "SharedVariables.cpp",
          "memory.get().copyWithin(block, slab, bytes, error)",
          "memory.get().fill(block, 0, bytes, error)", SHARED),
    Fault("the last range of a loop is lost", "libtgrt", "runtime/cpu/Pool.cpp",
          "std::min(first + pool.rangeSize, pool.count)",
          "std::min(first + pool.rangeSize, pool.count - 1)", ("TgRuntimeTests", "PoolTest.covers*")),
    Fault("a loop that runs again walks as before", "libtgrt", "runtime/cpu/Pool.cpp",
          "backward = !loop.backward;",
          "backward = loop.backward;", ("TgRuntimeTests", "PoolTest.walks*")),
    # The header.
    Fault("two fields change places", "header", "include/tg/abi.h",
          "  uint32_t line;      /* from 1; 0: unknown */\n  uint32_t column;\n",
          "  uint32_t column;\n  uint32_t line;\n", ("", "")),
    Fault("a status code gets another number", "header", "include/tg/abi.h",
          "TG_ERROR_RANK = 0x106", "TG_ERROR_RANK = 0x126", ("", "")),
]
