//===- Schedules.cpp - numbers that depend on steps, epochs and files -----===//
#include "Support.h"

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace tg;
using namespace tg::training;

using Points = std::vector<std::pair<uint64_t, double>>;

namespace {

class ScheduledNumber : public Callback {
public:
  ScheduledNumber(std::string number, Points given,
                  const ScheduleOptions &chosen)
      : input(std::move(number)), points(std::move(given)), options(chosen) {}

  std::string name() const override { return "scheduledNumber(" + input + ")"; }
  void beforeEpoch(TrainingState &state) override {
    if (!options.countsSteps)
      setAt(state, state.epoch());
  }
  void beforeStep(TrainingState &state) override {
    if (options.countsSteps)
      setAt(state, state.step());
  }

private:
  void setAt(TrainingState &state, uint64_t count) const {
    size_t next = 0;
    while (next < points.size() && points[next].first <= count)
      ++next;
    if (!next)
      return;
    const auto &[begin, value] = points[next - 1];
    if (!options.interpolates || next == points.size())
      return state.set(input, value);
    const auto &[end, last] = points[next];
    const double part =
        static_cast<double>(count - begin) / static_cast<double>(end - begin);
    state.set(input, value + part * (last - value));
  }

  std::string input;
  Points points;
  ScheduleOptions options;
};

class HumanNumber : public Callback {
public:
  HumanNumber(std::string number, std::string path)
      : input(std::move(number)), file(std::move(path)) {}

  std::string name() const override { return "humanNumber(" + input + ")"; }
  void beforeEpoch(TrainingState &state) override {
    const std::string path =
        file.empty() ? pathIn("", state, "hyper.txt", name()) : file;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      return;
    if (const std::optional<double> value = read(path))
      state.set(input, *value);
  }

private:
  /// Returns the number of the last line with the name.
  std::optional<double> read(const std::string &path) const {
    std::ifstream lines(path);
    std::optional<double> value;
    size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
      ++count;
      const size_t colon = line.find(':');
      if (colon == std::string::npos || trimmed(line.substr(0, colon)) != input)
        continue;
      const std::string text = trimmed(line.substr(colon + 1));
      double number = 0;
      const auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size() ||
          !std::isfinite(number))
        throw data::DataError(
            path + ": line " + std::to_string(count) + ": expected '" + input +
            ": ' and a finite number, found '" + line.substr(0, 80) + "'");
      value = number;
    }
    return value;
  }
  static std::string trimmed(const std::string &text) {
    const size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos)
      return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  }

  std::string input, file;
};

class NumberWithFunction : public Callback {
public:
  using Change = std::function<std::optional<double>(uint64_t, double)>;

  NumberWithFunction(std::string number, Change changing)
      : input(std::move(number)), change(std::move(changing)) {}

  std::string name() const override {
    return "numberWithFunction(" + input + ")";
  }
  void beforeEpoch(TrainingState &state) override {
    if (const auto value = change(state.epoch(), state.get(input)))
      state.set(input, *value);
  }

private:
  std::string input;
  Change change;
};

} // namespace

CallbackPtr training::scheduledNumber(const std::string &name,
                                      const Points &points,
                                      const ScheduleOptions &options) {
  if (points.empty())
    throw data::DataError("expected a point or more for the schedule of '" +
                          name + "', found none");
  for (size_t i = 1; i < points.size(); ++i)
    if (points[i].first <= points[i - 1].first)
      throw data::DataError("expected points of '" + name +
                            "' in ascending order, found " +
                            std::to_string(points[i - 1].first) + " before " +
                            std::to_string(points[i].first));
  return std::make_shared<ScheduledNumber>(name, points, options);
}

CallbackPtr training::humanNumber(const std::string &name,
                                  const std::string &file) {
  return std::make_shared<HumanNumber>(name, file);
}

CallbackPtr training::numberWithFunction(
    const std::string &name,
    std::function<std::optional<double>(uint64_t, double)> change) {
  return std::make_shared<NumberWithFunction>(name, std::move(change));
}
