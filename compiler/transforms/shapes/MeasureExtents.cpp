//===- MeasureExtents.cpp - data-dependent sizes as symbols ---------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/shapes/DataDependentSymbols.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "compiler/transforms/shapes/MeasureBuilder.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "dialects/tgx/Tgx.h"

namespace tg {
#define GEN_PASS_DEF_MEASUREEXTENTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {

/// Replaces data-dependent extents, and scalars that determine extents
/// ("numbers"), by symbols. Handles those that one analysis finds.
class ExtentMeasurer {
public:
  ExtentMeasurer(FunctionSymbols &symbols)
      : analysis(symbols.getAnalysis()), measures(symbols.getNames().size()) {}

  /// Measures the first op or number. Also measures later ops whose extents do
  /// not depend on this measure. Returns the number of measured ops.
  unsigned measureSome(func::FuncOp function);

private:
  bool isFoundInAnyCase(Operation *op) const;
  bool measure(Operation *op, bool isFirst);
  void measureNumber(const DataDependentSize &found, Operation *op);
  void measureResult(DataDependentSizeOpInterface op, ArrayRef<FoundAxis> axes);
  void measureBranch(IfOp branch, unsigned number, SmallVector<FoundAxis> axes);
  void measureLoop(WhileOp loop, unsigned number, SmallVector<FoundAxis> axes);
  /// Returns the extents of a result that are data-dependent and originate
  /// there.
  SmallVector<FoundAxis> findAxes(OpResult result) const;

  const ExtentAnalysis &analysis;
  MeasureBuilder measures;
};

} // namespace

/// Returns the first op that uses a number, in the innermost block around `op`
/// that has a use. The number is measured before this op, so that a failure is
/// not reported at a later one.
static Operation *findFirstUse(Value number, Operation *op) {
  for (Block *block = op->getBlock();;
       block = block->getParentOp()->getBlock()) {
    Operation *first = nullptr;
    for (Operation *user : number.getUsers()) {
      Operation *use = block->findAncestorOpInBlock(*user);
      if (use && !isa<tgx::MeasureOp>(use) &&
          (!first || use->isBeforeInBlock(first)))
        first = use;
    }
    if (first)
      return first;
  }
}

void ExtentMeasurer::measureNumber(const DataDependentSize &found,
                                   Operation *op) {
  Operation *first = findFirstUse(found.value, op);
  OpBuilder builder(first);
  Value size = measures.buildMeasure(builder, found.value, found);
  Value(found.value).replaceUsesWithIf(size, [&](OpOperand &use) {
    Operation *user = first->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return user && !isa<tgx::MeasureOp>(use.getOwner());
  });
}

void ExtentMeasurer::measureResult(DataDependentSizeOpInterface op,
                                   ArrayRef<FoundAxis> axes) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value source = op.buildSource(builder);
  SmallVector<Value> numbers, extents;
  for (const FoundAxis &found : axes)
    numbers.push_back(op.buildFound(builder, source, found.axis));
  // An op that returns its operand unchanged is not replaced, because it also
  // checks other extents.
  if (source == op->getOperand(0)) {
    auto there = cast<RankedTensorType>(source.getType());
    op->setOperand(0,
                   measures.buildThere(builder, source, there, axes, numbers));
    return;
  }
  for (auto [number, found] : llvm::zip_equal(numbers, axes))
    extents.push_back(measures.buildMeasure(builder, number, found.number));
  Value result = op.buildResult(builder, source, extents);
  op->getResult(0).replaceAllUsesWith(
      buildOfType(builder, op->getLoc(), result, type));
  op->erase();
}

/// Sets the op that messages about the extents name. A loop or branch that
/// carries more values is a new op.
static void giveTo(Operation *op, SmallVectorImpl<FoundAxis> &axes) {
  for (FoundAxis &found : axes)
    found.number.op = op;
}

void ExtentMeasurer::measureBranch(IfOp branch, unsigned number,
                                   SmallVector<FoundAxis> axes) {
  OpBuilder builder(branch);
  auto type = cast<RankedTensorType>(branch.getResult(number).getType());
  Value zero =
      buildScalarConstant(builder, branch.getLoc(), builder.getI64Type(), 0);
  Carried carried = branch.carry(SmallVector<Value>(axes.size(), zero));
  auto fresh = cast<IfOp>(carried.op);
  giveTo(fresh, axes);
  for (Region &region : fresh->getRegions()) {
    Operation *end = region.front().getTerminator();
    builder.setInsertionPoint(end);
    Value yielded = end->getOperand(number);
    Value room = measures.buildRoom(builder, yielded, axes);
    end->setOperand(number, measures.buildInRoom(builder, room, yielded));
    for (auto [place, value] :
         llvm::enumerate(measures.buildNumbers(builder, yielded, axes)))
      end->setOperand(carried.firstYield + place, value);
    fresh.getResult(number).setType(
        cast<RankedTensorType>(end->getOperand(number).getType()));
  }
  builder.setInsertionPointAfter(fresh);
  measures.replaceByThere(
      builder, fresh.getResult(number), type, axes,
      fresh.getResults().slice(carried.firstYield, axes.size()));
}

void ExtentMeasurer::measureLoop(WhileOp loop, unsigned number,
                                 SmallVector<FoundAxis> axes) {
  OpBuilder builder(loop);
  auto type = cast<RankedTensorType>(loop.getResult(number).getType());
  Value init = loop.getInits()[number];
  Value room = measures.buildInRoom(
      builder, measures.buildRoom(builder, init, axes), init);
  Carried carried = loop.carry(measures.buildNumbers(builder, init, axes));
  auto fresh = cast<WhileOp>(carried.op);
  giveTo(fresh, axes);
  unsigned first = carried.firstYield;
  fresh->setOperand(number, room);
  fresh.getResult(number).setType(cast<RankedTensorType>(room.getType()));
  for (Region *region : {&fresh.getCondition(), &fresh.getBody()}) {
    Block &block = region->front();
    BlockArgument argument = block.getArgument(number);
    argument.setType(room.getType());
    if (argument.use_empty())
      continue;
    builder.setInsertionPointToStart(&block);
    measures.replaceByThere(builder, argument, type, axes,
                            block.getArguments().slice(first, axes.size()));
  }
  Operation *end = fresh.getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  Value yielded = end->getOperand(number);
  end->setOperand(
      number, measures.buildInRoom(builder, fresh.getBody().getArgument(number),
                                   yielded));
  for (auto [place, value] :
       llvm::enumerate(measures.buildNumbers(builder, yielded, axes)))
    end->setOperand(first + place, value);
  builder.setInsertionPointAfter(fresh);
  measures.replaceByThere(builder, fresh.getResult(number), type, axes,
                          fresh.getResults().slice(first, axes.size()));
}

SmallVector<FoundAxis> ExtentMeasurer::findAxes(OpResult result) const {
  SmallVector<FoundAxis> axes;
  for (auto [axis, extent] : llvm::enumerate(analysis.extentsOf(result)))
    if (const DataDependentSize *found = analysis.findFound(extent))
      if (found->op == result.getOwner() && !found->value)
        axes.push_back({unsigned(axis), *found});
  return axes;
}

/// Returns true if an analysis after other measures would find the same
/// data-dependent extents of `op`. This holds for extents that branches and
/// loops make dynamic, and for extents found in tensors of known extents. It
/// does not hold for an op that bounds an extent, because there is nothing left
/// to bound once that extent was measured.
bool ExtentMeasurer::isFoundInAnyCase(Operation *op) const {
  return op->getNumRegions() != 0 ||
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return analysis.hasExtents(operand) &&
                  analysis.isKnownAtEntry(operand);
         });
}

bool ExtentMeasurer::measure(Operation *op, bool isFirst) {
  for (OpResult result : op->getResults()) {
    if (!analysis.hasExtents(result))
      continue;
    SmallVector<FoundAxis> axes = findAxes(result);
    if (!axes.empty()) {
      if (auto branch = dyn_cast<IfOp>(op))
        measureBranch(branch, result.getResultNumber(), axes);
      else if (auto loop = dyn_cast<WhileOp>(op))
        measureLoop(loop, result.getResultNumber(), axes);
      else
        measureResult(cast<DataDependentSizeOpInterface>(op), axes);
      return true;
    }
    // Several ops may depend on one number, so a later op may depend on one
    // that was just measured. Numbers are therefore measured only if nothing
    // was measured before.
    if (!isFirst)
      continue;
    const DataDependentSize *number = nullptr;
    for (AffineExpr extent : analysis.extentsOf(result))
      extent.walk([&](AffineExpr part) {
        const DataDependentSize *found = analysis.findFound(part);
        if (found && found->value)
          number = found;
      });
    if (number) {
      measureNumber(*number, op);
      return true;
    }
  }
  return false;
}

unsigned ExtentMeasurer::measureSome(func::FuncOp function) {
  unsigned count = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isFirst = count == 0;
    if ((!isFirst && !isFoundInAnyCase(op)) || !measure(op, isFirst))
      return WalkResult::advance();
    ++count;
    return WalkResult::skip(); // it is another op now, with other regions
  });
  return count;
}

/// Fails if the function has more data-dependent sizes than a library supports.
/// Reports the first one beyond the limit at the op that determines it.
static LogicalResult checkCount(func::FuncOp function,
                                const FunctionSymbols &symbols) {
  unsigned most = symbols.getBoundCount() + kMaximumDataDependentSizes;
  if (symbols.getNames().size() <= most)
    return success();
  function.walk([&](tgx::MeasureOp measure) {
    if (measure.getSymbol() == most)
      emitError(measure.getLoc())
          << "'" << measure.getOpName()
          << "' op expected a function whose run finds at most "
          << kMaximumDataDependentSizes
          << " extents, found one more: " << measure.getWhat();
  });
  return failure();
}

namespace {
struct MeasureExtents : tg::impl::MeasureExtentsBase<MeasureExtents> {
  void runOnOperation() override {
    for (unsigned found = 1; found != 0; measured += found, ++analyses) {
      FailureOr<FunctionSymbols> symbols =
          FunctionSymbols::create(getOperation());
      if (failed(symbols) || failed(checkCount(getOperation(), *symbols)))
        return signalPassFailure();
      found = ExtentMeasurer(*symbols).measureSome(getOperation());
    }
  }
};
} // namespace
