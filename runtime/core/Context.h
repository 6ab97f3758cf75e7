/// Contexts, the memory with which one thread at a time runs a model's
/// functions.
#ifndef TG_RUNTIME_CORE_CONTEXT_H
#define TG_RUNTIME_CORE_CONTEXT_H

#include "DeviceContext.h"
#include "HostServices.h"
#include "Module.h"
#include "PackedWeights.h"
#include "SharedVariables.h"
#include "Workspace.h"

#include <cstring>
#include <memory>

namespace tg {
struct PendingRun;
} // namespace tg

struct tg_context_t {
  tg_module_t *module = nullptr;
  tg_context_t *next = nullptr; // in tg_module_t::contexts, under its lock
  uint32_t flags = 0;           // TG_CONTEXT_...
  bool hasParallel = false;
  tg_parallel_t parallel = {};
  tg_variables_t *variables = nullptr; // null unless contexts share them
  char *ownSlab = nullptr;             // null without variables of its own
  std::unique_ptr<tg::DeviceContext> device; // null for the CPU
  tg_workspace_t ownWorkspace;
  tg_workspace_t *workspace = &ownWorkspace;
  tg::PackedWeights *packed = nullptr; // null if nothing is packed, and with
                                       // TG_CONTEXT_SHARED
  /// The weights that a running function reads; null otherwise.
  mutable std::atomic<tg::Weights *> pinned = nullptr;
  /// True while a function runs. Its prints and host functions may call the
  /// context again, also from other threads.
  std::atomic<bool> isRunning = false;
  int64_t seed = 0;                  // of random numbers in functions
  int64_t calls = 0;                 // runs that used the seed since it was set
  int64_t *symbols = nullptr;        // room for the symbols of any function
  tg_tensor_t *tensors = nullptr;    // room for the tensors of any function
  tg::PendingRun *pending = nullptr; // room for the run of tg_context_begin
  tg::HostTable host;

  const tg_model_t &model() const { return *module->model; }
  /// Returns the kind of memory of the variables, the workspace and the packed
  /// weights.
  const tg::Memory &memory() const { return module->memory(); }
  bool isShared() const { return flags & TG_CONTEXT_SHARED; }
  bool sharesWorkspace() const { return workspace != &ownWorkspace; }
  /// Returns the variables, after a header on the CPU and after unused bytes on
  /// a device; null in shared contexts and without variables.
  char *slab() const { return variables ? variables->slab : ownSlab; }
  uint64_t slabBytes() const {
    return variables ? variables->bytes : module->slabBytes;
  }
  /// Returns the header of the variables, in memory of the host.
  tg_slab_header_t *header() const {
    if (variables)
      return &variables->header();
    if (device)
      return &device->slabHeader;
    return reinterpret_cast<tg_slab_header_t *>(slab());
  }
  const tg_parallel_t *parallelOrNull() const {
    return hasParallel ? &parallel : nullptr;
  }
  /// Returns true if the variables in the first `leading` bytes of the slab
  /// have values. The context's own variables get their values all at once. Not
  /// for shared contexts.
  bool hasValues(uint64_t leading) const;
  /// Marks all variables of the module as set.
  void markSet();
};

namespace tg {

/// Pins the most recently published weights for the context, and returns them;
/// null if there are none. Neither locks nor waits for another thread.
const Weights *pinWeights(const tg_context_t &context);

/// Unpins the weights of the context.
inline void unpinWeights(const tg_context_t &context) {
  context.pinned.store(nullptr, std::memory_order_release);
}

/// Makes the room for a pending run; null if there is no memory.
PendingRun *createPending();
/// Ends the pending run of a context, if it has one, and frees the room.
void destroyPending(tg_context_t &context);

/// Fails with TG_ERROR_BUSY, because a function of the context runs.
tg_status_t failRunning(tg_error_t *error);
/// Fails with TG_ERROR_BUSY while a function of the context runs.
tg_status_t requireIdle(const tg_context_t &context, tg_error_t *error);

/// Finds the function of an index, in a context that must be idle.
tg_status_t findFunction(const tg_context_t &context, uint32_t index,
                         const tg_function_t *&function, tg_error_t *error);

/// Fails with TG_ERROR_SLAB because variables have no values. `function` is the
/// name of the function that needs them; null for none.
tg_status_t failWithoutValues(const char *function, tg_error_t *error);

/// The use of a context's variables by one call other than a run. Ends with the
/// object.
class VariablesUse {
public:
  VariablesUse() = default;
  VariablesUse(const VariablesUse &) = delete;
  ~VariablesUse() {
    if (variables)
      variables->end(writes);
  }

  /// Begins to read the variables in the first `leading` bytes. Fails with
  /// TG_ERROR_BUSY while the context runs or another context writes them, and
  /// with TG_ERROR_SLAB if the context has no variables of its own or these
  /// variables have no values.
  tg_status_t beginReading(const tg_context_t &context, uint64_t leading,
                           tg_error_t *error);
  /// Begins to write the variables in the first `leading` bytes, which may lack
  /// values. Also fails with TG_ERROR_BUSY while another context reads them.
  tg_status_t beginWriting(const tg_context_t &context, uint64_t leading,
                           tg_error_t *error);

private:
  tg_status_t begin(const tg_context_t &context, uint64_t leading, bool writes,
                    tg_error_t *error);

  tg_variables_t *variables = nullptr;
  bool writes = false;
};

} // namespace tg

#endif // TG_RUNTIME_CORE_CONTEXT_H
