//===- RunLibrary.h - the library of one fetch, loaded --------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
#define TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H

#include "compiler/frontend/body/Body.h"
#include "compiler/frontend/session/DeviceThread.h"
#include "compiler/frontend/session/HostTable.h"
#include "tg/runtime.h"
#include "tg/tensor/array.h"

#include <cstdlib>

namespace tg::session {

/// Memory of a model: variables, a workspace, packed weights.
class Block {
public:
  char *data() const { return memory.get(); }
  uint64_t size() const { return bytes; }
  /// Makes it at least so large; keeps what it held where asked, new bytes
  /// zero. Throws std::bad_alloc where there is no such memory.
  void grow(uint64_t wanted, bool keeps);

private:
  struct Free {
    void operator()(char *freed) const { std::free(freed); }
  };
  std::unique_ptr<char, Free> memory;
  uint64_t bytes = 0;
};

/// A device of a session: its workers, and memory for what it computes.
struct Device {
  /// cpu:1.
  std::string name;
  Block workspace;
  /// Null: on the calling thread.
  const tg_parallel_t *parallel = nullptr;
  /// The number of parts of runs that it ran.
  uint64_t runs = 0;
};

/// The memory that all libraries of a session share.
struct Memory {
  /// Makes room for variables; new ones are zeros.
  void growSlab(uint64_t bytes);
  /// Marks data that was made of variables before as stale.
  void slabChanged();

  /// The variables of the graph in order of declaration, behind a header.
  Block slab;
  /// At least one.
  std::vector<Device> devices = std::vector<Device>(1);
  /// The threads that run all devices but the first.
  std::vector<std::unique_ptr<DeviceThread>> threads;
  HostTable host;
};

/// A failure of a run: a status of abi.h, and where.
struct Failure {
  std::string message, file;
  unsigned line = 0, column = 0;
  /// The number of the input that did not fit, -1 for none.
  int argument = -1;
};

/// Weights as a library's kernels want them.
struct Packed {
  Block block;
  uint64_t generation = 0;
};

/// One function of a library, on one device.
class RunPart {
public:
  RunPart(const tg_model_t *model, const tg_function_t *function);

  const tg_function_t *get() const { return function; }
  /// Runs on inputs of the right types; gives one array per output. Too little
  /// memory is a failure, which leaves no outputs.
  std::optional<Failure> run(Memory &memory, Device &device,
                             const Packed &packed,
                             const std::vector<tg_tensor_t> &inputs,
                             std::vector<Array> &outputs);
  bool usesPacked() const {
    return (function->flags & TG_FUNCTION_USES_PACKED) != 0;
  }

private:
  std::optional<Failure> plan(Device &device,
                              const std::vector<tg_tensor_t> &inputs);
  void makeOutputs(std::vector<Array> &outputs);
  /// Calls the function, whose workspace and outputs are there.
  std::optional<Failure> call(Memory &memory, Device &device,
                              const Packed &packed,
                              const std::vector<tg_tensor_t> &inputs,
                              std::vector<Array> &outputs);
  /// Returns the failure that tells how much memory the extents ask for.
  Failure needsMemory(const Device &device) const;
  Failure failureOf(const tg_error_t &error) const;

  const tg_model_t *model;
  const tg_function_t *function;
  /// The extents of the inputs that were planned last, and the symbols.
  std::vector<int64_t> planned, symbols;
  bool isPlanned = false;
  uint64_t workspaceBytes = 0;
  std::vector<DType> outputTypes;
  std::vector<tg_tensor_t> results;
};

/// The functions of one run and their code. They touch variables in the
/// session's slab alone.
class RunLibrary {
public:
  /// Throws std::runtime_error where the file cannot be loaded.
  explicit RunLibrary(dsl::FetchLibrary made);
  ~RunLibrary();
  RunLibrary(const RunLibrary &) = delete;

  const dsl::FetchLibrary &facts() const { return library; }
  /// Runs on inputs of the right types; gives one array per output. A failure
  /// leaves variables as they were.
  std::optional<Failure> run(Memory &memory,
                             const std::vector<tg_tensor_t> &inputs,
                             std::vector<Array> &outputs);
  /// The types of what is fed, which never change.
  std::vector<TensorType> fedTypes;
  /// True if all that it reads was found to have values.
  bool isChecked = false;

private:
  /// A part, and where its values come from and go to: an input of the run or
  /// an output of a part before, and an output of the run, if any.
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

  void connect();
  void prepare(Memory &memory);
  std::optional<Failure> runSteps(Memory &memory,
                                  const std::vector<tg_tensor_t> &inputs,
                                  std::vector<Array> &outputs);
  /// Runs the steps from `first` to before `last` at once, and returns when all
  /// of them have ended, whether they failed or not.
  void runStage(Memory &memory, size_t first, size_t last);
  /// Starts a step on the thread of its device, which is not the first.
  void startStep(Memory &memory, Step &step);
  /// Throws nothing: what goes wrong is the step's failure.
  void runStep(Memory &memory, Step &step);
  std::optional<Failure> runAll(Memory &memory,
                                const std::vector<tg_tensor_t> &inputs,
                                std::vector<Array> &outputs);
  bool isPlain() const {
    return steps.size() == 1 && steps.front().device == 0;
  }
  std::optional<Failure> pack(Memory &memory);
  void saveVariables(const Memory &memory);
  void restoreVariables(Memory &memory);

  dsl::FetchLibrary library;
  tg_module_t *module = nullptr;
  const tg_model_t *model = nullptr;
  std::vector<Step> steps;
  Packed packed;
  /// The variables that it assigns, from before the run.
  std::vector<char> saved;
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
