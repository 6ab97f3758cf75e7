// Host functions that the test models call.
#include <tg/abi.h>

#include <stdexcept>

static tg_status_t square(void *, const tg_host_call_t *call) {
  auto x = static_cast<const float *>(call->inputs[0].data);
  auto y = static_cast<float *>(call->outputs[0].data);
  for (int64_t i = 0; i < call->inputs[0].shape[0]; ++i)
    y[i] = x[i] * x[i];
  return TG_OK;
}

static tg_status_t throws(void *, const tg_host_call_t *) {
  throw std::runtime_error("the disk is full");
}

static tg_status_t fails(void *, const tg_host_call_t *) { return 7; }

static tg_status_t writesBeyond(void *, const tg_host_call_t *call) {
  static_cast<float *>(call->outputs[0].data)[call->outputs[0].shape[0]] = 1;
  return TG_OK;
}

#define ENTRY(name, call)                                                      \
  static const tg_host_function_t call##Entry = {sizeof(tg_host_function_t),   \
                                                 0, name, call, nullptr}
ENTRY("square", square);
ENTRY("throws", throws);
ENTRY("fails", fails);
ENTRY("writes_beyond", writesBeyond);
static const tg_host_function_t *const entries[] = {
    &squareEntry, &throwsEntry, &failsEntry, &writesBeyondEntry};
static const tg_host_t table = {sizeof(tg_host_t), 4, entries, nullptr,
                                nullptr};

extern "C" const tg_host_t *tg_host_get(uint32_t version) {
  return version >> 16 == TG_ABI_MAJOR ? &table : nullptr;
}
