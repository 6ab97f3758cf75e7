//===- LayerMistakes.h - mistakes in the terms of a layer -----------------===//
#ifndef TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H
#define TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H

#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// Returns what is wrong with the inputs of a layer that computes with floats:
/// "input must be float, found i32 [n, 3]"; "" if all are floats.
std::string findIntegers(const std::vector<TensorType> &inputs);

/// Returns the mistake as told of the layer of `body` that is being traced,
/// which got these inputs.
GraphError nameLayer(const GraphError &error, const Bodies &body,
                     const std::vector<TensorType> &inputs);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H
