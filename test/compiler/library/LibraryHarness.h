/// Compiles scheduled modules and calls them through abi.h alone.
#ifndef TG_TEST_COMPILER_LIBRARY_LIBRARYHARNESS_H
#define TG_TEST_COMPILER_LIBRARY_LIBRARYHARNESS_H

#include "compiler/library/Library.h"
#include "tg/abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tg::test {

/// A module whose functions use every kind of buffer and step.
extern const char *const kCounterModel;

/// Compiles a scheduled module given as text and returns the library. Returns
/// an empty vector after a diagnostic, which goes to `messages` if that is not
/// null. Sets `*record` if `record` is not null.
std::vector<char> compile(llvm::StringRef text, const LibraryOptions &options,
                          std::string *messages = nullptr,
                          BuildRecord *record = nullptr);

/// A library that is loaded into this process.
class Loaded {
public:
  /// Loads the file; a file that cannot be loaded fails the test.
  explicit Loaded(llvm::ArrayRef<char> file,
                  const char *symbol = TG_MODEL_SYMBOL);
  ~Loaded();
  /// Returns the model table for a target; null if the library does not return
  /// TG_OK.
  const tg_model_t *model(uint32_t target = TG_TARGET_BEST);
  const tg_function_t *find(const char *name);
  tg_status_t status = TG_OK;

private:
  int descriptor = -1;
  void *handle = nullptr;
  tg_model_get_fn *get = nullptr;
};

/// The memory for calls of one model: slab, workspace and packed weights.
class Host {
public:
  explicit Host(const tg_model_t *model);
  tg_status_t run(const tg_function_t *function,
                  llvm::ArrayRef<tg_tensor_t> inputs,
                  llvm::ArrayRef<tg_tensor_t> outputs,
                  const tg_parallel_t *parallel = nullptr);
  /// Returns the workspace size in bytes of a call with these symbols; -1 after
  /// an error.
  int64_t plan(const tg_function_t *function, std::vector<int64_t> &symbols,
               uint32_t workers = 1);
  /// Returns the memory of a variable.
  template <typename T> T *variable(unsigned number) {
    return reinterpret_cast<T *>(slab + model->variables[number]->offset);
  }

  tg_error_t error = {};
  const tg_model_t *model;
  alignas(64) char slab[4096] = {};
  alignas(64) char workspace[1 << 20] = {};
  alignas(64) char packed[4096] = {};
};

/// Returns a tensor over `data` with the shape `dims`, both of which must
/// outlive it.
tg_tensor_t tensor(float *data, std::vector<int64_t> &dims);
tg_tensor_t tensor(int64_t *data, std::vector<int64_t> &dims);
tg_tensor_t tensor(int32_t *data, std::vector<int64_t> &dims);

} // namespace tg::test

#endif // TG_TEST_COMPILER_LIBRARY_LIBRARYHARNESS_H
