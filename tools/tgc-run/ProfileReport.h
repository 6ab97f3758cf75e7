/// The times of runs, as a table, as JSON and as a page.
#ifndef TG_TOOLS_TGCRUN_PROFILEREPORT_H
#define TG_TOOLS_TGCRUN_PROFILEREPORT_H

#include "tg/runtime.hpp"

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tg {

/// Adds up the profiles of runs of one function with the same extents.
class ProfileReport {
public:
  /// threads as in ContextOptions. The tables must outlive this.
  ProfileReport(const tg_model_t &model, const tg_function_t &function,
                uint32_t threads);

  /// Notes one run, and how long the whole of it took.
  void add(const Profile &profile, std::chrono::duration<double> took);

  /// Measures what the machine can do at most on as many threads.
  void measureMachine();

  /// A line per step, those that take longest first.
  std::string describe() const;

  /// The same as JSON, which is a trace of the trace-event format, too: what it
  /// does not know it ignores. Fields have the names that they have in reports
  /// of tgc.
  std::string toJson() const;

  /// Takes the report of tgc that a page shall show the times in: JSON or a
  /// page. Throws RuntimeError where the file is no report of this library.
  void useReport(const std::string &file);

  /// A page that shows the times within that report, or, without one, within
  /// what the library tells.
  std::string toPage() const;

private:
  using Json = nlohmann::ordered_json;
  /// Returns the measurements, without the trace.
  Json measured() const;
  Json trace() const;
  /// A report of what the library tells of the function.
  Json ownReport() const;
  /// Throws unless the report has the steps of the function.
  void checkReport(const Json &report, const std::string &file) const;

  /// The row of one step: seconds per run, and the part of the limit that it
  /// reaches.
  struct Row {
    uint32_t step;
    double seconds, share;
    double flopsPerSecond, bytesPerSecond;
  };
  std::vector<Row> rows() const;
  const tg_location_t *locationOf(const tg_step_t &step) const;
  std::string describeSource(const tg_step_t &step) const;

  const tg_model_t &model;
  const tg_function_t &function;
  uint32_t threads;
  uint64_t runs = 0;
  double seconds = 0;           // of all runs
  std::vector<uint64_t> totals; // nanoseconds, by step
  Profile first;                // its extents and costs are those of all
  /// begin and end of every step of the first runs, in nanoseconds.
  std::vector<std::pair<uint64_t, uint64_t>> events;
  std::string reportText;              // JSON of useReport; empty: none
  double peakFlops = 0, peakBytes = 0; // per second; 0: not known
};

} // namespace tg

#endif // TG_TOOLS_TGCRUN_PROFILEREPORT_H
