/* The host functions of hosted.mlir, and the CPU versions of the kernels of
 * custom.mlir. */
#include <tg/abi.h>

#include <stdio.h>
#include <stdlib.h>

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

static tg_status_t squareGrad(void *user, const tg_host_call_t *call) {
  (void)user;
  const float *x = call->inputs[0].data, *grad = call->inputs[1].data;
  float *y = call->outputs[0].data;
  for (int64_t i = 0; i < count(&call->inputs[0]); ++i)
    y[i] = 2 * x[i] * grad[i];
  return TG_OK;
}

/* Computes the maximum of each row and w by elements. Also counts the elements
 * of each row that are above those of w: any number but 0 is a true boolean. */
static tg_status_t larger(void *user, const tg_host_call_t *call) {
  (void)user;
  const float *x = call->inputs[0].data, *w = call->inputs[1].data;
  float *y = call->outputs[0].data;
  char *any = call->outputs[1].data;
  for (int64_t i = 0; i < count(&call->inputs[0]); ++i) {
    y[i] = x[i] > w[i % 3] ? x[i] : w[i % 3];
    any[i / 3] = (char)(any[i / 3] + (x[i] > w[i % 3]));
  }
  return TG_OK;
}

/* Reverses the rows of a matrix of 4 columns. */
static tg_status_t reverse(void *user, const tg_host_call_t *call) {
  (void)user;
  const float *x = call->inputs[0].data;
  float *y = call->outputs[0].data;
  for (int64_t i = 0; i < count(&call->inputs[0]); ++i)
    y[i] = x[i / 4 * 4 + 3 - i % 4];
  return TG_OK;
}

/* Counts its calls. Fails in the call that the environment names. */
static tg_status_t tick(void *user, const tg_host_call_t *call) {
  int32_t *ticks = user;
  const char *failing = getenv("FAILING_TICK");
  fprintf(stderr, "tick %d\n", ++*ticks);
  *(int32_t *)call->outputs[0].data = *ticks;
  if (!failing || atoi(failing) != *ticks)
    return TG_OK;
  snprintf(call->message, call->message_bytes, "tick %d is late", *ticks);
  return TG_ERROR_IO;
}

static int32_t ticks;
#define FUNCTION(name, call, user)                                             \
  static const tg_host_function_t name##Function = {                           \
      sizeof(tg_host_function_t), 0, #name, call, user}
FUNCTION(square, square, 0);
FUNCTION(square_grad, squareGrad, 0);
FUNCTION(larger, larger, 0);
FUNCTION(reverse, reverse, 0);
FUNCTION(tick, tick, &ticks);
static const tg_host_function_t *const functions[] = {
    &squareFunction, &square_gradFunction, &largerFunction, &reverseFunction,
    &tickFunction};
static const tg_host_t table = {
    sizeof(table), sizeof(functions) / sizeof(*functions), functions, 0, 0};

const tg_host_t *tg_host_get(uint32_t abi_version) {
  return abi_version >> 16 == TG_ABI_MAJOR ? &table : 0;
}
