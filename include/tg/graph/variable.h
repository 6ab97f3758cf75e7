/// Options for training variables, both of layers and user-defined.
#ifndef TG_GRAPH_VARIABLE_H
#define TG_GRAPH_VARIABLE_H

#include "../tensor/tensor.h"

#include <functional>

namespace tg {

/// The penalty of a variable, a scalar: any function of the variable, or one of
/// these: rate · Σ|w|, rate · ½Σw². Penalties are not added to a loss
/// automatically. regularization() sums the penalties of variables, to be added
/// to the loss, and Program::onWarning reports penalties that are in no loss.
using Regularizer = std::function<Tensor(Tensor)>;
Regularizer
l1Regularizer(double rate,
              std::source_location where = std::source_location::current());
Regularizer
l2Regularizer(double rate,
              std::source_location where = std::source_location::current());

/// A projection of a variable's new value onto the allowed values: any function
/// of the new value, or one of these. nonNegative() sets negative elements to
/// 0. maxNorm() scales vectors along an axis down to a norm. unitNorm() scales
/// all of them to norm 1. Axis 0 of a weight [d, units] has the inputs of a
/// unit.
using Constraint = std::function<Tensor(Tensor)>;
Constraint nonNegative();
Constraint
maxNorm(double norm, int64_t axis = 0,
        std::source_location where = std::source_location::current());
Constraint unitNorm(int64_t axis = 0);

/// The options for training a variable.
struct VariableOptions {
  /// Lets optimizers change the variable.
  bool trainable = true;
  /// Its term of regularization(); none by default.
  Regularizer regularizer = {};
  /// Applied to the result of every optimizer step; none by default.
  Constraint constraint = {};
};

} // namespace tg

#endif // TG_GRAPH_VARIABLE_H
