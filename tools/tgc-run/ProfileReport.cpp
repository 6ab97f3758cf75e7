/// Accumulates profiles and formats them as a table.
#include "ProfileReport.h"

#include "StepSource.h"

#include "tools/common/Machine.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace tg;

/// The maximum number of events in a trace, since viewers cannot open larger
/// ones.
static constexpr size_t maxEvents = 200'000;

ProfileReport::ProfileReport(const tg_model_t &model,
                             const tg_function_t &function, uint32_t threads)
    : model(model), function(function), threads(Pool(threads).workers()),
      totals(TG_HAS(tg_function_t, &function, step_count) ? function.step_count
                                                          : 0) {}

void ProfileReport::add(const Profile &profile,
                        std::chrono::duration<double> took) {
  ++runs;
  seconds += took.count();
  for (size_t i = 0; i < totals.size(); ++i)
    totals[i] += profile.end[i] - profile.begin[i];
  if (events.size() + totals.size() <= maxEvents)
    for (size_t i = 0; i < totals.size(); ++i)
      events.emplace_back(profile.begin[i], profile.end[i]);
  if (runs == 1)
    first = profile;
}

void ProfileReport::measureMachine() {
  if (deviceOf(model))
    return;
  Machine machine(threads, 64 << 20);
  peakFlops = machine.measure(Limit::fma) * 1e9;
  peakBytes =
      std::max(machine.measure(Limit::read), machine.measure(Limit::copy)) *
      1e9;
}

std::vector<ProfileReport::Row> ProfileReport::rows() const {
  std::vector<Row> result;
  for (uint32_t i = 0; i < totals.size(); ++i) {
    const double total = double(totals[i]) * 1e-9;
    const double one = total / double(runs);
    result.push_back({i, one, seconds > 0 ? total / seconds : 0,
                      one > 0 ? double(first.flops[i]) / one : 0,
                      one > 0 ? double(first.bytes[i]) / one : 0});
  }
  std::sort(result.begin(), result.end(), [](const Row &a, const Row &b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.step < b.step;
  });
  return result;
}

/// Appends formatted text.
__attribute__((format(printf, 2, 3))) static void
append(std::string &text, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  text += line;
}

/// Appends a rate in units of 10^9 per second, and its percentage of the
/// limit, for example:
///   85.20   87 %
static void appendRate(std::string &text, double rate, double limit) {
  append(text, " %8.2f", rate * 1e-9);
  if (limit > 0)
    append(text, " %4.0f %%", rate / limit * 100);
  else
    text += "    - %";
}

/// A share of the machine's arithmetic above which a note explains it.
static constexpr double expectedShare = 1.05;

std::string ProfileReport::describe() const {
  std::string text;
  append(text, "%s of %s", function.name, model.name);
  for (uint32_t i = 0; i < function.symbol_count; ++i)
    append(text, ", %s = %lld", function.symbols[i]->name,
           static_cast<long long>(first.symbols[i]));
  append(text, ", %u thread%s: %llu run%s, %.4g ms each\n", threads,
         threads == 1 ? "" : "s", static_cast<unsigned long long>(runs),
         runs == 1 ? "" : "s", seconds / double(runs) * 1e3);
  if (peakFlops > 0)
    append(text, "limits of the machine: %.1f GFLOP/s, %.1f GB/s of memory\n",
           peakFlops * 1e-9, peakBytes * 1e-9);
  else
    text += "times of the device, whose limits are unknown\n";
  text += "       ms   share  GFLOP/s of max       GB/s of max  kernel\n";
  double outside = 1, fastest = 0;
  for (const Row &row : rows()) {
    const tg_step_t &step = *function.steps[row.step];
    outside -= row.share;
    fastest = std::max(fastest, row.flopsPerSecond);
    append(text, "%9.4f %5.1f %%", row.seconds * 1e3, row.share * 100);
    appendRate(text, row.flopsPerSecond, peakFlops);
    text += "  ";
    appendRate(text, row.bytesPerSecond, peakBytes);
    text += std::string("  ") + step.name;
    for (const std::string &part :
         {std::string(step.layers), describeSource(model, step)})
      if (!part.empty())
        text += "  " + part;
    text += "\n";
  }
  append(text, "%9.4f %5.1f %%  outside of kernels\n",
         outside * seconds / double(runs) * 1e3, outside * 100);
  if (fastest > peakFlops * expectedShare && peakFlops > 0)
    text += "note: more than 100 % of max GFLOP/s: the limit was measured "
            "while the machine was busy; measure again (or Winograd did less "
            "arithmetic than is counted)\n";
  return text;
}
