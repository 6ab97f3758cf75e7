/// Estimators: a model function, compiled for training, evaluation and
/// prediction, and the directory of a run, from which all of them resume.
///
///   Estimator estimator(makeModel, {.directory = "run"}, params);
///   estimator.train(readDigits, 1000);
///   estimator.evaluate(readTestDigits,
///                      {{"accuracy", {std::make_shared<Accuracy>()}}});
#ifndef TG_ESTIMATOR_H
#define TG_ESTIMATOR_H

#include "graph/program.h"
#include "training/hparams.hpp"
#include "training/metrics.hpp"
#include "training/trainer.hpp"

namespace tg {

/// The purpose for which a model function builds a program. TensorFlow:
/// ModeKeys.
enum class ModeKey { train, evaluate, predict };

/// The name of a feature, and the line that asks for it.
struct FeatureName {
  FeatureName(const char *given,
              std::source_location at = std::source_location::current())
      : name(given), where(at) {}
  FeatureName(std::string given,
              std::source_location at = std::source_location::current())
      : name(std::move(given)), where(at) {}

  std::string name;
  std::source_location where;
};

/// The features or the labels of a batch, for a model function. Those that it
/// asks for become inputs of the program, with batches of any size unless all
/// batches of the data set have one size.
class InputTensors {
public:
  InputTensors(Program owner, data::ExampleType available);

  /// Returns the tensor of a feature. Throws GraphError for an unknown name.
  Tensor operator[](const FeatureName &feature) const;
  /// Returns the tensor of the only feature. Throws GraphError if there is none
  /// or are several.
  Tensor
  only(std::source_location where = std::source_location::current()) const;
  /// Returns the names of all features, in the order of the data set.
  std::vector<std::string> names() const;
  /// Returns the inputs so far.
  const std::vector<Tensor> &used() const { return inputs; }

private:
  Tensor input(size_t index, std::source_location where) const;

  mutable Program program;
  data::ExampleType types;
  /// The input of each feature, without a value if nobody asked for it.
  mutable std::vector<Tensor> made;
  mutable std::vector<Tensor> inputs;
};

/// The results of a model function. TensorFlow: EstimatorSpec.
struct ModelFunctionSpec {
  /// The predictions for each example, with names: [batch, ...].
  std::vector<Output> predictions = {};
  /// The loss, a scalar: the mean over the batch. Training needs it.
  Tensor loss = {};
  /// The step of the optimizer, for training only.
  Updates updates = {};
  /// Further scalars with names: means over the batch. They become summaries of
  /// the training, and are averaged over all examples of an evaluation.
  std::vector<Output> metrics = {};
};

/// Builds a model in the default graph. Summaries that it makes
/// (graph/summaries.h) are those of the run: scalars of a training at its
/// summaries, and all summaries of the first batch of each evaluation. It is
/// called once for each purpose and
/// data set type, and makes the same variables, with the same names, for each
/// purpose. There are no labels in predictions.
using ModelFunction = std::function<ModelFunctionSpec(
    const InputTensors &features, const InputTensors &labels, ModeKey mode,
    const training::HParams &params)>;

/// A data set with batches, and its parts.
struct InputData {
  /// Takes the features named `labelNames` of a data set as labels, and the
  /// others as features. Labels that the data set lacks are left out.
  InputData(data::Dataset set, std::vector<std::string> labelNames = {"label"},
            std::string parts = {})
      : batches(std::move(set)), labels(std::move(labelNames)),
        pipeline(std::move(parts)) {}

  data::Dataset batches;
  std::vector<std::string> labels;
  /// As training::TrainerOptions::pipeline.
  std::string pipeline;
};
using InputFunction = std::function<InputData()>;

using training::MetricSpecs;

/// The options of a run.
struct RunConfig {
  /// The directory of checkpoints, summaries and compiled libraries, which is
  /// made if it does not exist.
  std::string directory = {};
  /// Checkpoints and summaries are written after each of so many steps.
  uint64_t saveSteps = 10, summarySteps = 10;
  /// The number of checkpoints that are kept.
  unsigned keep = 5;
  /// The seed of the initial variables.
  int64_t seed = 0;
  /// The number of threads of a step; 0: one per usable CPU.
  uint32_t threads = 1;
  data::LoaderOptions loader = {};
  /// The options of the compiler. By default the code is for this CPU alone.
  ModelOptions compilation = {.levels = {}};
  /// The device of all functions; .compilation needs its target.
  tg_device_t device = {TG_DEVICE_CPU, 0};
  /// Host functions that the model calls by name.
  Host host = {};
  /// Gets notices for people, such as the checkpoint that is resumed, and
  /// warnings of the compiler.
  std::function<void(const std::string &)> notice = {};
};

/// The results of an evaluation: the loss, the metrics of the model function,
/// and the MetricSpecs.
struct EvaluationResult {
  /// The number of training steps of the variables.
  uint64_t step = 0;
  training::MetricValues values;

  /// Returns a value. Throws data::DataError for an unknown tag.
  double at(const std::string &tag) const;
};

/// An evaluation during a training.
struct EvaluationOptions {
  InputFunction input = {};
  MetricSpecs metrics = {};
  /// The number of batches; 0: all.
  uint64_t steps = 0;
  /// Evaluates after each of so many steps, and after the last one; 0: only
  /// then.
  uint64_t frequency = 10;
};

/// A model function, its hyper-parameters, and the directory of a run. Copies
/// share them. Each purpose is compiled once: the library is kept in the
/// directory `compiled` of the run, under a name that depends on the program,
/// the options and the compiler.
///
/// Errors: GraphError for model functions, data::DataError for data and files,
/// RuntimeError for models and checkpoints that do not fit.
class Estimator {
public:
  /// Throws std::invalid_argument without a directory.
  Estimator(ModelFunction function, RunConfig config,
            training::HParams params = {});

  /// Trains until the run has `maxSteps` steps, from its newest whole
  /// checkpoint. Another model or pipeline than before is refused. With an
  /// evaluation, its values are summaries with tags such as "eval/loss".
  training::TrainingResult
  train(const InputFunction &input, uint64_t maxSteps,
        const std::optional<EvaluationOptions> &evaluation = {}) const;

  /// Evaluates the newest whole checkpoint on `steps` batches, 0 for all, and
  /// writes the values and the summaries to an event file in the directory
  /// `eval` of the run, as evaluations of a training do.
  EvaluationResult evaluate(const InputFunction &input,
                            const MetricSpecs &metrics = {},
                            uint64_t steps = 0) const;

  /// Gets a batch and its predictions, which are valid until it returns.
  using PredictionFunction = std::function<void(const data::Example &batch,
                                                const Outputs &predictions)>;
  /// Predicts one epoch with the newest whole checkpoint, batch by batch.
  void predict(const InputFunction &input, const PredictionFunction &use) const;
  /// The same, with the predictions of all examples by their names.
  std::map<std::string, data::Feature>
  predict(const InputFunction &input) const;

  /// Adds a callback of trainings.
  void add(std::shared_ptr<training::Callback> callback) const;
  /// Ends a training after the step that is running. May be called from any
  /// thread, and from a signal handler.
  void requestStop() const noexcept;
  bool isStopRequested() const noexcept;

  const RunConfig &config() const;
  const training::HParams &params() const;

private:
  class State;
  std::shared_ptr<State> state;
};

/// The options of an experiment.
struct ExperimentOptions {
  /// The number of steps of the run.
  uint64_t trainSteps = 1000;
  /// The number of batches of an evaluation; 0: all.
  uint64_t evalSteps = 0;
  /// The number of steps between evaluations of trainAndEvaluate().
  uint64_t evalFrequency = 10;
  /// The time between looks for a new checkpoint, and the time without one
  /// after which continuousEval() ends, in seconds; 0: never.
  double evalDelay = 1, evalTimeout = 0;
};

/// The results of a schedule, as far as it has them.
struct ExperimentResult {
  std::optional<training::TrainingResult> training;
  std::optional<EvaluationResult> evaluation;
};

/// A model with the data that trains and evaluates it. Its member functions are
/// schedules.
class Experiment {
public:
  Experiment(Estimator estimator, InputFunction trainInput,
             InputFunction evalInput, MetricSpecs evalMetrics = {},
             const ExperimentOptions &options = {});

  ExperimentResult train() const;
  ExperimentResult evaluate() const;
  /// Trains, and evaluates after every evalFrequency steps and at the end.
  ExperimentResult trainAndEvaluate() const;
  /// Evaluates each new checkpoint of a training in another process, until one
  /// has trainSteps steps.
  ExperimentResult continuousEval() const;
  /// Trains one step and evaluates it, to test the experiment.
  ExperimentResult test() const;

  /// Runs the schedule of a name of schedules(). Throws std::invalid_argument,
  /// which lists them, for another one.
  ExperimentResult run(const std::string &schedule) const;
  /// Returns "continuous_eval", "evaluate", "test", "train" and
  /// "train_and_evaluate".
  static std::vector<std::string> schedules();

  const Estimator &estimator() const { return model; }

private:
  EvaluationOptions evaluation() const;

  Estimator model;
  InputFunction trainInput, evalInput;
  MetricSpecs evalMetrics;
  ExperimentOptions options;
};

/// Makes an experiment for a run.
using ExperimentFunction = std::function<Experiment(
    const RunConfig &config, const training::HParams &params)>;

/// Makes an experiment and runs a schedule. TensorFlow: learn_runner.run.
ExperimentResult
runExperiment(const ExperimentFunction &function, const RunConfig &config,
              const std::string &schedule = "train_and_evaluate",
              const training::HParams &params = {});

} // namespace tg

#endif // TG_ESTIMATOR_H
