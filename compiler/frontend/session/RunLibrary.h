//===- RunLibrary.h - the library of one fetch, loaded --------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
#define TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H

#include "compiler/frontend/body/Body.h"
#include "compiler/frontend/session/DeviceThread.h"
#include "compiler/frontend/session/HostTable.h"
#include "compiler/frontend/session/Owned.h"
#include "tg/tensor/array.h"

namespace tg::session {

/// A device of a session: its workers, and memory for what it computes.
struct Device {
  /// The name, such as cpu:1.
  std::string name;
  /// Shared by the contexts of all libraries.
  Owned<tg_workspace_t> workspace;
  /// Null: parts run on the calling thread.
  Owned<tg_pool_t> pool;
  /// The number of parts of runs that it ran.
  uint64_t runs = 0;
};

/// The memory and the services that all libraries of a session share.
struct Memory {
  /// The variables of the graph in order of declaration. A new one is 0.
  Owned<tg_variables_t> variables;
  /// At least one.
  std::vector<Device> devices = std::vector<Device>(1);
  /// The threads that run all devices but the first.
  std::vector<std::unique_ptr<DeviceThread>> threads;
  HostTable host;
};

/// The failure of a run: a message, and the source location of the operation.
struct Failure {
  std::string message, file;
  unsigned line = 0, column = 0;
  /// The number of the input that did not fit, -1 for none.
  int argument = -1;
};

/// One function of a library, in the context of one device.
class RunPart {
public:
  RunPart(tg_context_t *context, const tg_model_t *model, uint32_t number);

  const tg_function_t *get() const { return function; }
  /// Runs on inputs of the right types and appends one array per output. A
  /// failure, also for want of memory, leaves no outputs.
  std::optional<Failure> run(const Device &device,
                             const std::vector<tg_tensor_t> &inputs,
                             std::vector<Array> &outputs);

private:
  std::optional<Failure> plan(const Device &device,
                              const std::vector<tg_tensor_t> &inputs);
  void makeOutputs(std::vector<Array> &outputs);
  /// Calls the function, whose workspace and outputs are there.
  std::optional<Failure> call(const std::vector<tg_tensor_t> &inputs,
                              std::vector<Array> &outputs);
  /// Returns the failure that says how much memory the extents need.
  Failure needsMemory(const Device &device) const;
  Failure failureOf(const tg_error_t &error) const;

  tg_context_t *context;
  const tg_model_t *model;
  uint32_t number;
  const tg_function_t *function;
  /// The extents of the inputs that were planned last, and the symbols.
  std::vector<int64_t> planned, symbols;
  bool isPlanned = false;
  uint64_t workspaceBytes = 0;
  std::vector<DType> outputTypes;
  std::vector<tg_tensor_t> results;
};

/// The functions of one run and their code. Their variables are the session's.
class RunLibrary {
public:
  /// Throws std::runtime_error if the file cannot be loaded or there is no
  /// memory for the variables.
  RunLibrary(dsl::FetchLibrary made, Memory &memory);
  RunLibrary(const RunLibrary &) = delete;

  const dsl::FetchLibrary &facts() const { return library; }
  /// Runs on inputs of the right types and gives one array per output. A
  /// failure leaves variables as they were.
  std::optional<Failure> run(Memory &memory,
                             const std::vector<tg_tensor_t> &inputs,
                             std::vector<Array> &outputs);
  /// The types of what is fed, which never change.
  std::vector<TensorType> fedTypes;
  /// True if all variables that it reads were found to have values.
  bool isChecked = false;

private:
  /// A part, and where its values come from and go to: an input of the run or
  /// an output of an earlier part, and an output of the run, if any.
  struct Step {
    RunPart part;
    unsigned device, stage;
    struct Source {
      int input = -1;
      size_t step = 0, output = 0;
    };
    std::vector<Source> sources = {};
    std::vector<int> places = {};
    std::vector<tg_tensor_t> inputs = {};
    std::vector<Array> outputs = {};
    std::optional<Failure> failure = {};
  };

  tg_context_t *contextOf(unsigned device, Memory &memory);
  void connect();
  void registerHost(const HostTable &host);
  std::optional<Failure> tryAll(Memory &memory,
                                const std::vector<tg_tensor_t> &inputs,
                                std::vector<Array> &outputs);
  std::optional<Failure> runSteps(Memory &memory,
                                  const std::vector<tg_tensor_t> &inputs,
                                  std::vector<Array> &outputs);
  /// Runs the steps from `first` to before `last` at once, and returns when all
  /// of them have ended, whether they failed or not.
  void runStage(Memory &memory, size_t first, size_t last);
  /// Starts a step on the thread of its device, which is not the first.
  void startStep(Memory &memory, Step &step);
  /// Throws nothing: an exception becomes the step's failure.
  void runStep(Memory &memory, Step &step);
  std::optional<Failure> runAll(Memory &memory,
                                const std::vector<tg_tensor_t> &inputs,
                                std::vector<Array> &outputs);
  bool isPlain() const {
    return steps.size() == 1 && steps.front().device == 0;
  }

  dsl::FetchLibrary library;
  Owned<tg_module_t> module;
  /// By device; null for a device without a part.
  std::vector<Owned<tg_context_t>> contexts;
  std::vector<Step> steps;
  /// The variables that it assigns.
  std::vector<uint32_t> writes;
  /// The number of host functions that the contexts know.
  size_t hostFunctions = 0;
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
