/// Trains a compiled model on a data set.
///
///   Trainer trainer(Model::load("digits.so"), openSource("digits.json"),
///                   {.directory = "run", .steps = 1000,
///                    .set = {{"learning_rate", 0.01}}});
///   trainer.run();
#ifndef TG_TRAINING_TRAINER_HPP
#define TG_TRAINING_TRAINER_HPP

#include "../data/loader.hpp"
#include "callback.hpp"

namespace tg::training {

struct TrainerOptions {
  /// The directory of summaries, which is made if it does not exist. Empty:
  /// none are written.
  std::string directory = {};
  /// The number of steps and of epochs after which the training ends, whichever
  /// comes first. 0: no limit; one of them has one.
  uint64_t steps = 0, epochs = 0;
  /// The seed of the initial variables.
  int64_t seed = 0;
  /// The number of threads of a step; 0: one per usable CPU.
  uint32_t threads = 1;
  /// The values of scalar inputs of the function that are no features, or else
  /// of variables of one element when the training begins.
  std::map<std::string, double> set = {};
  /// A summary follows each of so many steps. 0: there is none.
  uint64_t summarySteps = 100;
  /// Validates after each of so many steps. 0: at the end of each epoch.
  uint64_t validSteps = 0;
  /// Ends the training with an error if a scalar output is not finite.
  bool checksNumbers = true;
  data::LoaderOptions loader = {};
  /// The functions of a step and of a validation.
  std::string function = "train", validFunction = "test";
  /// Host functions that the model calls by name.
  Host host = {};
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
  /// The reason of a callback.
  std::string reason;
  /// The time of the steps of this process, and the time in which they waited
  /// for data, in seconds.
  double seconds = 0, dataSeconds = 0;
};

/// Trains a model. Inputs of the function are the features of the data set with
/// their names, without copies, and the values of TrainerOptions::set. Scalar
/// outputs are summaries under their names.
class Trainer {
public:
  /// Checks that features and values fit the function. Throws data::DataError
  /// and RuntimeError, as does run().
  Trainer(Model model, data::Dataset data, TrainerOptions options);
  ~Trainer();
  Trainer(const Trainer &) = delete;
  Trainer &operator=(const Trainer &) = delete;

  /// Adds a data set for validation. The scalar outputs of the function are
  /// means over its examples, with tags such as "valid/loss".
  void setValidation(data::Dataset data);
  void add(std::shared_ptr<Callback> callback);

  /// Trains until the end, once. With a directory, metrics.jsonl gets a line
  /// for each summary:
  ///
  ///   {"step":20,"loss":0.25}
  TrainingResult run();

  /// Ends the training after the step that is running. May be called from any
  /// thread, and from a signal handler.
  void requestStop() noexcept;

private:
  class Loop;
  std::unique_ptr<Loop> loop;
};

} // namespace tg::training

#endif // TG_TRAINING_TRAINER_HPP
