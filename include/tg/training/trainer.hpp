/// Trains a compiled model on a data set, and resumes where it was interrupted.
///
///   Trainer trainer(Model::load("digits.so"), openSource("digits.json"),
///                   {.directory = "run", .steps = 1000,
///                    .set = {{"learning_rate", 0.01}}});
///   trainer.run();
#ifndef TG_TRAINING_TRAINER_HPP
#define TG_TRAINING_TRAINER_HPP

#include "../data/loader.hpp"
#include "callback.hpp"

#include <functional>

namespace tg::training {

struct TrainerOptions {
  /// The directory of checkpoints and summaries, which is made if it does not
  /// exist. Empty: none are written, and nothing is resumed.
  std::string directory = {};
  /// The number of steps and of epochs after which the training ends, whichever
  /// comes first. 0: no limit; one of them has one.
  uint64_t steps = 0, epochs = 0;
  /// The seed of the initial variables.
  int64_t seed = 0;
  /// The number of threads of a step; 0: one per usable CPU.
  uint32_t threads = 1;
  /// The values of the inputs of the functions that are no features, which are
  /// scalars, and of variables of one element when the training begins. A
  /// callback may change them. A value that differs from the one that a
  /// checkpoint was trained with counts from its step on.
  std::map<std::string, double> set = {};
  /// Checkpoints and summaries are written after each of so many steps. 0: a
  /// checkpoint only at the end; no summary.
  uint64_t saveSteps = 0, summarySteps = 100;
  /// Validates after each of so many steps. 0: at the end of each epoch.
  uint64_t validSteps = 0;
  /// The number of checkpoints that are kept; 0: all.
  unsigned keep = 5;
  /// Ends the training with an error if a scalar output is not finite.
  bool checksNumbers = true;
  data::LoaderOptions loader = {};
  /// The functions of a step and of a validation.
  std::string function = "train", validFunction = "test";
  /// Describes how the data set is made, for parts that
  /// data::Dataset::description() does not contain: the functions of map and
  /// filter, and the files. data::describeSource() does this for descriptions.
  std::string pipeline = {};
  /// Host functions that the model calls by name.
  Host host = {};
  /// Gets notices for people, such as the checkpoint that is resumed.
  std::function<void(const std::string &)> notice = {};
};

struct TrainingResult {
  enum class End {
    complete,   ///< all steps or epochs are done
    stopped,    ///< a callback has stopped the training
    interrupted ///< requestStop() was called
  };

  End end = End::complete;
  /// The numbers of steps and epochs since the beginning.
  uint64_t step = 0, epoch = 0;
  /// The step at which the training was resumed.
  uint64_t resumedAt = 0;
  /// The reason of a callback.
  std::string reason;
  /// The time of the steps of this process, and the time in which they waited
  /// for data, in seconds.
  double seconds = 0, dataSeconds = 0;
};

/// Trains a model. Inputs of the function are the features of the data set with
/// their names, without copies, and the values of TrainerOptions::set. Scalar
/// outputs are summaries under their names.
///
/// With a directory, a training resumes from its newest whole checkpoint, and
/// has the same bits as one that was not interrupted, with any numbers of
/// threads and of examples that are read ahead.
class Trainer {
public:
  /// Checks that features and values fit the function. Throws data::DataError
  /// and RuntimeError, as does run().
  Trainer(Model model, data::Dataset data, TrainerOptions options);
  ~Trainer();
  Trainer(const Trainer &) = delete;
  Trainer &operator=(const Trainer &) = delete;

  /// Adds a data set for validation. TrainingState::evaluate computes its
  /// values, which have tags such as "valid/loss".
  void setValidation(data::Dataset data, MetricSpecs metrics = {});
  void add(std::shared_ptr<Callback> callback);

  /// Trains until the end, once. With a directory, each summary is part of an
  /// event file for TensorBoard, and a line of metrics.jsonl, which has the
  /// same bytes however the training was interrupted:
  ///
  ///   {"step":20,"loss":0.25}
  TrainingResult run();

  /// Ends the training after the step that is running, and saves it. May be
  /// called from any thread, and from a signal handler.
  void requestStop() noexcept;

private:
  class Loop;
  std::unique_ptr<Loop> loop;
};

} // namespace tg::training

#endif // TG_TRAINING_TRAINER_HPP
