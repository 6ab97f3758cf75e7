//===- IterationSpace.h - the dimensions that loops run over --------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_ITERATIONSPACE_H
#define TG_COMPILER_CODEGEN_KERNEL_ITERATIONSPACE_H

#include "compiler/codegen/kernel/KernelContext.h"

namespace tg {

/// Some groups of an iteration space, and the index in each.
struct GroupIndices {
  llvm::ArrayRef<unsigned> groups;
  llvm::ArrayRef<mlir::Value> indices;
};

/// The extents of an iteration space as groups of neighbouring dimensions,
/// each run over by one loop. Dimensions of extent 1 belong to no group.
class IterationSpace {
public:
  /// Dimension `axis` and the one before it that is not of extent 1 share a
  /// group when `joins` says so: every op must be elementwise, and every value
  /// must have both or neither. Where rows of a part of a buffer begin, no
  /// group goes on.
  IterationSpace(
      KernelContext &context, llvm::ArrayRef<mlir::AffineExpr> extents,
      llvm::function_ref<bool(unsigned axis, unsigned before)> joins);

  unsigned getNumGroups() const { return groups.size(); }
  /// Elements of one group.
  mlir::AffineExpr getExtent(unsigned group) const {
    return groups[group].extent;
  }
  /// Elements of the given groups together.
  mlir::AffineExpr getProduct(llvm::ArrayRef<unsigned> chosen) const;
  /// The last dimension of a group.
  unsigned getLastAxis(unsigned group) const { return groups[group].last; }

  /// The position of one index per group. Lanes lie along group `laneGroup`
  /// when `lanes` > 1.
  Position position(llvm::ArrayRef<mlir::Value> indices, unsigned laneGroup,
                    unsigned lanes) const;
  /// The same of several lists of groups, which together are all of them.
  Position position(std::initializer_list<GroupIndices> lists,
                    unsigned laneGroup, unsigned lanes) const;

  /// The index in each of the given groups of a linear index over them.
  llvm::SmallVector<mlir::Value> split(mlir::Value linearIndex,
                                       llvm::ArrayRef<unsigned> chosen) const;

  /// Returns true if a value, aligned at the last of these dimensions, varies
  /// along one: elementwise ops broadcast static extents of 1 only.
  static bool varies(const KernelContext &context, mlir::Value value,
                     unsigned axis, unsigned rank);

private:
  struct Group {
    unsigned last; // where the index stands; 0 at dimensions joined to it
    mlir::AffineExpr extent;
  };
  KernelContext &context;
  unsigned rank;
  llvm::SmallVector<Group> groups;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_ITERATIONSPACE_H
