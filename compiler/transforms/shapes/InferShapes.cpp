//===- InferShapes.cpp - inference of static extents ----------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/module/ActiveValues.h"
#include "compiler/transforms/module/SourceOrder.h"
#include "compiler/transforms/shapes/DimBindings.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "compiler/transforms/shapes/OpenChecks.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tg {
#define GEN_PASS_DEF_INFERSHAPES
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {

struct InferShapes : public tg::impl::InferShapesBase<InferShapes> {
  using InferShapesBase::InferShapesBase;
  void runOnOperation() override;

private:
  /// Infers the body again. Dynamic sizes become attributes on the way.
  LogicalResult inferBody(func::FuncOp function);
  LogicalResult inferBlock(Block &block, ExtentAnalysis &analysis);
  LogicalResult inferOp(Operation *op, const ExtentAnalysis &analysis);
  LogicalResult inferIsolated(Block &block, TypeRange arguments);
  LogicalResult inferCustom(CustomGradientOp op);
  LogicalResult inferRegions(RegionOpInterface op, ExtentAnalysis &analysis);
  FailureOr<FunctionSymbols> inferTypes(func::FuncOp function);
  /// Infers one function, and verifies that every extent is known at entry.
  LogicalResult inferFunction(func::FuncOp function);
  /// Checks the limit on dynamic extents of a function [M7].
  LogicalResult checkCount(func::FuncOp function, FunctionSymbols &symbols);
  LogicalResult bindSizes(Operation *op, const ExtentAnalysis &analysis);
  /// Sets the types of the results from the body.
  LogicalResult updateResults(func::FuncOp function);

  /// Collects the diagnostics while the pass runs.
  SourceOrder *order = nullptr;
  /// The option `dims`.
  DimBindings bindings;
};

} // namespace

LogicalResult InferShapes::bindSizes(Operation *op,
                                     const ExtentAnalysis &analysis) {
  auto numbered = dyn_cast<DynamicSizesOpInterface>(op);
  if (!numbered)
    return success();
  numbered.setCopiedSizes();
  MutableOperandRange dynamic = numbered.getDynamicSizes();
  for (unsigned index = 0; index < dynamic.size();) {
    AffineExpr known = analysis.sizeOf(dynamic[index].get());
    std::optional<int64_t> number;
    if (known)
      number = staticExtent(known);
    if (!number) {
      ++index;
      continue;
    }
    if (*number < 0)
      return op->emitOpError() << "expected a dynamic size of at least 0, "
                                  "found "
                               << *number << " [R0]";
    numbered.setSize(index, *number);
    dynamic.erase(index);
    ++sizesBound;
  }
  return success();
}

LogicalResult InferShapes::inferOp(Operation *op,
                                   const ExtentAnalysis &analysis) {
  if (auto gradient = dyn_cast<GradientOp>(op)) {
    for (auto [value, result] :
         llvm::zip(gradient.getValues(), gradient.getGradients()))
      result.setType(cast<RankedTensorType>(value.getType()));
    return success();
  }
  if (auto custom = dyn_cast<CustomGradientOp>(op))
    return inferCustom(custom);
  if (failed(bindSizes(op, analysis)))
    return failure();
  auto inferable = dyn_cast<InferTypeOpInterface>(op);
  if (!inferable)
    return success();
  SmallVector<Type> types;
  if (failed(inferable.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
    typesRefined += result.getType() != type;
    result.setType(type);
  }
  return success();
}

/// Infers a block that uses only its arguments, with these types. Each `?` in
/// the types is a number that is known when the block begins.
LogicalResult InferShapes::inferIsolated(Block &block, TypeRange arguments) {
  ExtentAnalysis analysis(&getContext());
  unsigned count = 0;
  for (auto [argument, type] :
       llvm::zip_equal(block.getArguments(), arguments)) {
    argument.setType(type);
    analysis.setExtents(argument, extentsOfType(argument, [&](unsigned) {
                          return getAffineSymbolExpr(count++, &getContext());
                        }));
  }
  Block empty;
  if (failed(analysis.run(empty, /*firstUnknownSymbol=*/count)))
    return failure();
  return inferBlock(block, analysis);
}

/// Infers the regions from the types of the inputs.
LogicalResult InferShapes::inferCustom(CustomGradientOp op) {
  Block &forward = op.getForward().front();
  Block &backward = op.getBackward().front();
  if (failed(inferIsolated(forward, op.getInputs().getTypes())))
    return failure();
  auto yielded = forward.getTerminator()->getOperands();
  SmallVector<Type> given(op.getInputs().getTypes());
  for (auto [result, value] : llvm::zip_equal(op.getResults(), yielded)) {
    result.setType(cast<RankedTensorType>(value.getType()));
    given.push_back(value.getType());
  }
  SmallVector<Value> wanted;
  for (Value result : op.getResults())
    if (hasFloatElements(result))
      given.push_back(result.getType());
  for (Value input : op.getInputs())
    if (hasFloatElements(input))
      wanted.push_back(input);
  if (failed(inferIsolated(backward, given)))
    return failure();
  // The type of a cotangent may be less static than the type of its value.
  OpBuilder builder(backward.getTerminator());
  for (auto [operand, input] :
       llvm::zip_equal(backward.getTerminator()->getOpOperands(), wanted))
    operand.set(buildOfType(builder, op.getLoc(), operand.get(),
                            cast<RankedTensorType>(input.getType())));
  return success();
}

/// Reports a constant index that is out of range, because it fails in every
/// run.
static LogicalResult checkConstantIndices(Operation *op) {
  auto checked = dyn_cast<CheckedOpInterface>(op);
  std::optional<unsigned> operand =
      checked ? checked.getCheckedOperand() : std::nullopt;
  auto bound = operand ? checked.getIndexBound() : std::nullopt;
  if (!bound)
    return success();
  auto constant = op->getOperand(*operand).getDefiningOp<ConstantOp>();
  auto type = cast<RankedTensorType>(op->getOperand(bound->first).getType());
  if (!constant || type.isDynamicDim(bound->second))
    return success();
  auto values = dyn_cast<DenseIntElementsAttr>(constant.getValue());
  if (!values)
    return success();
  bool isUnsigned = values.getElementType().isUnsignedInteger();
  int64_t extent = type.getDimSize(bound->second);
  for (auto [element, bits] : llvm::enumerate(values.getValues<APInt>())) {
    int64_t index =
        isUnsigned ? int64_t(bits.getZExtValue()) : bits.getSExtValue();
    if (index < 0 || index >= extent)
      return op->emitOpError()
             << "expected indices in [0, " << extent << "), found " << index
             << " at element " << element << " [R1]";
  }
  return success();
}

/// Infers the regions of an op. Their arguments follow from the values outside,
/// and the results follow from the yielded values. The rule of the op has
/// already visited the regions.
LogicalResult InferShapes::inferRegions(RegionOpInterface op,
                                        ExtentAnalysis &analysis) {
  op.refineArguments(analysis);
  for (Region &region : op->getRegions())
    if (failed(inferBlock(region.front(), analysis)))
      return failure();
  op.refineResults();
  return success();
}

LogicalResult InferShapes::inferBlock(Block &block, ExtentAnalysis &analysis) {
  LogicalResult result = success();
  for (Operation &op : block) {
    if (order->isFull())
      break;
    auto regions = dyn_cast<RegionOpInterface>(op);
    if (succeeded(inferOp(&op, analysis)) && succeeded(analysis.visit(&op)) &&
        (!regions || succeeded(inferRegions(regions, analysis))) &&
        succeeded(checkConstantIndices(&op)))
      continue;
    // Later ops use the extents of the declared types.
    result = failure();
    analysis.setFromTypes(&op);
  }
  return result;
}

LogicalResult InferShapes::inferBody(func::FuncOp function) {
  ExtentAnalysis analysis(&getContext());
  // The extents known at entry, by their names. `tg.div` and loops query them.
  llvm::StringMap<unsigned> symbols;
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      analysis.setExtents(
          argument, extentsOfType(argument, [&](unsigned axis) {
            std::string name =
                extentName(function, argument.getArgNumber(), axis);
            unsigned symbol =
                symbols.try_emplace(name, symbols.size()).first->second;
            return getAffineSymbolExpr(symbol, &getContext());
          }));
  Block empty;
  LogicalResult result =
      analysis.run(empty, /*firstUnknownSymbol=*/symbols.size());
  if (failed(inferBlock(function.getBody().front(), analysis)))
    result = failure();
  return result;
}

LogicalResult InferShapes::updateResults(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  function.setType(FunctionType::get(&getContext(),
                                     function.getBody().getArgumentTypes(),
                                     terminator->getOperandTypes()));
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (auto names = function.getResultAttrOfType<ArrayAttr>(number, "tg.dims"))
      function.setResultAttr(
          number, "tg.dims",
          namesOfUnknown(names, cast<RankedTensorType>(type)));
  return success();
}

LogicalResult InferShapes::checkCount(func::FuncOp function,
                                      FunctionSymbols &symbols) {
  llvm::StringSet<> bound;
  for (BlockArgument argument : function.getArguments())
    for (auto [axis, extent] :
         llvm::enumerate(cast<RankedTensorType>(argument.getType()).getShape()))
      if (ShapedType::isDynamic(extent) &&
          bound.insert(extentName(function, argument.getArgNumber(), axis))
              .second &&
          bound.size() > kMaximumUnknownExtents)
        return emitError(argument.getLoc())
               << "expected a function with at most " << kMaximumUnknownExtents
               << " unknown extents, found one more: dim " << axis
               << " of this argument [M7]";
  size_t count = bound.size();
  llvm::DenseSet<AffineExpr> computed;
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands()))
    for (auto [axis, extent] :
         llvm::enumerate(symbols.getAnalysis().extentsOf(value)))
      if (isa<AffineBinaryOpExpr>(extent) && computed.insert(extent).second &&
          ++count > kMaximumUnknownExtents)
        return terminator->emitError()
               << "expected a function with at most " << kMaximumUnknownExtents
               << " unknown extents, found one more: dim " << axis
               << " of result " << number << " [M7]";
  return success();
}

/// Infers the types of a function from the types of its arguments. Returns its
/// symbols.
FailureOr<FunctionSymbols> InferShapes::inferTypes(func::FuncOp function) {
  if (failed(inferBody(function)) || failed(updateResults(function)))
    return failure();
  return FunctionSymbols::create(function);
}

LogicalResult InferShapes::inferFunction(func::FuncOp function) {
  std::optional<OpenChecks> open;
  if (!bindings.numbers().empty())
    open.emplace(function);
  FailureOr<unsigned> bound = bindings.bindArguments(function);
  if (failed(bound))
    return failure();
  typesRefined += *bound;
  FailureOr<FunctionSymbols> symbols = inferTypes(function);
  while (open && succeeded(symbols)) {
    FailureOr<bool> isChanged = open->restore(bindings.numbers(), *symbols);
    if (failed(isChanged))
      return failure();
    if (!*isChanged)
      break;
    symbols = inferTypes(function);
  }
  if (failed(symbols) || failed(checkCount(function, *symbols)))
    return failure();
  checksLeft += symbols->getChecks().size();
  return success();
}

// Continues after an error, because the errors of different ops are
// independent.
void InferShapes::runOnOperation() {
  SourceOrder diagnostics(&getContext());
  order = &diagnostics;
  LogicalResult result = bindings.parse(dims, &getContext());
  if (succeeded(result)) {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(inferFunction(function)))
        result = failure();
    if (succeeded(result))
      result = bindings.checkUsed(&getContext());
  }
  if (failed(result))
    signalPassFailure();
}
