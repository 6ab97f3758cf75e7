//===- LayerMistakes.h - error messages that name a layer -----------------===//
#ifndef TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H
#define TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H

#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// Returns an error if a layer that computes with floats has other inputs:
/// "input must be float, found i32 [n, 3]". Returns "" if all inputs are
/// floats.
std::string floatInputError(const std::vector<TensorType> &inputs);

/// Returns the error with a message that names the layer of `body` that is
/// being traced. `inputs` are the types of the layer's inputs.
GraphError nameLayer(const GraphError &error, const BodyPtr &body,
                     const std::vector<TensorType> &inputs);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H
