//===- CompileReport.cpp - the costs of a compilation ---------------------===//
#include "compiler/driver/CompileReport.h"
#include "dialects/tg/Device.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <sys/resource.h>

using namespace tg;
namespace json = llvm::json;

/// Returns the peak resident set size of this process in bytes.
static int64_t peakBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

static json::Array formatTimes(const std::vector<PhaseTime> &times) {
  json::Array result;
  for (const PhaseTime &time : times) {
    json::Object entry{{"name", time.phase}, {"seconds", time.seconds}};
    if (!time.subphases.empty())
      entry["parts"] = formatTimes(time.subphases);
    result.push_back(std::move(entry));
  }
  return result;
}

static json::Array
formatPlacements(const std::vector<SoftPlacement> &placements) {
  json::Array result;
  for (const SoftPlacement &placement : placements)
    result.push_back(json::Object{{"device", placement.device},
                                  {"runs_on", kFirstDevice},
                                  {"operations", placement.operations}});
  return result;
}

/// Adds the workspace of a run to each function. Its size is only known after
/// kernels are compiled.
static void addWorkspaces(const json::Array &workspaces, json::Object &report) {
  json::Array *functions = report.getArray("functions");
  if (!functions)
    return;
  for (auto [function, workspace] : llvm::zip(*functions, workspaces)) {
    json::Object parts = *workspace.getAsObject();
    // If the size is known, it is also reported as in tg_plan_t.
    if (std::optional<int64_t> bytes = parts.getInteger("one_worker_bytes"))
      (*function.getAsObject())["workspace_bytes"] = *bytes;
    parts.erase("one_worker_bytes");
    (*function.getAsObject())["workspace"] = std::move(parts);
  }
}

std::string tg::formatReport(const CompileResult &result, ReportFormat format) {
  json::Object report;
  // Phases before `kernels` have no description.
  if (!result.description.empty())
    report = std::move(
        *llvm::cantFail(json::parse(result.description)).getAsObject());
  addWorkspaces(result.workspaces, report);
  report["phases"] = formatTimes(result.times);
  report["compiled_kernels"] =
      json::Object{{"all", int64_t(result.kernels)},
                   {"cached", int64_t(result.cachedKernels)}};
  if (!result.placements.empty())
    report["placements"] = formatPlacements(result.placements);
  report["file_bytes"] = int64_t(result.file.size());
  report["peak_bytes"] = peakBytes();
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (format == ReportFormat::page) {
    stream << json::Value(std::move(report));
    return makeReportPage(text);
  }
  stream << llvm::formatv("{0:2}", json::Value(std::move(report))) << '\n';
  return text;
}

/// Writes times, with the times of their parts indented.
static void writeTimes(const std::vector<PhaseTime> &times, unsigned depth,
                       llvm::raw_ostream &stream) {
  for (const PhaseTime &time : times) {
    stream.indent(4 * depth)
        << llvm::format("%9.3f s  ", time.seconds) << time.phase << '\n';
    writeTimes(time.subphases, depth + 1, stream);
  }
}

std::string tg::formatTiming(const CompileResult &result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  double total = 0;
  writeTimes(result.times, /*depth=*/0, stream);
  for (const PhaseTime &time : result.times)
    total += time.seconds;
  stream << llvm::format("%9.3f s  total, %.0f MB at most\n", total,
                         peakBytes() / 1e6);
  if (result.kernels)
    stream << result.kernels << " kernels, " << result.cachedKernels
           << " of them from the cache\n";
  return text;
}
