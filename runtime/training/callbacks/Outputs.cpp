//===- Outputs.cpp - functions and outputs of steps -----------------------===//
#include "Support.h"
#include "runtime/training/loop/Feed.h"
#include "runtime/training/metrics/Tensors.h"

#include <algorithm>

using namespace tg;
using namespace tg::training;

/// Returns names as text, for the names of callbacks.
static std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

namespace {

class FunctionRunner : public Callback {
public:
  FunctionRunner(std::string called, const RunFunctionOptions &when)
      : function(std::move(called)), options(when) {}

  std::string name() const override { return "runFunction(" + function + ")"; }
  void beforeTrain(TrainingState &state) override {
    // A resumed training has the effects of this run in its variables.
    if (options.runsBeforeTraining && !state.step())
      run(state);
  }
  void afterStep(TrainingState &state) override {
    if (options.runsAfterSteps)
      run(state);
  }
  void triggerEpoch(TrainingState &state) override {
    if (options.runsAfterEpochs)
      run(state);
  }

private:
  void run(TrainingState &state) const {
    state.context().run(
        function, numbersFor(state, findFunction(state.model(), function)));
  }

  std::string function;
  RunFunctionOptions options;
};

class OutputProcessor : public Callback {
public:
  using Process =
      std::function<void(TrainingState &, const std::vector<NamedTensor> &)>;

  OutputProcessor(std::string kind, std::vector<std::string> outputs,
                  Process called)
      : text(kind + "(" + joined(outputs) + ")"), names(std::move(outputs)),
        process(std::move(called)) {}

  std::string name() const override { return text; }
  void afterStep(TrainingState &state) override {
    process(state, outputsOf(state, names));
  }

private:
  std::string text;
  std::vector<std::string> names;
  Process process;
};

} // namespace

CallbackPtr training::runFunction(const std::string &function,
                                  const RunFunctionOptions &options) {
  return std::make_shared<FunctionRunner>(function, options);
}

CallbackPtr training::processOutputs(
    std::vector<std::string> outputs,
    std::function<void(TrainingState &, const std::vector<NamedTensor> &)>
        process) {
  return std::make_shared<OutputProcessor>("processOutputs", std::move(outputs),
                                           std::move(process));
}

/// Appends up to eight elements to a line.
static void appendElements(std::string &line, const tg_tensor_t &tensor) {
  constexpr size_t most = 8;
  visitElements(tensor, [&](auto elements) {
    for (size_t i = 0; i < std::min(most, elements.size()); ++i)
      line += " " + shortText(static_cast<double>(elements[i]));
    if (elements.size() > most)
      line += " ...";
  });
}

CallbackPtr training::printOutputs(std::vector<std::string> outputs,
                                   std::ostream &stream) {
  const auto print = [&stream](TrainingState &state,
                               const std::vector<NamedTensor> &tensors) {
    for (const NamedTensor &tensor : tensors) {
      std::string line = "step " + std::to_string(state.step()) + ": " +
                         tensor.name + " " + describe(tensor.tensor) + ":";
      appendElements(line, tensor.tensor);
      stream << line << '\n';
    }
    stream.flush();
  };
  return std::make_shared<OutputProcessor>("printOutputs", std::move(outputs),
                                           print);
}
