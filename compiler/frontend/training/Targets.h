//===- Targets.h - what losses and measures compare -----------------------===//
#ifndef TG_COMPILER_FRONTEND_TRAINING_TARGETS_H
#define TG_COMPILER_FRONTEND_TRAINING_TARGETS_H

#include "compiler/frontend/graph/Build.h"

namespace tg::dsl {

/// Throws unless both have one shape, as far as it is known; what is not is
/// checked at run time. A number is a target of any shape.
void matchShapes(Operand &prediction, Operand &target);

/// The same, and throws unless both have one element type, in the words of the
/// loss called `loss`.
void matchTargets(Operand &prediction, Operand &target,
                  const std::string &loss);

/// matchShapes() of tensors, and makes both floats of one type: the
/// prediction's, else the target's, else f32.
void matchFloats(Operand &prediction, Operand &target);

/// Throws unless there is a class number for each row of the prediction.
void expectClasses(const Operand &prediction, const Operand &label);

/// Throws a mistake at the line of an operand, which is a tensor.
[[noreturn]] void raiseAt(const Operand &operand, const std::string &message);

/// The dimensions from one on to the last but so many.
std::vector<int64_t> axesFrom(const Operand &operand, int64_t first,
                              int64_t without = 0);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_TRAINING_TARGETS_H
