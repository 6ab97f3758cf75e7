//===- Parts.h - what models have in common -------------------------------===//
#ifndef TG_COMPILER_FRONTEND_DSL_MODELS_PARTS_H
#define TG_COMPILER_FRONTEND_DSL_MODELS_PARTS_H

#include "tg/graph.h"
#include "tg/nn/Layers.h"

namespace tg {

/// What a convolution needs beside its filters.
struct Windows {
  std::vector<int64_t> size = {3}, strides = {1};
  Padding padding = Padding::same;
};

/// A convolution with bias, batch normalization and ReLU.
Sequential convolved(int64_t filters, const Windows &windows);

/// Throws unless the number is 1 or more.
void expectPositive(int64_t number, const char *what, const std::string &name,
                    std::source_location where);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_DSL_MODELS_PARTS_H
