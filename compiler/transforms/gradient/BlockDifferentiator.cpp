//===- BlockDifferentiator.cpp - reverse mode over the ops of a block -----===//
#include "compiler/transforms/gradient/BlockDifferentiator.h"
#include "compiler/transforms/shapes/ExtentBuilder.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tg;

/// The upper bound of ops that the gradients of a module build. Gradients of
/// gradients multiply the number of ops.
static constexpr unsigned kMaximumBuilt = 1u << 16;

/// The upper bound of ops that the sweeps of all requests visit.
static constexpr unsigned kMaximumVisited = 1u << 21;

bool GradientCost::isTooHigh() const {
  return built > kMaximumBuilt || visited > kMaximumVisited;
}

LogicalResult GradientCost::check(GradientOp request) const {
  if (!isTooHigh())
    return success();
  if (visited > kMaximumVisited)
    return request.emitOpError()
           << "expected all gradients to visit at most " << kMaximumVisited
           << " ops, found more with this one";
  return request.emitOpError()
         << "expected all gradients to build at most " << kMaximumBuilt
         << " ops, found more with this one; each gradient of a gradient "
            "multiplies their number";
}

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

FailureOr<Cotangents> BlockDifferentiator::differentiate(Operation *last,
                                                         Cotangents initial,
                                                         OpBuilder &builder) {
  Sweep inner{std::move(initial), builder};
  Sweep *outer = std::exchange(sweep, &inner);
  mlir::Attribute outerDevice = cost.device;
  LogicalResult result = success();
  for (Operation *op = last; op;) {
    ++cost.visited;
    if (failed(cost.check(request))) {
      result = failure();
      break;
    }
    if (!request->hasAttr(kDeviceAttr))
      cost.device =
          op->hasAttr(kDeviceAttr) ? op->getAttr(kDeviceAttr) : outerDevice;
    auto regions = dyn_cast<DifferentiableRegionOpInterface>(op);
    bool isSplit = regions && isReached(op) && split(regions);
    // The sweep visits the ops that replace a split op, but not the ops that a
    // gradient rule inserts before `op`.
    Operation *before = op->getPrevNode();
    size_t count = replaced.size();
    // After an error the sweep continues, to report further errors.
    if (!isSplit && failed(visit(op)))
      result = failure();
    removeReplaced(count - isSplit);
    op = before;
  }
  sweep = outer;
  cost.device = outerDevice;
  if (failed(result))
    return failure();
  return std::move(inner.cotangents);
}

/// Removes replaced ops from the block without freeing them. Their addresses
/// stay in use, so that facts about their results are not taken for facts about
/// new ops.
void BlockDifferentiator::removeReplaced(size_t from) {
  for (Operation *op : ArrayRef(replaced).drop_front(from)) {
    if (!op->getBlock())
      continue;
    op->remove();
    op->dropAllReferences();
  }
}

bool BlockDifferentiator::isReached(Operation *op) const {
  return llvm::any_of(op->getResults(), [&](Value result) {
    return active.isActive(result) && sweep->cotangents.contains(result);
  });
}

LogicalResult BlockDifferentiator::visit(Operation *op) {
  if (!isReached(op))
    return success();
  if (auto read = dyn_cast<ReadOp>(op))
    return visitRead(read);
  if (auto regions = dyn_cast<DifferentiableRegionOpInterface>(op))
    return differentiateRegions(regions);
  // Operands that do not depend on the requested values get no cotangent.
  auto isActiveOperand = [&](Value value) { return active.isActive(value); };
  if (llvm::none_of(op->getOperands(), isActiveOperand))
    return success();
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op))
    return differentiateOp(rule);
  return op->emitOpError()
         << "has no gradient, but a requested gradient passes through it; "
            "expected tg.stop_gradient before it or tg.custom_gradient around "
            "it [C5]";
}

LogicalResult BlockDifferentiator::visitRead(ReadOp read) {
  Value cotangent = sweep->cotangents.lookup(read.getResult());
  auto [writer, contentActive] = active.getContent(read);
  if (!contentActive)
    return success();
  bool isInside = read->getBlock() != request->getBlock() ||
                  (writer && writer->getBlock() != request->getBlock());
  if (!writer && !isInside) {
    Value &sum = variableCotangents[read.getVariableAttr().getAttr()];
    sum = sum ? AddOp::create(sweep->builder, read.getLoc(), sum, cotangent)
              : cotangent;
    return success();
  }
  auto assign = dyn_cast_if_present<AssignOp>(writer);
  if (assign && !isInside)
    return accumulate(assign.getValue(), cotangent, read);
  InFlightDiagnostic diagnostic =
      assign ? read.emitOpError()
                   << "expected no tg.assign of @" << read.getVariable()
                   << " in a branch or loop, because a gradient passes through "
                      "this read; a carried value or tg.stop_gradient avoids "
                      "this [C5]"
             : read.emitOpError()
                   << "expected no tg.update of @" << read.getVariable()
                   << " before this read, because a gradient passes through "
                      "it; a read before the update or tg.stop_gradient avoids "
                      "this [C5]";
  if (writer)
    diagnostic.attachNote(writer->getLoc())
        << (assign ? "assigned here" : "updated here");
  return diagnostic;
}

LogicalResult
BlockDifferentiator::differentiateOp(DifferentiableOpInterface op) {
  SmallVector<Value> resultCotangents =
      llvm::map_to_vector(op->getResults(), [&](Value result) -> Value {
        return sweep->cotangents.lookup(result);
      });
  SmallVector<Value> built = op.buildGradient(sweep->builder, resultCotangents);
  ++differentiated;
  if (built.size() != op->getNumOperands())
    return op->emitOpError()
           << "expected its gradient rule to give " << op->getNumOperands()
           << " cotangents, found " << built.size();
  for (unsigned index = built.size(); index-- > 0;) {
    Value operand = op->getOperand(index);
    if (built[index] && active.isActive(operand) && hasFloatElements(operand) &&
        op.passesGradient(index) &&
        failed(accumulate(operand, built[index], op)))
      return failure();
  }
  return success();
}

LogicalResult
BlockDifferentiator::differentiateRegions(DifferentiableRegionOpInterface op) {
  SmallVector<Value> resultCotangents =
      llvm::map_to_vector(op->getResults(), [&](Value result) -> Value {
        return active.isActive(result) ? sweep->cotangents.lookup(result)
                                       : Value();
      });
  (void)getSymbols(); // before anything is changed
  auto built = op.buildRegionGradient(sweep->builder, resultCotangents, *this);
  if (failed(built))
    return failure();
  ++differentiated;
  for (auto [value, cotangent] : llvm::reverse(*built))
    if (failed(accumulate(value, cotangent, op)))
      return failure();
  return success();
}

LogicalResult BlockDifferentiator::accumulate(Value value, Value cotangent,
                                              Operation *user) {
  auto type = cast<RankedTensorType>(value.getType());
  auto found = cast<RankedTensorType>(cotangent.getType());
  if (found.getElementType() != type.getElementType() ||
      failed(verifyCompatibleShape(found, type)))
    return user->emitOpError() << "expected its gradient rule to give " << type
                               << ", found " << found;
  Location loc = user->getLoc();
  cotangent = buildOfType(sweep->builder, loc, cotangent, type);
  Value &sum = sweep->cotangents[value];
  sum = sum ? AddOp::create(sweep->builder, loc, sum, cotangent) : cotangent;
  return success();
}

//===----------------------------------------------------------------------===//
// Queries of the rules of ops with regions
//===----------------------------------------------------------------------===//

/// Adds the values that get a cotangent through an op from any of its results.
static void visitReached(Operation *op, const ActiveValues &active,
                         llvm::DenseSet<Value> &reached, bool &isChanged) {
  auto reach = [&](Value value) {
    if (active.isActive(value))
      isChanged |= reached.insert(value).second;
  };
  if (auto regions = dyn_cast<DifferentiableRegionOpInterface>(op)) {
    for (const ValueFlow &flow : regions.getValueFlows())
      if (reached.contains(flow.to))
        reach(flow.from->get());
    return;
  }
  if (llvm::none_of(op->getResults(),
                    [&](Value result) { return reached.contains(result); }))
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (passesCotangent(op, operand))
      reach(operand.get());
}

llvm::DenseSet<Value> BlockDifferentiator::findReached(Operation *op,
                                                       ValueRange results) {
  llvm::DenseSet<Value> reached(results.begin(), results.end());
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    op->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *inner) {
      ++cost.visited;
      visitReached(inner, active, reached, isChanged);
    });
  }
  return reached;
}

FunctionSymbols &BlockDifferentiator::getSymbols() {
  if (!symbols)
    symbols = std::make_unique<FunctionSymbols>(request->getParentOp());
  return *symbols;
}

Value BlockDifferentiator::buildExtent(OpBuilder &builder, Location loc,
                                       Value value, unsigned axis,
                                       ValueRange available) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(axis))
    return buildDim(builder, loc, value, axis);
  ExtentAnalysis &analysis = getSymbols().getAnalysis();
  if (!analysis.hasExtents(value))
    return {};
  auto function = cast<func::FuncOp>(request->getParentOp());
  ExtentBuilder extents(analysis, function.getArguments(), available);
  return extents.build(builder, loc, analysis.extentsOf(value)[axis]);
}

/// Analyzes the extents of a new op, after the new ops that compute its
/// operands.
static void visitBuilt(Operation *op, ExtentAnalysis &analysis) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (Operation *source = value.getDefiningOp();
        source && !analysis.hasExtents(value))
      visitBuilt(source, analysis);
  (void)analysis.visit(op);
}

void BlockDifferentiator::replace(Operation *op, ValueRange values) {
  ExtentAnalysis *analysis = symbols ? &symbols->getAnalysis() : nullptr;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    active.copy(result, value);
    active.forget(result);
    auto found = sweep->cotangents.find(result);
    if (found != sweep->cotangents.end()) {
      Value cotangent = found->second;
      sweep->cotangents.erase(found);
      sweep->cotangents[value] = cotangent;
    }
    result.replaceAllUsesWith(value);
  }
  // The other results of the new op are known after it is visited.
  if (analysis && !values.empty() && values.front().getDefiningOp())
    visitBuilt(values.front().getDefiningOp(), *analysis);
  replaced.push_back(op);
}

void BlockDifferentiator::discard(Operation *op) {
  op->remove();
  op->dropAllReferences();
  replaced.push_back(op);
}

BlockDifferentiator::~BlockDifferentiator() {
  for (Operation *op : replaced)
    op->destroy();
}

void BlockDifferentiator::addCopies(const IRMapping &copies) {
  ExtentAnalysis &analysis = getSymbols().getAnalysis();
  for (auto [from, to] : copies.getValueMap()) {
    active.copy(from, to);
    if (analysis.hasExtents(from))
      analysis.setExtents(to,
                          SmallVector<AffineExpr>(analysis.extentsOf(from)));
  }
}

bool BlockDifferentiator::split(DifferentiableRegionOpInterface op) {
  (void)getSymbols(); // before anything is changed
  Operation *before = op->getPrevNode();
  OpBuilder builder(op);
  SmallVector<Value> values = op.splitForGradient(builder);
  if (values.empty())
    return false;
  Operation *first = before ? before->getNextNode() : &op->getBlock()->front();
  for (Operation *newOp = first; newOp != op; newOp = newOp->getNextNode()) {
    active.visit(newOp);
    if (symbols)
      (void)symbols->getAnalysis().visit(newOp);
  }
  replace(op, values);
  return true;
}
