//===- LoadedModel.h - a compiled model that can run ----------------------===//
#ifndef TG_TOOLS_TGC_BENCH_LOADEDMODEL_H
#define TG_TOOLS_TGC_BENCH_LOADEDMODEL_H

#include "tg/runtime.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tg::bench {

/// Calls a function of libtgrt. Returns the error message; "" for TG_OK.
template <typename Function, typename... Arguments>
std::string call(Function *function, Arguments... arguments) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  return function(arguments..., &error) == TG_OK ? "" : error.message;
}

/// A model library loaded into this process, with a context and threads to run
/// it.
class LoadedModel {
public:
  LoadedModel() = default;
  LoadedModel(const LoadedModel &) = delete;
  ~LoadedModel();

  /// Loads the bytes of a library on a device. Returns an error, or "".
  std::string load(llvm::StringRef file, unsigned threads, tg_device_t device);
  /// Runs a function once and sets `seconds` to the sum of the times of its
  /// steps, on a device by the device's clock. Returns an error, or "".
  std::string timeSteps(uint32_t function, llvm::ArrayRef<tg_tensor_t> inputs,
                        llvm::ArrayRef<tg_tensor_t> outputs, double &seconds);

  const tg_model_t &getTables() const { return *tg_module_model(module); }
  tg_context_t *getContext() const { return context; }

private:
  tg_module_t *module = nullptr;
  tg_pool_t *pool = nullptr;
  tg_context_t *context = nullptr;
};

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_LOADEDMODEL_H
