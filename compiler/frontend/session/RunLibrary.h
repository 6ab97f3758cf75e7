//===- RunLibrary.h - the library of one fetch, loaded --------------------===//
#ifndef TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
#define TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H

#include "compiler/frontend/dsl/Body.h"
#include "compiler/frontend/session/HostTable.h"
#include "tg/array.h"
#include "tg/runtime.h"

#include <cstdlib>

namespace tg::session {

/// Memory of a model: variables, a workspace, packed weights.
class Block {
public:
  char *data() const { return memory.get(); }
  uint64_t size() const { return bytes; }
  /// Makes it at least so large; keeps what it held where asked, new bytes
  /// zero.
  void grow(uint64_t wanted, bool keeps);

private:
  struct Free {
    void operator()(char *freed) const { std::free(freed); }
  };
  std::unique_ptr<char, Free> memory;
  uint64_t bytes = 0;
};

/// What all libraries of a session share.
struct Memory {
  /// Makes room for variables; new ones are zeros.
  void growSlab(uint64_t bytes);
  /// What was made of variables before is to be made again.
  void slabChanged();

  /// The variables of the graph in order of declaration, behind a header.
  Block slab;
  Block workspace;
  /// Null: on the calling thread.
  const tg_parallel_t *parallel = nullptr;
  HostTable host;
};

/// A failure of a run: a status of abi.h, and where.
struct Failure {
  std::string message, file;
  unsigned line = 0, column = 0;
  /// The number of the input that did not fit, -1 for none.
  int argument = -1;
};

/// One function and its code. It touches variables in the session's slab alone.
class RunLibrary {
public:
  /// Throws std::runtime_error where the file cannot be loaded.
  explicit RunLibrary(dsl::FetchLibrary made);
  ~RunLibrary();
  RunLibrary(const RunLibrary &) = delete;

  const dsl::FetchLibrary &facts() const { return library; }
  /// Runs on inputs of the right types; gives one array per output. A failure
  /// leaves variables as they were.
  std::optional<Failure> run(Memory &memory, std::vector<tg_tensor_t> &inputs,
                             std::vector<Array> &outputs);
  /// The element type of an input.
  DType inputType(size_t number) const { return inputTypes[number]; }
  tg_dtype_t inputDType(size_t number) const {
    return function->inputs[number]->dtype;
  }
  /// Whether all that it reads was found to have values, and whether it ran.
  bool isChecked = false, isWritten = false;

private:
  std::optional<Failure> plan(Memory &memory,
                              const std::vector<tg_tensor_t> &inputs);
  tg_status_t call(Memory &memory, const std::vector<tg_tensor_t> &inputs,
                   tg_error_t &error);
  tg_status_t pack(Memory &memory, tg_call_t call);
  void makeOutputs(std::vector<Array> &outputs);
  void saveVariables(const Memory &memory);
  void restoreVariables(Memory &memory);
  Failure failureOf(const tg_error_t &error) const;

  dsl::FetchLibrary library;
  tg_module_t *module = nullptr;
  const tg_model_t *model = nullptr;
  const tg_function_t *function = nullptr;
  /// The extents of the inputs that were planned last, and the symbols.
  std::vector<int64_t> planned, symbols;
  bool isPlanned = false;
  uint64_t workspaceBytes = 0;
  std::vector<DType> inputTypes, outputTypes;
  std::vector<tg_tensor_t> results;
  Block packed;
  uint64_t packedGeneration = 0;
  /// The variables that it assigns, from before the run.
  std::vector<char> saved;
};

} // namespace tg::session

#endif // TG_COMPILER_FRONTEND_SESSION_RUNLIBRARY_H
