/// Positions along a dimension, and sequences of several lengths in one tensor.
#ifndef TG_TENSOR_SEQUENCES_H
#define TG_TENSOR_SEQUENCES_H

#include "tensor.h"

namespace tg {

/// The list 0, 1, … of the positions along a dimension, whether its extent is
/// known or not.
Tensor positions(Operand like, int64_t axis = 0, DType dtype = i64);

struct RangeOptions {
  DType dtype = i64;
  /// The greatest limit, for one that depends on data; a run with a greater one
  /// is an error. 0: the limit is made of extents, as extentOf(x, 0) * 2 is.
  int64_t max = 0;
};
/// The list 0, 1, … before the limit, an integer scalar.
Tensor range(Operand limit, const RangeOptions &options = {});

struct ReverseSequenceOptions {
  /// The dimensions of the steps and of the sequences.
  int64_t axis = 1, batchAxis = 0;
};
/// The first lengths[i] steps of sequence i from last to first, the others as
/// they are. Lengths are integers [n]; one above the number of steps is an
/// error at run time.
Tensor reverseSequence(Operand input, Operand lengths,
                       const ReverseSequenceOptions &options = {});

/// The sinusoids of positions [...], numbers of any type: [..., units] of a
/// float type, element 2i being sin(p / 10000^(2i / units)) and element 2i + 1
/// the cosine of the same; units are even. Vaswani et al., "Attention Is All
/// You Need", 2017.
Tensor sinusoids(Operand positions, int64_t units, DType dtype = f32);

} // namespace tg

#endif // TG_TENSOR_SEQUENCES_H
