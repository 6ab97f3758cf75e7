/// Reads and compares traces of bits.
#include "CompareBits.h"

#include "BitsTrace.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

using namespace tg;
using Json = nlohmann::ordered_json;

namespace {

/// A run of a step in a file.
struct StepRun {
  uint64_t call, step, run;
  std::string kernel, layers, line;
  std::vector<std::string> results;

  /// Returns true if both are one run of one step of the source. Kernels may
  /// differ, because their names contain their algorithms.
  bool isSameStep(const StepRun &other) const {
    return call == other.call && step == other.step && run == other.run &&
           layers == other.layers && line == other.line &&
           results.size() == other.results.size();
  }
};

/// A file that BitsTrace wrote.
class TraceFile {
public:
  explicit TraceFile(const std::string &path);

  const std::string &path() const { return name; }
  const std::string &function() const { return functionName; }
  size_t size() const { return lines.size(); }
  /// Parses line `index` after the first one.
  StepRun at(size_t index) const;

private:
  [[noreturn]] void refuse(const std::string &what) const {
    throw RuntimeError(TG_ERROR_FORMAT, "'" + name + "' " + what);
  }
  void readHeader(std::string_view line);

  std::string name, text, functionName;
  std::vector<std::string_view> lines;
};

} // namespace

/// Parses a line; returns a discarded value if it is not JSON.
static Json parse(std::string_view line) {
  return Json::parse(line.begin(), line.end(), nullptr,
                     /*allow_exceptions=*/false);
}

TraceFile::TraceFile(const std::string &path) : name(path) {
  std::ifstream stream(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream)
    throw RuntimeError(TG_ERROR_IO, "'" + path + "': cannot read the trace");
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  readHeader(lines.empty() ? "" : lines.front());
}

void TraceFile::readHeader(std::string_view line) {
  const Json header = parse(line);
  if (!header.is_object() ||
      header.value("format", Json()) != BitsTrace::format)
    refuse("is no trace of bits, expected a file of tgc-run --trace-bits");
  const Json version = header.value("version", Json());
  if (version != BitsTrace::version)
    refuse("has version " + version.dump() + " of the format, expected " +
           std::to_string(BitsTrace::version));
  const Json function = header.value("function", Json());
  if (!function.is_string())
    refuse("names no function in line 1, expected a file of tgc-run "
           "--trace-bits");
  functionName = function.get<std::string>();
  lines.erase(lines.begin());
  const Json count = header.value("lines", Json());
  if (count != lines.size())
    refuse("has " + std::to_string(lines.size()) +
           " lines after the first, expected " + count.dump());
}

StepRun TraceFile::at(size_t index) const {
  const Json json = parse(lines[index]);
  try {
    StepRun run;
    for (auto [key, number] :
         {std::pair("call", &run.call), std::pair("step", &run.step),
          std::pair("run", &run.run)})
      *number = json.at(key).get<uint64_t>();
    for (auto [key, word] :
         {std::pair("kernel", &run.kernel), std::pair("layers", &run.layers),
          std::pair("line", &run.line)})
      *word = json.at(key).get<std::string>();
    run.results = json.at("results").get<std::vector<std::string>>();
    return run;
  } catch (const Json::exception &) {
    refuse("has no step in line " + std::to_string(index + 2) +
           ", expected a file of tgc-run --trace-bits");
  }
}

/// Returns "call 0, step 3, run 0: kernel 'k', net/Linear, net.mlir:3".
static std::string describeRun(const StepRun &run) {
  std::string text = "call " + std::to_string(run.call) + ", step " +
                     std::to_string(run.step) + ", run " +
                     std::to_string(run.run) + ": kernel '" + run.kernel + "'";
  for (const std::string &part : {run.layers, run.line})
    if (!part.empty())
      text += ", " + part;
  return text;
}

/// Returns the difference of two runs of one step; "" if there is none.
static std::string describeDifference(const StepRun &a, const StepRun &b) {
  for (size_t i = 0; i < a.results.size(); ++i)
    if (a.results[i] != b.results[i])
      return describeRun(a) +
             (a.kernel == b.kernel ? "" : ", and kernel '" + b.kernel + "'") +
             ": result " + std::to_string(i) + " has the digests " +
             a.results[i] + " and " + b.results[i] + "\n";
  return "";
}

BitsComparison tg::compareBits(const std::string &first,
                               const std::string &second) {
  const TraceFile a(first), b(second);
  if (a.function() != b.function())
    throw RuntimeError(TG_ERROR_FORMAT, "'" + second + "' is of function '" +
                                            b.function() + "', expected '" +
                                            a.function() + "' as in '" + first +
                                            "'");
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const StepRun one = a.at(i), other = b.at(i);
    if (!one.isSameStep(other))
      throw RuntimeError(TG_ERROR_FORMAT, "'" + second + "' has in line " +
                                              std::to_string(i + 2) + " " +
                                              describeRun(other) +
                                              ", expected as in '" + first +
                                              "' " + describeRun(one));
    if (std::string text = describeDifference(one, other); !text.empty())
      return {false, std::move(text)};
  }
  if (a.size() != b.size())
    throw RuntimeError(TG_ERROR_FORMAT,
                       "'" + second + "' has " + std::to_string(b.size()) +
                           " runs of steps, expected " +
                           std::to_string(a.size()) + " as in '" + first + "'");
  return {true, "the results of " + std::to_string(a.size()) +
                    " runs of steps are equal\n"};
}
