/// Formats profiles as JSON and as pages.
#include "ProfileReport.h"

#include "StepSource.h"

#include "tools/common/Targets.h"
#include "tools/report/ReportPage.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace tg;
using Json = nlohmann::ordered_json;

/// Splits "a, b" from the library's tables into a list.
static Json splitNames(std::string_view names) {
  Json list = Json::array();
  while (!names.empty()) {
    size_t end = names.find(", ");
    list.push_back(names.substr(0, end));
    names = end == names.npos ? "" : names.substr(end + 2);
  }
  return list;
}

/// Formats JSON. Invalid UTF-8 in names becomes the replacement character.
static std::string format(const Json &json, int indentation) {
  return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

Json ProfileReport::measured() const {
  Json steps = Json::array();
  for (const Row &row : rows()) {
    const tg_step_t &step = *function.steps[row.step];
    const std::string source = describeSource(model, step);
    steps.push_back({{"step", row.step},
                     {"kernel", step.name},
                     {"ops", splitNames(step.ops)},
                     {"layers", splitNames(step.layers)},
                     {"lines", source.empty() ? Json::array() : Json{source}},
                     {"seconds", row.seconds},
                     {"share", row.share},
                     {"flops", first.flops[row.step]},
                     {"traffic_bytes", first.bytes[row.step]},
                     {"flops_per_second", row.flopsPerSecond},
                     {"bytes_per_second", row.bytesPerSecond}});
  }
  Json symbols = Json::object();
  for (uint32_t i = 0; i < function.symbol_count; ++i)
    symbols[function.symbols[i]->name] = first.symbols[i];
  return {{"model", model.name},
          {"function", function.name},
          {"symbols", std::move(symbols)},
          {"threads", threads},
          {"runs", runs},
          {"seconds", seconds / double(runs)},
          {"limits",
           {{"flops_per_second", peakFlops}, {"bytes_per_second", peakBytes}}},
          {"steps", std::move(steps)}};
}

Json ProfileReport::trace() const {
  Json list = Json::array();
  for (size_t i = 0; i < events.size(); ++i) {
    const tg_step_t &step = *function.steps[i % totals.size()];
    list.push_back(
        {{"name", step.name},
         {"cat", "kernel"},
         {"ph", "X"},
         {"ts", double(events[i].first - events[0].first) * 1e-3},
         {"dur", double(events[i].second - events[i].first) * 1e-3},
         {"pid", 1},
         {"tid", 1},
         {"args",
          {{"layers", step.layers}, {"source", describeSource(model, step)}}}});
  }
  return list;
}

std::string ProfileReport::toJson() const {
  Json all = measured();
  all["displayTimeUnit"] = "ms";
  all["traceEvents"] = trace();
  return format(all, 1) + "\n";
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

/// Returns the member with that name in a list; null if there is none.
static Json *findNamed(Json &list, std::string_view name) {
  for (Json &entry : list)
    if (entry.is_object() && entry.contains("name") && entry["name"] == name)
      return &entry;
  return nullptr;
}

Json ProfileReport::ownReport() const {
  Json report =
      Json::parse(model.metadata, model.metadata + model.metadata_bytes,
                  nullptr, /*allow_exceptions=*/false);
  if (!report.is_object())
    report = Json::object();
  report["model"] = model.name;
  Json description = {{"name", function.name}};
  if (Json *known = findNamed(report["functions"], function.name))
    description = *known;
  Json steps = Json::array();
  for (uint32_t i = 0; i < totals.size(); ++i) {
    const tg_step_t &step = *function.steps[i];
    const std::string source = describeSource(model, step);
    steps.push_back({{"kernel", step.name},
                     {"flops", first.flops[i]},
                     {"traffic_bytes", first.bytes[i]},
                     {"layers", splitNames(step.layers)},
                     {"lines", source.empty() ? Json::array() : Json{source}}});
    if (Json *kernel = findNamed(report["kernels"], step.name))
      (*kernel)["ops"] = splitNames(step.ops);
  }
  description["steps"] = std::move(steps);
  report["functions"] = Json::array({std::move(description)});
  return report;
}

static RuntimeError foreignReport(const std::string &file,
                                  const std::string &what) {
  return RuntimeError(TG_ERROR_FORMAT, "'" + file + "' " + what);
}

/// Reads a report from a file, which is JSON or a page.
static Json readReport(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream)
    throw RuntimeError(TG_ERROR_IO, "'" + file + "': cannot read the report");
  const std::string_view json = findReportIn(text).value_or(text);
  Json report = Json::parse(json.begin(), json.end(), nullptr,
                            /*allow_exceptions=*/false);
  if (report.is_object() && report.contains("functions") &&
      report["functions"].is_array())
    return report;
  throw foreignReport(file, "is no report, expected a file of tgc --report");
}

/// Returns the name that the library has for a step of a report.
static Json nameOfStep(const Json &step) {
  if (!step.is_object())
    return "copy";
  for (const char *key : {"kernel", "cuda_kernel"})
    if (step.contains(key))
      return step[key];
  if (!step.contains("host") || !step["host"].is_string())
    return "copy";
  const auto action = step["host"].get<std::string>();
  if (action == "call" && step.contains("text"))
    return step["text"];
  return "tg." + action;
}

void ProfileReport::checkReport(const Json &report,
                                const std::string &file) const {
  Json functions = report["functions"];
  const Json *description = findNamed(functions, function.name);
  const Json steps = description && description->contains("steps")
                         ? (*description)["steps"]
                         : Json::array();
  if (steps.size() != totals.size())
    throw foreignReport(file, "has " + std::to_string(steps.size()) +
                                  " steps of function '" + function.name +
                                  "', expected a report of this library with " +
                                  std::to_string(totals.size()));
  for (uint32_t i = 0; i < totals.size(); ++i) {
    const Json name = nameOfStep(steps[i]);
    if (name != function.steps[i]->name)
      throw foreignReport(file, "has step " + std::to_string(i) +
                                    " of function '" + function.name + "' as " +
                                    format(name, -1) +
                                    ", expected a report of this library with "
                                    "'" +
                                    function.steps[i]->name + "'");
  }
}

/// Replaces the data of the first plan of a report by those of the plan for a
/// kind of targets, if the report has one.
static void selectPlan(Json &report, const char *kind) {
  if (!report.contains("plans") || !report["plans"].is_object())
    return;
  const Json plans = report["plans"];
  report.erase("plans");
  if (!plans.contains(kind) || !plans[kind].is_object())
    return;
  for (const auto &[key, value] : plans[kind].items())
    report[key] = value;
}

void ProfileReport::useReport(const std::string &file) {
  Json report = readReport(file);
  if (const int32_t device = deviceOf(model))
    selectPlan(report, kindOfDevice(device));
  checkReport(report, file);
  reportText = format(report, -1);
}

std::string ProfileReport::toPage() const {
  // A view has the parser of the other texts; a string would have one more.
  Json report = reportText.empty() ? ownReport()
                                   : Json::parse(std::string_view(reportText));
  // Only the last profile of each function is kept.
  Json profiles = Json::array();
  if (report.contains("profiles") && report["profiles"].is_array())
    for (Json &profile : report["profiles"])
      if (profile.is_object() && profile.contains("function") &&
          profile["function"] != function.name)
        profiles.push_back(std::move(profile));
  profiles.push_back(measured());
  report["profiles"] = std::move(profiles);
  return makeReportPage(format(report, -1));
}
