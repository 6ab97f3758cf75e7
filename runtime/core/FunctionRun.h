/// One run of a function, from its start to its end.
#ifndef TG_RUNTIME_CORE_FUNCTIONRUN_H
#define TG_RUNTIME_CORE_FUNCTIONRUN_H

#include "Run.h"

namespace tg {

/// A run of a function of an idle context. Marks the context as running, and
/// excludes other contexts from memory that they share with it, as long as it
/// lives. If another thread has begun a run of the context meanwhile, start()
/// fails with TG_ERROR_BUSY.
class FunctionRun {
public:
  FunctionRun(tg_context_t &context, const tg_function_t &function);
  ~FunctionRun();
  FunctionRun(const FunctionRun &) = delete;

  /// Runs the function. With TG_DEVICE_ASYNC, a function on a device may only
  /// be enqueued; then finish() or abandon() must follow a success. Called
  /// once.
  tg_status_t start(RunTensors tensors, RunObservers observers,
                    uint32_t deviceFlags, tg_error_t *error);
  /// Waits for the end of what start() enqueued. Returns the status of the run.
  tg_status_t finish(tg_error_t *error);
  /// Waits for the end of what start() enqueued, and drops the result.
  void abandon();

private:
  bool writes() const { return function.flags & TG_FUNCTION_WRITES_VARIABLES; }
  /// Fails with TG_ERROR_BUSY if another run uses the context or its memory.
  tg_status_t begin(tg_error_t *error);
  void prepareCall(const RunTensors &tensors, const RunObservers &observers,
                   tg_error_t *error);
  void setSlab(void *slab, uint64_t bytes, tg_slab_header_t *header);
  void setPacked(void *packed, uint64_t bytes, PackedHeader &header);
  tg_status_t runCall();
  tg_status_t runOwn();
  tg_status_t runShared();
  /// Records the result of the run, of which nothing is left to be done.
  void end(tg_status_t status);
  /// Records whether the run has initialized the shared variables.
  void recordInit(tg_status_t status);

  tg_context_t &context;
  const tg_function_t &function;
  const bool isAlone; // no other run of the context has begun
  tg_call_t call = {};
  tg_device_call_t device = {};
  uint32_t flags = 0; // TG_DEVICE_..., of the function's run
  tg_host_t host = {};
  bool isCounted = false;
  bool hasWorkspace = false;
  bool hasVariables = false;
};

} // namespace tg

#endif // TG_RUNTIME_CORE_FUNCTIONRUN_H
