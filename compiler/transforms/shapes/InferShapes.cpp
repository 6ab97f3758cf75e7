//===- InferShapes.cpp - inference of static extents ----------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/module/ActiveValues.h"
#include "compiler/transforms/module/SourceOrder.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "compiler/transforms/shapes/OpenChecks.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/ops/elementwise/ConstantOps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

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
  LogicalResult parseDims();
  /// Starts a message about the option `dims`.
  InFlightDiagnostic optionError();
  /// Makes the named extents of the arguments static.
  LogicalResult bindArguments(func::FuncOp function);
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

  /// Reports names in `dims` that bind nothing.
  LogicalResult checkUsed();

  /// Collects the diagnostics while the pass runs.
  SourceOrder *order = nullptr;
  llvm::StringMap<int64_t> numbers;
  llvm::StringSet<> used;
  /// The names of dynamic extents of arguments.
  std::set<std::string> bindable;
};

} // namespace

InFlightDiagnostic InferShapes::optionError() {
  // The error has no location in the model.
  return emitError(UnknownLoc::get(&getContext())) << "option 'dim': ";
}

LogicalResult InferShapes::parseDims() {
  numbers.clear();
  used.clear();
  bindable.clear();
  SmallVector<StringRef> entries;
  StringRef(dims).split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  LogicalResult result = success();
  for (StringRef entry : entries) {
    auto [name, text] = entry.split('=');
    int64_t number = 0;
    if (name.empty() || text.getAsInteger(10, number) || number < 0)
      result = optionError() << "expected a named extent as in batch=32, "
                                "found '"
                             << entry << "'";
    else if (!numbers.try_emplace(name, number).second)
      result = optionError() << "expected one number for extent '" << name
                             << "', found several";
  }
  return result;
}

/// Returns `dims` with "" in place of the names of static extents.
static ArrayAttr namesOfUnknown(ArrayAttr dims, RankedTensorType type) {
  SmallVector<Attribute> names(dims.begin(), dims.end());
  for (auto [axis, name] : llvm::enumerate(names))
    if (axis < size_t(type.getRank()) && !type.isDynamicDim(axis))
      name = StringAttr::get(dims.getContext(), "");
  return ArrayAttr::get(dims.getContext(), names);
}

LogicalResult InferShapes::bindArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    unsigned place = argument.getArgNumber();
    SmallVector<int64_t> shape(type.getShape());
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(extent))
        continue;
      std::string name = extentName(function, place, axis);
      auto number = numbers.find(name);
      bindable.insert(std::move(name));
      if (number == numbers.end())
        continue;
      // A mean over an empty tensor would make the variables NaN.
      if (number->second == 0 && hasAssignment(function))
        return function.emitError()
               << "expected extent '" << number->first() << "' of function '"
               << function.getName()
               << "', which writes variables, to be at least 1, found 0";
      extent = number->second;
      used.insert(number->first());
    }
    RankedTensorType bound = type.clone(shape);
    if (bound == type)
      continue;
    argument.setType(bound);
    if (auto names = function.getArgAttrOfType<ArrayAttr>(place, "tg.dims"))
      function.setArgAttr(place, "tg.dims", namesOfUnknown(names, bound));
    ++typesRefined;
  }
  return success();
}

LogicalResult InferShapes::checkUsed() {
  LogicalResult result = success();
  auto known = llvm::to_vector_of<StringRef>(bindable);
  for (StringRef entry : llvm::split(StringRef(dims), ',')) {
    StringRef name = entry.split('=').first;
    if (!name.empty() && !used.contains(name))
      result = optionError() << "expected an input with an unknown extent '"
                             << name << "' to bind" << suggestName(name, known);
  }
  return result;
}

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
  Block &forward = op.getForward().front(),
        &backward = op.getBackward().front();
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
  if (!numbers.empty())
    open.emplace(function);
  if (failed(bindArguments(function)))
    return failure();
  FailureOr<FunctionSymbols> symbols = inferTypes(function);
  while (open && succeeded(symbols)) {
    FailureOr<bool> isChanged = open->restore(numbers, *symbols);
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
  LogicalResult result = parseDims();
  if (succeeded(result)) {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(inferFunction(function)))
        result = failure();
    if (succeeded(result))
      result = checkUsed();
  }
  if (failed(result))
    signalPassFailure();
}
