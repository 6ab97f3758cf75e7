/// Inputs of random samples that a context supplies: its seed, and the number
/// of the call.
#include "Run.h"

using namespace tg;

tg_tensor_t tg::scalarOf(const int64_t &number) {
  tg_tensor_t tensor = {};
  tensor.data = const_cast<int64_t *>(&number);
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.dtype = {TG_DTYPE_INT, 64, 1};
  return tensor;
}

bool tg::isLeftToContext(const tg_function_t &function, uint32_t index) {
  return index < function.input_count &&
         function.inputs[index]->flags & (TG_VALUE_SEED | TG_VALUE_CALL);
}

bool tg::completeInputs(tg_context_t &context, const tg_function_t &function,
                        RunTensors &tensors) {
  const uint32_t count = function.input_count;
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; ++i)
    left += isLeftToContext(function, i);
  const bool hasAll = tensors.inputCount == count;
  const bool canComplete = hasAll || tensors.inputCount == count - left;
  if (!left || !canComplete || (tensors.inputCount && !tensors.inputs))
    return false; // the run reports the error
  bool isCounted = false;
  const tg_tensor_t *next = tensors.inputs;
  for (uint32_t i = 0; i < count; ++i) {
    const bool isLeft = isLeftToContext(function, i);
    const bool isGiven = hasAll ? !isLeft || next->data : !isLeft;
    const bool isSeed = function.inputs[i]->flags & TG_VALUE_SEED;
    context.tensors[i] =
        isGiven ? *next : scalarOf(isSeed ? context.seed : context.calls);
    isCounted |= !isGiven && !isSeed;
    next += isGiven || hasAll;
  }
  tensors.inputs = context.tensors;
  tensors.inputCount = count;
  return isCounted;
}
