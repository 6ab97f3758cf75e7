/// The loop of a training over the batches of its data set.
#ifndef TG_RUNTIME_TRAINING_LOOP_LOOP_H
#define TG_RUNTIME_TRAINING_LOOP_LOOP_H

#include "Batches.h"
#include "Feed.h"
#include "MetricsFile.h"
#include "RunDirectory.h"
#include "tg/training/checkpoints.hpp"
#include "tg/training/events.hpp"
#include "tg/training/trainer.hpp"

#include <atomic>
#include <memory>

namespace tg::training {

/// A training, from its begin or from a checkpoint to its end. The members of
/// TrainingState are in State.cpp, checkpoints in Resume.cpp.
class Trainer::Loop final : public TrainingState {
public:
  Loop(Model model, data::Dataset data, TrainerOptions options);

  void setValidation(data::Dataset data, MetricSpecs metrics);
  void add(std::shared_ptr<Callback> callback);
  TrainingResult run();
  void requestStop() noexcept { isInterrupted.store(true); }

  const TrainerOptions &options() const override { return chosen; }
  const Model &model() const override { return trained; }
  Context &context() override { return *running; }
  uint64_t step() const override { return finished; }
  uint64_t epoch() const override { return position.epoch; }
  bool isEndOfEpoch() const override { return endsEpoch; }
  uint64_t examples() const override { return seen; }
  const data::Example &batch() const override;
  const Outputs &outputs() const override;
  void log(const std::string &tag, double value) override;
  std::optional<double> scalar(const std::string &tag) const override;
  void set(const std::string &name, double value) override;
  double get(const std::string &name) const override;
  Scalars evaluate(const data::Dataset &data, const std::string &function,
                   const MetricSpecs &metrics) override;
  void save() override { isSaveRequested = true; }
  void stop(const std::string &reason) override;

private:
  using Hook = void (Callback::*)(TrainingState &);

  /// Creates the context and the variables, or restores them.
  void start();
  void train();
  /// Runs one step and what follows it.
  void doStep();
  void runStep();
  void logOutputs();
  void validate();
  void writeSummary();
  bool isComplete() const;
  bool hasEnded() const;
  /// Calls a function of all callbacks.
  void notify(Hook hook);
  void notice(const std::string &text) const;

  /// Returns true if a checkpoint was restored.
  bool restore();
  void writeCheckpoint();
  std::map<std::string, std::string> entries() const;
  /// Throws data::DataError if a checkpoint is one of another training.
  void
  expectSameTraining(const std::map<std::string, std::string> &entries) const;
  void applyEntries(const std::map<std::string, std::string> &entries);

  Model trained;
  data::Dataset data;
  TrainerOptions chosen;
  const tg_function_t &function;
  std::vector<std::string> scalarNames;
  Feed feed;
  std::optional<data::Dataset> validation;
  MetricSpecs validMetrics;
  std::vector<std::shared_ptr<Callback>> callbacks;

  std::optional<RunDirectory> directory;
  std::optional<MetricsFile> metrics;
  std::optional<EventWriter> events;
  std::optional<CheckpointWriter> writer;
  std::optional<Context> running;
  std::optional<Batches> batches;
  const Outputs *results = nullptr;

  // Members that checkpoints contain.
  uint64_t finished = 0;
  data::Position position;
  std::map<std::string, double> inputs;     // of the function, by name
  std::map<std::string, double> lastValues; // of scalars, by tag
  std::optional<std::string> stopReason;

  Scalars summary; // of this step
  bool endsEpoch = false;
  bool isSaveRequested = false;
  bool isSaved = false; // true if a checkpoint has this state
  bool hasRun = false;
  uint64_t seen = 0;
  TrainingResult result;
  std::atomic<bool> isInterrupted = false;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_LOOP_H
