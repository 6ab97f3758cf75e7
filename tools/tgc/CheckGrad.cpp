//===- CheckGrad.cpp - the command tgc check-grad -------------------------===//
#include "CheckGrad.h"
#include "HostEvaluation.h"
#include "Options.h"
#include "compiler/frontend/text/DiagnosticPrinter.h"
#include "compiler/frontend/text/OutputFile.h"
#include "compiler/frontend/text/ReadModel.h"
#include "compiler/frontend/text/Stack.h"
#include "compiler/gradient_check/GradientCheck.h"
#include "tools/common/HostLibrary.h"
#include "tools/common/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include <cmath>
#include <deque>

namespace cl = llvm::cl;
using llvm::StringRef;

namespace {
/// The options, created when the command line is parsed instead of before main.
struct CheckFlags {
  cl::OptionCategory category{"tgc check-grad options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<model.mlir or ->"),
                             cl::init("-"), cl::cat(category)};
  cl::opt<double> delta{
      "delta", cl::init(1e-5), cl::cat(category),
      cl::desc("The step by which an element is moved to either side (1e-5)")};
  cl::opt<double> tolerance{
      "tolerance", cl::init(1e-5), cl::cat(category),
      cl::desc("The greatest relative error that passes (1e-5)")};
  cl::opt<unsigned> elements{
      "elements", cl::init(8), cl::cat(category),
      cl::desc("The number of elements of each variable that are moved one by "
               "one (8). One more check moves all elements together")};
  cl::opt<double> seconds{
      "seconds", cl::init(60), cl::cat(category),
      cl::desc("The time limit in seconds (60): fewer elements are moved if "
               "--elements need more. 0: no limit")};
  cl::opt<int64_t> seed{"seed", cl::init(0), cl::cat(category),
                        cl::desc("The seed of init and of random inputs (0)")};
  cl::opt<int64_t> extent{"extent", cl::init(3), cl::cat(category),
                          cl::desc("The value of every dynamic extent that "
                                   "--dim and --input do not set (3)")};
  cl::list<std::string> dims{"dim", cl::value_desc("name=number"),
                             cl::cat(category),
                             cl::desc("Bind a named extent")};
  cl::list<std::string> inputs{
      "input", cl::value_desc("name=number or file.npy"), cl::cat(category),
      cl::desc("The value of an input, or of all its elements. Other inputs "
               "are random: floats from [0, 1), and indices in range")};
  cl::opt<std::string> functions{
      "functions", cl::value_desc("train,tune"), cl::cat(category),
      cl::desc("Check the gradients of these functions alone")};
  cl::opt<std::string> weights{
      "weights", cl::value_desc("file.safetensors"), cl::cat(category),
      cl::desc(
          "Use these values of the variables instead of the values of init")};
  cl::list<std::string> hosts{
      "host", cl::value_desc("library.so"), cl::cat(category),
      cl::desc("The host functions that the model calls, as for tgc-run")};
  cl::opt<std::string> json{"json", cl::value_desc("file"), cl::cat(category),
                            cl::desc("Write the comparison as JSON. -: to the "
                                     "standard output, instead of the table")};
  cl::opt<bool> holdStopped{
      "hold-stopped", cl::cat(category),
      cl::desc("Treat results of tg.stop_gradient as constants, so that a "
               "stopped gradient is not reported as wrong")};
  cl::opt<bool> holdGiven{
      "hold-given", cl::cat(category),
      cl::desc("Treat results of tg.custom_gradient as constants, so that its "
               "gradient is not compared with differences")};
};
} // namespace

/// Reads an input that is given as a number or as a file.
static llvm::Error readInput(mlir::MLIRContext &context, StringRef text,
                             tg::GradientCheckOptions &options) {
  auto [name, value] = text.split('=');
  if (name.empty() || value.empty())
    return llvm::createStringError("expected --input name=number or "
                                   "name=file.npy, found '" +
                                   text + "'");
  if (double number; !value.getAsDouble(number)) {
    options.numbers[name.str()] = number;
    return llvm::Error::success();
  }
  tg::NpyArray array;
  std::string error;
  if (!tg::readNpy(value.str(), array, error))
    return llvm::createStringError(error);
  for (const tg::ElementTypeInfo &row : tg::kElementTypes) {
    if (row.dtype.code != array.dtype.code ||
        row.dtype.bits != array.dtype.bits)
      continue;
    auto element = tg::ElementType(&row - tg::kElementTypes);
    tg::HostTensor tensor(tg::mlirTypeOf(element, &context), array.shape);
    std::copy(array.data.begin(), array.data.end(), tensor.data());
    options.inputs[name.str()] = std::move(tensor);
  }
  return llvm::Error::success();
}

/// Collects the functions of the libraries, which stay loaded.
static llvm::Error readHosts(const CheckFlags &flags,
                             std::deque<tg::HostLibrary> &libraries,
                             tg::GradientCheckOptions &options) {
  for (const std::string &path : flags.hosts) {
    std::string error;
    std::optional<tg::HostLibrary> library = tg::HostLibrary::open(path, error);
    if (!library)
      return llvm::createStringError(error);
    const tg_host_t &table =
        libraries.emplace_back(std::move(*library)).table();
    for (uint32_t i = 0; i < table.function_count; ++i)
      options.hostFunctions[table.functions[i]->name] =
          tg::adaptHostFunction(*table.functions[i]);
  }
  return llvm::Error::success();
}

/// Reads the options that do not depend on the model.
static llvm::Error readOptions(const CheckFlags &flags,
                               mlir::MLIRContext &context,
                               tg::GradientCheckOptions &options) {
  auto isPositive = [](double number) {
    return number > 0 && std::isfinite(number);
  };
  if (!isPositive(flags.delta) || !isPositive(flags.tolerance))
    return llvm::createStringError(
        "expected --delta and --tolerance to be above 0, found %g and %g",
        flags.delta.getValue(), flags.tolerance.getValue());
  if (!(flags.seconds >= 0) || !std::isfinite(flags.seconds))
    return llvm::createStringError(
        "expected --seconds to be at least 0, found %g",
        flags.seconds.getValue());
  if (flags.extent < 0)
    return llvm::createStringError(
        "expected --extent to be at least 0, found " +
        llvm::Twine(flags.extent.getValue()));
  options.delta = flags.delta;
  options.tolerance = flags.tolerance;
  options.elements = flags.elements;
  options.seconds = flags.seconds;
  options.seed = flags.seed;
  options.extent = flags.extent;
  options.dims = llvm::join(flags.dims, ",");
  options.functions = flags.functions;
  options.holdsStopped = flags.holdStopped;
  options.holdsGiven = flags.holdGiven;
  options.weights = flags.weights;
  for (const std::string &input : flags.inputs)
    if (llvm::Error error = readInput(context, input, options))
      return error;
  return llvm::Error::success();
}

/// Runs the check and prints the result. Returns the exit status.
static llvm::Expected<int> check(const CheckFlags &flags) {
  mlir::DialectRegistry registry;
  tg::registerModelDialects(registry);
  mlir::MLIRContext context(registry);
  std::deque<tg::HostLibrary> libraries; // outlive the functions
  tg::GradientCheckOptions options;
  if (llvm::Error error = readOptions(flags, context, options))
    return std::move(error);
  if (llvm::Error error = readHosts(flags, libraries, options))
    return std::move(error);
  llvm::SourceMgr sources;
  tg::DiagnosticPrinter printer(context, sources, llvm::errs(), "tgc");
  mlir::OwningOpRef<mlir::ModuleOp> module =
      tg::readModel(context, sources, flags.input);
  tg::GradientCheckResult result;
  if (!module || mlir::failed(tg::checkGradients(*module, options, result)))
    return 1;
  if (flags.json != "-")
    llvm::outs() << tg::formatGradientCheck(result);
  std::string json = tg::formatGradientCheckAsJson(result);
  if (!flags.json.empty())
    if (llvm::Error error = tg::writeFileAtomically(
            flags.json, {StringRef(json)}, tg::kDataMode, tg::OnSignal::Remove))
      return std::move(error);
  return result.wrong == 0 ? 0 : 1;
}

int runCheckGrad(int argc, char **argv) {
  auto report = [](llvm::Error error) {
    llvm::errs() << "tgc: error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  };
  removeForeignOptions();
  static CheckFlags flags;
  if (llvm::Error error =
          parseFlags(argc, argv, flags.category,
                     "tgc check-grad: compares the gradients of a model with "
                     "differences, in f64\n"))
    return report(std::move(error));
  std::optional<llvm::Expected<int>> status;
  if (llvm::Error error =
          tg::runOnLargeStack([&] { status.emplace(check(flags)); })) {
    if (status)
      llvm::consumeError(status->takeError());
    return report(std::move(error));
  }
  return *status ? **status : report(status->takeError());
}
