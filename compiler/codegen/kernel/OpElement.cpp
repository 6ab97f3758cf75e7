//===- OpElement.cpp - the element rule interface of one op ---------------===//
#include "compiler/codegen/kernel/OpElement.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

Value OpElement::operand(unsigned number, const Position &position) {
  Value value = emitter.emit(op->getOperand(number), position, laneCount);
  if (number == 0)
    checked = value;
  return value;
}

Value OpElement::operandExtent(unsigned number, unsigned axis) {
  return emitter.context.extent(
      emitter.context.extentsOf(op->getOperand(number))[axis]);
}

Value OpElement::resultExtent(unsigned number, unsigned axis) {
  return emitter.context.extent(
      emitter.context.extentsOf(op->getResult(number))[axis]);
}

Value OpElement::scalar(unsigned operand) {
  Value tensor = op->getOperand(operand);
  if (AffineExpr known = emitter.context.sizeOf(tensor))
    return emitter.context.extent(known);
  return emitter.emit(tensor, Position(), /*lanes=*/1);
}

Value OpElement::resultOffset(const Position &position) {
  return emitter.indexOf(op->getResult(0), position);
}

Value OpElement::pick(Value condition, bool alwaysReadable,
                      function_ref<Value()> inside, Value otherwise) {
  if (alwaysReadable)
    return ElementBuilder::pick(condition, alwaysReadable, inside, otherwise);
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  Value value = inside();
  // A branch without a value stays as dead code, because the emitter may have
  // cached values in it.
  scf::YieldOp::create(builder, loc, value ? value : otherwise);
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(builder, loc, otherwise);
  return value ? branch.getResult(0) : Value();
}

/// Reads the operand lane by lane, because some lanes may be out of bounds.
Value OpElement::byLanesWithin(unsigned number, const Position &position,
                               unsigned axis, Value extent, Value otherwise) {
  IntegerOps ops = integers();
  Value operand = op->getOperand(number);
  SmallVector<Value> values;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    Position place{position.index, SmallVector<int64_t>(position.rank(), 0)};
    Value index = ops.add(position.index[axis], ops.constant(lane));
    place.index[axis] = buildClamp(*this, index, extent);
    values.push_back(pick(
        buildWithin(*this, index, extent),
        isNeverEmpty(operand.getType(), axis),
        [&] { return emitter.emit(operand, place, /*lanes=*/1); },
        vector::ExtractOp::create(builder, loc, otherwise, lane)));
    if (!values.back())
      return otherwise;
  }
  return vector::FromElementsOp::create(
      builder, loc, cast<VectorType>(otherwise.getType()), values);
}

// Emits one masked load if that reads no memory out of bounds. Otherwise emits
// a branch: vector code if all lanes are within bounds, and single elements at
// the borders.
Value OpElement::operandWithin(unsigned number, const Position &position,
                               unsigned axis, Value extent, Value otherwise) {
  if (position.laneStep[axis] != 1)
    return {};
  Value first = position.index[axis];
  Value within =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                            laneIndex(position, axis), splat(extent));
  if (Value loaded = emitter.loadWithin(op->getOperand(number), position,
                                        within, laneCount))
    return arith::SelectOp::create(builder, loc, within, loaded, otherwise);
  IntegerOps ops = integers();
  Value last = ops.add(first, ops.constant(laneCount - 1));
  // The unsigned comparisons also reject negative indices.
  Value isInside =
      arith::AndIOp::create(builder, loc, buildWithin(*this, first, extent),
                            buildWithin(*this, last, extent));
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), isInside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  Value inside = operand(number, position);
  scf::YieldOp::create(builder, loc, inside ? inside : otherwise);
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  Value border = inside
                     ? byLanesWithin(number, position, axis, extent, otherwise)
                     : otherwise;
  scf::YieldOp::create(builder, loc, border);
  return inside ? branch.getResult(0) : Value();
}

void OpElement::require(Value condition, const Position &position) {
  Value yes = arith::ConstantOp::create(
      builder, loc, builder.getOneAttr(condition.getType()));
  Value failing = arith::XOrIOp::create(builder, loc, condition, yes);
  if (emitter.mask && laneCount > 1)
    failing = arith::AndIOp::create(builder, loc, failing, emitter.mask);
  Value any = failing;
  if (laneCount > 1)
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                      failing);
  // Values at the kernel's entry must be emitted before the branch, because the
  // check itself may have been hoisted to the entry.
  emitter.context.errorCell();
  Value offset = resultOffset(position);
  Value laneStride =
      emitter.context.extent(emitter.laneStrideOf(op->getResult(0), position));
  auto branch = scf::IfOp::create(builder, loc, any, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  report(failing, offset, laneStride);
}

// The key is the linear index of the element. In kernels that check for finite
// numbers, the high bits hold the position of the check among all checks of the
// kernel, followed by the linear index and a low bit that is 1 for an infinity
// and 0 for a NaN.
Value OpElement::keyOf(Value offsets) {
  Block *block = op->getBlock();
  if (block->getOps<tgx::CheckFiniteOp>().empty())
    return offsets;
  int64_t order = llvm::count_if(
      llvm::make_range(block->begin(), op->getIterator()),
      [](Operation &other) { return isa<RunTimeCheckOpInterface>(other); });
  auto constant = [&](int64_t number) {
    return buildComputeConstant(builder, loc, offsets.getType(),
                                APInt(64, number));
  };
  Value key = arith::AddIOp::create(
      builder, loc, arith::AddIOp::create(builder, loc, offsets, offsets),
      constant(order << tgx::kCheckElementBits));
  if (!isa<tgx::CheckFiniteOp>(op))
    return key;
  Value isNumber = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ORD, checked, checked);
  return arith::AddIOp::create(
      builder, loc, key,
      arith::ExtUIOp::create(builder, loc, key.getType(), isNumber));
}

/// Returns true if the error cell must store the checked index, because error
/// messages cannot read it from memory.
static bool keepsFound(Operation *op) {
  auto check = cast<RunTimeCheckOpInterface>(op);
  return check.getIndexBound() && !isa<BlockArgument>(op->getOperand(0));
}

Value OpElement::widenChecked() {
  Type wide = elementType(builder.getI64Type());
  if (checked.getType() == wide)
    return checked;
  if (getElementTypeOrSelf(op->getOperand(0)).isUnsignedInteger())
    return arith::ExtUIOp::create(builder, loc, wide, checked);
  return arith::ExtSIOp::create(builder, loc, wide, checked);
}

void OpElement::store(Value lowest, Value found) {
  Value cell = emitter.context.errorCell();
  auto lower = [&]() -> Value {
    return LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::min, cell,
                                     lowest, LLVM::AtomicOrdering::monotonic);
  };
  if (!found) {
    lower();
    return;
  }
  auto at = [&](int32_t bytes) -> Value {
    return LLVM::GEPOp::create(builder, loc, cell.getType(),
                               builder.getI8Type(), cell,
                               ArrayRef<LLVM::GEPArg>{bytes});
  };
  Value lock = at(kCellLockBytes);
  Value free = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value taken = arith::ConstantIntOp::create(builder, loc, 1, 32);
  auto wait = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&wait.getBefore());
    Value before =
        LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::xchg, lock,
                                  taken, LLVM::AtomicOrdering::acquire);
    Value isTaken = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne, before, free);
    scf::ConditionOp::create(builder, loc, isTaken, ValueRange());
    builder.createBlock(&wait.getAfter());
    scf::YieldOp::create(builder, loc);
  }
  Value isLowest = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, lowest, lower());
  auto branch =
      scf::IfOp::create(builder, loc, isLowest, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    LLVM::StoreOp::create(builder, loc, found, at(kCellFoundBytes));
  }
  LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::xchg, lock, free,
                            LLVM::AtomicOrdering::release);
}

/// Records the lowest key of the failing lanes. This is cold code.
void OpElement::report(Value failing, Value offset, Value laneStride) {
  Value found = keepsFound(op) ? widenChecked() : Value();
  if (laneCount == 1)
    return store(keyOf(offset), found);
  auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, laneCount));
  auto type = VectorType::get({int64_t(laneCount)}, builder.getI64Type());
  auto constant = [&](DenseElementsAttr value) -> Value {
    return arith::ConstantOp::create(builder, loc, value);
  };
  auto reduce = [&](vector::CombiningKind kind, Value values) -> Value {
    return vector::ReductionOp::create(builder, loc, kind, values);
  };
  Value lanes =
      constant(DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers)));
  Value none = constant(
      DenseElementsAttr::get(type, std::numeric_limits<int64_t>::max()));
  Value offsets = arith::AddIOp::create(
      builder, loc, splat(offset),
      arith::MulIOp::create(builder, loc, lanes, splat(laneStride)));
  Value bad =
      arith::SelectOp::create(builder, loc, failing, keyOf(offsets), none);
  Value lowest = reduce(vector::CombiningKind::MINSI, bad);
  if (found) {
    // Several lanes may be the same element. They have the same index, so that
    // the OR of their indices is that index.
    Value isLowest = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, bad, splat(lowest));
    Value zero = constant(DenseElementsAttr::get(type, int64_t(0)));
    found =
        reduce(vector::CombiningKind::OR,
               arith::SelectOp::create(builder, loc, isLowest, found, zero));
  }
  store(lowest, found);
}
