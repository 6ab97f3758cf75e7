/// Runs functions on tensors that are given by name.
#include "Run.h"
#include "runtime/messages/Error.h"
#include "runtime/messages/Suggestion.h"

#include <algorithm>
#include <cstring>

using namespace tg;

/// Returns the index of the tensor called `name` that follows `others` tensors
/// of this name, or `count` if there is none. An input and an output of a
/// function may have the same name.
static uint32_t findTensor(const tg_named_tensor_t *tensors, uint32_t count,
                           const char *name, uint32_t others) {
  uint32_t i = 0;
  for (; i < count; ++i)
    if (std::strcmp(tensors[i].name, name) == 0 && others-- == 0)
      break;
  return i;
}

/// Returns the name of input or output `index`; outputs follow inputs.
static const char *nameOf(const tg_function_t &function, uint32_t index) {
  return index < function.input_count
             ? function.inputs[index]->name
             : function.outputs[index - function.input_count]->name;
}

/// Returns the number of inputs and outputs called `name` below index `end`.
static uint32_t countNamed(const tg_function_t &function, uint32_t end,
                           const char *name) {
  uint32_t named = 0;
  for (uint32_t i = 0; i < end; ++i)
    named += std::strcmp(nameOf(function, i), name) == 0;
  return named;
}

/// Reports an input or output without tensor, and names the first tensor that
/// belongs to no input or output.
static tg_status_t failMissing(const tg_function_t &function, const char *name,
                               const tg_named_tensor_t *tensors, uint32_t count,
                               tg_error_t *error) {
  const uint32_t total = function.input_count + function.output_count;
  const char *other = nullptr;
  for (uint32_t i = 0; i < count && !other; ++i)
    if (countNamed(function, total, tensors[i].name) == 0)
      other = tensors[i].name;
  return fail(error, TG_ERROR_NOT_FOUND,
              "%.80s: no tensor for '%.64s' was given%s%.64s%s", function.name,
              name, other ? ", found '" : "", other ? other : "",
              other ? "'" : "");
}

/// Copies the tensors of all inputs and outputs to `into`, in order. Inputs
/// that the context supplies have no data there.
static tg_status_t pickTensors(const tg_function_t &function,
                               const tg_named_tensor_t *tensors, uint32_t count,
                               tg_tensor_t *into, tg_error_t *error) {
  const uint32_t total = function.input_count + function.output_count;
  for (uint32_t v = 0; v < total; ++v) {
    const char *name = nameOf(function, v);
    const uint32_t i =
        findTensor(tensors, count, name, countNamed(function, v, name));
    if (i == count && !isLeftToContext(function, v))
      return failMissing(function, name, tensors, count, error);
    into[v] = i == count ? tg_tensor_t() : tensors[i].tensor;
  }
  return TG_OK;
}

/// Returns the number of omitted inputs that the context can supply.
static uint32_t countLeftOut(const tg_function_t &function,
                             const tg_named_tensor_t *tensors, uint32_t count) {
  uint32_t leftOut = 0;
  for (uint32_t v = 0; v < function.input_count; ++v) {
    if (!isLeftToContext(function, v))
      continue;
    bool isGiven = false;
    for (uint32_t i = 0; i < count && !isGiven; ++i)
      isGiven = tensors[i].name &&
                std::strcmp(tensors[i].name, nameOf(function, v)) == 0;
    leftOut += !isGiven;
  }
  return leftOut;
}

/// Reports a wrong number of tensors, and names the first surplus one. It is
/// among the first expected + 1 tensors, so no further one is read.
static tg_status_t failCount(const tg_function_t &function,
                             const tg_named_tensor_t *tensors, uint32_t count,
                             uint32_t leftOut, tg_error_t *error) {
  const uint32_t inputs = function.input_count - leftOut,
                 outputs = function.output_count;
  const uint32_t expected = inputs + outputs;
  const char *surplus = nullptr;
  for (uint32_t i = 0; i < count && i <= expected && !surplus; ++i) {
    const char *name = tensors[i].name;
    uint32_t before = 0;
    for (uint32_t j = 0; name && j < i; ++j)
      before += tensors[j].name && std::strcmp(tensors[j].name, name) == 0;
    if (name && before >= countNamed(function, expected + leftOut, name))
      surplus = name;
  }
  return failNumber(
      error, TG_ERROR_COUNT, count, expected,
      "%.80s: %u tensors, expected %u inputs and %u outputs%s%.80s%s",
      function.name, count, inputs, outputs, surplus ? "; too many: '" : "",
      surplus ? surplus : "", surplus ? "'" : "");
}

static tg_status_t runNamed(tg_context_t &context, const char *name,
                            const tg_named_tensor_t *tensors, uint32_t count,
                            tg_error_t *error) {
  if (!name || (count && !tensors))
    return fail(error, TG_ERROR_NULL, "function or tensors is null");
  if (const tg_status_t status = requireIdle(context, error); status != TG_OK)
    return status;
  const tg_model_t &model = context.model();
  uint32_t index = 0;
  while (index < model.function_count &&
         std::strcmp(model.functions[index]->name, name) != 0)
    ++index;
  if (index == model.function_count)
    return fail(
        error, TG_ERROR_NOT_FOUND, "model '%.64s' has no function '%.128s'%s",
        model.name, name,
        suggestFrom(model.functions, model.function_count, name).describe());
  const tg_function_t &function = *model.functions[index];
  const uint32_t inputs = function.input_count, outputs = function.output_count;
  // Reads no more than necessary of a list that is too long.
  const uint32_t leftOut =
      countLeftOut(function, tensors, std::min(count, inputs + outputs));
  if (count != inputs + outputs - leftOut)
    return failCount(function, tensors, count, leftOut, error);
  for (uint32_t i = 0; i < count; ++i)
    if (!tensors[i].name)
      return fail(error, TG_ERROR_NULL, "%s: the name of tensor %u is null",
                  function.name, i);
  const tg_status_t status =
      pickTensors(function, tensors, count, context.tensors, error);
  if (status != TG_OK)
    return status;
  return runFunction(
      context, function,
      {context.tensors, inputs, context.tensors + inputs, outputs},
      /*observers=*/{}, error);
}

tg_status_t tg_context_run_named(tg_context_t *context, const char *function,
                                 const tg_named_tensor_t *tensors,
                                 uint32_t count, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  return scope.finish(
      runNamed(*context, function, tensors, count, scope.get()));
}
