/// Functions that a training calls: before and after steps and epochs, and for
/// its summaries.
#ifndef TG_TRAINING_CALLBACK_HPP
#define TG_TRAINING_CALLBACK_HPP

#include "../data/dataset.hpp"
#include "../runtime.hpp"
#include "metrics.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tg::training {

struct TrainerOptions;

/// A callback throws this to end a training. The step is complete, and the
/// training is saved.
struct StopTraining {
  /// The reason, for the result of the training.
  std::string reason;
};

/// The scalars of one step, in the order in which they were logged: tags such
/// as "loss" or "valid/accuracy", and their values.
using Scalars = std::vector<std::pair<std::string, double>>;

/// A running training, for its callbacks. It is valid while the training runs,
/// in the thread of the training. Errors are data::DataError and RuntimeError.
class TrainingState {
public:
  virtual const TrainerOptions &options() const = 0;
  virtual const Model &model() const = 0;
  virtual Context &context() = 0;

  /// Returns the number of finished steps: 0 before the first one.
  virtual uint64_t step() const = 0;
  /// Returns the number of finished epochs.
  virtual uint64_t epoch() const = 0;
  /// Returns true between the last step of an epoch and the first step of the
  /// next one.
  virtual bool isEndOfEpoch() const = 0;
  /// Returns the number of examples of all steps of this process.
  virtual uint64_t examples() const = 0;

  /// Returns the batch of this step, in the order of the data set's type. Only
  /// for beforeStep and afterStep.
  virtual const data::Example &batch() const = 0;
  /// Returns the outputs of the last step of this process. Not before the first
  /// step.
  virtual const Outputs &outputs() const = 0;

  /// Adds a scalar to the summary of this step. A summary has each tag once:
  /// the last value counts.
  virtual void log(const std::string &tag, double value) = 0;
  /// Returns the value that was logged last under a tag, also before a resumed
  /// training was interrupted.
  virtual std::optional<double> scalar(const std::string &tag) const = 0;

  /// Sets a scalar input of the function for the steps that follow, or, if it
  /// has none of this name, a variable of one element. The value of an input is
  /// part of checkpoints.
  virtual void set(const std::string &name, double value) = 0;
  /// Returns the value that set() or TrainerOptions::set gave an input, or the
  /// element of the variable.
  virtual double get(const std::string &name) const = 0;

  /// Runs a function on all examples of an epoch of a data set. Returns the
  /// mean of each scalar output, weighted by the numbers of examples, and then
  /// the metrics. Their labels are features of the data set, by default the
  /// only one that is no input of the function; their predictions are outputs,
  /// by default the only one that is no scalar.
  virtual Scalars evaluate(const data::Dataset &data,
                           const std::string &function,
                           const MetricSpecs &metrics = {}) = 0;

  /// Saves a checkpoint after this step.
  virtual void save() = 0;
  /// Ends the training after this step, for the same reasons as StopTraining.
  virtual void stop(const std::string &reason) = 0;

protected:
  ~TrainingState() = default;
};

/// Something that happens at certain points of a training. The functions are
/// called in this order:
///
///   beforeTrain
///     beforeEpoch
///       beforeStep, a step, afterStep, triggerStep, summary
///       ...
///       beforeStep, a step, afterStep, triggerStep, triggerEpoch, summary
///     afterEpoch
///   afterTrain
///
/// Callbacks are called in the order in which they were added. A training that
/// resumes within an epoch does not call beforeEpoch again.
class Callback {
public:
  virtual ~Callback() = default;

  /// Returns a name, which is unique among the callbacks of a training that
  /// have a state, and is the same when the training is resumed.
  virtual std::string name() const = 0;

  virtual void beforeTrain(TrainingState &) {}
  virtual void beforeEpoch(TrainingState &) {}
  virtual void beforeStep(TrainingState &) {}
  /// Follows each step. The batch is still there.
  virtual void afterStep(TrainingState &) {}
  /// Follows each step, when the validation after it is done.
  virtual void triggerStep(TrainingState &) {}
  /// Follows the last step of each epoch, when the validation after it is done.
  virtual void triggerEpoch(TrainingState &) {}
  virtual void afterEpoch(TrainingState &) {}
  /// Follows the last step, also of an interrupted training.
  virtual void afterTrain(TrainingState &) {}

  /// Gets the scalars of a step that has some.
  virtual void summary(TrainingState &, const Scalars &) {}

  /// Returns what a resumed training needs to have the same bits: a text that
  /// depends on the finished steps alone, and becomes part of checkpoints.
  virtual std::string state() const { return {}; }
  /// Continues from a state, before beforeTrain.
  virtual void restore(const std::string &) {}
};

} // namespace tg::training

#endif // TG_TRAINING_CALLBACK_HPP
