//===- LanguageModel.cpp - an LSTM language model -------------------------===//
#include "Networks.h"
#include "tg/nn/Layers.h"
#include <cmath>

using namespace tg;
using namespace tg::bench;

namespace {
constexpr int64_t kTokens = 10000, kWidth = 256, kUnits = 512;

LSTM recurrent() {
  double bound = 1 / std::sqrt(double(kUnits));
  return LSTM({.units = kUnits,
               .returnIndices = {0},
               .weightInitializer = uniform({.low = -bound, .high = bound})});
}
} // namespace

Layer tg::bench::languageModel() {
  double bound = 1 / std::sqrt(double(kUnits));
  return Sequential(
      {Embedding({.vocabulary = kTokens,
                  .units = kWidth,
                  .initializer = normal({.stddev = 1})}),
       recurrent(), recurrent(),
       Linear({.units = kTokens,
               .weightInitializer = uniform({.low = -bound, .high = bound})})});
}
