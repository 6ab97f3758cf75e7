//===- InvariantWork.cpp - loop-invariant code motion ---------------------===//
#include "compiler/transforms/loops/InvariantWork.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/UnaryOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tg;

/// The ops that may leave a block besides ops that cannot fail.
struct InvariantWork::Freedom {
  /// True if ops that fail for some values of their operands may leave.
  bool fails = false;
  /// True if ops that compare extents may leave. The comparison is then done
  /// when the block begins.
  bool checks = false;
  /// The same for ops in regions of the block's ops. The comparison is done
  /// when the regions begin.
  bool checksInside = false;
};

//===----------------------------------------------------------------------===//
// Properties of ops
//===----------------------------------------------------------------------===//

/// Returns the bytes of a value. Dynamic extents count with their planned
/// values.
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

static int64_t countBytes(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes += countBytes(value);
  return bytes;
}

/// Returns true if computing the results of an op takes longer than reading
/// them, and saving them takes no more memory than the operands.
bool InvariantWork::isWorthKeeping(Operation *op) const {
  // The results of a branch built by this pass are saved already.
  return guards.contains(op) ||
         (isa<BatchableOpInterface, ScanOp, WhileOp>(op) &&
          countBytes(op->getResults()) <= countBytes(usedValues(op)));
}

/// Returns true if an op has an effect of its own other than a check.
static bool hasOwnEffect(Operation *op) {
  return !op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>() &&
         !isa<tgx::ExtentCheckOpInterface>(op) && !isMemoryEffectFree(op);
}

/// Returns true if an op of a block, or an op in its regions, has an effect.
static bool hasEffects(Block &block) {
  return block
      .walk([](Operation *op) {
        return hasOwnEffect(op) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns true if an op fails for some values of its operands, or may never
/// end.
static bool canFail(Operation *op) {
  if (op->getNumRegions() > 0)
    return isa<WhileOp>(op);
  auto checked = dyn_cast<CheckedOpInterface>(op);
  return !isSpeculatable(op) || (checked && checked.getCheckedOperand());
}

static bool hasUnknownExtents(Operation *op) {
  auto isUnknown = [](Type type) {
    return !cast<RankedTensorType>(type).hasStaticShape();
  };
  return llvm::any_of(op->getOperandTypes(), isUnknown) ||
         llvm::any_of(op->getResultTypes(), isUnknown);
}

void InvariantWork::forget() {
  symbols.reset();
  checking.clear();
}

FunctionSymbols *InvariantWork::getSymbols() {
  if (symbols)
    return &*symbols;
  auto known = FunctionSymbols::create(function);
  if (failed(known))
    return nullptr;
  symbols = std::move(*known);
  for (const ExtentCheck &check : symbols->getChecks())
    checking.insert(check.op);
  return &*symbols;
}

bool InvariantWork::checksExtents(Operation *op) {
  return isa<tgx::ExtentCheckOpInterface>(op) ||
         (hasUnknownExtents(op) && (!getSymbols() || checking.contains(op)));
}

bool InvariantWork::canMove(Operation *op, const Freedom &freedom) {
  bool checksOutside = freedom.checks && op->getNumRegions() == 0;
  bool mayCheck = checksOutside || freedom.checksInside;
  auto stays = [&](Operation *inner) {
    return hasOwnEffect(inner) || (!freedom.fails && canFail(inner)) ||
                   (!mayCheck && checksExtents(inner))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return !op->walk(stays).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Moving work
//===----------------------------------------------------------------------===//

/// Returns true if a value is defined outside of a loop, or by an op that is
/// invariant in the loop.
static bool isSame(Value value, Region *loop,
                   const llvm::DenseSet<Operation *> &same) {
  return !loop->isAncestor(value.getParentRegion()) ||
         same.contains(value.getDefiningOp());
}

/// Returns true if all values that an op uses are invariant in a loop.
static bool usesSame(Operation *op, Region *loop,
                     const llvm::DenseSet<Operation *> &same) {
  auto isSameValue = [&](Value value) { return isSame(value, loop, same); };
  return llvm::all_of(op->getOperands(), isSameValue) &&
         (op->getNumRegions() == 0 ||
          llvm::all_of(usedValues(op), isSameValue));
}

/// Adds the ops of a block that may leave a loop and are invariant in it.
void InvariantWork::findSame(Block &block, Region *loop, const Freedom &freedom,
                             OpSet &same) {
  for (Operation &op : block.without_terminator())
    if (usesSame(&op, loop, same) && canMove(&op, freedom))
      same.insert(&op);
}

/// Returns the ops of a block that are worth moving, and the ops that they
/// need, in order.
InvariantWork::Ops InvariantWork::findWanted(Block &block,
                                             const OpSet &same) const {
  OpSet needed;
  Ops work;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (!same.contains(&op) || !(needed.contains(&op) || isWorthKeeping(&op)))
      continue;
    work.push_back(&op);
    for (Operation *producer : producersInBlock(&op))
      needed.insert(producer);
  }
  std::reverse(work.begin(), work.end());
  return work;
}

InvariantWork::Ops InvariantWork::findWork(Block &block,
                                           const Freedom &freedom) {
  OpSet same;
  findSame(block, block.getParent(), freedom, same);
  return findWanted(block, same);
}

/// Moves constants before a loop. They are invariant and cost nothing.
static void moveConstants(Block &block, Operation *loop) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (op.hasTrait<mlir::OpTrait::ConstantLike>())
      op.moveBefore(loop);
}

/// Moves the invariant work of a block before its loop.
unsigned InvariantWork::moveWork(Block &block, Operation *loop,
                                 const Freedom &freedom) {
  unsigned opened = openBranches(block, freedom);
  Ops work = findWork(block, freedom);
  for (Operation *op : work)
    op->moveBefore(loop);
  return opened + work.size();
}

unsigned InvariantWork::move(ScanOp loop) {
  Block &body = loop.getBlock();
  bool runs = loop.getStaticLength() > 0;
  bool isFirst = runs && !hasEffects(body);
  moveConstants(body, loop);
  return moveWork(body, loop,
                  {.fails = isFirst, .checks = runs, .checksInside = isFirst});
}

unsigned InvariantWork::move(WhileOp loop) {
  Block &condition = loop.getCondition().front();
  Block &body = loop.getBody().front();
  bool isFirst = !hasEffects(condition);
  unsigned moved =
      moveWork(condition, loop,
               {.fails = isFirst, .checks = true, .checksInside = isFirst});
  if (!isFirst)
    return moved;
  Freedom freedom{.checks = true, .checksInside = !hasEffects(body)};
  moved += openBranches(body, freedom);
  if (findWork(body, freedom).empty())
    return moved;
  moveConstants(condition, loop);
  moveConstants(body, loop);
  Ops work = findWork(body, freedom);
  if (llvm::any_of(work, hasUnknownExtents) && !getSymbols())
    return moved;
  // Records the checks of the work in the loop, because they show which extents
  // the iterations keep.
  if (llvm::any_of(work, [&](Operation *op) { return checksExtents(op); }))
    recordEntryChecks(function, *symbols, [&](Operation *op) {
      return llvm::is_contained(work, op);
    });
  OpBuilder builder(loop);
  IRMapping first;
  first.map(condition.getArguments(), loop.getInits());
  for (Operation &op : condition.without_terminator())
    builder.clone(op, first);
  moveUnderCondition(
      work, loop,
      first.lookupOrDefault(condition.getTerminator()->getOperand(0)));
  return moved + work.size();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Moves work out of branches of a block whose conditions are invariant in its
/// loop, so that it can leave the loop.
unsigned InvariantWork::openBranches(Block &block, const Freedom &freedom) {
  if (block.getOps<IfOp>().empty())
    return 0;
  OpSet same;
  findSame(block, block.getParent(), freedom, same);
  return openBranches(block, block.getParent(), same);
}

unsigned InvariantWork::openBranches(Block &block, Region *loop, OpSet &same) {
  unsigned opened = 0;
  for (IfOp branch : llvm::make_early_inc_range(block.getOps<IfOp>()))
    if (!guards.contains(branch) && isSame(branch.getCondition(), loop, same))
      opened += openBranch(branch, loop, same);
  return opened;
}

unsigned InvariantWork::openBranch(IfOp branch, Region *loop, OpSet &same) {
  unsigned opened = 0;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    Block &block = region->front();
    // Extents are compared when the branch begins, not before it.
    findSame(block, loop, Freedom(), same);
    opened += openBranches(block, loop, same);
    findSame(block, loop, Freedom(), same);
    if (findWanted(block, same).empty())
      continue;
    moveConstants(block, branch);
    Ops work = findWanted(block, same);
    OpBuilder builder(branch);
    Value condition = branch.getCondition();
    if (region == &branch.getElseRegion()) {
      condition = NotOp::create(builder, branch.getLoc(), condition);
      same.insert(condition.getDefiningOp());
    }
    moveUnderCondition(work, branch, condition);
    opened += work.size();
  }
  return opened;
}

//===----------------------------------------------------------------------===//
// Work under a condition
//===----------------------------------------------------------------------===//

/// Returns the results of `work` that other ops use.
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

/// Builds zeros with the extents of a value, in place of the unused value.
Value InvariantWork::buildUnused(OpBuilder &builder, Value value) {
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

/// Moves work before an op, under a condition.
void InvariantWork::buildBranch(ArrayRef<Operation *> work, Operation *before,
                                Value condition) {
  OpBuilder builder(before);
  SmallVector<Value> kept = findKept(work);
  auto branch = IfOp::create(builder, before->getLoc(),
                             ValueRange(kept).getTypes(), condition);
  guards.insert(branch);
  Block &computed = branch.getThenRegion().emplaceBlock();
  Block &unused = branch.getElseRegion().emplaceBlock();
  OpBuilder other = OpBuilder::atBlockEnd(&unused);
  SmallVector<Value> zeros = llvm::map_to_vector(
      kept, [&](Value value) { return buildUnused(other, value); });
  YieldOp::create(other, before->getLoc(), zeros);
  for (Operation *op : work)
    op->moveBefore(&computed, computed.end());
  OpBuilder inside = OpBuilder::atBlockEnd(&computed);
  YieldOp::create(inside, before->getLoc(), kept);
  for (auto [value, result] : llvm::zip_equal(kept, branch.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !branch.getThenRegion().isAncestor(
          use.getOwner()->getParentRegion());
    });
}

/// Moves work, which may include branches built by this pass, under a
/// condition. Branches do not nest: both conditions are combined into one.
void InvariantWork::moveUnderCondition(ArrayRef<Operation *> work,
                                       Operation *before, Value condition) {
  OpSet deciding;
  for (Operation *op : llvm::reverse(work)) {
    if (guards.contains(op))
      deciding.insert(cast<IfOp>(op).getCondition().getDefiningOp());
    if (deciding.contains(op) && !guards.contains(op))
      for (Operation *producer : producersInBlock(op))
        deciding.insert(producer);
  }
  Ops own;
  auto buildOwn = [&] {
    if (!own.empty())
      buildBranch(own, before, condition);
    own.clear();
  };
  for (Operation *op : work) {
    bool isGuard = guards.contains(op);
    if (!isGuard && !deciding.contains(op)) {
      own.push_back(op);
      continue;
    }
    if (isGuard)
      buildOwn();
    op->moveBefore(before);
    if (auto guard = dyn_cast<IfOp>(op); guard && isGuard) {
      OpBuilder builder(op);
      guard.getConditionMutable().assign(AndOp::create(
          builder, op->getLoc(), condition, guard.getCondition()));
    }
  }
  buildOwn();
}
