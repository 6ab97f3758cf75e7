/// Tools for examples that train for many epochs: progress, and training that
/// can be resumed.
#ifndef TG_EXAMPLES_TRAINING_H
#define TG_EXAMPLES_TRAINING_H

#include "Example.h"

#include <fstream>
#include <iostream>
#include <limits>
#include <unistd.h>

namespace example {

/// Returns the verbosity of progress bars: an updated line on a terminal,
/// otherwise one line at the end.
inline int verbosity() { return isatty(STDOUT_FILENO) ? 1 : 2; }

/// Training with early stopping. After each epoch it saves the variables to a
/// file whose name contains the epoch, and the errors so far to another file,
/// so that another run of the program can resume.
class Training {
public:
  /// Creates a training with files <prefix>-epoch-3.safetensors and
  /// <prefix>-errors.txt.
  Training(std::string filePrefix, tg::EarlyStopperOptions options)
      : prefix(std::move(filePrefix)), stopper(options) {}

  /// Loads the last saved epoch, if any. Returns the number of trained epochs.
  size_t resume(tg::Context &context) {
    std::ifstream file(prefix + "-errors.txt");
    for (double error; file >> error;)
      errors.push_back(error);
    while (!errors.empty() && !std::filesystem::exists(variables()))
      errors.pop_back();
    if (errors.empty())
      return 0;
    context.load(variables());
    for (double error : errors)
      stopperContinues = stopper.continueLearning(error);
    return errors.size();
  }

  /// Returns true if another epoch should follow.
  bool shouldContinue() const { return stopperContinues; }
  /// Returns the number of trained epochs.
  size_t epochs() const { return errors.size(); }
  double bestError() const { return stopper.bestValidError(); }

  /// Saves the variables after an epoch with this error on validation data, and
  /// removes the file of the previous epoch.
  void finishEpoch(tg::Context &context, double error) {
    const std::string previous = variables();
    errors.push_back(error);
    context.save(variables());
    // Until this file is written, the previous epoch is the last one.
    std::ofstream file(prefix + "-errors.txt");
    file.precision(std::numeric_limits<double>::max_digits10);
    for (double saved : errors)
      file << saved << '\n';
    if (!file.flush())
      throw std::runtime_error("cannot write '" + prefix + "-errors.txt'");
    std::filesystem::remove(previous);
    stopperContinues = stopper.continueLearning(error);
  }

  /// Returns the file of the last epoch.
  std::string variables() const {
    return prefix + "-epoch-" + std::to_string(errors.size()) + ".safetensors";
  }

private:
  std::string prefix;
  tg::EarlyStopper stopper;
  std::vector<double> errors;
  bool stopperContinues = true;
};

} // namespace example

#endif // TG_EXAMPLES_TRAINING_H
