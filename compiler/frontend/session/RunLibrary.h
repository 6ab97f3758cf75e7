//===- RunLibrary.h - the library of one fetch, loaded --------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
#define TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H

#include "compiler/frontend/body/Body.h"
#include "compiler/frontend/session/DeviceThread.h"
#include "compiler/frontend/session/Owned.h"
#include "compiler/frontend/session/SessionHost.h"
#include "tg/tensor/array.h"

namespace tg::session {

/// A device of a session: its workers, and the workspace for its computations.
struct Device {
  /// The name, such as cpu:1.
  std::string name;
  /// The device of libtgrt: a CPU, or the GPU of a number.
  tg_device_t id = {TG_DEVICE_CPU, 0};
  /// The workspace, which the contexts of all libraries share.
  Owned<tg_workspace_t> workspace;
  /// The workers. If null, parts run on one thread.
  Owned<tg_pool_t> pool;
  /// The number of parts that ran on the device.
  uint64_t runs = 0;
};

/// The memory and the services that all libraries of a session share.
struct Memory {
  /// The variables of the graph in order of declaration, initially 0, in the
  /// memory of the first device.
  Owned<tg_variables_t> variables;
  /// The devices; at least one.
  std::vector<Device> devices = std::vector<Device>(1);
  /// The threads of all devices but the first. The parts of the first device
  /// run on the calling thread.
  std::vector<std::unique_ptr<DeviceThread>> threads;
  SessionHost host;
};

/// The failure of a run: a message, and the source location of the operation;
/// line 0 if there is none.
struct Failure {
  std::string message, file;
  unsigned line = 0, column = 0;
  /// The index of the input at fault, or -1.
  int argument = -1;
};

/// One function of a library, in the context of one device.
class RunPart {
public:
  RunPart(tg_context_t *context, const tg_model_t *model, uint32_t index);

  const tg_function_t *get() const { return function; }
  /// Runs the function on inputs of its types and appends one array per output.
  /// After a failure, including exhausted memory, `outputs` is empty.
  std::optional<Failure> run(const Device &device,
                             const std::vector<tg_tensor_t> &inputs,
                             std::vector<Array> &outputs);

private:
  /// Computes the symbols and grows the workspace if extents changed since the
  /// last run.
  std::optional<Failure> plan(const Device &device,
                              const std::vector<tg_tensor_t> &inputs);
  /// Appends arrays with the extents of the outputs, and describes them in
  /// `results`.
  void makeOutputs(std::vector<Array> &outputs);
  /// Calls the function. Its workspace and outputs must be allocated.
  std::optional<Failure> call(const std::vector<tg_tensor_t> &inputs,
                              std::vector<Array> &outputs);
  /// Returns the failure for exhausted memory, with the required bytes.
  Failure memoryFailure(const Device &device) const;
  Failure failureOf(const tg_error_t &error) const;

  tg_context_t *context;
  const tg_model_t *model;
  /// The index of the function in the model.
  uint32_t index;
  const tg_function_t *function;
  /// The extents of the inputs at the last plan(), and the values of the
  /// symbols.
  std::vector<int64_t> plannedExtents, symbols;
  bool isPlanned = false;
  uint64_t workspaceBytes = 0;
  std::vector<DType> outputTypes;
  /// Describes the outputs of the current run.
  std::vector<tg_tensor_t> results;
};

/// A loaded library with the functions of one run. It uses the variables of the
/// session.
class RunLibrary {
public:
  /// Throws std::runtime_error if the file cannot be loaded or there is no
  /// memory for the variables.
  RunLibrary(dsl::FetchLibrary made, Memory &memory);
  RunLibrary(const RunLibrary &) = delete;

  const dsl::FetchLibrary &facts() const { return library; }
  /// Runs all functions on inputs of the right types and returns one array per
  /// output in `outputs`. A failure leaves the variables unchanged.
  std::optional<Failure> run(Memory &memory,
                             const std::vector<tg_tensor_t> &inputs,
                             std::vector<Array> &outputs);
  /// The types of the feeds.
  std::vector<TensorType> fedTypes;
  /// True if all variables that the library reads are known to have values.
  bool isChecked = false;

private:
  /// One part of a run, with the sources of its inputs and the destinations of
  /// its outputs.
  struct Step {
    RunPart part;
    unsigned device, stage;
    /// An input of the run, or if `input` is -1 an output of an earlier step.
    struct Source {
      int input = -1;
      size_t step = 0, output = 0;
    };
    /// The source of each input.
    std::vector<Source> sources = {};
    /// For each output, the index of the output of the run, or -1.
    std::vector<int> runOutputs = {};
    std::vector<tg_tensor_t> inputs = {};
    std::vector<Array> outputs = {};
    std::optional<Failure> failure = {};
  };

  /// Returns the context of a device; creates it on first use.
  tg_context_t *contextOf(unsigned device, Memory &memory);
  /// Returns the module on a device; loads it on first use.
  tg_module_t *moduleOn(tg_device_t device);
  /// Finds the sources and destinations of the steps' values by their names.
  void connect();
  void registerHost(const SessionHost &host);
  std::optional<Failure> tryAll(Memory &memory,
                                const std::vector<tg_tensor_t> &inputs,
                                std::vector<Array> &outputs);
  std::optional<Failure> runSteps(Memory &memory,
                                  const std::vector<tg_tensor_t> &inputs,
                                  std::vector<Array> &outputs);
  /// Runs the steps [first, last) concurrently, and returns when all of them
  /// have ended or failed.
  void runStage(Memory &memory, size_t first, size_t last);
  /// Starts a step on the thread of its device, which must not be the first
  /// device.
  void startStep(Memory &memory, Step &step);
  /// Runs a step. An exception becomes the failure of the step.
  void runStep(Memory &memory, Step &step);
  std::optional<Failure> runAll(Memory &memory,
                                const std::vector<tg_tensor_t> &inputs,
                                std::vector<Array> &outputs);
  /// Returns true if the run is a single step on the first device.
  bool isSingleStep() const {
    return steps.size() == 1 && steps.front().device == 0;
  }

  dsl::FetchLibrary library;
  /// The modules by device. All CPUs have one.
  std::vector<std::pair<tg_device_t, Owned<tg_module_t>>> modules;
  /// The contexts by device; null for a device without a step.
  std::vector<Owned<tg_context_t>> contexts;
  std::vector<Step> steps;
  /// The indices of the variables that the library assigns.
  std::vector<uint32_t> writes;
  /// The number of host functions that the contexts know.
  size_t hostFunctions = 0;
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
