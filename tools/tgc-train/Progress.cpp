/// Prints the progress of a training.
#include "Progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

using namespace tg;
using namespace tg::training;

Progress::Progress() : isTerminal(isatty(STDOUT_FILENO)) {}

void Progress::beforeTrain(TrainingState &state) {
  begin = shown = Clock::now();
  firstStep = state.step();
}

/// Returns a duration as "0:45" or "1:02:03".
static std::string describeTime(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  char text[64];
  if (whole < 3600)
    std::snprintf(text, sizeof(text), "%lld:%02lld", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld", whole / 3600,
                  whole / 60 % 60, whole % 60);
  return text;
}

std::string Progress::describe(TrainingState &state,
                               const Scalars &scalars) const {
  const uint64_t steps = state.options().steps;
  const double seconds =
      std::chrono::duration<double>(Clock::now() - begin).count();
  const double rate =
      static_cast<double>(state.step() - firstStep) / std::max(seconds, 1e-9);
  std::string text = "step " + std::to_string(state.step());
  if (steps)
    text += "/" + std::to_string(steps);
  text += ", epoch " + std::to_string(state.epoch());
  char number[64];
  for (const auto &[tag, value] : scalars) {
    std::snprintf(number, sizeof(number), " %.6g", value);
    text += ", " + tag + number;
  }
  std::snprintf(number, sizeof(number), ", %.4g steps/s, %.4g examples/s", rate,
                static_cast<double>(state.examples()) /
                    std::max(seconds, 1e-9));
  text += number;
  if (steps)
    text += ", " +
            describeTime(static_cast<double>(steps - state.step()) / rate) +
            " left";
  return text;
}

/// Overwrites the line of a terminal.
void Progress::showLine(const std::string &line) {
  std::string padded = line;
  if (padded.size() < shownLength)
    padded.append(shownLength - padded.size(), ' ');
  std::printf("\r%s", padded.c_str());
  std::fflush(stdout);
  shownLength = line.size();
  shown = Clock::now();
}

void Progress::afterStep(TrainingState &state) {
  constexpr std::chrono::milliseconds interval(100);
  if (!isTerminal || Clock::now() - shown < interval)
    return;
  Scalars scalars;
  const tg_function_t &function =
      state.model().function(state.options().function);
  for (uint32_t i = 0; i < function.output_count; ++i)
    if (function.outputs[i]->rank == 0)
      scalars.emplace_back(function.outputs[i]->name,
                           state.outputs().scalar(function.outputs[i]->name));
  showLine(describe(state, scalars));
}

void Progress::summary(TrainingState &state, const Scalars &scalars) {
  if (isTerminal)
    return showLine(describe(state, scalars));
  std::puts(describe(state, scalars).c_str());
  std::fflush(stdout);
}

void Progress::afterTrain(TrainingState &) {
  if (shownLength)
    std::puts("");
}

void tg::printEnd(const TrainingResult &result) {
  std::string end = "the training is complete";
  if (result.end == TrainingResult::End::stopped)
    end = "the training has stopped: " + result.reason;
  if (result.end == TrainingResult::End::interrupted)
    end = "the training was interrupted";
  std::printf("%s, step %llu, epoch %llu", end.c_str(),
              static_cast<unsigned long long>(result.step),
              static_cast<unsigned long long>(result.epoch));
  if (result.seconds > 0)
    std::printf("; %.3g s, of which %.2g %% waited for data", result.seconds,
                100 * result.dataSeconds / result.seconds);
  std::puts("");
}
