//===- PartThreads.cpp - threads of kernels with parts --------------------===//
//
// A part has whole blocks of threads. The blocks of a launch are those of the
// first part, then those of the second one, and so on. A thread finds its part
// by a binary search, which all threads of a block do in the same way.
//
//===----------------------------------------------------------------------===//
#include "compiler/codegen/cuda/ElementThreads.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tg;

namespace {
/// A part with the number of its elements and of its first block.
struct Part : tgx::KernelPart {
  AffineExpr count, firstBlock;
};

/// Consecutive parts that share their code.
struct PartGroup {
  MutableArrayRef<Part> parts;
  /// The number of elements that a thread computes.
  unsigned width = 1;
  /// For each argument of the part whose code is emitted: the argument of each
  /// part.
  llvm::MapVector<Value, SmallVector<Value>> arguments;
};

/// Emits the threads of all parts.
class PartThreads {
public:
  explicit PartThreads(ThreadFrame &frame) : frame(frame) {}
  LogicalResult emit();

private:
  void collectParts();
  void collectGroups();
  void numberBlocks();
  bool isFlat(const Part &part);
  bool addTo(PartGroup &group, const Part &part);
  LogicalResult emitGroups(ArrayRef<PartGroup> some);
  LogicalResult emitGroup(const PartGroup &group);
  SmallVector<Value> valuesOf(const PartGroup &group, unsigned index);
  SmallVector<Value> select(const PartGroup &group, unsigned begin,
                            unsigned end);
  LogicalResult emitElements(const PartGroup &group, Value firstBlock,
                             Value count);
  int64_t alignmentOf(const PartGroup &group, Value tensor);
  Value isBefore(const Part &part);

  ThreadFrame &frame;
  SmallVector<Part> parts;
  SmallVector<PartGroup> groups;
  /// The number of all blocks.
  AffineExpr blocks;
  BlockThread thread;
};
} // namespace

void PartThreads::collectParts() {
  for (tgx::KernelPart &part : frame.kernel.divideIntoParts()) {
    AffineExpr count = productOf(frame.extentsOf(part.outputs.front()),
                                 frame.kernel.getContext());
    parts.push_back({std::move(part), count, AffineExpr()});
  }
}

/// Returns true if element `i` of each output depends only on numbers and on
/// element `i` of arguments of rank 1.
bool PartThreads::isFlat(const Part &part) {
  ArrayRef<AffineExpr> extents = frame.extentsOf(part.outputs.front());
  auto fits = [&](Value value) {
    return frame.extentsOf(value).empty() || frame.extentsOf(value) == extents;
  };
  return extents.size() == 1 && llvm::all_of(part.ops, [&](Operation *op) {
           return isElementwise(op) && llvm::all_of(op->getOperands(), fits) &&
                  llvm::all_of(op->getResults(), fits);
         });
}

/// Adds a part to a group of flat parts if it has the same ops and the same
/// arguments of rank 0. Otherwise returns false, and changes nothing.
bool PartThreads::addTo(PartGroup &group, const Part &part) {
  const Part &first = group.parts.front();
  // The code for a dimension of extent 1 would not fit other extents.
  if (staticExtent(first.count) == 1 || !isFlat(first) || !isFlat(part) ||
      first.ops.size() != part.ops.size() ||
      first.outputs.size() != part.outputs.size())
    return false;
  DenseMap<Value, Value> pairs;
  auto match = [&](Value value, Value other) {
    auto [entry, isNew] = pairs.try_emplace(value, other);
    bool isFree = isa<BlockArgument>(value) && isa<BlockArgument>(other) &&
                  value.getType() == other.getType() &&
                  (value == other || !frame.extentsOf(value).empty());
    return isNew ? isFree : entry->second == other;
  };
  auto pair = [&](Value value, Value other) { pairs[value] = other; };
  for (auto [op, other] : llvm::zip_equal(first.ops, part.ops))
    if (!OperationEquivalence::isEquivalentTo(
            op, other,
            [&](Value lhs, Value rhs) { return success(match(lhs, rhs)); },
            pair, OperationEquivalence::IgnoreLocations))
      return false;
  for (auto [output, other] : llvm::zip_equal(first.outputs, part.outputs))
    if (pairs.lookup(output) != other)
      return false;
  for (auto &[argument, list] : group.arguments)
    list.push_back(pairs.lookup(argument));
  group.parts = MutableArrayRef(group.parts.data(), group.parts.size() + 1);
  return true;
}

void PartThreads::collectGroups() {
  for (Part &part : parts) {
    if (!groups.empty() && addTo(groups.back(), part))
      continue;
    PartGroup &group = groups.emplace_back();
    group.parts = part;
    for (Operation *op : part.ops)
      for (Value operand : op->getOperands())
        if (isa<BlockArgument>(operand) && !frame.extentsOf(operand).empty())
          group.arguments.insert({operand, {operand}});
  }
}

/// Chooses the number of elements of a thread, and the blocks of each part.
void PartThreads::numberBlocks() {
  blocks = getAffineConstantExpr(0, frame.kernel.getContext());
  for (PartGroup &group : groups) {
    ElementEmitter elements(frame);
    group.width =
        ElementThreads(frame, elements, group.parts.front()).getWidth();
    for (Part &part : group.parts) {
      part.firstBlock = blocks;
      blocks = blocks + part.count.ceilDiv(kBlockThreads * group.width);
    }
  }
}

/// Returns true at run time if the block of the thread is before those of a
/// part.
Value PartThreads::isBefore(const Part &part) {
  return frame.integers().compare(arith::CmpIPredicate::slt, thread.block,
                                  frame.extent(part.firstBlock));
}

/// Returns the first block, the number of elements and the addresses of a part.
SmallVector<Value> PartThreads::valuesOf(const PartGroup &group,
                                         unsigned index) {
  const Part &part = group.parts[index];
  SmallVector<Value> values = {frame.extent(part.firstBlock),
                               frame.extent(part.count)};
  for (auto &[argument, list] : group.arguments)
    values.push_back(frame.passedAddressOf(list[index]));
  for (Value output : part.outputs)
    values.push_back(frame.passedAddressOf(output));
  return values;
}

/// Returns `valuesOf` the part of the thread, one of [begin, end).
SmallVector<Value> PartThreads::select(const PartGroup &group, unsigned begin,
                                       unsigned end) {
  if (end - begin == 1)
    return valuesOf(group, begin);
  unsigned middle = begin + (end - begin) / 2;
  OpBuilder &builder = frame.builder;
  SmallVector<Type> types(valuesOf(group, begin).size(), builder.getI64Type());
  auto branch =
      scf::IfOp::create(builder, frame.loc, types,
                        isBefore(group.parts[middle]), /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, frame.loc, select(group, begin, middle));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, frame.loc, select(group, middle, end));
  return SmallVector<Value>(branch.getResults());
}

/// Returns the alignment of a tensor of the group's first part and of those in
/// its place in other parts.
int64_t PartThreads::alignmentOf(const PartGroup &group, Value tensor) {
  SmallVector<Value> tensors = {tensor};
  auto arguments = group.arguments.find(tensor);
  if (arguments != group.arguments.end())
    llvm::append_range(tensors, arguments->second);
  ArrayRef<Value> outputs = group.parts.front().outputs;
  const auto *output = llvm::find(outputs, tensor);
  if (output != outputs.end())
    for (const Part &part : group.parts)
      tensors.push_back(part.outputs[output - outputs.begin()]);
  int64_t alignment = frame.alignmentOf(tensor);
  for (Value each : tensors)
    alignment = std::min(alignment, frame.alignmentOf(each));
  return alignment;
}

/// Emits a run of the outputs of a part of the group, whose thread is known.
LogicalResult PartThreads::emitElements(const PartGroup &group,
                                        Value firstBlock, Value count) {
  IntegerOps ops = frame.indices();
  Value number = ops.add(
      ops.mul(ops.sub(thread.block, firstBlock), ops.constant(kBlockThreads)),
      thread.thread);
  Value first = ops.mul(number, ops.constant(group.width));
  auto branch =
      scf::IfOp::create(frame.builder, frame.loc,
                        ops.compare(arith::CmpIPredicate::slt, first, count),
                        /*withElse=*/false);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  ElementEmitter elements(frame);
  bool isWhole = llvm::all_of(group.parts, [&](const Part &part) {
    return part.count.isMultipleOf(group.width);
  });
  return ElementThreads(frame, elements, group.parts.front())
      .emit(first, {count, isWhole,
                    [&](Value tensor) { return alignmentOf(group, tensor); }});
}

LogicalResult PartThreads::emitGroup(const PartGroup &group) {
  const Part &first = group.parts.front();
  if (group.parts.size() == 1)
    return emitElements(group, frame.extent(first.firstBlock),
                        frame.extent(first.count));
  SmallVector<Value> values = select(group, 0, group.parts.size());
  SmallVector<Value> tensors =
      llvm::to_vector(llvm::make_first_range(group.arguments));
  tensors.append(first.outputs);
  for (auto [tensor, address] :
       llvm::zip_equal(tensors, ArrayRef(values).drop_front(2)))
    frame.setAddress(tensor, address);
  LogicalResult result = emitElements(group, values[0], values[1]);
  for (Value tensor : tensors)
    frame.setAddress(tensor, Value());
  return result;
}

/// Emits the code of some groups, to one of which the thread belongs.
LogicalResult PartThreads::emitGroups(ArrayRef<PartGroup> some) {
  if (some.size() == 1)
    return emitGroup(some.front());
  size_t middle = some.size() / 2;
  auto branch = scf::IfOp::create(frame.builder, frame.loc,
                                  isBefore(some[middle].parts.front()),
                                  /*withElse=*/true);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (failed(emitGroups(some.take_front(middle))))
    return failure();
  frame.builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  return emitGroups(some.drop_front(middle));
}

LogicalResult PartThreads::emit() {
  collectParts();
  collectGroups();
  numberBlocks();
  thread = frame.beginBlock(blocks);
  return emitGroups(groups);
}

LogicalResult tg::emitParts(ThreadFrame &frame) {
  return PartThreads(frame).emit();
}
