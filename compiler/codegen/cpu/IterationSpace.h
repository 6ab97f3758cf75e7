//===- IterationSpace.h - the dimensions that the loops of a kernel run over -===//
#ifndef TG_COMPILER_CODEGEN_CPU_ITERATIONSPACE_H
#define TG_COMPILER_CODEGEN_CPU_ITERATIONSPACE_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// The extents of an iteration space as groups of neighbouring dimensions,
/// each run over by one loop. Dimensions of extent 1 belong to no group.
class IterationSpace {
public:
  /// Joins neighbouring dimensions where every value of `values` (aligned at
  /// the last dimension) has either both or neither, given that ops between
  /// them are elementwise. Null `values` joins none. Dimensions marked in
  /// `cut` begin a group of their own.
  IterationSpace(KernelFrame &frame, llvm::ArrayRef<mlir::AffineExpr> extents,
                 std::optional<llvm::ArrayRef<mlir::Value>> values,
                 llvm::ArrayRef<unsigned> cut = {});

  unsigned getNumGroups() const { return groups.size(); }
  /// Elements of one group.
  mlir::AffineExpr getExtent(unsigned group) const {
    return groups[group].extent;
  }
  /// Elements of groups [first, last).
  mlir::AffineExpr getProduct(unsigned first, unsigned last) const;
  /// The first dimension of a group.
  unsigned getFirstAxis(unsigned group) const { return groups[group].first; }

  /// The position of one index per group. Lanes lie along group `laneGroup`
  /// when `lanes` > 1.
  Position position(llvm::ArrayRef<mlir::Value> indices, unsigned laneGroup,
                    unsigned lanes) const;

  /// The index in each of groups [first, last) of a row-major number.
  llvm::SmallVector<mlir::Value> split(mlir::Value number, unsigned first,
                                       unsigned last) const;

private:
  struct Group {
    unsigned first, last; // dimensions; the index stands at `last`
    mlir::AffineExpr extent;
  };
  KernelFrame &frame;
  unsigned rank;
  llvm::SmallVector<Group> groups;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ITERATIONSPACE_H
