/// Host steps of functions on a device: calls of host functions, prints,
/// asserts.
#include "DeviceSteps.h"

/// Returns the bytes of the staging memory for the copy of an input.
static uint64_t stagingBytesOf(const tg_tensor_t *input) {
  const uint64_t unit = TG_EMBEDDED_CANARY_BYTES;
  return (tg_embedded_tensor_bytes(input) + unit - 1) / unit * unit;
}

/// Enqueues the copies of the inputs of a step to the staging memory, to which
/// its slots then point. Sets *end to the end of the copies.
static tg_status_t copyInputs(tg_embedded_walk_t *walk,
                              const tg_embedded_step_t *step,
                              const tg_embedded_host_step_t *host,
                              int64_t *task, char **end) {
  const tg_embedded_run_t *run = walk->run;
  const tg_tensor_t *inputs = tg_embedded_put_tensors(host, step, task);
  char *copy = run->block + tg_embedded_impl(run->function)->host_block_bytes;
  for (uint32_t i = 0; i < host->input_count; ++i) {
    const tg_status_t status = tg_embedded_copy(
        walk, step, copy, inputs[i].data, tg_embedded_tensor_bytes(&inputs[i]),
        TG_COPY_FROM_DEVICE);
    if (status != TG_OK)
      return status;
    task[1 + i] = (int64_t)copy;
    copy += stagingBytesOf(&inputs[i]);
  }
  *end = copy;
  return TG_OK;
}

/// Returns true if a buffer belongs to a variable.
static int isVariable(const tg_embedded_run_t *run, int64_t buffer) {
  const int64_t slab = (int64_t)run->call->slab;
  return buffer >= slab && buffer < slab + (int64_t)run->function->slab_bytes;
}

/// Enqueues the copies of the outputs of a call that returned.
static tg_status_t copyOutputs(tg_embedded_walk_t *walk,
                               const tg_embedded_step_t *step,
                               const tg_embedded_host_step_t *host,
                               const int64_t *task) {
  const tg_tensor_t *outputs =
      (const tg_tensor_t *)(const void *)(task + step->slot_count) +
      host->input_count;
  const int64_t *buffers = task + 1 + host->input_count;
  tg_embedded_step_t copy = *step; // with the variables that outputs change
  for (uint32_t i = 0; i < host->output_count; ++i) {
    copy.variables_changed |= (uint32_t)isVariable(walk->run, buffers[i]);
    const tg_status_t status = tg_embedded_copy(
        walk, &copy, (void *)buffers[i], outputs[i].data,
        tg_embedded_tensor_bytes(&outputs[i]), TG_COPY_TO_DEVICE);
    if (status != TG_OK)
      return status;
  }
  return TG_OK;
}

tg_status_t tg_embedded_host_on_device(tg_embedded_walk_t *walk,
                                       const tg_embedded_step_t *step,
                                       int64_t *task) {
  const tg_embedded_run_t *run = walk->run;
  const tg_host_t *caller = run->call->host;
  const tg_embedded_host_step_t *host =
      tg_embedded_walk_program(walk)->host_steps[step->number];
  if (host->action == TG_EMBEDDED_HOST_PRINT && (!caller || !caller->print))
    return TG_OK;
  char *scratch = 0;
  tg_status_t status = tg_embedded_copy_report(walk, step);
  if (status == TG_OK)
    status = copyInputs(walk, step, host, task, &scratch);
  if (status == TG_OK)
    status = tg_embedded_wait_for_report(walk, step);
  if (status != TG_OK || walk->found_error)
    return status;
  status = tg_embedded_host(run, step, task, scratch);
  return status == TG_OK ? copyOutputs(walk, step, host, task) : status;
}
