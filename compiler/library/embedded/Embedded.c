/// The functions that the tables of a model point to: plan, run and pack.
#include "Embedded.h"

#include "CallChecks.h"
#include "FunctionSteps.h"
#include "Unwinding.h"

/// The size of the first version of tg_plan_t.
enum { PLAN_BYTES = 40 };

/// Returns the private half of a function's table.
static const tg_embedded_function_t *implOf(const tg_function_t *function) {
  return function->impl;
}

/// Computes symbols and sizes from bound symbols that are within their ranges.
static tg_status_t computeSizes(const tg_embedded_subject_t *subject,
                                uint32_t workers, tg_plan_t *plan) {
  const tg_embedded_function_t *impl = implOf(subject->function);
  int64_t numbers[2] = {0, 0}; // found, expected
  const int32_t failed =
      impl->sizes(subject->function, subject->symbols, workers, plan, numbers);
  if (failed == 0)
    return TG_OK;
  if (failed < 0)
    return tg_embedded_reject(subject, TG_ERROR_SIZE, -1, 0, 0, 0,
                              "a size overflows");
  const tg_embedded_entry_check_t *check = impl->entry_checks[failed - 1];
  const tg_embedded_fault_t fault = {
      .model = subject->model,
      .function = subject->name,
      .status = TG_ERROR_DIM,
      .argument = -1,
      .location = check->location,
      .element = -1,
      .found = numbers[0],
      .expected = numbers[1],
  };
  return tg_embedded_fail(subject->error, &fault, check->message);
}

/// Checks that all inputs and outputs fit in memory for the values of the
/// symbols.
static tg_status_t checkSizes(const tg_embedded_subject_t *subject) {
  const tg_function_t *function = subject->function;
  const uint32_t inputs = function->input_count;
  tg_status_t status = TG_OK;
  for (uint32_t i = 0; status == TG_OK && i < inputs; ++i)
    status = tg_embedded_check_size(subject, function->inputs[i], (int32_t)i);
  for (uint32_t i = 0; status == TG_OK && i < function->output_count; ++i)
    status = tg_embedded_check_size(subject, function->outputs[i],
                                    (int32_t)(inputs + i));
  return status;
}

tg_status_t tg_embedded_plan(const tg_function_t *function, tg_plan_t *plan,
                             tg_error_t *error) {
  tg_embedded_subject_t subject = {
      .model = implOf(function)->model,
      .function = function,
      .name = function->name,
      .error = error,
  };
  if (!plan)
    return tg_embedded_reject(&subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "plan is null");
  if (!tg_embedded_struct_ok(plan, PLAN_BYTES, sizeof(tg_plan_t)))
    return tg_embedded_reject(
        &subject, TG_ERROR_STRUCT, -1, 0, plan->struct_size, sizeof(tg_plan_t),
        "plan has struct_size %f or a field that this model does not know, "
        "expected %e");
  if (function->symbol_total && !plan->symbols)
    return tg_embedded_reject(&subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "symbols of the plan is null");
  subject.symbols = plan->symbols;
  if (TG_HAS(tg_plan_t, plan, host_block_bytes))
    plan->host_block_bytes = implOf(function)->host_block_bytes;
  const tg_status_t status =
      tg_embedded_check_symbols(&subject, 0, function->symbol_count, -1, 0);
  if (status != TG_OK)
    return status;
  const tg_status_t sized =
      computeSizes(&subject, plan->worker_count ? plan->worker_count : 1, plan);
  return sized == TG_OK ? checkSizes(&subject) : sized;
}

/// Checks the counts of input and output tensors, and that their arrays are not
/// null.
static tg_status_t checkCounts(const tg_embedded_subject_t *subject) {
  const tg_call_t *call = subject->call;
  const tg_function_t *function = subject->function;
  if (call->input_count != function->input_count)
    return tg_embedded_reject(subject, TG_ERROR_COUNT, -1, 0, call->input_count,
                              function->input_count, "%f inputs, expected %e");
  if (call->output_count != function->output_count)
    return tg_embedded_reject(subject, TG_ERROR_COUNT, -1, 0,
                              call->output_count, function->output_count,
                              "%f outputs, expected %e");
  if (call->input_count && !call->inputs)
    return tg_embedded_reject(subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "inputs is null");
  if (call->output_count && !call->outputs)
    return tg_embedded_reject(subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "outputs is null");
  return TG_OK;
}

/// Checks inputs, sizes and outputs: everything that binds and uses symbols.
static tg_status_t checkTensors(tg_embedded_subject_t *subject,
                                uint32_t workers) {
  const tg_call_t *call = subject->call;
  const tg_function_t *function = subject->function;
  tg_status_t status = checkCounts(subject);
  for (uint32_t i = 0; status == TG_OK && i < function->input_count; ++i)
    status = tg_embedded_check_tensor(subject, function->inputs[i],
                                      &call->inputs[i], (int32_t)i);
  if (status != TG_OK)
    return status;
  tg_plan_t plan = {.struct_size = sizeof(plan)};
  status = computeSizes(subject, workers, &plan);
  if (status != TG_OK)
    return status;
  subject->workspace_bytes = plan.workspace_bytes;
  subject->host_block_bytes = plan.host_block_bytes;
  subject->bound = ~(uint64_t)0;
  for (uint32_t i = 0; status == TG_OK && i < function->output_count; ++i)
    status = tg_embedded_check_tensor(subject, function->outputs[i],
                                      &call->outputs[i],
                                      (int32_t)(function->input_count + i));
  return status;
}

/// Checks the size of the host block of a device.
static tg_status_t checkHostBlock(const tg_embedded_subject_t *subject) {
  const uint64_t found = subject->call->device->host_block_bytes;
  if (found >= subject->host_block_bytes)
    return TG_OK;
  return tg_embedded_reject(
      subject, TG_ERROR_SIZE, -1, 0, (int64_t)found,
      (int64_t)subject->host_block_bytes,
      "host_block of device has %f bytes, expected at least %e");
}

/// Checks the slab, workspace, host block and packed weights.
static tg_status_t checkBlocks(const tg_embedded_subject_t *subject) {
  const tg_call_t *call = subject->call;
  const tg_function_t *function = subject->function;
  tg_status_t status = tg_embedded_check_memory(
      subject, "slab", call->slab, call->slab_bytes, function->slab_bytes);
  if (status == TG_OK)
    status = tg_embedded_check_memory(subject, "workspace", call->workspace,
                                      call->workspace_bytes,
                                      subject->workspace_bytes);
  if (status == TG_OK && call->device)
    status = checkHostBlock(subject);
  if (status == TG_OK)
    status = tg_embedded_check_overlap(subject);
  if (status == TG_OK && function->slab_bytes &&
      !(function->flags & TG_FUNCTION_INITIALIZES))
    status = tg_embedded_check_slab(subject);
  if (status == TG_OK && function->flags & TG_FUNCTION_USES_PACKED)
    status = tg_embedded_check_packed(subject);
  return status;
}

/// Returns the generation of a slab that is about to be initialized. Weights
/// packed from its old content must not pass as packed from the new one.
static uint64_t nextGeneration(const tg_embedded_subject_t *subject) {
  const tg_slab_header_t *header = tg_embedded_slab_header(subject->call);
  uint64_t generation = 1;
  if (__builtin_memcmp(header->layout_id, subject->model->layout_id,
                       sizeof(header->layout_id)) == 0)
    generation = header->generation + 1;
  return generation;
}

/// Writes data-dependent sizes to the shapes of outputs.
static void writeShapes(const tg_embedded_subject_t *subject) {
  const tg_function_t *function = subject->function;
  for (uint32_t i = 0; i < function->output_count; ++i) {
    const tg_value_t *value = function->outputs[i];
    for (uint32_t j = 0; j < value->rank; ++j) {
      const int64_t dim = value->dims[j];
      if (dim < 0 && function->symbols[-1 - dim]->flags & TG_SYMBOL_FOUND)
        subject->call->outputs[i].shape[j] = subject->symbols[-1 - dim];
    }
  }
}

/// Updates the slab's header after the body returned `status`. `generation` is
/// that of a slab that the function initializes.
static void updateHeader(const tg_embedded_subject_t *subject,
                         const tg_embedded_report_t *report,
                         uint64_t generation, tg_status_t status) {
  const tg_function_t *function = subject->function;
  tg_slab_header_t *header = tg_embedded_slab_header(subject->call);
  const int isWritten = status == TG_OK || report->variables_changed;
  if (!function->slab_bytes || !isWritten)
    return;
  if (function->flags & TG_FUNCTION_INITIALIZES) {
    // A failure after the first write leaves an id of zeros: the slab is
    // uninitialized.
    header->generation = generation;
    if (status == TG_OK)
      __builtin_memcpy(header->layout_id, subject->model->layout_id,
                       sizeof(header->layout_id));
  } else if (function->flags & TG_FUNCTION_WRITES_VARIABLES) {
    ++header->generation;
  }
}

/// Returns the flags of the device of a call, without those of a function whose
/// steps wait: it does all of its work at once.
static uint32_t deviceFlags(const tg_embedded_subject_t *subject) {
  const tg_device_call_t *device = subject->call->device;
  if (!device || !device->flags ||
      tg_embedded_waits(implOf(subject->function)->program))
    return 0;
  return device->flags;
}

/// Runs the body of a call that passed its checks, and updates the slab's
/// header and the shapes of outputs.
static tg_status_t runBody(const tg_embedded_subject_t *subject,
                           uint32_t workers) {
  const tg_function_t *function = subject->function;
  const tg_call_t *call = subject->call;
  char *block = call->device ? call->device->host_block : call->workspace;
  tg_embedded_report_t *report = (tg_embedded_report_t *)(void *)block;
  const uint32_t flags = deviceFlags(subject);
  const int initializes =
      function->flags & TG_FUNCTION_INITIALIZES && function->slab_bytes;
  const tg_embedded_run_t run = {function,        call,  subject->symbols,
                                 call->workspace, block, workers};
  // A device may still write the report of what TG_DEVICE_FINISH waits for.
  if (!(flags & TG_DEVICE_FINISH)) {
    report->variables_changed = 0;
    for (uint32_t i = 0; i < implOf(function)->cell_count; ++i)
      *tg_embedded_cell(block, i) = INT64_MAX;
  }
  const uint64_t generation = initializes ? nextGeneration(subject) : 0;
  const uint32_t mode = tg_embedded_enter_mode();
  const tg_status_t status = implOf(function)->body(&run);
  tg_embedded_leave_mode(mode);
  if (flags & TG_DEVICE_ASYNC && status == TG_OK)
    return status; // the rest is left to TG_DEVICE_FINISH
  updateHeader(subject, report, generation, status);
  if (status == TG_OK)
    writeShapes(subject);
  return status;
}

tg_status_t tg_embedded_run(const tg_function_t *function,
                            const tg_call_t *call) {
  TG_EMBEDDED_STOP_EXCEPTIONS;
  if (!call)
    return TG_ERROR_NULL;
  int64_t symbols[TG_EMBEDDED_MAX_SYMBOLS];
  tg_embedded_subject_t subject = {
      .model = implOf(function)->model,
      .function = function,
      .name = function->name,
      .call = call,
      .symbols = symbols,
  };
  tg_status_t status = tg_embedded_check_call(&subject);
  if (status != TG_OK)
    return status;
  const uint32_t workers = call->parallel ? call->parallel->worker_count : 1;
  status = checkTensors(&subject, workers);
  if (status == TG_OK)
    status = checkBlocks(&subject);
  const int isDone = call->device && call->device->flags & TG_DEVICE_FINISH &&
                     !deviceFlags(&subject);
  return status != TG_OK || isDone ? status : runBody(&subject, workers);
}

/// Returns the number of leading bytes of the slab that functions with packed
/// weights read.
static uint64_t packedSlabBytes(const tg_model_t *model) {
  uint64_t bytes = sizeof(tg_slab_header_t);
  for (uint32_t i = 0; i < model->function_count; ++i) {
    const tg_function_t *function = model->functions[i];
    if (function->flags & TG_FUNCTION_USES_PACKED &&
        function->slab_bytes > bytes)
      bytes = function->slab_bytes;
  }
  return bytes;
}

tg_status_t tg_embedded_pack(const tg_model_t *model, const tg_call_t *call) {
  TG_EMBEDDED_STOP_EXCEPTIONS;
  if (!call)
    return TG_ERROR_NULL;
  tg_embedded_subject_t subject = {
      .model = model, .name = "pack", .call = call};
  tg_status_t status = tg_embedded_check_call(&subject);
  if (status == TG_OK)
    status = tg_embedded_check_memory(&subject, "slab", call->slab,
                                      call->slab_bytes, packedSlabBytes(model));
  if (status == TG_OK)
    status = tg_embedded_check_memory(&subject, "packed", call->packed,
                                      call->packed_bytes, model->packed_bytes);
  if (status != TG_OK)
    return status;
  const uint64_t slab = (uintptr_t)call->slab;
  const uint64_t packed = (uintptr_t)call->packed;
  if (slab < packed + model->packed_bytes &&
      packed < slab + packedSlabBytes(model))
    return tg_embedded_reject(&subject, TG_ERROR_OVERLAP, -1, 0, 0, 0,
                              "packed overlaps the slab");
  status = tg_embedded_check_slab(&subject);
  if (status != TG_OK)
    return status;

  const tg_embedded_model_t *impl = model->impl;
  tg_embedded_packed_header_t *header = call->packed;
  __builtin_memset(header, 0, sizeof(*header));
  const uint32_t mode = tg_embedded_enter_mode();
  status = impl->pack(model, call->slab,
                      (char *)call->packed + TG_EMBEDDED_PACKED_HEADER_BYTES,
                      call->parallel);
  tg_embedded_leave_mode(mode);
  if (status != TG_OK)
    return tg_embedded_reject(&subject, status, -1, 0, 0, 0,
                              "the host's parallel_for failed");
  header->slab = call->slab;
  header->generation = ((const tg_slab_header_t *)call->slab)->generation;
  header->table = model;
  return TG_OK;
}
