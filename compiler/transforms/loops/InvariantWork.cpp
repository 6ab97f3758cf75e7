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

/// The kinds of ops that may leave a block, in addition to ops that cannot
/// fail.
struct InvariantWork::Permissions {
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
bool InvariantWork::isWorthMoving(Operation *op) const {
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

bool InvariantWork::canMove(Operation *op, const Permissions &allowed) {
  bool checksOutside = allowed.checks && op->getNumRegions() == 0;
  bool mayCheck = checksOutside || allowed.checksInside;
  auto stays = [&](Operation *inner) {
    return hasOwnEffect(inner) || (!allowed.fails && canFail(inner)) ||
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
static bool isInvariant(Value value, Region *loop,
                        const llvm::DenseSet<Operation *> &invariant) {
  return !loop->isAncestor(value.getParentRegion()) ||
         invariant.contains(value.getDefiningOp());
}

/// Returns true if all values that an op uses are invariant in a loop.
static bool usesInvariants(Operation *op, Region *loop,
                           const llvm::DenseSet<Operation *> &invariant) {
  auto isInvariantValue = [&](Value value) {
    return isInvariant(value, loop, invariant);
  };
  return llvm::all_of(op->getOperands(), isInvariantValue) &&
         (op->getNumRegions() == 0 ||
          llvm::all_of(usedValues(op), isInvariantValue));
}

/// Adds the ops of a block that may leave a loop and are invariant in it.
void InvariantWork::findInvariant(Block &block, Region *loop,
                                  const Permissions &allowed,
                                  OpSet &invariant) {
  for (Operation &op : block.without_terminator())
    if (usesInvariants(&op, loop, invariant) && canMove(&op, allowed))
      invariant.insert(&op);
}

/// Returns the ops of a block that are worth moving, and the ops that they
/// need, in order.
InvariantWork::Ops InvariantWork::selectWork(Block &block,
                                             const OpSet &invariant) const {
  OpSet needed;
  Ops work;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (!invariant.contains(&op) ||
        !(needed.contains(&op) || isWorthMoving(&op)))
      continue;
    work.push_back(&op);
    for (Operation *producer : producersInBlock(&op))
      needed.insert(producer);
  }
  std::reverse(work.begin(), work.end());
  return work;
}

InvariantWork::Ops InvariantWork::findWork(Block &block,
                                           const Permissions &allowed) {
  OpSet invariant;
  findInvariant(block, block.getParent(), allowed, invariant);
  return selectWork(block, invariant);
}

/// Moves constants before a loop. They are invariant and cost nothing.
static void moveConstants(Block &block, Operation *loop) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (op.hasTrait<mlir::OpTrait::ConstantLike>())
      op.moveBefore(loop);
}

/// Moves the invariant work of a block before its loop.
unsigned InvariantWork::moveWork(Block &block, Operation *loop,
                                 const Permissions &allowed) {
  unsigned moved = moveOutOfBranches(block, allowed);
  Ops work = findWork(block, allowed);
  for (Operation *op : work)
    op->moveBefore(loop);
  return moved + work.size();
}

unsigned InvariantWork::move(ScanOp loop) {
  Block &body = loop.getBlock();
  bool runs = loop.getStaticLength() > 0;
  bool precedesEffects = runs && !hasEffects(body);
  moveConstants(body, loop);
  return moveWork(body, loop,
                  {.fails = precedesEffects,
                   .checks = runs,
                   .checksInside = precedesEffects});
}

unsigned InvariantWork::move(WhileOp loop) {
  Block &condition = loop.getCondition().front();
  Block &body = loop.getBody().front();
  bool precedesEffects = !hasEffects(condition);
  unsigned moved = moveWork(condition, loop,
                            {.fails = precedesEffects,
                             .checks = true,
                             .checksInside = precedesEffects});
  if (!precedesEffects)
    return moved;
  Permissions allowed{.checks = true, .checksInside = !hasEffects(body)};
  moved += moveOutOfBranches(body, allowed);
  if (findWork(body, allowed).empty())
    return moved;
  moveConstants(condition, loop);
  moveConstants(body, loop);
  Ops work = findWork(body, allowed);
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
unsigned InvariantWork::moveOutOfBranches(Block &block,
                                          const Permissions &allowed) {
  if (block.getOps<IfOp>().empty())
    return 0;
  OpSet invariant;
  findInvariant(block, block.getParent(), allowed, invariant);
  return moveOutOfBranches(block, block.getParent(), invariant);
}

unsigned InvariantWork::moveOutOfBranches(Block &block, Region *loop,
                                          OpSet &invariant) {
  unsigned moved = 0;
  for (IfOp branch : llvm::make_early_inc_range(block.getOps<IfOp>()))
    if (!guards.contains(branch) &&
        isInvariant(branch.getCondition(), loop, invariant))
      moved += moveOutOfBranch(branch, loop, invariant);
  return moved;
}

unsigned InvariantWork::moveOutOfBranch(IfOp branch, Region *loop,
                                        OpSet &invariant) {
  unsigned moved = 0;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    Block &block = region->front();
    // Extents are compared when the branch begins, not before it.
    findInvariant(block, loop, Permissions(), invariant);
    moved += moveOutOfBranches(block, loop, invariant);
    findInvariant(block, loop, Permissions(), invariant);
    if (selectWork(block, invariant).empty())
      continue;
    moveConstants(block, branch);
    Ops work = selectWork(block, invariant);
    OpBuilder builder(branch);
    Value condition = branch.getCondition();
    if (region == &branch.getElseRegion()) {
      condition = NotOp::create(builder, branch.getLoc(), condition);
      invariant.insert(condition.getDefiningOp());
    }
    moveUnderCondition(work, branch, condition);
    moved += work.size();
  }
  return moved;
}

//===----------------------------------------------------------------------===//
// Work under a condition
//===----------------------------------------------------------------------===//

/// Returns the results of `work` that other ops use.
static SmallVector<Value> findUsedResults(ArrayRef<Operation *> work) {
  llvm::DenseSet<Operation *> members(work.begin(), work.end());
  SmallVector<Value> used;
  for (Operation *op : work)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        used.push_back(result);
  return used;
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
  SmallVector<Value> used = findUsedResults(work);
  auto branch = IfOp::create(builder, before->getLoc(),
                             ValueRange(used).getTypes(), condition);
  guards.insert(branch);
  Block &computed = branch.getThenRegion().emplaceBlock();
  Block &unused = branch.getElseRegion().emplaceBlock();
  OpBuilder other = OpBuilder::atBlockEnd(&unused);
  SmallVector<Value> zeros = llvm::map_to_vector(
      used, [&](Value value) { return buildUnused(other, value); });
  YieldOp::create(other, before->getLoc(), zeros);
  for (Operation *op : work)
    op->moveBefore(&computed, computed.end());
  OpBuilder inside = OpBuilder::atBlockEnd(&computed);
  YieldOp::create(inside, before->getLoc(), used);
  for (auto [value, result] : llvm::zip_equal(used, branch.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !branch.getThenRegion().isAncestor(
          use.getOwner()->getParentRegion());
    });
}

/// Moves work, which may include branches built by this pass, under a
/// condition. Branches do not nest: both conditions are combined into one.
void InvariantWork::moveUnderCondition(ArrayRef<Operation *> work,
                                       Operation *before, Value condition) {
  OpSet conditionOps;
  for (Operation *op : llvm::reverse(work)) {
    if (guards.contains(op))
      conditionOps.insert(cast<IfOp>(op).getCondition().getDefiningOp());
    if (conditionOps.contains(op) && !guards.contains(op))
      for (Operation *producer : producersInBlock(op))
        conditionOps.insert(producer);
  }
  Ops pending;
  auto buildPending = [&] {
    if (!pending.empty())
      buildBranch(pending, before, condition);
    pending.clear();
  };
  for (Operation *op : work) {
    bool isGuard = guards.contains(op);
    if (!isGuard && !conditionOps.contains(op)) {
      pending.push_back(op);
      continue;
    }
    if (isGuard)
      buildPending();
    op->moveBefore(before);
    if (auto guard = dyn_cast<IfOp>(op); guard && isGuard) {
      OpBuilder builder(op);
      guard.getConditionMutable().assign(AndOp::create(
          builder, op->getLoc(), condition, guard.getCondition()));
    }
  }
  buildPending();
}
