/// The options of compilations.
#ifndef TG_GRAPH_MODEL_OPTIONS_H
#define TG_GRAPH_MODEL_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tg {

/// The options of Program::compile(), with the same defaults as in tgc.
struct ModelOptions {
  /// The optimization level. 0: one kernel per op, with scalar loops; 1: adds
  /// fusion; 2: adds vectorization; 3: adds more LLVM optimizations.
  int optimization = 2;
  /// The ISA levels in the library, which runs the highest one that its machine
  /// supports. Empty: only the level of this machine, which takes a third of
  /// the compile time.
  std::vector<int> levels = {2, 3, 4};
  /// The kinds of targets in the library: "cpu", and "cuda" for NVIDIA GPUs of
  /// compute capability 8.0 and newer. A program that loads the library chooses
  /// one of them.
  std::vector<std::string> targets = {"cpu"};
  /// LLVM's name of the CPU to tune for, or "" for none.
  std::string tune = {};
  /// The values of named extents: batch=32,classes=10.
  std::string dims = {};
  /// The functions of the library in addition to `init`, with the variables
  /// that they use; a library for inference needs no training functions. Empty:
  /// all functions.
  std::vector<std::string> functions = {};
  /// A safetensors file with the initial value of every variable of the
  /// library, as a context saves it, or "" for none. With a file `init` takes
  /// no seed.
  std::string weights = {};
  /// The upper bound of the memory, in bytes, that a function may save between
  /// its kernels (`arena_bytes` of the report); the memory that kernels
  /// themselves need per thread comes in addition. Values that exceed it are
  /// recomputed, which takes time and changes no bit. If that is not enough,
  /// convolutions use unpacked filters, which may change rounding. Extents must
  /// be numbers, as with `dims`. 0: no limit.
  std::int64_t memoryBudget = 0;
  /// A cache directory for the code of kernels, created if necessary. Only
  /// changed kernels are compiled again; the library is the same. "": no cache.
  /// Without a value: the directory in the environment variable
  /// TG_KERNEL_CACHE, otherwise `tg` in $XDG_CACHE_HOME or ~/.cache, if it is
  /// writable. The cache is ignored, with a warning (onWarning), unless the
  /// directory, its files and all parent directories belong to this user or
  /// root and nobody else may write to them. Sticky directories such as /tmp
  /// are allowed as parents. The cache holds at most 512 MB; the least recently
  /// used files are removed.
  std::optional<std::string> kernelCache = {};
  /// The use of Winograd's algorithm, which rounds differently, for 3x3
  /// convolutions: if it is faster ("auto"), never ("direct"), or wherever it
  /// is possible ("winograd").
  std::string convAlgorithm = "auto";
  /// The precision of the operands of f32 products on NVIDIA GPUs: exact
  /// ("f32"), or rounded to 10 bits of mantissa for tensor cores ("tf32").
  /// Other targets compute exactly.
  std::string precision = "f32";
  /// Traps NaN and infinity. "all": functions fail at the first NaN or infinity
  /// that an operation produces (TG_ERROR_NAN). The message has the layer,
  /// operation, line and element; variables keep their values. "nan": only NaN.
  /// "": never. Traps take time, and memory for the values that training
  /// assigns.
  std::string trapNan = {};
  /// Makes operations placed on a device other than cpu:0 (device.h) an error.
  /// Otherwise a library runs them on the CPU of its caller, and its report
  /// lists them.
  bool hardPlacement = false;
  /// The path of a report on the contents and costs of the library, kernel by
  /// kernel: HTML if the name ends in .html, otherwise JSON. "": no report.
  std::string report = {};
  /// Shows the progress of a compilation that takes more than two seconds: a
  /// line on the standard error, if it is a terminal. The line is erased at the
  /// end.
  bool showsProgress = true;
  /// Produces an object file for static linking instead of a library. Its only
  /// global symbol is `<symbolPrefix>_tg_model_get`.
  bool relocatable = false;
  std::string symbolPrefix = {};
};

} // namespace tg

#endif // TG_GRAPH_MODEL_OPTIONS_H
