/// Positions along a dimension, and batches of sequences of different lengths.
#ifndef TG_TENSOR_SEQUENCES_H
#define TG_TENSOR_SEQUENCES_H

#include "tensor.h"

namespace tg {

/// Returns the list 0, 1, … of the positions along a dimension, whose extent
/// may be dynamic.
Tensor positions(Operand like, int64_t axis = 0, DType dtype = i64);

struct RangeOptions {
  DType dtype = i64;
  /// The upper bound of a limit that depends on data. A run with a greater
  /// limit fails. 0: the limit is computed from extents, like extentOf(x, 0) *
  /// 2.
  int64_t max = 0;
};
/// Returns the list 0, 1, …, limit - 1, for an integer scalar limit.
Tensor range(Operand limit, const RangeOptions &options = {});

struct ReverseSequenceOptions {
  /// The dimension of the steps, and the dimension of the sequences.
  int64_t axis = 1, batchAxis = 0;
};
/// Reverses the first lengths[i] steps of sequence i and leaves the other steps
/// unchanged. The lengths are integers [n]; a length above the number of steps
/// is an error at run time.
Tensor reverseSequence(Operand input, Operand lengths,
                       const ReverseSequenceOptions &options = {});

/// Returns the sinusoids of positions: [..., units] of a float type from
/// positions [...] of any type of numbers. Element 2i is sin(p / 10000^(2i /
/// units)), and element 2i + 1 is the cosine of the same angle. `units` must be
/// even. Vaswani et al., "Attention Is All You Need", 2017.
Tensor sinusoids(Operand positions, int64_t units, DType dtype = f32);

} // namespace tg

#endif // TG_TENSOR_SEQUENCES_H
