//===- State.h - what the copies of an estimator share --------------------===//
#ifndef TG_COMPILER_FRONTEND_ESTIMATOR_STATE_H
#define TG_COMPILER_FRONTEND_ESTIMATOR_STATE_H

#include "compiler/frontend/estimator/EvaluationEvents.h"
#include "tg/estimator.h"
#include "tg/graph/summaries.h"

#include <atomic>

namespace tg::estimator {

/// The model of a mode, and the summaries that its model function made.
struct Compiled {
  Model model;
  SummaryOp summaries;
};

/// The begin of the names of outputs that summaries of an evaluation show.
inline constexpr std::string_view summaryPrefix = "summary/";
/// Returns the name of such an output.
inline std::string summaryOutput(size_t index) {
  return std::string(summaryPrefix) + std::to_string(index);
}

/// Returns "train", "evaluate" or "predict", the name of the function and of
/// its library.
std::string nameOf(ModeKey mode);

/// Returns the features of a data set that are labels, or those that are not.
data::ExampleType selectLabels(const InputData &data, bool areLabels);

/// Compiles a program, or finds the library that an earlier call has compiled
/// from the same text with the same options and compiler, and loads it.
Model loadCompiled(const Program &program, const std::string &mode,
                   const RunConfig &config);

/// Copies each variable of a model from the context of another model, which has
/// one of the same name and type. Throws RuntimeError if it lacks one.
void copyVariables(const Model &from, const Context &source, const Model &to,
                   Context &target);

} // namespace tg::estimator

namespace tg {

class Estimator::State {
public:
  State(ModelFunction called, RunConfig chosen, training::HParams given);

  /// Compiles a mode for data of a type, or returns what it has compiled.
  const estimator::Compiled &compile(ModeKey mode, const InputData &data);
  /// Loads the variables of the newest whole checkpoint into a context. Returns
  /// its step. Throws data::DataError if there is none.
  uint64_t restore(Context &context) const;
  /// Makes a context without values of its variables.
  Context context(const Model &model) const {
    return model.context({.threads = config.threads, .host = config.host});
  }

  const ModelFunction function;
  const RunConfig config;
  const training::HParams params;
  std::vector<std::shared_ptr<training::Callback>> callbacks;
  std::atomic<bool> stopRequested = false;
  /// The event files of evaluations.
  estimator::EvaluationEvents events;

private:
  /// Calls the model function, and adds its results as a function. Returns the
  /// summaries of an evaluation.
  SummaryOp define(const Program &program, ModeKey mode, const InputData &data);

  /// The models by mode and type of the data.
  std::map<std::pair<ModeKey, std::string>, estimator::Compiled> models;
};

} // namespace tg

#endif // TG_COMPILER_FRONTEND_ESTIMATOR_STATE_H
