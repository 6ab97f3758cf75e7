/// The part of a context that concerns its device.
#ifndef TG_RUNTIME_CORE_DEVICECONTEXT_H
#define TG_RUNTIME_CORE_DEVICECONTEXT_H

#include "runtime/device/DeviceModule.h"

namespace tg {

/// The stream of a context on the device of its module, its host block, and the
/// header of its variables.
class DeviceContext {
public:
  explicit DeviceContext(DeviceModule &module) : module(module) {}
  DeviceContext(const DeviceContext &) = delete;
  ~DeviceContext();

  /// Makes the stream, over that of the host unless `given` is null. Called
  /// once, before the other functions.
  tg_status_t open(void *given, tg_error_t *error) {
    return module.createStream(given, stream, error);
  }
  /// Grows the host block to the size that a function needs. `plan` is the
  /// result of its plan, which may lack the size.
  tg_status_t reserveHostBlock(const tg_function_t &function,
                               const tg_plan_t &plan, tg_error_t *error);
  /// Grows the host block to the least size that each function needs. `symbols`
  /// has room for the symbols of any function.
  tg_status_t reserveHostBlocks(const tg_model_t &model, int64_t *symbols,
                                tg_error_t *error);

  /// Makes room to identify runs of any function.
  tg_status_t reserveKeys(const tg_model_t &model, tg_error_t *error);
  /// Runs a function.
  tg_status_t run(const tg_function_t &function, const tg_call_t &call) const {
    if (const tg_status_t status = stream->checkProcess(call.error);
        status != TG_OK)
      return status;
    stream->setCall(&call);
    const tg_status_t status = function.run(&function, &call);
    stream->setCall(nullptr);
    return status;
  }

  /// Returns the part of a call that concerns the device, but for the headers.
  tg_device_call_t describe() const;
  /// Waits for operations that a failed call did not wait for.
  void settle() const { stream->settle(); }
  /// Returns the time of the device in nanoseconds, as DeviceStream::now().
  uint64_t now() const { return stream->now(); }

  /// The header of the variables; unused in contexts without their own.
  tg_slab_header_t slabHeader = {};

private:
  tg_status_t growHostBlock(uint64_t bytes, tg_error_t *error);

  DeviceModule &module;
  std::unique_ptr<DeviceStream> stream;
  char *hostBlock = nullptr;
  uint64_t hostBlockBytes = 0;
};

} // namespace tg

#endif // TG_RUNTIME_CORE_DEVICECONTEXT_H
