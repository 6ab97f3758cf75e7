//===- ReducedGroups.h - the elements that a reduction combines -----------===//
#ifndef TG_COMPILER_REFERENCE_REDUCEDGROUPS_H
#define TG_COMPILER_REFERENCE_REDUCEDGROUPS_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include <vector>

namespace tg {

/// The elements that a reduction combines. Element i of line s of result r is
/// element results[r] + lines[s] + i of the operand.
struct ReducedGroups {
  ReducedGroups(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> axes,
                OrderAttr order);

  size_t countSteps() const { return steps.size() - 1; }
  /// Returns the lines of a step: one line or, if the order has tiles, those of
  /// a tile.
  llvm::ArrayRef<int64_t> linesOf(size_t step) const {
    return llvm::ArrayRef(lines).slice(steps[step],
                                       steps[step + 1] - steps[step]);
  }

  std::vector<int64_t> results;
  /// The lines, step by step, and the first line of each step and of the end.
  std::vector<int64_t> lines, steps = {0};
  int64_t length = 1;
  /// True if the last axes are reduced, and if others are.
  bool hasLineAxes, hasOtherAxes;
};

/// Computes a reduction of several terms, or of terms that refer to a pivot.
std::string reduceParts(ReductionOpInterface op, const HostTensor &operand,
                        llvm::MutableArrayRef<HostTensor> results);

} // namespace tg

#endif // TG_COMPILER_REFERENCE_REDUCEDGROUPS_H
