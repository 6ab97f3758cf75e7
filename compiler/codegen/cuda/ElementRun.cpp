//===- ElementRun.cpp - the neighbouring elements of one thread -----------===//
#include "compiler/codegen/cuda/ElementRun.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

tgx::KernelPart tg::wholeOf(tgx::KernelOp kernel) {
  tgx::KernelPart whole;
  llvm::append_range(whole.outputs, kernel.getOutputs());
  for (Operation &op : kernel.getBlock().without_terminator())
    whole.ops.push_back(&op);
  return whole;
}

/// Returns the values that the ops of a part read and compute.
static llvm::SetVector<Value> valuesOf(const tgx::KernelPart &part) {
  llvm::SetVector<Value> values;
  values.insert_range(part.outputs);
  for (Operation *op : part.ops) {
    values.insert_range(op->getOperands());
    values.insert_range(op->getResults());
  }
  return values;
}

/// Returns the number of elements of which each value that differs from one
/// element to the next has at most `kAccessBytes`.
static unsigned findWidth(const KernelContext &context,
                          const llvm::SetVector<Value> &values,
                          unsigned lastAxis, unsigned rank) {
  int64_t bytes = 1;
  for (Value value : values)
    if (IterationSpace::varies(context, value, lastAxis, rank))
      bytes =
          std::max<int64_t>(bytes, elementBytes(getElementTypeOrSelf(value)));
  return kAccessBytes / bytes;
}

bool ElementRun::isJoined(const KernelContext &context,
                          const IterationSpace &space, Value tensor,
                          unsigned count, bool areRowsWhole) const {
  tgx::KernelOp kernel = context.kernel;
  unsigned rank = context.extentsOf(outputs.front()).size();
  unsigned missing = rank - context.extentsOf(tensor).size();
  unsigned last = space.getNumGroups() - 1;
  // The strides of dense tensors are multiples of the last group's extent.
  bool isAligned = areRowsWhole && !kernel.rowsOf(tensor);
  for (unsigned group = 0; group <= last; ++group) {
    unsigned axis = space.getLastAxis(group);
    bool varies = IterationSpace::varies(context, tensor, axis, rank);
    if (!varies && (group == last || !isInRow))
      return false;
    if (!varies)
      continue;
    AffineExpr stride = context.strideOf(tensor, axis - missing);
    if (group == last ? staticExtent(stride) != 1
                      : isInRow && !isAligned && !stride.isMultipleOf(count))
      return false;
  }
  return isInRow || !kernel.rowsOf(tensor);
}

ElementRun::ElementRun(const KernelContext &context,
                       const IterationSpace &space, const tgx::KernelPart &part,
                       bool areRowsWhole)
    : outputs(part.outputs) {
  if (!llvm::all_of(part.ops, isElementwise) || space.getNumGroups() == 0)
    return;
  llvm::SetVector<Value> values = valuesOf(part);
  unsigned rank = context.extentsOf(outputs.front()).size();
  unsigned last = space.getNumGroups() - 1;
  unsigned found = findWidth(context, values, space.getLastAxis(last), rank);
  isInRow =
      last == 0 || areRowsWhole || space.getExtent(last).isMultipleOf(found);
  if (!llvm::all_of(outputs, [&](Value output) {
        return isJoined(context, space, output, found, areRowsWhole);
      }))
    return;
  width = found;
  tgx::KernelOp kernel = context.kernel;
  for (BlockArgument argument : kernel.getBlock().getArguments())
    if (values.contains(argument) &&
        isJoined(context, space, argument, width, areRowsWhole))
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

Value tg::unalignedBits(ThreadFrame &frame, const ElementRun &run,
                        function_ref<int64_t(Value)> alignmentOf) {
  OpBuilder &builder = frame.builder;
  Value bits;
  auto add = [&](Value tensor, const Elements &memory) {
    int64_t bytes = run.width * elementBytes(memory.elementType);
    if (alignmentOf(tensor) % bytes == 0)
      return;
    Value address = LLVM::PtrToIntOp::create(
        builder, frame.loc, builder.getI64Type(), memory.pointer);
    Value low = arith::AndIOp::create(builder, frame.loc, address,
                                      frame.integers().constant(bytes - 1));
    bits = bits ? arith::OrIOp::create(builder, frame.loc, bits, low) : low;
  };
  for (BlockArgument argument : run.joined)
    add(argument, frame.argument(argument));
  for (Value output : run.outputs)
    add(output, frame.outputOf(output));
  return bits;
}

Value tg::unalignedBits(ThreadFrame &frame, const ElementRun &run) {
  return unalignedBits(frame, run,
                       [&](Value tensor) { return frame.alignmentOf(tensor); });
}
