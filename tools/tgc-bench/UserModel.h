//===- UserModel.h - a function of a user's model, ready to run -----------===//
#ifndef TG_TOOLS_TGC_BENCH_USERMODEL_H
#define TG_TOOLS_TGC_BENCH_USERMODEL_H

#include "LoadedModel.h"
#include "tools/common/HugeMemory.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <random>
#include <vector>

namespace tg::bench {

/// The measured part of a user's model.
struct UserRun {
  /// The file of the model as text.
  std::string path;
  std::string function;
  /// The dynamic extents of the inputs: batch=64,words=10.
  std::string dims;
  unsigned threads = 2;
  int optimization = 2;
  /// The x86-64 ISA level of the code; 0 for the highest that this machine
  /// supports.
  int level = 0;
  /// The device that runs the function.
  tg_device_t device = {TG_DEVICE_CPU, 0};
};

/// Returns the public functions of a model except `init`, in their order; empty
/// after diagnostics, which go to stderr.
std::vector<std::string> listFunctions(const std::string &path);

/// A function in this process: compiled by the driver as tgc does it, loaded by
/// libtgrt, with initial values from `init` and random inputs.
class UserModel {
public:
  /// Compiles, loads and runs once.
  llvm::Error prepare(const UserRun &run);
  /// Runs one call. Returns an error, or "".
  std::string step();
  /// Runs one call and sets `seconds` to the time of its steps, as
  /// LoadedModel::timeSteps. Returns an error, or "".
  std::string timeSteps(double &seconds);

  /// The seconds from the text to the first result.
  double firstCallSeconds = 0;
  /// The arithmetic and minimum traffic of a call that the library reports.
  double gflop = 0, gbyte = 0;
  /// The dynamic extents of the call: "batch=64".
  std::string extents;

private:
  struct Value;
  llvm::Error bindExtents(llvm::StringRef dims);
  llvm::Error initialize();
  /// Fills input `index` with random elements; integers are in [lowest, bound).
  void fill(unsigned index);
  /// Generates new inputs until a call finds all indices and labels in range.
  llvm::Error findInputs();
  llvm::Error makeValues();
  tg_status_t run(tg_error_t &error);

  LoadedModel library;
  const tg_function_t *function = nullptr;
  uint32_t functionIndex = 0;
  std::vector<int64_t> symbols;
  /// The memory of the inputs, then of the outputs.
  std::vector<HugeMemory> memory;
  std::vector<llvm::SmallVector<int64_t>> shapes;
  std::vector<tg_tensor_t> tensors;
  /// The bounds of integer inputs.
  std::vector<int64_t> lowest, bounds;
  std::mt19937 random{1};
};

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_USERMODEL_H
