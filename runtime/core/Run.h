/// The common part of all ways to run a function.
#ifndef TG_RUNTIME_CORE_RUN_H
#define TG_RUNTIME_CORE_RUN_H

#include "Context.h"

namespace tg {

/// The inputs and outputs of a run.
struct RunTensors {
  const tg_tensor_t *inputs;
  uint32_t inputCount;
  const tg_tensor_t *outputs;
  uint32_t outputCount;
};

/// The receivers of times and results of steps; null for none.
struct RunObservers {
  const tg_profile_t *profile = nullptr;
  const tg_trace_t *trace = nullptr;
};

/// Runs a function of an idle context.
tg_status_t runFunction(tg_context_t &context, const tg_function_t &function,
                        RunTensors tensors, RunObservers observers,
                        tg_error_t *error);

/// Returns a number as an input tensor. The number must outlive the tensor.
tg_tensor_t scalarOf(const int64_t &number);

/// Returns true if the context supplies input `index` if the host omits it: a
/// seed, or the number of the call.
bool isLeftToContext(const tg_function_t &function, uint32_t index);

/// Adds the inputs that the host left to the context: those without data, or
/// all of them if exactly the others are given. Returns true if the context
/// supplies the number of the call, so that the run counts.
bool completeInputs(tg_context_t &context, const tg_function_t &function,
                    RunTensors &tensors);

} // namespace tg

#endif // TG_RUNTIME_CORE_RUN_H
