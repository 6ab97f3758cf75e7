/// Reads inputs, runs a function and writes outputs.
#include "Execute.h"

#include "BitsTrace.h"
#include "DigestReport.h"
#include "ProfileReport.h"

#include "runtime/messages/Suggestion.h"
#include "tools/common/ModelHost.h"
#include "tools/common/Npy.h"
#include "tools/common/WholeFile.h"
#include "tools/report/ReportPage.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <deque>
#include <set>

using namespace tg;

/// Returns "; did you mean 'train'?" for an entry with a similar name, or "".
template <typename Entry>
static std::string suggestNearest(const Entry *const *entries, uint32_t count,
                                  const std::string &name) {
  Suggestion suggestion = suggestFrom(entries, count, name.c_str());
  return suggestion.hasNearest() ? suggestion.describe() : "";
}

/// Returns the function with a name. The error lists the names of all
/// functions.
static const tg_function_t &findFunction(const tg_model_t &model,
                                         const std::string &name) {
  std::string known;
  for (uint32_t i = 0; i < model.function_count; ++i) {
    if (name == model.functions[i]->name)
      return *model.functions[i];
    known += std::string(i ? ", " : "") + model.functions[i]->name;
  }
  throw RuntimeError(
      TG_ERROR_NOT_FOUND,
      "no function '" + name + "', expected one of " + known +
          suggestNearest(model.functions, model.function_count, name));
}

static const tg_value_t &findValue(const tg_function_t &function,
                                   const tg_value_t *const *values,
                                   uint32_t count, const char *kind,
                                   const std::string &name) {
  std::string known;
  for (uint32_t i = 0; i < count; ++i) {
    if (name == values[i]->name)
      return *values[i];
    known += std::string(i ? ", " : "") + values[i]->name;
  }
  throw RuntimeError(
      TG_ERROR_NOT_FOUND,
      std::string(function.name) + ": no " + kind + " '" + name +
          "', expected " +
          (count ? "one of " + known : std::string("none, it has no ") + kind) +
          suggestNearest(values, count, name));
}

/// Parses a number for an input. Throws if the input's type cannot represent
/// it.
static Value parseNumber(const tg_value_t &value, const std::string &text) {
  const char *begin = text.data();
  const char *end = begin + text.size();
  const tg_dtype_t dtype = value.dtype;
  int64_t integer;
  auto [afterInteger, status] = std::from_chars(begin, end, integer);
  const bool isInteger = status == std::errc() && afterInteger == end;
  if (dtype.code == TG_DTYPE_FLOAT) {
    double real;
    const auto [after, realStatus] = std::from_chars(begin, end, real);
    if (realStatus == std::errc() && after == end) {
      const bool fits = dtype.bits >= 64 || std::isinf(real) ||
                        !std::isinf(static_cast<float>(real));
      if (fits)
        return real;
    }
  } else if (isInteger) {
    const bool isSigned = dtype.code == TG_DTYPE_INT;
    const uint32_t bits = dtype.code == TG_DTYPE_BOOL ? 1 : dtype.bits;
    const bool fits =
        isSigned ? bits == 64 || (integer >= -(int64_t(1) << (bits - 1)) &&
                                  integer < int64_t(1) << (bits - 1))
                 : integer >= 0 && (bits == 64 || integer < int64_t(1) << bits);
    if (fits)
      return integer;
  }
  throw RuntimeError(TG_ERROR_DTYPE, "input '" + std::string(value.name) +
                                         "' is '" + text +
                                         "', expected a file.npy or a number "
                                         "in the range of type " +
                                         tg_dtype_name(dtype));
}

/// Returns true if an argument names a file rather than a number.
static bool isNpyPath(const std::string &text) {
  return text.size() > 4 && text.compare(text.size() - 4, 4, ".npy") == 0;
}

/// Reads the value of one --input. `arrays` owns the content of files.
static Value readInput(const tg_value_t &value, const std::string &text,
                       std::deque<NpyArray> &arrays) {
  if (!isNpyPath(text))
    return parseNumber(value, text);
  NpyArray &array = arrays.emplace_back();
  std::string error;
  if (!readNpy(text, array, error))
    throw RuntimeError(TG_ERROR_IO, error);
  tg_tensor_t tensor = {};
  tensor.data = array.data.data();
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = static_cast<int32_t>(array.shape.size());
  tensor.dtype = array.dtype;
  tensor.shape = array.shape.data();
  return tensor;
}

static void writeOutput(const Outputs &outputs, const tg_value_t &value,
                        const std::string &path) {
  std::string error;
  if (!writeNpy(path, value.dtype, outputs.shape(value.name),
                outputs.bytes(value.name), error))
    throw RuntimeError(TG_ERROR_IO, error);
}

/// Prints "loss = 0.25" for a scalar, and the type and shape of other outputs.
static void printOutput(const Outputs &outputs, const tg_value_t &value) {
  const std::span<const int64_t> shape = outputs.shape(value.name);
  if (!shape.empty()) {
    std::printf("%s: %s [", value.name, tg_dtype_name(value.dtype));
    for (size_t i = 0; i < shape.size(); ++i)
      std::printf("%s%lld", i ? ", " : "", static_cast<long long>(shape[i]));
    std::printf("], not written\n");
    return;
  }
  char text[64];
  const char *end = detail::visitElement(value.dtype, [&](auto element) {
    std::memcpy(&element, outputs.bytes(value.name).data(), sizeof(element));
    // The sign of NaN means nothing.
    if (element != element)
      return std::strcpy(text, "nan") + 3;
    // The shortest text that parses to the same number.
    return std::to_chars(text, text + sizeof(text), element).ptr;
  });
  std::printf("%s = %.*s\n", value.name, static_cast<int>(end - text), text);
}

/// Runs as often as requested and prints the profile on stderr.
static const Outputs &runProfiled(const Model &model, Context &context,
                                  const RunOptions &options,
                                  const std::vector<Input> &inputs) {
  Profile profile;
  const Outputs *outputs = nullptr;
  ProfileReport report(model.tables(), model.function(options.function),
                       options.threads);
  if (!options.reportPath.empty())
    report.useReport(options.reportPath);
  for (uint64_t i = 0; i < options.repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    outputs = &context.run(options.function, inputs, profile);
    report.add(profile, std::chrono::steady_clock::now() - begin);
  }
  report.measureMachine();
  std::fputs(report.describe().c_str(), stderr);
  if (options.profilePath.empty())
    return *outputs;
  std::string error;
  const bool isPage = reportFormatOf(options.profilePath) == ReportFormat::page;
  if (!writeWholeFile(options.profilePath,
                      isPage ? report.toPage() : report.toJson(), {}, error))
    throw RuntimeError(TG_ERROR_IO, error);
  return *outputs;
}

/// Runs as often as requested and writes the trace of the results of steps.
static const Outputs &runTraced(const Model &model, Context &context,
                                const RunOptions &options,
                                const std::vector<Input> &inputs) {
  const Outputs *outputs = nullptr;
  BitsTrace trace(model.tables(), model.function(options.function));
  for (uint64_t i = 0; i < options.repeat; ++i) {
    trace.beginCall();
    outputs = &context.run(
        options.function, inputs,
        [&](uint32_t step, uint32_t index, const tg_step_result_t &result) {
          trace.add(step, index, result);
        });
  }
  std::string error;
  if (!writeWholeFile(options.tracePath, trace.toText(), {}, error))
    throw RuntimeError(TG_ERROR_IO, error);
  return *outputs;
}

/// Runs as often as requested and prints the time of a run on stderr.
static const Outputs &runAll(Context &context, const RunOptions &options,
                             const std::vector<Input> &inputs) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const Outputs *outputs = nullptr;
  for (uint64_t i = 0; i < options.repeat; ++i)
    outputs = &context.run(options.function, inputs);
  if (options.repeat > 1) {
    const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
    std::fprintf(stderr, "%llu runs, %.4g ms each\n",
                 static_cast<unsigned long long>(options.repeat),
                 took.count() / static_cast<double>(options.repeat));
  }
  return *outputs;
}

/// Returns the error of a run with uninitialized variables, which suggests the
/// options that initialize them.
static RuntimeError uninitialized(const tg_model_t &model,
                                  const std::string &function) {
  std::string message = function + ": the variables have no values yet, "
                                   "expected --load FILE";
  for (uint32_t i = 0; i < model.function_count; ++i) {
    const tg_function_t &initial = *model.functions[i];
    if (!(initial.flags & TG_FUNCTION_INITIALIZES))
      continue;
    message += std::string("; '") + initial.name;
    if (initial.input_count)
      message += std::string(" --input ") + initial.inputs[0]->name + "=N";
    message += " --save FILE' in place of '" + function + "' makes one";
  }
  return RuntimeError(TG_ERROR_SLAB, message);
}

static const Outputs &run(const Model &model, Context &context,
                          const RunOptions &options,
                          const std::vector<Input> &inputs) {
  try {
    if (!options.tracePath.empty())
      return runTraced(model, context, options, inputs);
    return options.profile ? runProfiled(model, context, options, inputs)
                           : runAll(context, options, inputs);
  } catch (const RuntimeError &error) {
    if (error.status() == TG_ERROR_SLAB && options.load.empty())
      throw uninitialized(model.tables(), options.function);
    throw;
  }
}

/// Checks that --seed is not used in place of an input of this name.
static void checkSeed(const tg_function_t &function,
                      const RunOptions &options) {
  if (!options.seed)
    return;
  for (const auto &[name, text] : options.inputs)
    if (name == "seed")
      return;
  for (uint32_t i = 0; i < function.input_count; ++i)
    if (!(function.inputs[i]->flags & TG_VALUE_SEED) &&
        function.inputs[i]->name == std::string("seed"))
      throw RuntimeError(
          TG_ERROR_NOT_FOUND,
          std::string(function.name) +
              ": no input 'seed' was given; did you mean "
              "'--input seed=" +
              std::to_string(*options.seed) +
              "'? --seed is for functions without such an input");
}

void tg::execute(const Model &model, const RunOptions &options) {
  const tg_function_t &function =
      findFunction(model.tables(), options.function);
  checkSeed(function, options);
  std::set<std::string> requested, given;
  for (const auto &[name, path] : options.outputs) {
    findValue(function, function.outputs, function.output_count, "output",
              name);
    if (!requested.insert(name).second)
      throw RuntimeError(TG_ERROR_COUNT, std::string(function.name) +
                                             ": output '" + name +
                                             "' is requested twice");
  }
  std::deque<NpyArray> arrays; // stable addresses, which inputs point to
  std::vector<Input> inputs;
  for (const auto &[name, text] : options.inputs) {
    const tg_value_t &value = findValue(function, function.inputs,
                                        function.input_count, "input", name);
    if (!given.insert(name).second)
      throw RuntimeError(TG_ERROR_COUNT, std::string(function.name) +
                                             ": input '" + name +
                                             "' is given twice");
    inputs.push_back({value.name, readInput(value, text, arrays)});
  }
  std::deque<HostLibrary> libraries; // outlive the context
  Context context = model.context(
      {.threads = options.threads, .host = makeHost(options.hosts, libraries)});
  if (!options.load.empty())
    context.load(options.load, options.loading);
  context.setSeed(options.seed.value_or(0));
  const Outputs &outputs = run(model, context, options, inputs);
  if (!options.save.empty())
    context.save(options.save);
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const tg_value_t &value = *function.outputs[i];
    const std::string *path = nullptr;
    for (const auto &[name, file] : options.outputs)
      if (name == value.name)
        path = &file;
    if (path)
      writeOutput(outputs, value, *path);
    else
      printOutput(outputs, value);
  }
  if (options.digest)
    std::fputs(
        describeDigests(model.tables(), function, outputs, context).c_str(),
        stdout);
}
