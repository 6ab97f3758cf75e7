/// Shapes that are partly known before a run: each extent as a number where it
/// is one, else as a tensor.
#ifndef TG_TENSOR_SHAPES_H
#define TG_TENSOR_SHAPES_H

#include "functional.h"

namespace tg {

/// The extents of a tensor: numbers where they are known, else scalars i64.
std::vector<Operand> extentsOf(Operand input);

/// An entry of a shape that reshape() makes.
class ReshapeEntry {
public:
  /// A number; in a list with groups, one dimension of the input.
  ReshapeEntry(int64_t given) : number(given) {}
  ReshapeEntry(int given) : number(given) {}
  /// An integer scalar that is known at run time; or a number.
  ReshapeEntry(Tensor given) : extent(std::move(given)) {}
  ReshapeEntry(const Operand &given);
  /// Dimensions of the input that become one; of none an extent of 1.
  ReshapeEntry(std::initializer_list<int64_t> given)
      : dims(given), isGroup(true) {}

  /// The DSL's own.
  int64_t number = 0;
  Tensor extent;
  std::vector<int64_t> dims;
  bool isGroup = false;
};

namespace dsl {
Tensor reshapeTo(const Operand &input,
                 const std::vector<ReshapeEntry> &entries);
} // namespace dsl

/// The same elements in row-major order in a shape of numbers, of which one may
/// be -1 and follow from the others, and tensors: reshape(t, {n, 3, -1}). A
/// list with a group {…} has dimensions of the input in place of numbers: {0,
/// {1, 2}} makes [?, 10, 32] an [?, 320]. What is known of extents stays known.
/// Throws GraphError where an axis does not exist or several entries are -1.
template <typename = void>
Tensor reshape(Operand input, const std::vector<ReshapeEntry> &entries) {
  return dsl::reshapeTo(input,
                        entries); // a list of numbers alone is not for it
}

} // namespace tg

#endif // TG_TENSOR_SHAPES_H
