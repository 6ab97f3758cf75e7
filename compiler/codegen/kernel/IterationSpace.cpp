//===- IterationSpace.cpp - the dimensions that loops iterate over --------===//
#include "compiler/codegen/kernel/IterationSpace.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

bool IterationSpace::varies(const KernelContext &context, Value value,
                            unsigned axis, unsigned rank) {
  ArrayRef<AffineExpr> extents = context.extentsOf(value);
  unsigned missing = rank - extents.size();
  return axis >= missing && staticExtent(extents[axis - missing]) != 1;
}

/// Returns the first dimensions of the contiguous rows of the kernel's strided
/// arguments and outputs. Dimensions before and after one cannot be collapsed.
static llvm::SmallDenseSet<unsigned> findRowAxes(const KernelContext &context,
                                                 unsigned rank) {
  llvm::SmallDenseSet<unsigned> axes;
  tgx::KernelOp kernel = context.kernel;
  auto addRowAxis = [&](Value value) {
    if (tgx::RowsAttr rows = kernel.rowsOf(value))
      axes.insert(rank - context.extentsOf(value).size() + rows.getAxis());
  };
  llvm::for_each(kernel.getBlock().getArguments(), addRowAxis);
  llvm::for_each(kernel.getOutputs(), addRowAxis);
  return axes;
}

IterationSpace::IterationSpace(
    KernelContext &context, ArrayRef<AffineExpr> extents,
    function_ref<bool(unsigned axis, unsigned previous)> canCollapse)
    : context(context), rank(extents.size()) {
  llvm::SmallDenseSet<unsigned> rowAxes = findRowAxes(context, rank);
  auto crossesRow = [&](unsigned axis, unsigned previous) {
    return llvm::any_of(
        rowAxes, [&](unsigned row) { return previous < row && row <= axis; });
  };
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (staticExtent(extents[axis]) == 1)
      continue;
    if (groups.empty() || crossesRow(axis, groups.back().last) ||
        !canCollapse(axis, groups.back().last)) {
      groups.push_back({axis, extents[axis]});
      continue;
    }
    groups.back().last = axis;
    groups.back().extent = groups.back().extent * extents[axis];
  }
}

AffineExpr IterationSpace::getProduct(ArrayRef<unsigned> chosen) const {
  AffineExpr product = getAffineConstantExpr(1, context.builder.getContext());
  for (unsigned group : chosen)
    product = product * groups[group].extent;
  return product;
}

Position IterationSpace::position(ArrayRef<Value> indices, unsigned laneGroup,
                                  unsigned lanes) const {
  Position position;
  Value zero = context.integers().constant(0);
  position.index.assign(rank, zero);
  position.laneStep.assign(rank, 0);
  for (auto [group, index] : llvm::zip_equal(groups, indices))
    position.index[group.last] = index;
  if (lanes > 1)
    position.laneStep[groups[laneGroup].last] = 1;
  return position;
}

Position IterationSpace::position(std::initializer_list<GroupIndices> lists,
                                  unsigned laneGroup, unsigned lanes) const {
  SmallVector<Value> indices(groups.size());
  for (const GroupIndices &list : lists)
    for (auto [group, index] : llvm::zip_equal(list.groups, list.indices))
      indices[group] = index;
  return position(indices, laneGroup, lanes);
}

SmallVector<Value> IterationSpace::split(Value linearIndex,
                                         ArrayRef<unsigned> chosen) const {
  IntegerOps ops = context.indices();
  SmallVector<Value> indices(chosen.size());
  for (unsigned i = chosen.size(); i-- > 0;) {
    Value extent = context.extent(groups[chosen[i]].extent);
    indices[i] = i ? ops.rem(linearIndex, extent) : linearIndex;
    if (i)
      linearIndex = ops.div(linearIndex, extent);
  }
  return indices;
}

IterationSpace tg::makeElementSpace(KernelContext &context,
                                    ArrayRef<Operation *> ops, Value output) {
  ArrayRef<AffineExpr> extents = context.extentsOf(output);
  unsigned rank = extents.size();
  // If all ops are elementwise, all values share one iteration space.
  bool canJoin = llvm::all_of(ops, isElementwise);
  llvm::SetVector<Value> values;
  for (Operation *op : ops) {
    values.insert_range(op->getOperands());
    values.insert_range(op->getResults());
  }
  return IterationSpace(
      context, extents, [&](unsigned axis, unsigned previous) {
        return canJoin && llvm::all_of(values, [&](Value value) {
                 return IterationSpace::varies(context, value, axis, rank) ==
                        IterationSpace::varies(context, value, previous, rank);
               });
      });
}

IterationSpace tg::makeElementSpace(KernelContext &context) {
  SmallVector<Operation *> ops =
      llvm::map_to_vector(context.kernel.getBlock().without_terminator(),
                          [](Operation &op) { return &op; });
  return makeElementSpace(context, ops, context.kernel.getOutputs()[0]);
}
