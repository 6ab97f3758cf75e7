/// How variables are trained: for layers' variables and for those of one's own.
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

/// What a variable becomes where an optimizer's step would leave what is
/// allowed. Any function of the new value, or one of these: negative elements
/// become 0; what is longer along an axis than a norm is shortened to it; all
/// get the length 1. Along axis 0 of a weight [d, units] lies what comes into a
/// unit.
using Constraint = std::function<Tensor(Tensor)>;
Constraint nonNegative();
Constraint
maxNorm(double norm, int64_t axis = 0,
        std::source_location where = std::source_location::current());
Constraint unitNorm(int64_t axis = 0);

/// How a variable is trained.
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
