/// Reductions, running sums and products, and sorting along axes. Negative axes
/// count from the end.
#ifndef TG_TENSOR_REDUCTIONS_H
#define TG_TENSOR_REDUCTIONS_H

#include "tensor.h"

namespace tg {

struct ReduceOptions {
  /// The axes to reduce. Empty: all axes.
  std::vector<int64_t> axes = {};
  /// Keeps reduced dimensions, with extent 1.
  bool keepDims = false;
};
/// The sum, the product, the maximum, the minimum and the mean. The maximum and
/// minimum are NaN if an element is NaN. Over no elements the results are 0, 1,
/// the lowest value of the type (-inf for floats), the highest value (+inf for
/// floats), and NaN for a mean of floats. Sums and products of integers wrap
/// around in their own type. A mean of integers is rounded towards 0. Its sum
/// accumulates in 64 bits; only a sum of i64 can wrap around.
Tensor reduceSum(Operand input, const ReduceOptions &options = {});
Tensor reduceProd(Operand input, const ReduceOptions &options = {});
Tensor reduceMax(Operand input, const ReduceOptions &options = {});
Tensor reduceMin(Operand input, const ReduceOptions &options = {});
Tensor reduceMean(Operand input, const ReduceOptions &options = {});
/// Reductions of booleans: true if any element is true, and true if all
/// elements are true.
Tensor reduceAny(Operand input, const ReduceOptions &options = {});
Tensor reduceAll(Operand input, const ReduceOptions &options = {});
/// log Σ exp, without overflow.
Tensor reduceLogSumExp(Operand input, const ReduceOptions &options = {});
/// The biased standard deviation.
Tensor standardDeviation(Operand input, const ReduceOptions &options = {});

struct Moments {
  Tensor mean, variance;
};
/// Mean and biased variance.
Moments moments(Operand input, const ReduceOptions &options = {});

struct ArgOptions {
  int64_t axis = -1;
  /// Keeps the reduced dimension, with extent 1.
  bool keepDims = false;
};
/// The position (i64) of the maximum and of the minimum along an axis. The
/// first position wins a tie. NumPy: argmax, argmin.
Tensor argMax(Operand input, const ArgOptions &options);
Tensor argMin(Operand input, const ArgOptions &options);
Tensor argMax(Operand input, int64_t axis = -1);
Tensor argMin(Operand input, int64_t axis = -1);

struct CumsumOptions {
  int64_t axis = -1;
  /// Excludes each element from its own sum.
  bool exclusive = false;
  /// Runs from the last element to the first.
  bool reverse = false;
};
/// The running sum along an axis.
Tensor cumsum(Operand input, const CumsumOptions &options = {});

using CumprodOptions = CumsumOptions;
/// The running product along an axis. `exclusive` gives the product of the
/// preceding elements, which is 1 for the first element. Gradients are correct
/// even if elements are 0.
Tensor cumprod(Operand input, const CumprodOptions &options = {});

struct TopK {
  Tensor values, indices;
};
/// Returns the k greatest elements along the last axis, in descending order,
/// and their indices.
TopK topK(Operand input, int64_t k);

struct SortOptions {
  int64_t axis = -1;
  bool descending = false;
};
/// The sorted elements along an axis, and their original positions (i64). The
/// sort is stable; NaN is greater than all numbers.
Tensor sort(Operand input, const SortOptions &options = {});
Tensor argSort(Operand input, const SortOptions &options = {});

struct NormOptions {
  /// The axes to reduce. Empty: all axes.
  std::vector<int64_t> axes = {};
  /// Keeps reduced dimensions, with extent 1.
  bool keepDims = false;
  /// The order of the norm. 1: Σ|x|; 2: √Σx²; infinity: max|x|.
  double order = 2;
};
/// The norm of float vectors along axes, which is 0 for vectors without
/// elements. Its gradient at 0 is 0.
Tensor norm(Operand input, const NormOptions &options = {});

/// Σ|x|, ½Σx², and x divided by its norm along an axis.
Tensor l1(Operand input);
Tensor l2Loss(Operand input);
Tensor l2Normalize(Operand input, int64_t axis = -1);

} // namespace tg

#endif // TG_TENSOR_REDUCTIONS_H
