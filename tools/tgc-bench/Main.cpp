//===- Main.cpp - measures compiled models --------------------------------===//
#include "Child.h"
#include "Growth.h"
#include "Parent.h"
#include "compiler/driver/Pipeline.h"
#include "tools/common/Targets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace tg;
using namespace tg::bench;

static constexpr char kHelp[] =
    R"(usage: tgc-bench <model.mlir> [options]    times a model's functions
       tgc-bench [options]                 times workloads

  --function <name>       the function of the model; default: all but init
  --dim <name>=<number>   the value of a dynamic extent; default: 32
  --target <level>        x86-64-v2, v3 or v4; default: the best of this CPU
  --workload <names>      names, prefix*, a list of them, or all (default)
  --device <name>         cpu (default), or cuda or cuda:1 for an NVIDIA GPU
  --mode <mode>           infer, train or all (default)
  --batch <number>        a batch size; 0 (default): all batch sizes
  --threads <number>      threads of a run; default: 2
  --optimization <0..3>   as -O of tgc; default: 2
  --conv-algorithm <name> of workloads: auto (default), direct or winograd
  --rounds <number>       turns of 0.25 s; default: 5
  --compile <number>      times the compiler instead, for models of this many
                          ops, of twice and of four times as many
  --json                  JSON lines
  --list                  prints the rows and stops
  --print                 prints the programs of the rows and stops
  --help                  prints this text
  --version               prints the version
  --child <json>          serves a harness that compares compilers
)";

namespace {

/// The command line.
struct Options {
  BenchOptions bench;
  std::string names = "all", mode = "all", child;
  /// A user's model; no model if its path is empty.
  UserRun user;
  int64_t batch = 0, ops = 0;
  bool list = false, print = false, help = false, version = false;
};

} // namespace

/// Parses `--<name> value` or `--<name>=value`. LLVM's own parser would add all
/// options of its libraries.
static bool takeValue(Options &options, llvm::StringRef name,
                      llvm::StringRef value) {
  auto toNumber = [&](auto &number) { return !value.getAsInteger(10, number); };
  auto toText = [&](std::string &text) {
    text = value.str();
    return true;
  };
  if (name == "--workload")
    return toText(options.names);
  if (name == "--mode")
    return toText(options.mode);
  if (name == "--child")
    return toText(options.child);
  if (name == "--function")
    return toText(options.user.function);
  if (name == "--dim") {
    options.user.dims += (options.user.dims.empty() ? "" : ",") + value.str();
    return value.contains('=');
  }
  if (name == "--target")
    return value.consume_front("x86-64-v") && toNumber(options.user.level) &&
           options.user.level >= 2 && options.user.level <= 4;
  if (name == "--device")
    return toText(options.bench.device) && parseDevice(options.bench.device);
  if (name == "--batch")
    return toNumber(options.batch);
  if (name == "--conv-algorithm")
    return toText(options.bench.convAlgorithm) && isConvAlgorithm(value);
  if (name == "--compile")
    return toNumber(options.ops) && options.ops > 0;
  if (name == "--threads")
    return toNumber(options.bench.threads) && options.bench.threads > 0;
  if (name == "--rounds")
    return toNumber(options.bench.rounds) && options.bench.rounds > 0;
  return name == "--optimization" && toNumber(options.bench.optimization) &&
         options.bench.optimization >= 0 && options.bench.optimization <= 3;
}

static bool takeFlag(Options &options, llvm::StringRef name) {
  bool *flag = name == "--json"      ? &options.bench.json
               : name == "--list"    ? &options.list
               : name == "--print"   ? &options.print
               : name == "--help"    ? &options.help
               : name == "--version" ? &options.version
                                     : nullptr;
  if (flag)
    *flag = true;
  return flag;
}

/// Returns true if all arguments are valid; prints the first invalid one.
static bool parse(llvm::ArrayRef<char *> arguments, Options &options) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto [name, value] = llvm::StringRef(arguments[i]).split('=');
    if (takeFlag(options, arguments[i]))
      continue;
    if (!llvm::StringRef(arguments[i]).starts_with("--") &&
        options.user.path.empty()) {
      options.user.path = arguments[i];
      continue;
    }
    if (!llvm::StringRef(arguments[i]).contains('=') &&
        i + 1 < arguments.size())
      value = arguments[++i];
    if (!takeValue(options, name, value)) {
      llvm::errs() << "tgc-bench: error: ";
      if (value.empty())
        llvm::errs() << "'" << name << "' is no option or lacks its value";
      else
        llvm::errs() << "cannot use '" << name << "' with '" << value << "'";
      llvm::errs() << ", see --help\n";
      return false;
    }
  }
  return true;
}

/// Measures the functions of a user's model.
static bool measureModel(UserRun run, const BenchOptions &options,
                         const std::string &program) {
  std::vector<std::string> names = listFunctions(run.path);
  if (names.empty())
    return false;
  if (!run.function.empty() && !llvm::is_contained(names, run.function)) {
    llvm::errs() << "tgc-bench: error: expected --function to be one of "
                 << llvm::join(names, ", ") << ", found '" << run.function
                 << "'\n";
    return false;
  }
  if (!run.function.empty())
    names = {run.function};
  run.threads = options.threads;
  run.optimization = options.optimization;
  Machine machine(options.threads);
  bool isCorrect = true;
  for (const std::string &name : names) {
    run.function = name;
    isCorrect &= measureFunction(run, options, machine, program);
  }
  return isCorrect;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  if (!parse({argv + 1, size_t(argc - 1)}, options))
    return 1;
  if (options.help || options.version) {
    llvm::outs() << (options.help ? kHelp
                                  : "tgc-bench of tgc " TG_VERSION "\n");
    return 0;
  }
  if (!options.child.empty())
    return runChild(options.child);
  if (options.ops)
    return measureGrowth(options.ops, options.bench.optimization,
                         options.bench.json)
               ? 0
               : 1;
  std::string program = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&main));
  if (!options.user.path.empty())
    return measureModel(options.user, options.bench, program) ? 0 : 1;
  std::vector<Row> rows = findRows(options.names, options.mode, options.batch);
  if (rows.empty()) {
    llvm::errs() << "tgc-bench: error: no such workload, mode and batch size\n";
    return 1;
  }
  bool isCorrect = true;
  Machine machine(options.bench.threads);
  for (const Row &row : rows) {
    if (options.list)
      llvm::outs() << row.workload->name
                   << (row.train ? " train b" : " infer b") << row.batch
                   << '\n';
    else if (options.print)
      llvm::outs() << programOf(row, row.inputRows());
    else
      isCorrect &= measureRow(row, options.bench, machine, program);
  }
  return isCorrect ? 0 : 1;
}
