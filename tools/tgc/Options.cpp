//===- Options.cpp - the command line of tgc ------------------------------===//
#include "Options.h"
#include "ToolFiles.h"
#include "compiler/codegen/Backend.h"
#include "compiler/driver/Defaults.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>

namespace cl = llvm::cl;
using llvm::StringRef;

/// The name of phase object for the targets of kPtxKind.
static constexpr StringRef kPtxPhase = "ptx";
static constexpr StringRef kPtxKind = "cuda";

namespace {
/// Parses a phase, up to the last one, by its name; --help lists them.
class PhaseParser : public cl::parser<tg::Phase> {
public:
  using parser::parser;
  void setPhases(tg::Phase newLast) {
    last = newLast;
    for (const tg::PhaseInfo &info : tg::getPhases())
      if (info.phase <= last)
        addLiteralOption(info.name, info.phase, info.summary);
    if (last >= tg::Phase::object)
      addLiteralOption(kPtxPhase, tg::Phase::object,
                       "object, for --targets=cuda");
  }
  /// Returns true if the name of the phase was kPtxPhase.
  bool isPtx() const { return foundPtx; }
  bool parse(cl::Option &option, StringRef, StringRef text, tg::Phase &phase) {
    llvm::SmallVector<StringRef> names;
    foundPtx = text == kPtxPhase && last >= tg::Phase::object;
    if (foundPtx) {
      phase = tg::Phase::object;
      return false;
    }
    for (const tg::PhaseInfo &info : tg::getPhases()) {
      if (info.phase > last)
        break;
      names.push_back(info.name);
      if (info.name == text) {
        phase = info.phase;
        return false;
      }
    }
    if (last >= tg::Phase::object)
      names.push_back(kPtxPhase);
    return option.error("expected one of " + llvm::join(names, ", ") +
                        ", found '" + text + "'");
  }

private:
  tg::Phase last = tg::Phase::library;
  bool foundPtx = false;
};

/// The options, created when the command line is parsed instead of before main.
struct Flags {
  cl::OptionCategory category{"tgc options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<model.mlir or ->"),
                             cl::init("-"), cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::value_desc("file"), cl::cat(category),
      cl::desc(
          "The file to write: model.so, or model.o to link into a program. "
          "With --stop-after=object: model.o, or model.s for assembly; "
          "model.ptx for a device")};
  cl::opt<std::string> optimization{
      "O",
      cl::Prefix,
      cl::init("2"),
      cl::cat(category),
      cl::value_desc("0|1|2|3"),
      cl::desc("0: one scalar kernel per op, 1: fusion, 2: vectors (the "
               "default), 3: a longer LLVM pipeline")};
  cl::opt<tg::Phase, /*ExternalStorage=*/false, PhaseParser> stopAfter{
      "stop-after", cl::cat(category), cl::init(tg::Phase::library),
      cl::desc("Stop after a phase and print the result")};
  cl::opt<tg::Phase, /*ExternalStorage=*/false, PhaseParser> startFrom{
      "start-from", cl::cat(category),
      cl::desc("Continue with the output of --stop-after or --save-temps for a "
               "phase. Such input is trusted: it may contain all dialects, "
               "whose parsers and verifiers crash on some texts, and the rules "
               "of modules and names are not checked")};
  cl::opt<bool> printLocations{
      "print-locations", cl::cat(category),
      cl::desc("Print source locations with --stop-after, up to kernels. "
               "--start-from then builds the same library as the model")};
  cl::opt<std::string> targets{
      "targets", cl::value_desc("cpu,cuda"), cl::cat(category), cl::init("cpu"),
      cl::desc("Generate code for these kinds of targets (cpu). cuda: NVIDIA "
               "GPUs of compute capability 8.0 and newer")};
  cl::opt<std::string> levels{
      "levels", cl::value_desc("native|v2,v3,v4"), cl::cat(category),
      cl::desc("Generate code for these x86-64 ISA levels (all). native: for "
               "the level of this CPU only, in a third of the time")};
  cl::opt<std::string> target{"target", cl::value_desc("x86-64-v2|v3|v4"),
                              cl::cat(category),
                              cl::desc("Generate code for one ISA level only")};
  cl::opt<std::string> targetCpu{
      "target-cpu", cl::value_desc("native"), cl::cat(category),
      cl::desc("Generate code for the ISA level of this CPU, tuned for it")};
  cl::list<std::string> dims{"dim", cl::value_desc("name=number"),
                             cl::cat(category),
                             cl::desc("Bind a named extent")};
  cl::list<std::string> functions{
      "functions", cl::value_desc("test,score"), cl::cat(category),
      cl::desc("Remove the other functions, and the variables that only they "
               "use. May be repeated")};
  cl::list<std::string> keep{
      "keep", cl::value_desc("train:loss;test:digit"), cl::cat(category),
      cl::desc("Remove the other outputs of functions. May be repeated")};
  cl::opt<std::string> weights{
      "weights", cl::value_desc("file.safetensors"), cl::cat(category),
      cl::desc("Embed these values of the variables. init then assigns them "
               "and takes no seed")};
  cl::opt<std::string> convAlgorithm{
      "conv-algorithm", cl::value_desc("auto|direct|winograd"),
      cl::init("auto"), cl::cat(category),
      cl::desc("Use Winograd's algorithm, which rounds differently, for 3x3 "
               "convolutions: if it is faster, never, or whenever possible")};
  cl::opt<std::string> precision{
      "precision", cl::value_desc("f32|tf32"), cl::init("f32"),
      cl::cat(category),
      cl::desc(
          "The precision of operands of f32 products on NVIDIA GPUs: exact, "
          "or rounded for tensor cores")};
  cl::opt<std::string> trapNan{
      "trap-nan", cl::ValueOptional, cl::value_desc("all|nan"),
      cl::cat(category),
      cl::desc("Stop at the first NaN or infinity that an op computes, or only "
               "at NaN, and report the op. Slower")};
  cl::opt<std::string> prefix{"symbol-prefix", cl::value_desc("name"),
                              cl::cat(category),
                              cl::desc("Export <name>_tg_model_get")};
  cl::opt<bool> symbols{"symbols", cl::cat(category),
                        cl::desc("Keep the names of kernels for gdb and perf")};
  cl::opt<std::string> report{
      "report", cl::value_desc("file"), cl::cat(category),
      cl::desc("Write a report of kernels, memory, costs and times: "
               "model.json, or model.html for a page")};
  cl::opt<bool> hardPlacement{
      "hard-placement", cl::cat(category),
      cl::desc("Refuse ops that are placed on a device other than cpu:0")};
  cl::opt<bool> noWarnings{
      "no-warnings", cl::cat(category),
      cl::desc("Do not warn about unused inputs and variables")};
  cl::opt<bool> timing{"timing", cl::cat(category),
                       cl::desc("Print the seconds of each phase")};
  cl::opt<std::string> saveTemps{
      "save-temps", cl::value_desc("directory"), cl::cat(category),
      cl::desc("Write the result of each phase to this directory")};
  cl::opt<std::string> memoryBudget{
      "memory-budget", cl::value_desc("512M"), cl::cat(category),
      cl::desc("Recompute values so that the arena of each function fits into "
               "this size: bytes, or with K, M or G")};
  cl::opt<std::string> kernelCache{
      "kernel-cache", cl::value_desc("directory"), cl::cat(category),
      cl::desc("The directory of compiled kernels, for reuse. Default: the "
               "directory in TG_KERNEL_CACHE, or else the user's cache. \"\": "
               "none")};

  Flags() {
    stopAfter.getParser().setPhases(tg::Phase::library);
    startFrom.getParser().setPhases(tg::Phase::schedule);
  }
};
} // namespace

/// Returns the highest ISA level that this CPU supports.
static int nativeIsaLevel() {
  return tg::getCpuBackend().getCpuCode()->getNativeLevel();
}

/// Sets the ISA levels that --levels names.
static llvm::Error readIsaLevels(const Flags &flags, ToolOptions &options) {
  llvm::SmallVector<StringRef> names;
  StringRef(flags.levels).split(names, ',');
  std::vector<int> &levels = options.compile.levels;
  levels.clear();
  for (StringRef name : names) {
    std::optional<int> level = name == "native"
                                   ? nativeIsaLevel()
                                   : tg::getCpuBackend().parseTarget(name);
    if (!level)
      return llvm::createStringError("expected --levels to list v2, v3, v4 or "
                                     "native, found '" +
                                     name + "'");
    if (!llvm::is_contained(levels, *level))
      levels.push_back(*level);
  }
  llvm::sort(levels);
  return llvm::Error::success();
}

/// Sets the kinds of targets that --targets names.
static llvm::Error readKinds(Flags &flags, ToolOptions &options) {
  llvm::SmallVector<StringRef> names;
  StringRef(flags.targets).split(names, ',');
  std::vector<std::string> &kinds = options.compile.kinds;
  kinds.assign(names.begin(), names.end());
  std::string mistake = tg::sortTargetKinds(kinds);
  if (!mistake.empty())
    return llvm::createStringError("option 'targets': " + mistake);
  mistake = tg::checkPrecision(flags.precision, kinds);
  if (!mistake.empty())
    return llvm::createStringError("option 'precision': " + mistake);
  options.compile.precision = flags.precision;
  if (!flags.stopAfter.getParser().isPtx())
    return llvm::Error::success();
  if (flags.targets.getNumOccurrences() &&
      !llvm::is_contained(kinds, kPtxKind.str()))
    return llvm::createStringError("expected --targets to list " + kPtxKind +
                                   " for --stop-after=" + kPtxPhase +
                                   ", found '" + flags.targets + "'");
  kinds = {kPtxKind.str()};
  options.compile.onlyKind = kPtxKind.str();
  return llvm::Error::success();
}

/// Sets the ISA levels and the CPU to tune for.
static llvm::Error readTarget(const Flags &flags, ToolOptions &options) {
  tg::CompileOptions &compile = options.compile;
  bool isOneLevel = compile.stopAfter == tg::Phase::kernels ||
                    compile.stopAfter == tg::Phase::object;
  if (isOneLevel)
    compile.levels = {3};
  if (!flags.target.empty() && !flags.targetCpu.empty())
    return llvm::createStringError(
        "expected --target or --target-cpu, found both");
  if (flags.levels.getNumOccurrences() &&
      !(flags.target.empty() && flags.targetCpu.empty()))
    return llvm::createStringError("expected --levels without --target and "
                                   "--target-cpu, found both");
  if (flags.levels.getNumOccurrences())
    return readIsaLevels(flags, options);
  if (flags.targetCpu == "native") {
    compile.levels = {nativeIsaLevel()};
    compile.tune = llvm::sys::getHostCPUName().str();
  } else if (!flags.targetCpu.empty()) {
    return llvm::createStringError("expected --target-cpu=native, found '" +
                                   flags.targetCpu + "'");
  }
  if (flags.target.empty())
    return llvm::Error::success();
  const tg::Backend &backend = tg::getCpuBackend();
  std::optional<int> level = backend.parseTarget(flags.target);
  if (!level || backend.nameOf(*level) != flags.target)
    return llvm::createStringError(
        "expected --target to be x86-64-v2, x86-64-v3 or x86-64-v4, found '" +
        flags.target + "'");
  compile.levels = {*level};
  return llvm::Error::success();
}

/// Sets the memory budget in bytes, given as a number with an optional suffix
/// for 2^10, 2^20 or 2^30.
static llvm::Error readBudget(const Flags &flags, ToolOptions &options) {
  if (!flags.memoryBudget.getNumOccurrences())
    return llvm::Error::success();
  StringRef text = flags.memoryBudget;
  unsigned shift = text.consume_back("K")   ? 10
                   : text.consume_back("M") ? 20
                   : text.consume_back("G") ? 30
                                            : 0;
  int64_t number = 0;
  if (text.empty() || !llvm::all_of(text, llvm::isDigit) ||
      text.getAsInteger(10, number) || number == 0 ||
      number > INT64_MAX >> shift)
    return llvm::createStringError(
        "expected --memory-budget to be a number of bytes above 0, as 1000000, "
        "512K, 64M or 2G, found '" +
        flags.memoryBudget + "'");
  options.compile.memoryBudget = number << shift;
  return llvm::Error::success();
}

/// Sets the options that depend on the file names.
static llvm::Error readFiles(const Flags &flags, ToolOptions &options) {
  options.input = flags.input;
  options.output = flags.output;
  options.report = flags.report;
  options.compile.describe = !options.report.empty();
  return finishFiles(options);
}

llvm::Expected<ToolOptions> parseCommandLine(int argc, char **argv) {
  removeForeignOptions();
  static Flags flags;
  if (llvm::Error error = parseFlags(
          argc, argv, flags.category,
          "tgc: compiles a model to a library with a C interface\n\n"
          "tgc check-grad compares the gradients of a model with differences: "
          "see tgc check-grad --help\n"))
    return std::move(error);
  ToolOptions options;
  tg::CompileOptions &compile = options.compile;
  StringRef level = flags.optimization;
  if (level.size() != 1 || level[0] < '0' || level[0] > '3')
    return llvm::createStringError("expected -O0, -O1, -O2 or -O3, found -O" +
                                   level);
  compile.optimization = level[0] - '0';
  compile.stopAfter = flags.stopAfter;
  compile.printLocations = flags.printLocations;
  if (flags.startFrom.getNumOccurrences())
    compile.startFrom = flags.startFrom;
  if (compile.startFrom >= compile.stopAfter)
    return llvm::createStringError(
        "expected --stop-after to name a phase after that of --start-from, "
        "found " +
        tg::getPhase(compile.stopAfter).name + " and " +
        tg::getPhase(*compile.startFrom).name);
  compile.dims = llvm::join(flags.dims, ",");
  for (const cl::list<std::string> &list :
       {std::cref(flags.functions), std::cref(flags.keep)})
    if (llvm::is_contained(list, ""))
      return llvm::createStringError("expected names after --" + list.ArgStr +
                                     "=, found none");
  compile.functions = llvm::join(flags.functions, ",");
  compile.keep = llvm::join(flags.keep, ";");
  compile.weights = flags.weights;
  if (!tg::isConvAlgorithm(flags.convAlgorithm))
    return llvm::createStringError(
        "expected --conv-algorithm to be auto, direct or winograd, found '" +
        flags.convAlgorithm + "'");
  compile.convAlgorithm = flags.convAlgorithm;
  if (flags.trapNan.getNumOccurrences())
    compile.trapNan =
        flags.trapNan.empty() ? std::string("all") : std::string(flags.trapNan);
  if (!compile.trapNan.empty() && !tg::isTrap(compile.trapNan))
    return llvm::createStringError(
        "expected --trap-nan to be all or nan, found '" + flags.trapNan + "'");
  compile.hardPlacement = flags.hardPlacement;
  compile.symbolPrefix = flags.prefix;
  compile.keepsSymbols = flags.symbols;
  compile.saveTemps = flags.saveTemps;
  std::optional<std::string> kernelCache;
  if (flags.kernelCache.getNumOccurrences())
    kernelCache = flags.kernelCache;
  compile.kernelCache = kernelCache ? *kernelCache : tg::defaultKernelCache();
  compile.kernelArchive = tg::defaultKernelArchive(kernelCache);
  options.timing = flags.timing;
  options.warns = !flags.noWarnings;
  if (llvm::Error error = readKinds(flags, options))
    return std::move(error);
  if (llvm::Error error = readFiles(flags, options))
    return std::move(error);
  if (llvm::Error error = readBudget(flags, options))
    return std::move(error);
  if (llvm::Error error = readTarget(flags, options))
    return std::move(error);
  return options;
}
