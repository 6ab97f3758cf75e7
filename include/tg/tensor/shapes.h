/// Shapes with static and dynamic extents. A static extent is a number, a
/// dynamic one is a tensor.
#ifndef TG_TENSOR_SHAPES_H
#define TG_TENSOR_SHAPES_H

#include "functional.h"

namespace tg {

/// Returns the extents of a tensor: static extents as numbers, dynamic ones as
/// i64 scalars.
std::vector<Operand> extentsOf(Operand input);

/// An entry of the target shape of reshape().
class ReshapeEntry {
public:
  /// A number is an extent. In a list that contains a group, it is a dimension
  /// of the input.
  ReshapeEntry(int64_t given) : number(given) {}
  ReshapeEntry(int given) : number(given) {}
  /// An extent as an integer scalar computed at run time, or as a number.
  ReshapeEntry(Tensor given) : extent(std::move(given)) {}
  ReshapeEntry(const Operand &given);
  /// A group of dimensions of the input that are merged into one. An empty
  /// group is a dimension of extent 1.
  ReshapeEntry(std::initializer_list<int64_t> given)
      : dims(given), isGroup(true) {}

  /// Internal.
  int64_t number = 0;
  Tensor extent;
  std::vector<int64_t> dims;
  bool isGroup = false;
};

namespace dsl {
Tensor reshapeTo(const Operand &input,
                 const std::vector<ReshapeEntry> &entries);
} // namespace dsl

/// Returns the same elements in row-major order in another shape. Its entries
/// are numbers and tensors: reshape(t, {n, 3, -1}). One entry may be -1; its
/// extent follows from the others. If the list contains a group {…}, its
/// numbers are dimensions of the input: {0, {1, 2}} makes [?, 10, 32] a [?,
/// 320]. Static extents stay static. Throws GraphError if an axis does not
/// exist or several entries are -1.
template <typename = void>
Tensor reshape(Operand input, const std::vector<ReshapeEntry> &entries) {
  return dsl::reshapeTo(input,
                        entries); // other overload: only numbers
}

} // namespace tg

#endif // TG_TENSOR_SHAPES_H
