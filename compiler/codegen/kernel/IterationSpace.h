//===- IterationSpace.h - the dimensions that loops iterate over ----------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_ITERATIONSPACE_H
#define TG_COMPILER_CODEGEN_KERNEL_ITERATIONSPACE_H

#include "compiler/codegen/kernel/KernelContext.h"

namespace tg {

/// Some groups of an iteration space, with an index for each.
struct GroupIndices {
  llvm::ArrayRef<unsigned> groups;
  llvm::ArrayRef<mlir::Value> indices;
};

/// An iteration space whose neighbouring dimensions are collapsed into groups.
/// One loop iterates over each group. Dimensions of extent 1 belong to no
/// group.
class IterationSpace {
public:
  /// Collapses dimension `axis` with `previous`, the nearest preceding
  /// dimension whose extent is not 1, if `canCollapse` returns true. It may
  /// return true only if every op is elementwise, and every value varies along
  /// both dimensions or along neither. A group never crosses an axis at which
  /// the rows of a strided argument or output begin.
  IterationSpace(
      KernelContext &context, llvm::ArrayRef<mlir::AffineExpr> extents,
      llvm::function_ref<bool(unsigned axis, unsigned previous)> canCollapse);

  unsigned getNumGroups() const { return groups.size(); }
  /// Returns the number of elements of one group.
  mlir::AffineExpr getExtent(unsigned group) const {
    return groups[group].extent;
  }
  /// Returns the product of the extents of the given groups.
  mlir::AffineExpr getProduct(llvm::ArrayRef<unsigned> chosen) const;
  /// Returns the last dimension of a group.
  unsigned getLastAxis(unsigned group) const { return groups[group].last; }

  /// Returns the position for one index per group. If `lanes` > 1, the lanes
  /// advance along group `laneGroup`.
  Position position(llvm::ArrayRef<mlir::Value> indices, unsigned laneGroup,
                    unsigned lanes) const;
  /// Same, for indices in several lists of groups that together cover all
  /// groups.
  Position position(std::initializer_list<GroupIndices> lists,
                    unsigned laneGroup, unsigned lanes) const;

  /// Delinearizes an index: returns the index in each of the `chosen` groups.
  llvm::SmallVector<mlir::Value> split(mlir::Value linearIndex,
                                       llvm::ArrayRef<unsigned> chosen) const;

  /// Returns true if a value varies along dimension `axis` of a space of the
  /// given rank. The trailing dimensions of value and space are aligned.
  /// Elementwise ops broadcast only dimensions whose extent is statically 1.
  static bool varies(const KernelContext &context, mlir::Value value,
                     unsigned axis, unsigned rank);

private:
  struct Group {
    /// The last dimension. It holds the index of the whole group; the index of
    /// the other dimensions is 0.
    unsigned last;
    mlir::AffineExpr extent;
  };
  KernelContext &context;
  unsigned rank;
  llvm::SmallVector<Group> groups;
};

/// Returns the iteration space of a kernel's outputs, which have equal extents.
/// Dimensions are collapsed if all ops are elementwise.
IterationSpace makeElementSpace(KernelContext &context);
/// Same, of outputs that `ops` compute.
IterationSpace makeElementSpace(KernelContext &context,
                                llvm::ArrayRef<mlir::Operation *> ops,
                                mlir::Value output);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_ITERATIONSPACE_H
