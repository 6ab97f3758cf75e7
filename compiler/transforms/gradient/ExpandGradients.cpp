//===- ExpandGradients.cpp - expansion of gradient requests ---------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/gradient/BlockDifferentiator.h"
#include "compiler/transforms/gradient/GradientExpansion.h"
#include "compiler/transforms/module/SourceOrder.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/StringSet.h"

namespace tg {
#define GEN_PASS_DEF_EXPANDGRADIENTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {

/// The expansion of one request, by a backward sweep over the ops before it.
class Expansion {
public:
  Expansion(GradientOp request, GradientCost &cost)
      : request(request), cost(cost), builder(request),
        differentiator(request, cost) {
    builder.setListener(&cost);
  }

  /// Builds the gradients before the request and replaces it.
  LogicalResult run();
  unsigned countDifferentiated() const {
    return differentiator.countDifferentiated();
  }

private:
  /// Return one result of the request: zeros for an unconnected value, null
  /// after an error.
  Value gradientOfValue(const Cotangents &cotangents, unsigned index);
  Value gradientOfVariable(StringAttr variable, RankedTensorType type);
  LogicalResult reportUnconnected(const Twine &what);

  GradientOp request;
  GradientCost &cost;
  OpBuilder builder;
  BlockDifferentiator differentiator;
};

} // namespace

LogicalResult Expansion::run() {
  // The rules build ops before the request, that is, after this op.
  Operation *last = request->getPrevNode();
  Value target = request.getTarget();
  cost.device = request->getAttr(kDeviceAttr);
  Cotangents initial;
  if (differentiator.isActive(target))
    initial[target] = buildScalarConstant(builder, request.getLoc(),
                                          getElementTypeOrSelf(target), 1.0);
  FailureOr<Cotangents> found =
      differentiator.differentiate(last, initial, builder);
  if (failed(found))
    return failure();

  SmallVector<Value> gradients;
  for (unsigned index = 0; index < request.getValues().size(); ++index)
    gradients.push_back(gradientOfValue(*found, index));
  if (ArrayAttr variables = request.getVariablesAttr())
    for (auto variable : variables.getAsRange<FlatSymbolRefAttr>()) {
      Value result = request.getGradients()[gradients.size()];
      gradients.push_back(gradientOfVariable(
          variable.getAttr(), cast<RankedTensorType>(result.getType())));
    }
  if (llvm::is_contained(gradients, Value()))
    return failure();
  request->replaceAllUsesWith(gradients);
  request->erase();
  return success();
}

LogicalResult Expansion::reportUnconnected(const Twine &what) {
  if (request.getAllowUnconnected())
    return success();
  return request.emitOpError()
         << "expected the target to depend differentiably on " << what
         << "; allow_unconnected gives zeros [C4]";
}

Value Expansion::gradientOfValue(const Cotangents &cotangents, unsigned index) {
  Value value = request.getValues()[index];
  if (Value cotangent = cotangents.lookup(value))
    return cotangent;
  if (failed(reportUnconnected("value " + Twine(index))))
    return {};
  return buildZerosLike(builder, value);
}

Value Expansion::gradientOfVariable(StringAttr variable,
                                    RankedTensorType type) {
  if (Value cotangent = differentiator.lookUpVariable(variable))
    return buildOfType(builder, request.getLoc(), cotangent, type);
  if (failed(reportUnconnected("variable @" + variable.getValue())))
    return {};
  return ConstantOp::create(
      builder, request.getLoc(),
      SplatElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
}

/// Returns the variables that an op or an op in its regions assigns.
static llvm::StringSet<> findWritten(Operation *op) {
  llvm::StringSet<> written;
  op->walk([&](Operation *inner) {
    for (StringRef variable : assignedVariables(inner))
      written.insert(variable);
  });
  return written;
}

/// Moves reads of variables out of the regions of an op, to before the op,
/// unless the op assigns the variable. A gradient treats such a read like any
/// value from outside.
static void hoistReads(Operation *op) {
  llvm::StringSet<> written = findWritten(op);
  llvm::StringMap<ReadOp> reads;
  SmallVector<ReadOp> inside;
  op->walk([&](ReadOp read) { inside.push_back(read); });
  for (ReadOp read : inside) {
    if (written.contains(read.getVariable()))
      continue;
    ReadOp &first = reads[read.getVariable()];
    if (first) {
      read.replaceAllUsesWith(first.getResult());
      read.erase();
      continue;
    }
    read->moveBefore(op);
    first = read;
  }
}

/// Hoists reads out of all ops with regions in the block of a request.
static void hoistReadsBefore(GradientOp request) {
  for (Operation &op : *request->getBlock())
    if (isa<DifferentiableRegionOpInterface>(op))
      hoistReads(&op);
}

LogicalResult tg::expandGradient(GradientOp request) {
  hoistReadsBefore(request);
  GradientCost cost;
  return Expansion(request, cost).run();
}

/// Returns true if `holds` is true for an operand of an op or of an op in its
/// regions.
static bool anyOperand(Operation *op, function_ref<bool(Value)> holds) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), holds)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns true if a request of the function differentiates a value that
/// depends on another request.
static bool hasNestedRequest(func::FuncOp function) {
  llvm::DenseSet<Value> dependent;
  for (Operation &op : function.getBody().front()) {
    bool isDependent = anyOperand(
        &op, [&](Value operand) { return dependent.contains(operand); });
    if (isa<GradientOp>(op) && isDependent)
      return true;
    if (isa<GradientOp>(op) || isDependent)
      dependent.insert_range(op.getResults());
  }
  return false;
}

/// Returns true if the target depends on a request that could not be expanded.
static bool dependsOnRequest(GradientOp request) {
  SmallVector<Value> worklist = {request.getTarget()};
  llvm::DenseSet<Operation *> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<GradientOp>(op))
      return true;
    anyOperand(op, [&](Value operand) {
      worklist.push_back(operand);
      return false;
    });
  }
  return false;
}

/// Replaces each custom gradient by the ops of its `forward` region.
static void inlineCustomGradients(ModuleOp module) {
  // Outer ops go first, because the ops inside them are cloned.
  for (bool isDone = false; !isDone;) {
    SmallVector<CustomGradientOp> found;
    module.walk<WalkOrder::PreOrder>([&](CustomGradientOp op) {
      found.push_back(op);
      return WalkResult::skip();
    });
    isDone = found.empty();
    for (CustomGradientOp op : found) {
      OpBuilder builder(op);
      op->replaceAllUsesWith(
          op.inlineRegion(builder, op.getForward(), op.getInputs()));
      op.erase();
    }
  }
}

/// Verifies that no request and no custom gradient is left.
static LogicalResult verifyExpanded(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    if (!isa<GradientOp, CustomGradientOp>(op))
      return WalkResult::advance();
    op->emitOpError() << "is left, expected to be replaced";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct ExpandGradients : public tg::impl::ExpandGradientsBase<ExpandGradients> {
  void runOnOperation() override;

private:
  LogicalResult expand(GradientOp request, GradientCost &cost);
  /// Expands all requests that can be expanded, so that all errors are
  /// reported.
  LogicalResult expandAll();
  /// Expands the requests of a function with gradients of gradients. Equal ops
  /// are merged after each request, because the next one differentiates every
  /// op. Returns the request that fails; null if all are expanded.
  GradientOp expandNested(func::FuncOp function, GradientCost &cost);
};
} // namespace

LogicalResult ExpandGradients::expand(GradientOp request, GradientCost &cost) {
  if (!isa<func::FuncOp>(request->getParentOp()))
    return request.emitOpError()
           << "expected to stand at the top level of a function, found in "
           << request->getParentOp()->getName() << " [C3]";
  // The error was reported at the request that the target depends on.
  if (dependsOnRequest(request))
    return failure();
  Expansion expansion(request, cost);
  if (failed(expansion.run()))
    return failure();
  ++requestsExpanded;
  opsDifferentiated += expansion.countDifferentiated();
  return success();
}

/// Merges equal ops, except for ops with respect to whose results later
/// requests differentiate: two equal values are different variables of
/// differentiation.
static void mergeEqualOps(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  constexpr StringLiteral mark = "gradient.wanted";
  SmallVector<Operation *> requested;
  for (auto request : function.getOps<GradientOp>())
    for (Value value : request.getValues())
      if (Operation *op = value.getDefiningOp()) {
        op->setAttr(mark, rewriter.getI64IntegerAttr(requested.size()));
        requested.push_back(op);
      }
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  for (Operation *op : requested)
    op->removeAttr(mark);
}

GradientOp ExpandGradients::expandNested(func::FuncOp function,
                                         GradientCost &cost) {
  Block &body = function.getBody().front();
  for (;;) {
    auto requests = body.getOps<GradientOp>();
    if (requests.empty())
      return {};
    GradientOp request = *requests.begin();
    if (failed(expand(request, cost)))
      return request;
    mergeEqualOps(function);
    // Merging costs as much as a forward and a backward sweep.
    cost.visited += 2 * body.getOperations().size();
  }
}

LogicalResult ExpandGradients::expandAll() {
  SourceOrder order(&getContext());
  GradientCost cost;
  llvm::DenseSet<Operation *> reported;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (auto requests = function.getOps<GradientOp>(); !requests.empty())
      hoistReadsBefore(*requests.begin());
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (function.getBody().hasOneBlock() && hasNestedRequest(function))
      if (GradientOp request = expandNested(function, cost))
        reported.insert(request);
  // Requests are expanded in program order, because a later request may
  // differentiate the result of an earlier one.
  SmallVector<GradientOp> requests;
  getOperation().walk([&](GradientOp op) { requests.push_back(op); });
  LogicalResult result = success();
  for (GradientOp request : requests) {
    if (cost.isTooHigh())
      return failure();
    if (order.isFull() || reported.contains(request) ||
        failed(expand(request, cost)))
      result = failure();
  }
  return result;
}

void ExpandGradients::runOnOperation() {
  if (failed(expandAll()))
    return signalPassFailure();
  inlineCustomGradients(getOperation());
  if (failed(verifyExpanded(getOperation())))
    signalPassFailure();
}
