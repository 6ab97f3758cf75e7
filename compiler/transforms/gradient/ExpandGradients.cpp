//===- ExpandGradients.cpp - replace gradient requests by ordinary ops ----===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/gradient/BlockDifferentiator.h"
#include "compiler/transforms/gradient/GradientExpansion.h"
#include "compiler/transforms/module/SourceOrder.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/ops/elementwise/ConstantOps.h"
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

/// Expands one request: a sweep over the ops before it, last to first.
class Expansion {
public:
  Expansion(GradientOp request, GradientCost &cost)
      : request(request), cost(cost), builder(request), blocks(request, cost) {
    builder.setListener(&cost);
  }

  /// Builds the gradients before the request and replaces it.
  LogicalResult run();
  unsigned countDifferentiated() const { return blocks.countDifferentiated(); }

private:
  /// The results of the request, zeros where unconnected; null after an error.
  Value gradientOfValue(const Cotangents &cotangents, unsigned number);
  Value gradientOfVariable(StringAttr variable, RankedTensorType type);
  LogicalResult reportUnconnected(const Twine &what);

  GradientOp request;
  GradientCost &cost;
  OpBuilder builder;
  BlockDifferentiator blocks;
};

} // namespace

LogicalResult Expansion::run() {
  // What the rules build goes before the request, so after this op.
  Operation *last = request->getPrevNode();
  Value target = request.getTarget();
  cost.device = request->getAttr(kDeviceAttr);
  Cotangents given;
  if (blocks.isActive(target))
    given[target] = buildScalarConstant(builder, request.getLoc(),
                                        getElementTypeOrSelf(target), 1.0);
  FailureOr<Cotangents> found = blocks.differentiate(last, given, builder);
  if (failed(found))
    return failure();

  SmallVector<Value> gradients;
  for (unsigned number = 0; number < request.getValues().size(); ++number)
    gradients.push_back(gradientOfValue(*found, number));
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

Value Expansion::gradientOfValue(const Cotangents &cotangents,
                                 unsigned number) {
  Value value = request.getValues()[number];
  if (Value cotangent = cotangents.lookup(value))
    return cotangent;
  if (failed(reportUnconnected("value " + Twine(number))))
    return {};
  return buildZerosLike(builder, value);
}

Value Expansion::gradientOfVariable(StringAttr variable,
                                    RankedTensorType type) {
  if (Value cotangent = blocks.lookUpVariable(variable))
    return buildOfType(builder, request.getLoc(), cotangent, type);
  if (failed(reportUnconnected("variable @" + variable.getValue())))
    return {};
  return ConstantOp::create(
      builder, request.getLoc(),
      SplatElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
}

/// The variables that an op or one in its regions sets.
static llvm::StringSet<> findWritten(Operation *op) {
  llvm::StringSet<> written;
  op->walk([&](Operation *inner) {
    for (StringRef variable : assignedVariables(inner))
      written.insert(variable);
  });
  return written;
}

/// Reads variables before an op that does not set them, not in its regions: a
/// gradient passes such a read like any value from outside.
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

/// The same for all ops of a function that has a request.
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

/// The values that an op or its regions take.
static bool anyOperand(Operation *op, function_ref<bool(Value)> holds) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), holds)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a request differentiates what follows from another one.
static bool hasNestedRequest(func::FuncOp function) {
  llvm::DenseSet<Value> following;
  for (Operation &op : function.getBody().front()) {
    bool follows = anyOperand(
        &op, [&](Value operand) { return following.contains(operand); });
    if (isa<GradientOp>(op) && follows)
      return true;
    if (isa<GradientOp>(op) || follows)
      following.insert_range(op.getResults());
  }
  return false;
}

/// Whether the target follows from a request that could not be expanded.
static bool dependsOnRequest(GradientOp request) {
  SmallVector<Value> open = {request.getTarget()};
  llvm::DenseSet<Operation *> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<GradientOp>(op))
      return true;
    anyOperand(op, [&](Value operand) {
      open.push_back(operand);
      return false;
    });
  }
  return false;
}

/// Puts the ops of `forward` in place of the ops whose gradients were given.
static void inlineCustomGradients(ModuleOp module) {
  // Outer ones first: what stands in them is cloned.
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

/// The invariant: no request is left, and no gradient that was given.
static LogicalResult verifyExpanded(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    if (!isa<GradientOp, CustomGradientOp>(op))
      return WalkResult::advance();
    op->emitOpError() << "expected to be replaced";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct ExpandGradients : public tg::impl::ExpandGradientsBase<ExpandGradients> {
  void runOnOperation() override;

private:
  LogicalResult expand(GradientOp request, GradientCost &cost);
  /// Expands what can be expanded, so that all mistakes are told.
  LogicalResult expandAll();
  /// Expands the requests of a function whose gradients have gradients. Equal
  /// ops are shared after each: the next differentiates every one of them.
  /// Gives the request that fails, none if all are expanded.
  GradientOp expandNested(func::FuncOp function, GradientCost &cost);
};
} // namespace

LogicalResult ExpandGradients::expand(GradientOp request, GradientCost &cost) {
  if (!isa<func::FuncOp>(request->getParentOp()))
    return request.emitOpError()
           << "expected to stand at the top level of a function [C3]";
  // The mistake was told at the request that the target depends on.
  if (dependsOnRequest(request))
    return failure();
  Expansion expansion(request, cost);
  if (failed(expansion.run()))
    return failure();
  ++requestsExpanded;
  opsDifferentiated += expansion.countDifferentiated();
  return success();
}

/// Merges equal ops, but for those whose results later requests want: what has
/// the same numbers is another value.
static void shareEqualOps(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  constexpr StringLiteral mark = "gradient.wanted";
  SmallVector<Operation *> wanted;
  for (auto request : function.getOps<GradientOp>())
    for (Value value : request.getValues())
      if (Operation *op = value.getDefiningOp()) {
        op->setAttr(mark, rewriter.getI64IntegerAttr(wanted.size()));
        wanted.push_back(op);
      }
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  for (Operation *op : wanted)
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
    shareEqualOps(function);
    // Sharing costs as much as a sweep there and back.
    cost.visited += 2 * body.getOperations().size();
  }
}

LogicalResult ExpandGradients::expandAll() {
  SourceOrder order(&getContext());
  GradientCost cost;
  llvm::DenseSet<Operation *> told;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (auto requests = function.getOps<GradientOp>(); !requests.empty())
      hoistReadsBefore(*requests.begin());
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (function.getBody().hasOneBlock() && hasNestedRequest(function))
      if (GradientOp request = expandNested(function, cost))
        told.insert(request);
  // In program order: a later request may differentiate an earlier result.
  SmallVector<GradientOp> requests;
  getOperation().walk([&](GradientOp op) { requests.push_back(op); });
  LogicalResult result = success();
  for (GradientOp request : requests) {
    if (cost.isTooHigh())
      return failure();
    if (order.isFull() || told.contains(request) ||
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
