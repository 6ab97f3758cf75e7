/// Options for the training of variables, of layers' variables and of others.
#ifndef TG_GRAPH_VARIABLE_H
#define TG_GRAPH_VARIABLE_H

#include "../tensor/tensor.h"

#include <functional>

namespace tg {

/// The penalty of a variable, a scalar. Nothing adds it to a loss by itself:
/// regularization() adds up those of variables, to be added to the loss, and
/// Program::onWarning tells where nobody did. Any
/// function of the variable, or one of these: rate · Σ|w|, rate · ½Σw².
using Regularizer = std::function<Tensor(Tensor)>;
Regularizer
l1Regularizer(double rate,
              std::source_location where = std::source_location::current());
Regularizer
l2Regularizer(double rate,
              std::source_location where = std::source_location::current());

/// Maps the value of an optimizer's step to an allowed one. Any function of the
/// new value, or one of these: negative elements become 0; vectors along an
/// axis that are longer than a norm are shortened to it; all vectors get the
/// length 1. Axis 0 of a weight [d, units] holds the inputs of a unit.
using Constraint = std::function<Tensor(Tensor)>;
Constraint nonNegative();
Constraint
maxNorm(double norm, int64_t axis = 0,
        std::source_location where = std::source_location::current());
Constraint unitNorm(int64_t axis = 0);

/// The options for the training of a variable.
struct VariableOptions {
  /// Optimizers move it.
  bool trainable = true;
  /// Its part of regularization(); none by default.
  Regularizer regularizer = {};
  /// Applied to what every optimizer's step gives; none by default.
  Constraint constraint = {};
};

} // namespace tg

#endif // TG_GRAPH_VARIABLE_H
