/* Host functions that the test models call. */
#include <tg/abi.h>

#include <stdio.h>
#include <string.h>

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

static tg_status_t say(void *user, const tg_host_call_t *call) {
  (void)call;
  fprintf(stderr, "said %s\n", (const char *)user);
  return TG_OK;
}

static tg_status_t failWithText(void *user, const tg_host_call_t *call) {
  (void)user;
  snprintf(call->message, call->message_bytes, "the disk is full");
  return TG_ERROR_IO;
}

static tg_status_t failSilently(void *user, const tg_host_call_t *call) {
  (void)user, (void)call;
  return 7;
}

/* Writes its first result and `user` more bytes. */
static tg_status_t writeBeyond(void *user, const tg_host_call_t *call) {
  const tg_tensor_t *y = &call->outputs[0];
  memset(y->data, 1,
         (size_t)count(y) * (y->dtype.bits / 8) + *(const size_t *)user);
  return TG_OK;
}

static tg_status_t writeBefore(void *user, const tg_host_call_t *call) {
  (void)user;
  ((char *)call->outputs[0].data)[-1] = 1;
  return TG_OK;
}

/* Reports a larger result than it has. */
static tg_status_t changeShape(void *user, const tg_host_call_t *call) {
  (void)user;
  call->outputs[0].shape[0] <<= 40;
  return TG_OK;
}

static size_t one = 1;
#define FUNCTION(name, call, user)                                             \
  static const tg_host_function_t name##Function = {                           \
      sizeof(tg_host_function_t), 0, #name, call, user}
FUNCTION(square, square, 0);
FUNCTION(first, say, "first");
FUNCTION(second, say, "second");
FUNCTION(fails, failWithText, 0);
FUNCTION(fails_silently, failSilently, 0);
FUNCTION(writes_beyond, writeBeyond, &one);
FUNCTION(writes_before, writeBefore, 0);
FUNCTION(changes_shape, changeShape, 0);
static const tg_host_function_t *const functions[] = {
#ifdef ONE_TWICE
    &squareFunction,
#endif
    &squareFunction,        &firstFunction,          &secondFunction,
    &failsFunction,         &fails_silentlyFunction, &writes_beyondFunction,
    &writes_beforeFunction, &changes_shapeFunction};
static const tg_host_t table = {
    sizeof(table), sizeof(functions) / sizeof(*functions), functions, 0, 0};

const tg_host_t *tg_host_get(uint32_t abi_version) {
  return abi_version >> 16 == TG_ABI_MAJOR ? &table : 0;
}
