/// A small training: the model `line` of test/runtime, y = x * weight, on rows
/// in memory.
#ifndef TG_TEST_TRAINING_LOOP_SUPPORT_H
#define TG_TEST_TRAINING_LOOP_SUPPORT_H

#include "test/runtime/support/Line.h"
#include "tg/data/loader.hpp"
#include "tg/training/trainer.hpp"

namespace tg::test {

/// Returns rows x [4], target [] whose targets are a linear function.
inline data::Dataset makeRows(int64_t count) {
  constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
  data::Feature x(f32, {count, 4}), target(f32, {count});
  for (int64_t row = 0; row < count; ++row) {
    float sum = 0;
    for (int64_t column = 0; column < 4; ++column) {
      const float value = static_cast<float>((row * 7 + column * 3) % 11) / 11;
      x.values<float>()[static_cast<size_t>(row * 4 + column)] = value;
      sum += value * static_cast<float>(column + 1);
    }
    target.values<float>()[static_cast<size_t>(row)] = sum;
  }
  return data::Dataset::fromArrays({"x", "target"}, {x, target});
}

inline data::Dataset makeBatches(int64_t count = 20, uint64_t size = 4) {
  return makeRows(count).shuffle({.seed = 3}).batch({.size = size});
}

inline Model loadLine() { return Model::adopt(line_tg_model_get); }

inline training::TrainerOptions options(uint64_t steps,
                                        const std::string &directory = {}) {
  training::TrainerOptions made;
  made.directory = directory;
  made.steps = steps;
  made.seed = 1;
  made.set = {{"rate", 0.1}};
  return made;
}

/// Expects that a function throws an Error whose message contains a text.
template <typename Error, typename Function>
void expectError(Function function, const std::string &text) {
  try {
    function();
    ADD_FAILURE() << "expected an error with '" << text << "', found none";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
        << error.what();
  }
}

} // namespace tg::test

#endif // TG_TEST_TRAINING_LOOP_SUPPORT_H
