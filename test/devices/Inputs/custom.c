/* The CPU versions of the kernels of custom.mlir. */
#include <tg/abi.h>

static int64_t count(const tg_tensor_t *array) {
  int64_t elements = 1;
  for (int32_t axis = 0; axis < array->ndim; ++axis)
    elements *= array->shape[axis];
  return elements;
}

static tg_status_t square(void *user, const tg_host_call_t *call) {
  (void)user;
  const float *x = call->inputs[0].data;
  float *y = call->outputs[0].data;
  for (int64_t i = 0; i < count(&call->inputs[0]); ++i)
    y[i] = x[i] * x[i];
  return TG_OK;
}

static tg_status_t slope(void *user, const tg_host_call_t *call) {
  (void)user;
  const float *x = call->inputs[0].data, *grad = call->inputs[1].data;
  float *y = call->outputs[0].data;
  for (int64_t i = 0; i < count(&call->inputs[0]); ++i)
    y[i] = 2 * x[i] * grad[i];
  return TG_OK;
}

static tg_status_t reverse(void *user, const tg_host_call_t *call) {
  (void)user;
  const float *x = call->inputs[0].data;
  float *y = call->outputs[0].data;
  for (int64_t i = 0; i < 16; ++i)
    y[i] = x[i / 4 * 4 + 3 - i % 4];
  return TG_OK;
}

#define FUNCTION(name)                                                         \
  static const tg_host_function_t name##Function = {                           \
      sizeof(tg_host_function_t), 0, #name, name, 0}
FUNCTION(square);
FUNCTION(slope);
FUNCTION(reverse);
static const tg_host_function_t *const functions[] = {
    &squareFunction, &slopeFunction, &reverseFunction};
static const tg_host_t table = {
    sizeof(table), sizeof(functions) / sizeof(*functions), functions, 0, 0};

const tg_host_t *tg_host_get(uint32_t abi_version) {
  return abi_version >> 16 == TG_ABI_MAJOR ? &table : 0;
}
