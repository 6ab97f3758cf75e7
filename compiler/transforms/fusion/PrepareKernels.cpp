//===- PrepareKernels.cpp - simpler ops for fusion ------------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "compiler/transforms/numerics/Orders.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include <map>

namespace tg {
#define GEN_PASS_DEF_PREPAREKERNELS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

/// Leaves at most one read of each variable, at its value on entry, and one
/// assignment at the end. A read after an assignment is replaced by the
/// assigned value.
static void forwardAssignedValues(func::FuncOp function) {
  llvm::MapVector<StringAttr, Value> current;
  llvm::MapVector<StringAttr, AssignOp> last;
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      auto [entry, isFirst] =
          current.insert({read.getVariableAttr().getAttr(), read.getResult()});
      if (isFirst)
        continue;
      read.getResult().replaceAllUsesWith(entry->second);
      read.erase();
      continue;
    }
    if (auto assign = dyn_cast<AssignOp>(op)) {
      StringAttr name = assign.getVariableAttr().getAttr();
      current[name] = assign.getValue();
      if (AssignOp before = last.lookup(name))
        before.erase();
      last[name] = assign;
    }
  }
  Operation *end = function.getBody().front().getTerminator();
  for (auto [name, assign] : last)
    assign->moveBefore(end);
}

/// Returns true if all bits of the value are 0.
static bool isZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return elements && elements.isSplat() &&
         llvm::all_of(elements.getRawData(), [](char byte) { return !byte; });
}

/// Removes assignments of zeros in a function that initializes variables,
/// because the memory is zeroed.
static void dropZeros(func::FuncOp function) {
  auto role = function->getAttrOfType<StringAttr>("tg.role");
  if (!role || role.getValue() != "init")
    return;
  for (AssignOp assign :
       llvm::make_early_inc_range(function.getOps<AssignOp>()))
    if (isZero(assign.getValue()))
      assign.erase();
}

/// Returns true if a value is an input, or an element of an input in a loop.
static bool isInput(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  Operation *owner = argument.getOwner()->getParentOp();
  auto scan = dyn_cast<ScanOp>(owner);
  return isa<func::FuncOp>(owner) ||
         (scan && argument.getArgNumber() >= scan.getInits().size());
}

/// Normalizes every byte of a boolean input to 0 or 1, if the input goes
/// unchanged to an output, a variable, a host function or a loop, or leaves a
/// region.
static void normalizeBooleans(func::FuncOp function) {
  function.walk([&](Operation *op) {
    if (!isa<AssignOp, HostOpInterface, func::ReturnOp, ScanOp, WhileOp,
             YieldOp>(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isInput(withoutViews(operand.get())) ||
          !getElementTypeOrSelf(operand.get()).isInteger(1))
        continue;
      // The condition region of a loop may hold nothing but the computation of
      // its value.
      auto loop = dyn_cast<WhileOp>(op->getParentOp());
      bool isTest = loop && op->getBlock() == &loop.getCondition().front();
      OpBuilder builder(isTest ? loop : op);
      operand.set(
          AndOp::create(builder, op->getLoc(), operand.get(), operand.get()));
    }
  });
}

//===----------------------------------------------------------------------===//
// Checks and compositions
//===----------------------------------------------------------------------===//

namespace {
/// Inserts checks of operands whose values can make ops fail.
class CheckInserter {
public:
  explicit CheckInserter(FunctionSymbols &symbols) : symbols(symbols) {}
  void insert(CheckedOpInterface checked);

private:
  Value checkIndex(Operation *op, Value operand, AffineExpr bound);
  Value build(CheckedOpInterface checked, Value operand);

  FunctionSymbols &symbols;
  /// The checked values of each block, by index and bound.
  std::map<std::tuple<Block *, void *, const void *>, Value> checkedValues;
};
} // namespace

/// Returns the checked indices. These are the indices themselves if their op
/// guarantees the range, or the result of an earlier check, which then reports
/// the failure.
Value CheckInserter::checkIndex(Operation *op, Value operand,
                                AffineExpr bound) {
  auto bounded = withoutViews(operand).getDefiningOp<BoundedOpInterface>();
  if (bounded && bounded.getElementBound(symbols.getAnalysis()) == bound)
    return operand;
  Value &safe = checkedValues[{op->getBlock(), operand.getAsOpaquePointer(),
                               bound.getAsOpaquePointer()}];
  if (safe)
    return safe;
  OpBuilder builder(op);
  safe = tgx::CheckIndexOp::create(
      builder, op->getLoc(), operand.getType(), operand,
      AffineMapAttr::get(symbols.mapOf({bound})),
      builder.getStringAttr(op->getName().getStringRef()));
  symbols.add(safe.getDefiningOp());
  return safe;
}

Value CheckInserter::build(CheckedOpInterface checked, Value operand) {
  Operation *op = checked;
  if (auto bound = checked.getIndexBound())
    return checkIndex(op, operand,
                      symbols.getAnalysis().extentsOf(
                          op->getOperand(bound->first))[bound->second]);
  OpBuilder builder(op);
  Value safe = tgx::CheckDivisorOp::create(
      builder, op->getLoc(), operand.getType(), operand,
      builder.getStringAttr(op->getName().getStringRef()));
  symbols.add(safe.getDefiningOp());
  return safe;
}

void CheckInserter::insert(CheckedOpInterface checked) {
  Operation *op = checked;
  if (std::optional<unsigned> index = checked.getCheckedOperand())
    op->setOperand(*index, build(checked, op->getOperand(*index)));
}

/// Inserts checks of bounded size operands that are not known at entry. The
/// others are checked at entry.
static void checkSizes(DynamicSizesOpInterface op, FunctionSymbols &symbols) {
  ExtentAnalysis &analysis = symbols.getAnalysis();
  for (const SizeBound &bound : op.getSizeBounds(analysis)) {
    Value start = op->getOperand(bound.operand);
    AffineExpr known = analysis.sizeOf(start);
    if (known && analysis.isKnownAtEntry(known))
      continue;
    OpBuilder builder(op);
    Value safe = tgx::CheckIndexOp::create(
        builder, op->getLoc(), start.getType(), start,
        AffineMapAttr::get(symbols.mapOf({bound.bound})),
        builder.getStringAttr(op->getName().getStringRef()));
    symbols.add(safe.getDefiningOp());
    op->setOperand(bound.operand, safe);
  }
}

static bool isComposed(Operation *op) {
  auto composed = dyn_cast<DecomposableOpInterface>(op);
  return composed && composed.isComposed();
}

static void insertChecks(func::FuncOp function, FunctionSymbols &symbols) {
  function.walk([&](DynamicSizesOpInterface op) { checkSizes(op, symbols); });
  SmallVector<CheckedOpInterface> checked;
  function.walk([&](CheckedOpInterface op) { checked.push_back(op); });
  CheckInserter inserter(symbols);
  for (CheckedOpInterface op : checked)
    inserter.insert(op);
  // The checks of composed ops are recorded first, because their simpler ops
  // check less. For example, the position of the maximum of nothing is an
  // error, but a reduction of nothing is not.
  recordEntryChecks(function, symbols, isComposed);
}

/// Replaces composed ops by simpler ones until none is left.
static void decomposeAll(Block &block, FunctionSymbols &symbols) {
  SmallVector<DecomposableOpInterface> worklist;
  do {
    worklist.clear();
    for (Operation &op : block)
      if (isComposed(&op))
        worklist.push_back(cast<DecomposableOpInterface>(op));
    for (DecomposableOpInterface composed : worklist) {
      Operation *before = composed->getPrevNode();
      OpBuilder builder(composed);
      SmallVector<Value> values = composed.decompose(builder);
      for (Operation *op = before ? before->getNextNode() : &block.front();
           op != composed; op = op->getNextNode())
        symbols.add(op);
      composed->replaceAllUsesWith(values);
      composed->erase();
    }
  } while (!worklist.empty());
}

/// Replaces rank-0 numbers that follow from extents by tgx.size.
static void replaceSizes(Block &block, FunctionSymbols &symbols) {
  ExtentAnalysis &analysis = symbols.getAnalysis();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumResults() != 1 || op.hasTrait<mlir::OpTrait::ConstantLike>())
      continue;
    AffineExpr size = analysis.sizeOf(op.getResult(0));
    if (!size || !analysis.isKnownAtEntry(size))
      continue;
    OpBuilder builder(&op);
    Value value =
        tgx::SizeOp::create(builder, op.getLoc(), op.getResult(0).getType(),
                            AffineMapAttr::get(symbols.mapOf({size})));
    op.getResult(0).replaceAllUsesWith(value);
    op.erase();
  }
}

/// Removes the device attributes: a function that runs is on one device, so the
/// attributes no longer distinguish ops.
static void removeDevices(func::FuncOp function) {
  function.walk([](Operation *op) { op->removeAttr(kDeviceAttr); });
}

namespace {
struct PrepareKernels : tg::impl::PrepareKernelsBase<PrepareKernels> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    removeDevices(function);
    forwardAssignedValues(function);
    dropZeros(function);
    normalizeBooleans(function);
    FailureOr<FunctionSymbols> symbols = FunctionSymbols::create(function);
    if (failed(symbols))
      return signalPassFailure();
    insertChecks(function, *symbols);
    forEachBlock(function, [&](Block &block) {
      decomposeAll(block, *symbols);
      replaceSizes(block, *symbols);
    });
    stateOrders(function);
    // Also removes the ops that served only to give extents. Otherwise a kernel
    // would be built for ops that no longer exist when it is outlined.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, function->getRegions());
  }
};
} // namespace
