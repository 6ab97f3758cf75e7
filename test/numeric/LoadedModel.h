//===- LoadedModel.h - a compiled library, run on host tensors ------------===//
#ifndef TG_TEST_NUMERIC_LOADEDMODEL_H
#define TG_TEST_NUMERIC_LOADEDMODEL_H

#include "dialects/tg/evaluation/HostTensor.h"
#include "tg/runtime.h"
#include <string>

namespace tg::test {

/// Returns the targets (TG_TARGET_...) that this machine runs, ascending.
std::vector<uint32_t> usableTargets();

/// A model library loaded by libtgrt. Methods return an error message, or ""
/// for success.
class LoadedModel {
public:
  LoadedModel() = default;
  LoadedModel(const LoadedModel &) = delete;
  ~LoadedModel();

  /// Loads a library for a target of the CPU, or onto a device.
  std::string load(llvm::ArrayRef<char> library, uint32_t target);
  std::string load(llvm::ArrayRef<char> library, tg_device_t device);

  /// Runs a function in a new context after the model's init, on the calling
  /// thread or on a pool. `outputs` must have their shapes already.
  std::string run(const std::string &function,
                  llvm::MutableArrayRef<HostTensor> inputs,
                  llvm::MutableArrayRef<HostTensor> outputs, uint32_t workers);

private:
  std::string load(llvm::ArrayRef<char> library,
                   const tg_load_options_t &options);
  std::string runIn(tg_context_t *context, const std::string &function,
                    llvm::MutableArrayRef<HostTensor> inputs,
                    llvm::MutableArrayRef<HostTensor> outputs);
  tg_module_t *module = nullptr;
};

} // namespace tg::test

#endif // TG_TEST_NUMERIC_LOADEDMODEL_H
