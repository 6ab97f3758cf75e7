/// Operations that make one element, a running one or an order of many along
/// axes. Negative axes count from the end.
#ifndef TG_TENSOR_REDUCTIONS_H
#define TG_TENSOR_REDUCTIONS_H

#include "tensor.h"

namespace tg {

struct ReduceOptions {
  /// None: all.
  std::vector<int64_t> axes = {};
  /// Reduced dimensions stay, with extent 1.
  bool keepDims = false;
};
/// The sum, the product, the greatest, the least (NaN where an element is) and
/// the mean. Over nothing: 0, 1, -inf or the type's least, +inf or its
/// greatest, and for floats NaN. Sums and products of integers wrap in their
/// own type. A mean of integers is rounded towards 0; those of up to 32 bits
/// are added up in 64, and a sum of i64 wraps.
Tensor reduceSum(Operand input, const ReduceOptions &options = {});
Tensor reduceProd(Operand input, const ReduceOptions &options = {});
Tensor reduceMax(Operand input, const ReduceOptions &options = {});
Tensor reduceMin(Operand input, const ReduceOptions &options = {});
Tensor reduceMean(Operand input, const ReduceOptions &options = {});
/// Reductions of booleans: any is true, all are true.
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
  /// The reduced dimension stays, with extent 1.
  bool keepDims = false;
};
/// The position (i64) of the greatest, of the least along an axis; the first of
/// ties. NumPy: argmax, argmin.
Tensor argMax(Operand input, const ArgOptions &options);
Tensor argMin(Operand input, const ArgOptions &options);
Tensor argMax(Operand input, int64_t axis = -1);
Tensor argMin(Operand input, int64_t axis = -1);

struct CumsumOptions {
  int64_t axis = -1;
  /// The sum of the elements before each one, without itself.
  bool exclusive = false;
  /// From the end.
  bool reverse = false;
};
/// The running sum along an axis.
Tensor cumsum(Operand input, const CumsumOptions &options = {});

using CumprodOptions = CumsumOptions;
/// The running product along an axis; `exclusive` gives that of the elements
/// before each one, 1 at first. Gradients are right where elements are 0, too.
Tensor cumprod(Operand input, const CumprodOptions &options = {});

struct TopK {
  Tensor values, indices;
};
/// The k greatest along the last axis, in descending order.
TopK topK(Operand input, int64_t k);

struct SortOptions {
  int64_t axis = -1;
  bool descending = false;
};
/// The elements along an axis in order, and the positions (i64) where they come
/// from. Equal elements keep their order; NaN is greater than all numbers.
Tensor sort(Operand input, const SortOptions &options = {});
Tensor argSort(Operand input, const SortOptions &options = {});

struct NormOptions {
  /// None: all.
  std::vector<int64_t> axes = {};
  /// Reduced dimensions stay, with extent 1.
  bool keepDims = false;
  /// 1: Σ|x|; 2: √Σx²; infinity: max|x|.
  double order = 2;
};
/// The length of vectors along axes, of floats: 0 for those of no elements. Its
/// gradient at 0 is 0.
Tensor norm(Operand input, const NormOptions &options = {});

/// Σ|x|, ½Σx², and x over its length along an axis.
Tensor l1(Operand input);
Tensor l2Loss(Operand input);
Tensor l2Normalize(Operand input, int64_t axis = -1);

} // namespace tg

#endif // TG_TENSOR_REDUCTIONS_H
