//===- ChannelElements.cpp - elements along the innermost dimension -------===//
#include "compiler/codegen/cuda/ChannelElements.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace tg;

namespace {
/// Emits the vectors of a thread.
class ChannelElements {
public:
  ChannelElements(ThreadFrame &frame, unsigned count)
      : frame(frame), elements(frame), count(count),
        space(makeElementSpace(frame)),
        groups(llvm::to_vector(llvm::seq(0u, space.getNumGroups()))) {}

  /// Returns true if all elements of arguments that vectors need are vectors.
  /// Emits code, which is removed.
  bool areVectors();
  LogicalResult emit();

private:
  /// Returns true if the vectors along the innermost dimension of a tensor are
  /// neighbours in memory, as far from its begin as multiples of their size.
  bool isInVectors(Value tensor);
  void provideVectors();
  Value load(BlockArgument argument, const Position &position, unsigned lanes);
  void emitVector(Value first);
  void emitSingle(Value first);
  Value areAligned();

  ThreadFrame &frame;
  ElementEmitter elements;
  unsigned count;
  IterationSpace space;
  SmallVector<unsigned> groups;
  /// The index of the vector along the innermost dimension.
  Value channel;
  bool loadsVectors = true;
};
} // namespace

bool ChannelElements::isInVectors(Value tensor) {
  unsigned rank = frame.extentsOf(tensor).size();
  return llvm::all_of(llvm::seq(rank), [&](unsigned axis) {
    AffineExpr stride = frame.strideOf(tensor, axis);
    return axis + 1 == rank ? staticExtent(stride) == 1
                            : stride.isMultipleOf(count);
  });
}

/// Loads the elements of a vector. Returns null for a single element, and if
/// the elements may not be aligned neighbours in memory.
Value ChannelElements::load(BlockArgument argument, const Position &position,
                            unsigned lanes) {
  unsigned rank = position.rank();
  bool isVector = lanes == count && rank > 0 &&
                  position.index.back() == channel &&
                  position.laneStep.back() == 1 && isInVectors(argument);
  if (!isVector) {
    loadsVectors &= rank == 0;
    return {};
  }
  SmallVector<Value> values =
      loadJoined(frame.builder, frame.loc, frame.argument(argument),
                 elements.offsetOf(argument, position), count);
  auto type = VectorType::get({int64_t(count)}, values[0].getType());
  return vector::FromElementsOp::create(frame.builder, frame.loc, type, values);
}

void ChannelElements::provideVectors() {
  for (BlockArgument argument : frame.kernel.getBlock().getArguments())
    elements.provide(
        argument, [this, argument](const Position &position, unsigned lanes) {
          return load(argument, position, lanes);
        });
}

/// Emits the vectors of the outputs. All loads of a thread precede its stores,
/// because an output may be the memory of an argument.
void ChannelElements::emitVector(Value first) {
  provideVectors();
  SmallVector<Value> indices = space.split(first, groups);
  channel = indices.back();
  Position position = space.position(indices, groups.back(), count);
  SmallVector<Value> vectors;
  for (Value output : frame.kernel.getOutputs())
    vectors.push_back(elements.elementOrZero(output, position, count));
  for (auto [index, vector] : llvm::enumerate(vectors)) {
    SmallVector<Value> values;
    for (unsigned lane = 0; lane < count; ++lane)
      values.push_back(vector::ExtractOp::create(frame.builder, frame.loc,
                                                 vector, int64_t(lane)));
    Value offset =
        elements.offsetOf(frame.kernel.getOutputs()[index], position);
    storeJoined(frame.builder, frame.loc, frame.output(index), offset, values);
  }
  for (BlockArgument argument : frame.kernel.getBlock().getArguments())
    elements.withdraw(argument);
}

/// Emits one element after the other.
void ChannelElements::emitSingle(Value first) {
  IntegerOps ops = frame.indices();
  Value end = ops.add(first, ops.constant(count));
  buildFor(frame.builder, frame.loc, first, end, /*step=*/1, [&](Value number) {
    Position position = space.position(space.split(number, groups),
                                       /*laneGroup=*/0, /*lanes=*/1);
    SmallVector<Value> values;
    for (Value output : frame.kernel.getOutputs())
      values.push_back(elements.elementOrZero(output, position, /*lanes=*/1));
    for (auto [index, output] : llvm::enumerate(frame.kernel.getOutputs()))
      storeElements(frame.builder, frame.loc, frame.output(index),
                    elements.offsetOf(output, position), values[index],
                    Lanes());
  });
}

bool ChannelElements::areVectors() {
  // An output may be a part of the rows of a wider tensor.
  if (!llvm::all_of(frame.kernel.getOutputs(),
                    [&](Value output) { return isInVectors(output); }))
    return false;
  IntegerOps ops = frame.integers();
  // A number that is not known before a run.
  Value number = frame.passedAddressOf(frame.kernel.getOutputs()[0]);
  auto branch = scf::IfOp::create(
      frame.builder, frame.loc,
      ops.compare(arith::CmpIPredicate::ne, number, ops.constant(0)),
      /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(frame.builder);
    frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    emitVector(number);
  }
  branch.erase();
  return loadsVectors && !elements.hasFailed();
}

/// Returns true as a value if vectors of all tensors are aligned. Null if this
/// is known.
Value ChannelElements::areAligned() {
  ArgumentBlock layout(frame.kernel);
  IntegerOps ops = frame.integers();
  Value bits;
  auto add = [&](Value tensor, unsigned slot) {
    int64_t bytes = count * elementBytes(getElementTypeOrSelf(tensor));
    if (frame.extentsOf(tensor).empty() ||
        layout.alignmentOf(slot) % bytes == 0)
      return;
    Value low = arith::AndIOp::create(frame.builder, frame.loc,
                                      frame.passedAddressOf(tensor),
                                      ops.constant(bytes - 1));
    bits =
        bits ? arith::OrIOp::create(frame.builder, frame.loc, bits, low) : low;
  };
  for (BlockArgument argument : frame.kernel.getBlock().getArguments())
    add(argument, argument.getArgNumber());
  for (auto [index, output] : llvm::enumerate(frame.kernel.getOutputs()))
    add(output, layout.output(index));
  return bits ? ops.compare(arith::CmpIPredicate::eq, bits, ops.constant(0))
              : Value();
}

LogicalResult ChannelElements::emit() {
  AffineExpr all = space.getProduct(groups);
  Value number = frame.beginThread(all.floorDiv(count));
  IntegerOps ops = frame.indices();
  Value first = ops.mul(number, ops.constant(count));
  Value condition = areAligned();
  if (!condition) {
    emitVector(first);
  } else {
    auto branch = scf::IfOp::create(frame.builder, frame.loc, condition,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(frame.builder);
    frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    emitVector(first);
    frame.builder.setInsertionPoint(branch.elseBlock()->getTerminator());
    emitSingle(first);
  }
  return failure(elements.hasFailed());
}

/// Returns true if an op may take part in vectors: checks report single
/// elements.
static bool mayHaveVectors(Operation &op) {
  auto isTensor = [](Value operand) {
    return cast<ShapedType>(operand.getType()).getRank() > 0;
  };
  return !isa<tgx::ElementCheckOpInterface>(op) &&
         (isElementwise(&op) || llvm::any_of(op.getOperands(), isTensor));
}

unsigned tg::countChannels(ThreadFrame &frame) {
  auto ops = frame.kernel.getBlock().without_terminator();
  auto outputs = frame.kernel.getOutputs();
  if (llvm::all_of(ops, [](Operation &op) { return isElementwise(&op); }) ||
      !llvm::all_of(ops, mayHaveVectors) || frame.extentsOf(outputs[0]).empty())
    return 1;
  int64_t bytes = 1;
  auto include = [&](Value value) {
    bytes = std::max<int64_t>(bytes, elementBytes(getElementTypeOrSelf(value)));
  };
  llvm::for_each(frame.kernel.getBlock().getArguments(), include);
  llvm::for_each(outputs, include);
  AffineExpr channels = frame.extentsOf(outputs[0]).back();
  // A power of two, because the other number is one.
  int64_t count = std::gcd(channels.getLargestKnownDivisor(),
                           int64_t(kAccessBytes / bytes));
  if (count == 1 || staticExtent(channels) == 0)
    return 1;
  return ChannelElements(frame, count).areVectors() ? count : 1;
}

LogicalResult tg::emitChannels(ThreadFrame &frame, unsigned count) {
  return ChannelElements(frame, count).emit();
}
