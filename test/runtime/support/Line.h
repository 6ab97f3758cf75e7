/// Loads, runs and checks the fixture model `line`.
#ifndef TG_TEST_RUNTIME_SUPPORT_LINE_H
#define TG_TEST_RUNTIME_SUPPORT_LINE_H

#include "../fixtures/Line.h"

#include "tg/runtime.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

/// The getter of the fixture that is linked into the test program.
extern "C" tg_model_get_fn line_tg_model_get;

namespace tg::test {

/// Returns line_tg_model_get, or the getter of the library named by the
/// environment variable TG_TEST_LINE, which the planted-fault tests set.
tg_model_get_fn *lineGetter();

/// The paths of the sealed fixture, the one with another layout, the one whose
/// layout begins with the first one's, and the unsealed one.
inline const std::string linePath = TG_LINE_SO;
inline const std::string otherPath = TG_OTHER_SO;
inline const std::string longerPath = TG_LONGER_SO;
inline const std::string rawLinePath = TG_RAW_LINE_SO;

/// An initialized error struct.
struct Error : tg_error_t {
  Error() : tg_error_t{} { struct_size = sizeof(tg_error_t); }
};

/// Returns a tensor over the caller's memory and dims, which must outlive it.
inline tg_tensor_t tensor(void *data, uint8_t code, uint8_t bits,
                          std::vector<int64_t> &dims) {
  return {data,
          {TG_DEVICE_CPU, 0},
          static_cast<int32_t>(dims.size()),
          {code, bits, 1},
          dims.data(),
          nullptr,
          0};
}
inline tg_tensor_t f32(float *data, std::vector<int64_t> &dims) {
  return tensor(data, TG_DTYPE_FLOAT, 32, dims);
}
inline tg_tensor_t i32(int32_t *data, std::vector<int64_t> &dims) {
  return tensor(data, TG_DTYPE_INT, 32, dims);
}
inline tg_tensor_t i64(int64_t *data, std::vector<int64_t> &dims) {
  return tensor(data, TG_DTYPE_INT, 64, dims);
}

/// A test with a module and a context of the fixture, and training data.
class LineTest : public testing::Test {
protected:
  static constexpr int64_t batch = 100;

  void SetUp() override;
  void TearDown() override;

  /// Creates a context of `module` with a workspace for `batch` rows.
  tg_context_t *createContext(uint32_t flags = 0,
                              const tg_parallel_t *parallel = nullptr);
  /// Runs one training step and stores its loss in `loss`.
  tg_status_t train(tg_context_t *context);
  /// Computes y = x * weight for the rows of x.
  tg_status_t test(tg_context_t *context);
  uint32_t function(const char *name);
  /// Returns the bytes of all variables, without the slab's header.
  std::vector<uint8_t> variables(const tg_context_t *context);

  tg_module_t *module = nullptr;
  tg_context_t *context = nullptr;
  Error error;
  std::vector<float> x = std::vector<float>(batch * LINE_WIDTH);
  std::vector<float> target = std::vector<float>(batch);
  std::vector<float> y = std::vector<float>(batch);
  std::vector<int64_t> xDims = {batch, LINE_WIDTH}, rowDims = {batch}, none;
  float loss = 0, rate = 0.1f;
};

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_LINE_H
