#include "RecordingHost.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

namespace tg::test {

static int64_t countElements(const tg_tensor_t &tensor) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < tensor.ndim; ++axis)
    count *= tensor.shape[axis];
  return count;
}

/// Returns the type, the shape and the bytes of a tensor.
static std::string describe(const tg_tensor_t &tensor) {
  EXPECT_EQ(tensor.device.device_type, TG_DEVICE_CPU);
  std::string text = " " + std::to_string(tensor.dtype.code) + ":" +
                     std::to_string(tensor.dtype.bits);
  for (int32_t axis = 0; axis < tensor.ndim; ++axis)
    text += "x" + std::to_string(tensor.shape[axis]);
  return text + "=" +
         std::string(static_cast<const char *>(tensor.data),
                     size_t(countElements(tensor) * tensor.dtype.bits / 8));
}

/// Computes the results of a call.
static void compute(const tg_host_call_t &call, int32_t &ticks) {
  const std::string name = call.name;
  const auto input = [&](int index) {
    return static_cast<const float *>(call.inputs[index].data);
  };
  auto *y = static_cast<float *>(call.outputs[0].data);
  if (name == "tick") {
    *static_cast<int32_t *>(call.outputs[0].data) = ++ticks;
    return;
  }
  for (int64_t i = 0; i < countElements(call.inputs[0]); ++i) {
    const float x = input(0)[i];
    if (name == "square") {
      y[i] = x * x;
    } else if (name == "square_grad") {
      y[i] = 2 * x * input(1)[i];
    } else {
      const float w = input(1)[i % 3];
      y[i] = std::max(x, w);
      // Any number but 0 is true.
      static_cast<char *>(call.outputs[1].data)[i / 3] += 2 * (x > w);
    }
  }
}

RecordingHost::RecordingHost() {
  for (const char *name : {"square", "square_grad", "larger", "tick"})
    functions.push_back({sizeof(tg_host_function_t), 0, name, call, this});
  for (const tg_host_function_t &function : functions)
    list.push_back(&function);
  table = {sizeof(table), uint32_t(list.size()), list.data(), print, this};
}

tg_status_t RecordingHost::call(void *user, const tg_host_call_t *call) {
  RecordingHost &host = *static_cast<RecordingHost *>(user);
  std::string text = call->name;
  for (uint32_t i = 0; i < call->input_count; ++i)
    text += describe(call->inputs[i]);
  for (uint32_t i = 0; i < call->output_count; ++i) {
    const tg_tensor_t &output = call->outputs[i];
    EXPECT_EQ(reinterpret_cast<uintptr_t>(output.data) % 64, 0u);
    text += " ->" + describe(output); // zeros
  }
  host.calls.push_back(text);
  compute(*call, host.ticks);
  if (++host.count != host.failing)
    return TG_OK;
  if (host.writesBeyond) {
    const tg_tensor_t &y = call->outputs[0];
    static_cast<char *>(y.data)[countElements(y) * y.dtype.bits / 8] = 1;
    return TG_OK;
  }
  std::snprintf(call->message, call->message_bytes, "it is call %zu",
                host.count);
  return TG_ERROR_IO;
}

void RecordingHost::print(void *user, const char *label,
                          const tg_tensor_t *value) {
  static_cast<RecordingHost *>(user)->calls.push_back(std::string(label) + ":" +
                                                      describe(*value));
}

} // namespace tg::test
