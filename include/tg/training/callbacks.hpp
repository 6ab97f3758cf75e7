/// Callbacks for trainings, after those of Tensorpack.
///
///   trainer.add(modelSaver({.keep = 3}));
///   trainer.add(minSaver("valid/error"));
///   trainer.add(scheduledNumber("learning_rate", {{0, 0.1}, {10, 0.01}}));
///   trainer.add(periodicTrigger(checkNumerics(), {.steps = 100}));
///   trainer.add(earlyStopping("valid/error", {.patience = 5}));
///
/// Unless it says otherwise, a callback acts at the end of each epoch
/// (Callback::triggerEpoch). Callbacks with a state have it in checkpoints, so
/// that a resumed training has the same bits. Factories throw data::DataError
/// for options out of range.
#ifndef TG_TRAINING_CALLBACKS_HPP
#define TG_TRAINING_CALLBACKS_HPP

#include "callback.hpp"
#include "early_stopper.hpp"
#include "metrics.hpp"
#include "reduce_lr_on_plateau.hpp"

#include <functional>
#include <ostream>

namespace tg::training {

using CallbackPtr = std::shared_ptr<Callback>;

//===----------------------------------------------------------------------===//
// When
//===----------------------------------------------------------------------===//

/// Each of so many steps or epochs. 0: none of them.
struct Every {
  uint64_t steps = 0, epochs = 0;
};

/// Calls triggerEpoch of a callback after these steps and at the ends of these
/// epochs, in place of the end of each epoch, and its triggerStep not at all.
/// Other functions are called as ever.
CallbackPtr periodicTrigger(CallbackPtr callback, const Every &every);
/// Calls the functions of a callback for each of so many steps, and those of
/// epochs for each of so many epochs. 0: all of them. beforeTrain, afterTrain
/// and summary are called as ever.
CallbackPtr periodicCallback(CallbackPtr callback, const Every &every);
/// Calls the functions of a callback, but for beforeTrain and afterTrain, if a
/// condition holds at the time.
CallbackPtr enableIf(CallbackPtr callback,
                     std::function<bool(const TrainingState &)> condition);

//===----------------------------------------------------------------------===//
// Ends of training
//===----------------------------------------------------------------------===//

/// Ends the training when a scalar no longer decreases. `maxEpoch` and
/// `patience` count the values of the scalar.
CallbackPtr earlyStopping(const std::string &tag,
                          const EarlyStopperOptions &options = {});
/// Ends the training when a condition holds after a step.
CallbackPtr stopWhen(std::function<bool(const TrainingState &)> condition,
                     const std::string &reason);

//===----------------------------------------------------------------------===//
// Files of variables
//===----------------------------------------------------------------------===//

struct ModelSaverOptions {
  /// The directory of the files; empty: that of the training.
  std::string directory = {};
  /// The number of files that are kept.
  uint64_t keep = 10;
};
/// Saves the variables as model-<step>.safetensors, for other programs. The
/// checkpoints from which a training resumes are files of their own.
CallbackPtr modelSaver(const ModelSaverOptions &options = {});

/// Saves the variables as min-<tag>.safetensors whenever a scalar is less, or
/// as max-<tag>.safetensors whenever it is greater, than all its values before.
/// Characters of the tag other than letters, digits, '.', '_' and '-' become
/// '-'.
CallbackPtr minSaver(const std::string &tag, const std::string &directory = {});
CallbackPtr maxSaver(const std::string &tag, const std::string &directory = {});

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

struct InferenceOptions {
  /// The function that is run. It changes no variable.
  std::string function = "test";
  /// The first part of the tags: "valid" makes "valid/accuracy".
  std::string prefix = "valid";
  /// Metrics that are logged after the means of all scalar outputs, as
  /// TrainingState::evaluate computes them.
  MetricSpecs metrics = {};
};
/// Runs a function on an epoch of a data set, and logs its metrics.
CallbackPtr inferenceRunner(data::Dataset data,
                            const InferenceOptions &options = {});
/// Logs the metrics of the steps of each epoch under "<prefix>/<tag>". Labels
/// are features of the data set that is trained on, and predictions outputs of
/// the steps.
CallbackPtr trainingMetrics(const data::Dataset &data,
                            const MetricSpecs &metrics,
                            const std::string &prefix = "train");

//===----------------------------------------------------------------------===//
// Numbers such as the learning rate
//
// A number is a scalar input of the function of steps or a variable of one
// element, which TrainingState::set() changes.
//===----------------------------------------------------------------------===//

struct ScheduleOptions {
  /// Interpolates linearly between points. Otherwise a value holds until the
  /// next point.
  bool interpolates = false;
  /// Points count finished steps instead of finished epochs.
  bool countsSteps = false;
};
/// Sets a number by the points of a schedule: pairs of a count of finished
/// epochs, in ascending order, and the value from there on. Before the first
/// point the number remains as it is.
CallbackPtr
scheduledNumber(const std::string &name,
                const std::vector<std::pair<uint64_t, double>> &points,
                const ScheduleOptions &options = {});

/// Sets a number to the value in a file, which is read before each epoch: a
/// line "name: value", with the last such line counting. Without the file or
/// the line, the number remains as it is. Empty: hyper.txt in the directory of
/// the training. Throws DataError for a line with another value.
CallbackPtr humanNumber(const std::string &name, const std::string &file = {});

/// Sets a number before each epoch to the result of a function of the count of
/// finished epochs and the number, unless it returns none.
CallbackPtr numberWithFunction(
    const std::string &name,
    std::function<std::optional<double>(uint64_t epoch, double value)> change);

struct MonitorOptions {
  /// The decrease of the scalar that is expected within `last` values. For a
  /// scalar that should increase, set `increases`.
  double threshold = 0;
  uint64_t last = 1;
  bool increases = false;
};
/// Changes a number by a function if the last values of a scalar have not
/// fallen by more than a threshold below the value before them. After a change
/// the values begin anew.
CallbackPtr monitoredNumber(const std::string &name, const std::string &tag,
                            std::function<double(double)> change,
                            const MonitorOptions &options = {});

/// Multiplies a number by a factor when a scalar no longer decreases.
/// `learningRate` is the first value of the number.
CallbackPtr reduceOnPlateau(const std::string &name, const std::string &tag,
                            const ReduceLROnPlateauOptions &options = {});

//===----------------------------------------------------------------------===//
// Functions and outputs
//===----------------------------------------------------------------------===//

struct RunFunctionOptions {
  bool runsBeforeTraining = true, runsAfterEpochs = true,
       runsAfterSteps = false;
};
/// Runs a function of the library, such as one that resets statistics. Its
/// inputs are numbers of the training.
CallbackPtr runFunction(const std::string &function,
                        const RunFunctionOptions &options = {});

/// Calls a function with outputs of each step.
CallbackPtr processOutputs(
    std::vector<std::string> outputs,
    std::function<void(TrainingState &, const std::vector<NamedTensor> &)>
        process);
/// Writes outputs of each step as <directory>/outputs-<step>.npz. Empty: the
/// directory of the training.
CallbackPtr dumpOutputs(std::vector<std::string> outputs,
                        const std::string &directory = {});
/// Writes the images of an output [images, height, width, 1, 3 or 4] of each
/// step as <directory>/<output>-<step>-<image>.png. Elements f32 are multiplied
/// by `scale`, and clamped to 0 and 255.
CallbackPtr dumpImages(const std::string &output,
                       const std::string &directory = {}, double scale = 255);
/// Prints outputs of each step: "step 3: loss f32 []: 0.25". Of longer ones,
/// the first elements are printed. The stream outlives the training.
CallbackPtr printOutputs(std::vector<std::string> outputs,
                         std::ostream &stream);
/// Ends the training with a RuntimeError that names the first element of an
/// output or a variable that is infinite or NaN.
CallbackPtr checkNumerics();

//===----------------------------------------------------------------------===//
// Summaries and progress
//===----------------------------------------------------------------------===//

/// Logs exponential moving averages of scalar outputs as "<output>-summary",
/// with the summaries of steps. The averages do not tend to 0: they are divided
/// by 1 - decay^steps.
CallbackPtr movingAverages(std::vector<std::string> outputs,
                           double decay = 0.95);

/// Returns the time in seconds since some moment.
using Clock = std::function<double()>;

/// Prints each summary as a line: "step 20: loss 0.25, valid/loss 0.5". With
/// tags, the others are left out.
CallbackPtr scalarPrinter(std::ostream &stream,
                          std::vector<std::string> tags = {});
/// Shows the steps on one line of a terminal, with the means of scalar outputs
/// and the time left. Without a number of steps, it is that of the training.
CallbackPtr progressBar(std::ostream &stream, uint64_t steps = 0,
                        Clock clock = {});
/// Prints after each epoch the time that the other epochs will take, from the
/// mean time of up to five last ones.
CallbackPtr estimatedTimeLeft(std::ostream &stream, Clock clock = {});
/// Prints after each epoch the number of examples per second since the last
/// one.
CallbackPtr throughput(std::ostream &stream, Clock clock = {});

} // namespace tg::training

#endif // TG_TRAINING_CALLBACKS_HPP
