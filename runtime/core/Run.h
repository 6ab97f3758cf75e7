/// The parts that the ways to run a function share.
#ifndef TG_RUNTIME_CORE_RUN_H
#define TG_RUNTIME_CORE_RUN_H

#include "Context.h"

namespace tg {

/// The tensors that a run reads and writes.
struct RunTensors {
  const tg_tensor_t *inputs;
  uint32_t inputCount;
  const tg_tensor_t *outputs;
  uint32_t outputCount;
};

/// Runs a function of an idle context; profile may be null.
tg_status_t runFunction(tg_context_t &context, const tg_function_t &function,
                        RunTensors tensors, const tg_profile_t *profile,
                        tg_error_t *error);

/// A number as the tensor of an input; it must outlive the tensor.
tg_tensor_t scalarOf(const int64_t &number);

/// Returns true if the context gives input `index` where the host does not: a
/// seed, or the number of the call.
bool isLeftToContext(const tg_function_t &function, uint32_t index);

/// Adds what the host left to the context: inputs without data, or all of its
/// inputs where just the others are given. Returns true if the run counts as
/// one more that draws.
bool completeInputs(tg_context_t &context, const tg_function_t &function,
                    RunTensors &tensors);

} // namespace tg

#endif // TG_RUNTIME_CORE_RUN_H
