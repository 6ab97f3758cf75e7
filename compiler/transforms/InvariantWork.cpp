//===- InvariantWork.cpp - what is the same in all steps of a loop --------===//
#include "compiler/transforms/InvariantWork.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ShapeOps.h"
#include "dialects/tgx/Tgx.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// What moves
//===----------------------------------------------------------------------===//

/// The bytes of a value, unknown extents as plans take them.
static int64_t countBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  AffineExpr bytes = getAffineConstantExpr(elementBytes(type.getElementType()),
                                           value.getContext());
  for (int64_t extent : type.getShape())
    bytes = bytes * (ShapedType::isDynamic(extent)
                         ? getAffineSymbolExpr(0, value.getContext())
                         : getAffineConstantExpr(extent, value.getContext()));
  return plannedNumber(bytes);
}

/// Whether computing what an op gives takes longer than reading it, and keeping
/// it takes no more memory than what it is computed of.
static bool isWorthKeeping(Operation *op) {
  if (!isa<BatchableOpInterface>(op))
    return false;
  int64_t bytes = 0;
  for (Value operand : op->getOperands())
    bytes += countBytes(operand);
  return countBytes(op->getResult(0)) <= bytes;
}

static bool hasEffects(Block &block) {
  return !llvm::all_of(block,
                       [](Operation &op) { return isMemoryEffectFree(&op); });
}

/// The ops of a block that are worth moving out of its loop, and those that
/// they need, in order. What may fail fails behind no effect of the block.
static SmallVector<Operation *> findWork(Block &block, bool certainlyRuns) {
  Region *loop = block.getParent();
  bool mayFail = certainlyRuns && !hasEffects(block);
  llvm::DenseSet<Operation *> same, wanted;
  for (Operation &op : block.without_terminator()) {
    auto isSame = [&](Value value) {
      return !loop->isAncestor(value.getParentRegion()) ||
             same.contains(value.getDefiningOp());
    };
    if (op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
        (mayFail || isSpeculatable(&op)) &&
        llvm::all_of(op.getOperands(), isSame))
      same.insert(&op);
  }
  SmallVector<Operation *> work;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    bool isNeeded = llvm::any_of(
        op.getUsers(), [&](Operation *user) { return wanted.contains(user); });
    if (!same.contains(&op) || !(isNeeded || isWorthKeeping(&op)))
      continue;
    wanted.insert(&op);
    work.push_back(&op);
  }
  std::reverse(work.begin(), work.end());
  return work;
}

static bool isConstant(Operation *op) {
  return op->hasTrait<mlir::OpTrait::ConstantLike>();
}

/// Constants are the same in all steps, and nothing to compute.
static void moveConstants(Block &block, Operation *loop) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (isConstant(&op))
      op.moveBefore(loop);
}

/// Moves the work of a block before its loop.
static unsigned moveWork(Block &block, Operation *loop, bool certainlyRuns) {
  SmallVector<Operation *> work = findWork(block, certainlyRuns);
  for (Operation *op : work)
    op->moveBefore(loop);
  return work.size();
}

unsigned tg::moveInvariantWork(ScanOp loop) {
  moveConstants(loop.getBlock(), loop);
  return moveWork(loop.getBlock(), loop,
                  /*certainlyRuns=*/loop.getStaticLength() > 0);
}

//===----------------------------------------------------------------------===//
// Before a while
//===----------------------------------------------------------------------===//

/// The condition of the first trip.
static Value buildFirstCondition(OpBuilder &builder, WhileOp loop) {
  Block &condition = loop.getCondition().front();
  IRMapping values;
  values.map(condition.getArguments(), loop.getInits());
  for (Operation &op : condition.without_terminator())
    builder.clone(op, values);
  return values.lookupOrDefault(condition.getTerminator()->getOperand(0));
}

/// The values of ops that others use.
static SmallVector<Value> findKept(ArrayRef<Operation *> work) {
  llvm::DenseSet<Operation *> own(work.begin(), work.end());
  SmallVector<Value> kept;
  for (Operation *op : work)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !own.contains(user); }))
        kept.push_back(result);
  return kept;
}

/// Zeros in place of a value that nothing uses, of its extents; null where
/// these are not known.
static Value buildUnused(OpBuilder &builder, Value value,
                         FunctionSymbols *symbols) {
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = value.getLoc();
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> sizes;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    extent = -1;
    AffineExpr known = symbols->getAnalysis().extentsOf(value)[axis];
    sizes.push_back(tgx::SizeOp::create(
        builder, loc, RankedTensorType::get({}, builder.getI64Type()),
        AffineMapAttr::get(symbols->mapOf({known}))));
  }
  Value zero = buildScalarConstant(builder, loc, type.getElementType(), 0);
  return BroadcastToOp::create(builder, loc, zero, sizes, shape);
}

/// Lets work be done before a loop if that has a trip.
static void moveUnderCondition(ArrayRef<Operation *> work, WhileOp loop,
                               FunctionSymbols *symbols) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  SmallVector<Value> kept = findKept(work);
  auto branch = IfOp::create(builder, loc, ValueRange(kept).getTypes(),
                             buildFirstCondition(builder, loop));
  Block &computed = branch.getThenRegion().emplaceBlock();
  Block &unused = branch.getElseRegion().emplaceBlock();
  OpBuilder other = OpBuilder::atBlockEnd(&unused);
  SmallVector<Value> zeros = llvm::map_to_vector(
      kept, [&](Value value) { return buildUnused(other, value, symbols); });
  YieldOp::create(other, loc, zeros);
  for (Operation *op : work)
    op->moveBefore(&computed, computed.end());
  OpBuilder inside = OpBuilder::atBlockEnd(&computed);
  YieldOp::create(inside, loc, kept);
  for (auto [value, result] : llvm::zip_equal(kept, branch.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner()->getBlock() != &computed;
    });
}

/// Whether extents of what an op takes or gives are not in their types.
static bool hasUnknownExtents(Operation *op) {
  auto isUnknown = [](Type type) {
    return !cast<RankedTensorType>(type).hasStaticShape();
  };
  return llvm::any_of(op->getOperandTypes(), isUnknown) ||
         llvm::any_of(op->getResultTypes(), isUnknown);
}

unsigned tg::moveInvariantWork(WhileOp loop) {
  Block &condition = loop.getCondition().front();
  Block &body = loop.getBody().front();
  unsigned moved = moveWork(condition, loop, /*certainlyRuns=*/true);
  if (findWork(body, /*certainlyRuns=*/false).empty() || hasEffects(condition))
    return moved;
  moveConstants(condition, loop);
  moveConstants(body, loop);
  SmallVector<Operation *> work = findWork(body, /*certainlyRuns=*/false);
  std::optional<FunctionSymbols> symbols;
  if (llvm::any_of(work, hasUnknownExtents)) {
    auto function = loop->getParentOfType<func::FuncOp>();
    auto known = FunctionSymbols::create(function);
    if (failed(known))
      return moved;
    symbols = std::move(*known);
    // What a trip checks tells which extents it keeps.
    recordEntryChecks(function, *symbols, [&](Operation *op) {
      return llvm::is_contained(work, op);
    });
  }
  moveUnderCondition(work, loop, symbols ? &*symbols : nullptr);
  return moved + work.size();
}
