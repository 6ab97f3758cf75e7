/// Options for the training of variables, both of layers and user-defined.
#ifndef TG_GRAPH_VARIABLE_H
#define TG_GRAPH_VARIABLE_H

#include "../tensor/tensor.h"

#include <functional>

namespace tg {

/// A function that computes the penalty of a variable, a scalar.
/// l1Regularizer() computes rate · Σ|w|, and l2Regularizer() computes rate ·
/// ½Σw². Penalties are not added to a loss automatically. regularization() sums
/// the penalties of variables, to be added to the loss, and Program::onWarning
/// reports penalties that are in no loss.
using Regularizer = std::function<Tensor(Tensor)>;
Regularizer
l1Regularizer(double rate,
              std::source_location where = std::source_location::current());
Regularizer
l2Regularizer(double rate,
              std::source_location where = std::source_location::current());

/// A function that projects the new value of a variable onto the allowed
/// values. nonNegative() sets negative elements to 0. maxNorm() scales vectors
/// along an axis down to the given norm if their norm is greater. unitNorm()
/// scales all vectors along an axis to norm 1. Axis 0 of a weight [d, units]
/// has the inputs of a unit.
using Constraint = std::function<Tensor(Tensor)>;
Constraint nonNegative();
Constraint
maxNorm(double norm, int64_t axis = 0,
        std::source_location where = std::source_location::current());
Constraint unitNorm(int64_t axis = 0);

/// The options for the training of a variable.
struct VariableOptions {
  /// Lets optimizers change the variable.
  bool trainable = true;
  /// Computes the penalty of the variable in regularization(); none by default.
  Regularizer regularizer = {};
  /// Applied to the result of every optimizer step; none by default.
  Constraint constraint = {};
};

} // namespace tg

#endif // TG_GRAPH_VARIABLE_H
