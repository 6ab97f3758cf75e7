/// A progress bar for training, on one line of a terminal.
#ifndef TG_TRAINING_PROGRESS_BAR_HPP
#define TG_TRAINING_PROGRESS_BAR_HPP

#include "../cxx20.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tg {

struct ProgressBarOptions {
  /// The number of characters of the bar.
  size_t width = 30;
  /// 0: prints nothing. 1: prints a line that is overwritten at each update. 2:
  /// prints a single line at the end, for log files.
  int verbose = 1;
  /// The minimum time between two updates of the line, in seconds. The last
  /// update is always printed.
  double interval = 0.1;
  /// A function that returns the time in seconds since an arbitrary origin; by
  /// default the steady clock.
  std::function<double()> clock = {};
};

/// Prints the number of examples processed out of `target`, the estimated
/// remaining time, and the means of values over all processed examples:
///
///   640/1297 [==============>...............] - ETA: 3s - loss: 0.4021
class ProgressBar {
public:
  using Values = std::vector<std::pair<std::string, double>>;

  /// Constructs a progress bar. `out` must outlive it.
  ProgressBar(size_t examples, std::ostream &out,
              ProgressBarOptions choice = {})
      : target(examples), stream(out), options(std::move(choice)) {
    if (!options.clock)
      options.clock = [] {
        return std::chrono::duration<double>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
      };
    start = options.clock();
  }

  /// Sets the total number of processed examples. `values` are means over the
  /// examples since the last call. The bar ends when the number reaches the
  /// target.
  void update(size_t current, const Values &values = {}) {
    const size_t added = current > seen ? current - seen : 0;
    for (const auto &[name, value] : values)
      average(name).add(value, static_cast<double>(added));
    seen = std::max(seen, current);
    write();
  }

  /// Adds to the number of processed examples.
  void add(size_t examples, const Values &values = {}) {
    update(seen + examples, values);
  }

  /// Returns the mean of a value over the processed examples, or 0 if there is
  /// no such value.
  double mean(std::string_view name) const {
    for (const auto &[known, average] : averages)
      if (known == name)
        return average.mean();
    return 0;
  }

private:
  struct Average {
    double sum = 0, weight = 0;
    void add(double value, double count) {
      sum += value * count;
      weight += count;
    }
    double mean() const { return weight > 0 ? sum / weight : 0; }
  };

  Average &average(const std::string &name) {
    for (auto &[known, average] : averages)
      if (known == name)
        return average;
    return averages.emplace_back(name, Average()).second;
  }

  void write() {
    const bool isEnd = seen >= target;
    const double now = options.clock();
    if (options.verbose <= 0 || hasEnded || (options.verbose > 1 && !isEnd))
      return;
    if (!isEnd && lineLength && now - written < options.interval)
      return;
    std::string line = describe(now - start, isEnd);
    const size_t length = line.size();
    // Spaces overwrite the rest of a longer previous line.
    if (length < lineLength)
      line.append(lineLength - length, ' ');
    if (options.verbose == 1)
      stream << '\r';
    stream << line;
    if (isEnd)
      stream << '\n';
    stream.flush();
    lineLength = length;
    written = now;
    hasEnded = isEnd;
  }

  std::string describe(double elapsed, bool isEnd) const {
    const std::string total = std::to_string(target);
    std::string count = std::to_string(seen);
    if (count.size() < total.size())
      count.insert(0, total.size() - count.size(), ' ');
    std::string line = count + "/" + total;
    if (options.verbose == 1)
      line += " [" + bar() + "]";
    if (isEnd)
      line += " - " + describeSeconds(elapsed);
    else if (seen)
      line += " - ETA: " + describeSeconds(elapsed / static_cast<double>(seen) *
                                           static_cast<double>(target - seen));
    for (const auto &[name, average] : averages)
      line += " - " + name + ": " + describeNumber(average.mean());
    return line;
  }

  std::string bar() const {
    const double fraction = target
                                ? std::min(1.0, static_cast<double>(seen) /
                                                    static_cast<double>(target))
                                : 1;
    const auto full =
        static_cast<size_t>(fraction * static_cast<double>(options.width));
    std::string text(full, '=');
    if (full && full < options.width)
      text.back() = '>';
    text.append(options.width - full, '.');
    return text;
  }

  /// Returns a duration as "45s", "3:05" or "1:02:03". Durations below ten
  /// seconds have one decimal place.
  static std::string describeSeconds(double seconds) {
    char text[64];
    const auto whole = static_cast<long long>(std::max(0.0, seconds) + 0.5);
    if (seconds < 9.95)
      return describe(std::max(0.0, seconds), std::chars_format::fixed, 1) +
             "s";
    if (whole < 60)
      std::snprintf(text, sizeof(text), "%llds", whole);
    else if (whole < 3600)
      std::snprintf(text, sizeof(text), "%lld:%02lld", whole / 60, whole % 60);
    else
      std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld", whole / 3600,
                    whole / 60 % 60, whole % 60);
    return text;
  }

  static std::string describeNumber(double number) {
    const double size = number < 0 ? -number : number;
    const bool isPlain = size == 0 || (size >= 1e-3 && size < 1e6);
    return isPlain ? describe(number, std::chars_format::fixed, 4)
                   : describe(number, std::chars_format::scientific, 3);
  }

  /// Formats a number with a decimal point, independent of the locale.
  static std::string describe(double number, std::chars_format format,
                              int decimals) {
    char text[64]; // fixed numbers are below 1e6
    return {
        text,
        std::to_chars(text, text + sizeof(text), number, format, decimals).ptr};
  }

  size_t target, seen = 0;
  std::ostream &stream;
  ProgressBarOptions options;
  std::vector<std::pair<std::string, Average>> averages;
  double start = 0, written = 0;
  size_t lineLength = 0;
  bool hasEnded = false;
};

} // namespace tg

#endif // TG_TRAINING_PROGRESS_BAR_HPP
