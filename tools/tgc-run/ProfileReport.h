/// The times of runs as a text table, as JSON and as an HTML page.
#ifndef TG_TOOLS_TGCRUN_PROFILEREPORT_H
#define TG_TOOLS_TGCRUN_PROFILEREPORT_H

#include "tg/runtime.hpp"

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tg {

/// Returns the type of the device whose table a model is; 0 for a CPU.
inline int32_t deviceOf(const tg_model_t &model) {
  return TG_HAS(tg_model_t, &model, device_type) ? model.device_type : 0;
}

/// Accumulates the profiles of runs of one function with the same extents.
class ProfileReport {
public:
  /// Creates an empty report. `threads` has the meaning of ContextOptions.
  /// `model` and `function` must outlive this object.
  ProfileReport(const tg_model_t &model, const tg_function_t &function,
                uint32_t threads);

  /// Adds one run, and the total time that it took.
  void add(const Profile &profile, std::chrono::duration<double> took);

  /// Measures the peak rates of the CPU with the same number of threads. Does
  /// nothing for a model on a device, whose peak rates are not known.
  void measureMachine();

  /// Returns a table with a line per step, in descending order of time.
  std::string describe() const;

  /// Returns the data of the table as JSON. It is also a trace in the
  /// trace-event format, which ignores unknown fields. Fields have the same
  /// names as in reports of tgc.
  std::string toJson() const;

  /// Reads a report written by tgc, JSON or HTML. toPage() adds the times to
  /// it. Throws RuntimeError if the file is no report of this library.
  void useReport(const std::string &file);

  /// Returns an HTML page with the times, based on the report of useReport()
  /// or, without one, on the data that the library contains.
  std::string toPage() const;

private:
  using Json = nlohmann::ordered_json;
  /// Returns the measurements without the trace.
  Json measured() const;
  Json trace() const;
  /// Returns a report of the data that the library contains about the function.
  Json ownReport() const;
  /// Throws unless the report has the steps of the function.
  void checkReport(const Json &report, const std::string &file) const;

  /// The row of one step: the seconds per run, the fraction of the run's time,
  /// and the rates.
  struct Row {
    uint32_t step;
    double seconds, share;
    double flopsPerSecond, bytesPerSecond;
  };
  std::vector<Row> rows() const;

  const tg_model_t &model;
  const tg_function_t &function;
  uint32_t threads;
  uint64_t runs = 0;
  double seconds = 0;           // of all runs
  std::vector<uint64_t> totals; // nanoseconds, by step
  Profile first;                // its extents and costs are those of all runs
  /// The begin and end of every step of the first runs, in nanoseconds.
  std::vector<std::pair<uint64_t, uint64_t>> events;
  std::string reportText;              // JSON of useReport; empty: none
  double peakFlops = 0, peakBytes = 0; // per second; 0: unknown
};

} // namespace tg

#endif // TG_TOOLS_TGCRUN_PROFILEREPORT_H
