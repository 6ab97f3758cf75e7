/// The progress of a training, for people.
#ifndef TG_TOOLS_TGCTRAIN_PROGRESS_H
#define TG_TOOLS_TGCTRAIN_PROGRESS_H

#include "tg/training/trainer.hpp"

#include <chrono>

namespace tg {

/// Prints the step, the scalars, the rates and the remaining time on standard
/// output: a line that is overwritten on a terminal, otherwise a line for each
/// summary.
class Progress : public training::Callback {
public:
  Progress();

  std::string name() const override { return "progress"; }
  void beforeTrain(training::TrainingState &state) override;
  void afterStep(training::TrainingState &state) override;
  void summary(training::TrainingState &state,
               const training::Scalars &scalars) override;
  void afterTrain(training::TrainingState &state) override;

private:
  using Clock = std::chrono::steady_clock;

  std::string describe(training::TrainingState &state,
                       const training::Scalars &scalars) const;
  void showLine(const std::string &line);

  bool isTerminal;
  Clock::time_point begin, shown;
  uint64_t firstStep = 0;
  size_t shownLength = 0;
};

/// Prints how a training ended, and the part of the time in which steps waited
/// for data.
void printEnd(const training::TrainingResult &result);

} // namespace tg

#endif // TG_TOOLS_TGCTRAIN_PROGRESS_H
