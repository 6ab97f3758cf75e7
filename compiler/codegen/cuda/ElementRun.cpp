//===- ElementRun.cpp - the neighbouring elements of one thread -----------===//
#include "compiler/codegen/cuda/ElementRun.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "dialects/tg/elements/ElementTypes.h"

using namespace mlir;
using namespace tg;

/// Returns the number of dimensions of a kernel's outputs.
static unsigned rankOf(const KernelContext &context) {
  tgx::KernelOp kernel = context.kernel;
  return context.extentsOf(kernel.getOutputs()[0]).size();
}

/// Returns the number of elements of which each value that differs from one
/// element to the next has at most `kAccessBytes`.
static unsigned findWidth(const KernelContext &context, unsigned lastAxis) {
  tgx::KernelOp kernel = context.kernel;
  Block &body = kernel.getBlock();
  unsigned rank = rankOf(context);
  int64_t bytes = 1;
  auto include = [&](Value value) {
    if (IterationSpace::varies(context, value, lastAxis, rank))
      bytes =
          std::max<int64_t>(bytes, elementBytes(getElementTypeOrSelf(value)));
  };
  llvm::for_each(body.getArguments(), include);
  for (Operation &op : body.without_terminator())
    llvm::for_each(op.getResults(), include);
  return kAccessBytes / bytes;
}

bool ElementRun::isJoined(const KernelContext &context,
                          const IterationSpace &space, Value tensor,
                          unsigned count) const {
  tgx::KernelOp kernel = context.kernel;
  unsigned rank = rankOf(context);
  unsigned missing = rank - context.extentsOf(tensor).size();
  unsigned last = space.getNumGroups() - 1;
  for (unsigned group = 0; group <= last; ++group) {
    unsigned axis = space.getLastAxis(group);
    bool varies = IterationSpace::varies(context, tensor, axis, rank);
    if (!varies && (group == last || !isInRow))
      return false;
    if (!varies)
      continue;
    AffineExpr stride = context.strideOf(tensor, axis - missing);
    if (group == last ? staticExtent(stride) != 1
                      : isInRow && !stride.isMultipleOf(count))
      return false;
  }
  return isInRow || !kernel.rowsOf(tensor);
}

ElementRun::ElementRun(const KernelContext &context,
                       const IterationSpace &space) {
  tgx::KernelOp kernel = context.kernel;
  Block &body = kernel.getBlock();
  bool isElementwise =
      llvm::all_of(body.without_terminator(),
                   [](Operation &op) { return tg::isElementwise(&op); });
  if (!isElementwise || space.getNumGroups() == 0)
    return;
  unsigned last = space.getNumGroups() - 1;
  unsigned found = findWidth(context, space.getLastAxis(last));
  isInRow = last == 0 || space.getExtent(last).isMultipleOf(found);
  auto groups = llvm::to_vector(llvm::seq(0u, last + 1));
  std::optional<int64_t> count = staticExtent(space.getProduct(groups));
  bool isLong = !count || *count >= found;
  if (!isLong || !llvm::all_of(kernel.getOutputs(), [&](Value output) {
        return isJoined(context, space, output, found);
      }))
    return;
  width = found;
  for (BlockArgument argument : body.getArguments())
    if (!argument.use_empty() && isJoined(context, space, argument, width))
      joined.push_back(argument);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Position tg::positionIn(KernelContext &context, Value tensor,
                        const Position &position) {
  Position own;
  ArrayRef<AffineExpr> extents = context.extentsOf(tensor);
  ArrayRef<Value> indices = ArrayRef(position.index).take_back(extents.size());
  for (auto [index, extent] : llvm::zip_equal(indices, extents))
    own.index.push_back(
        staticExtent(extent) == 1 ? context.integers().constant(0) : index);
  own.laneStep.assign(extents.size(), 0);
  return own;
}

void tg::loadRun(ThreadFrame &frame, ElementEmitter &elements,
                 BlockArgument argument, ArrayRef<Position> positions,
                 Value offset) {
  SmallVector<Value> values =
      loadJoined(frame.builder, frame.loc, frame.argument(argument), offset,
                 positions.size());
  for (auto [position, value] : llvm::zip_equal(positions, values))
    elements.remember(argument, positionIn(frame, argument, position),
                      /*lanes=*/1, value);
}

Value tg::unalignedBits(ThreadFrame &frame, const ElementRun &run) {
  OpBuilder &builder = frame.builder;
  ArgumentBlock layout(frame.kernel);
  Value bits;
  auto add = [&](const Elements &memory, unsigned slot) {
    int64_t bytes = run.width * elementBytes(memory.elementType);
    if (layout.alignmentOf(slot) % bytes == 0)
      return;
    Value address = LLVM::PtrToIntOp::create(
        builder, frame.loc, builder.getI64Type(), memory.pointer);
    Value low = arith::AndIOp::create(builder, frame.loc, address,
                                      frame.integers().constant(bytes - 1));
    bits = bits ? arith::OrIOp::create(builder, frame.loc, bits, low) : low;
  };
  for (BlockArgument argument : run.joined)
    add(frame.argument(argument), argument.getArgNumber());
  for (unsigned output = 0; output < layout.outputs; ++output)
    add(frame.output(output), layout.output(output));
  return bits;
}
