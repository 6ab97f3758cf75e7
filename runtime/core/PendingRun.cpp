/// Runs that a context begins and finishes in two calls.
#include "FunctionRun.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <new>
#include <optional>

using namespace tg;

/// The run of a context that has begun.
struct tg::PendingRun {
  std::optional<FunctionRun> run;
  bool hasBegun = false; ///< its start has returned
};

PendingRun *tg::createPending() { return new (std::nothrow) PendingRun; }

void tg::destroyPending(tg_context_t &context) {
  if (context.pending && context.pending->run)
    context.pending->run->abandon();
  delete context.pending;
  context.pending = nullptr;
}

/// Copies the tensors of a call, whose number is right, to the context, so that
/// the caller's arrays may go. Leaves all others to the checks of the run.
static void keepTensors(tg_context_t &context, const tg_function_t &function,
                        RunTensors &tensors) {
  if (tensors.inputCount > function.input_count ||
      tensors.outputCount != function.output_count ||
      (tensors.inputCount && !tensors.inputs) ||
      (tensors.outputCount && !tensors.outputs))
    return;
  tg_tensor_t *outputs = context.tensors + function.input_count;
  std::copy_n(tensors.outputs, tensors.outputCount, outputs);
  tensors.outputs = outputs;
  if (tensors.inputCount != function.input_count)
    return; // the context completes and keeps them
  std::copy_n(tensors.inputs, tensors.inputCount, context.tensors);
  tensors.inputs = context.tensors;
}

tg_status_t tg_context_begin(tg_context_t *context, uint32_t function,
                             const tg_tensor_t *inputs, uint32_t input_count,
                             const tg_tensor_t *outputs, uint32_t output_count,
                             tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_function_t *found = nullptr;
  tg_status_t status = findFunction(*context, function, found, scope.get());
  if (status != TG_OK)
    return scope.finish(status);
  RunTensors tensors = {inputs, input_count, outputs, output_count};
  keepTensors(*context, *found, tensors);
  std::optional<FunctionRun> &run = context->pending->run;
  run.emplace(*context, *found);
  status = run->start(tensors, /*observers=*/{}, TG_DEVICE_ASYNC, scope.get());
  context->pending->hasBegun = status == TG_OK;
  if (status != TG_OK)
    run.reset();
  return scope.finish(status);
}

tg_status_t tg_context_finish(tg_context_t *context, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  std::optional<FunctionRun> &run = context->pending->run;
  if (!run)
    return scope.finish(fail(scope.get(), TG_ERROR_NOT_FOUND,
                             "found no run to finish, expected a call of "
                             "tg_context_begin before"));
  if (!context->pending->hasBegun) // within a function of the host
    return scope.finish(requireIdle(*context, scope.get()));
  const tg_status_t status = run->finish(scope.get());
  context->pending->hasBegun = false;
  run.reset();
  return scope.finish(status);
}
