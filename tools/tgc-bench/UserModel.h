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

/// The timed part of a user's model.
struct UserRun {
  /// The model as text.
  std::string path;
  std::string function;
  /// The unknown extents of the inputs: batch=64,words=10.
  std::string dims;
  unsigned threads = 2;
  int optimization = 2;
  /// The x86-64 level of the code; 0: the best that this machine runs.
  int level = 0;
};

/// The public functions of a model but `init`, in their order; nothing after
/// diagnostics, which go to stderr.
std::vector<std::string> listFunctions(const std::string &path);

/// A function in this process: compiled by the driver as tgc does it, loaded by
/// libtgrt, with first values by `init` and random inputs.
class UserModel {
public:
  /// Compiles, loads and runs once.
  llvm::Error prepare(const UserRun &run);
  /// One call. Returns what failed, or "".
  std::string step();

  /// Seconds from the text to the first result.
  double firstCallSeconds = 0;
  /// Arithmetic and least traffic of a call, as the library tells them.
  double gflop = 0, gbyte = 0;
  /// The unknown extents that the call has, as "batch=64".
  std::string extents;

private:
  struct Value;
  llvm::Error bindExtents(llvm::StringRef dims);
  llvm::Error initialize();
  /// Draws the elements of input `number`; integers in [lowest, bound).
  void fill(unsigned number);
  /// Draws inputs anew until a call finds its indices in range.
  llvm::Error findInputs();
  llvm::Error makeValues();
  tg_status_t run(tg_error_t &error);

  LoadedModel library;
  const tg_function_t *function = nullptr;
  uint32_t functionNumber = 0;
  std::vector<int64_t> symbols;
  /// The memory of the inputs, then of the outputs.
  std::vector<HugeMemory> memory;
  std::vector<llvm::SmallVector<int64_t>> shapes;
  std::vector<tg_tensor_t> tensors;
  /// The bounds of the inputs' integers.
  std::vector<int64_t> lowest, bounds;
  std::mt19937 random{1};
};

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_USERMODEL_H
