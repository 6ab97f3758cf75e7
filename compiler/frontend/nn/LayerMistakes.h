//===- LayerMistakes.h - error messages that name a layer -----------------===//
#ifndef TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H
#define TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H

#include "compiler/frontend/graph/Build.h"

#include <optional>

namespace tg::dsl {

/// Returns an error if a layer that computes with floats has other inputs:
/// "expected input to be float, found i32 [n, 3]". Returns "" if all inputs are
/// floats.
std::string floatInputError(const std::vector<TensorType> &inputs);

/// Returns the error with a message that names the layer of `body` that is
/// being traced. `inputs` are the types of the layer's inputs.
GraphError nameLayer(const GraphError &error, const BodyPtr &body,
                     const std::vector<TensorType> &inputs);

/// Returns an error in the call of a layer with the user's lines. The message
/// begins with the name of the layer or of a layer inside it. An error at the
/// line `made`, which made a layer of the library, moves to the line `called`:
/// "'Linear_1', made in line 5: expected ...". Any other error, such as one in
/// train() of a user's layer, stays where it is: "'Affine_1', called from line
/// 9: expected ...". The message does not repeat the line of the error.
GraphError placeInCall(const GraphError &error, std::optional<Place> made,
                       Place called);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_NN_LAYERMISTAKES_H
