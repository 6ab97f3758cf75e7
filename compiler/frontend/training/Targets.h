//===- Targets.h - checks of the operands of losses and metrics -----------===//
#ifndef TG_COMPILER_FRONTEND_TRAINING_TARGETS_H
#define TG_COMPILER_FRONTEND_TRAINING_TARGETS_H

#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// Throws GraphError unless both have the same shape. Dynamic extents are
/// checked at run time. A number matches any shape.
void matchShapes(Operand &prediction, Operand &target);

/// Does the same, and throws GraphError unless both have the same element type.
/// Messages name the loss.
void matchTargets(Operand &prediction, Operand &target,
                  const std::string &loss);

/// Does the same for tensors, and casts both to one float type: the
/// prediction's, else the target's, else f32.
void matchFloats(Operand &prediction, Operand &target);

/// Throws GraphError unless there is a class index for each row of the
/// prediction.
void expectClasses(const Operand &prediction, const Operand &label);

/// Throws GraphError at the source line of an operand, which must be a tensor.
[[noreturn]] void raiseAt(const Operand &operand, const std::string &message);

/// Returns the dimensions from `first` on, except the last `without` ones.
std::vector<int64_t> axesFrom(const Operand &operand, int64_t first,
                              int64_t without = 0);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_TRAINING_TARGETS_H
