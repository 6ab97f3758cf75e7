//===- BodyFunctions.cpp - cuts functions out of a body -------------------===//
#include "compiler/frontend/dsl/BodyImpl.h"
#include "dialects/tg/BinaryOps.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/StateOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

namespace {
/// One function on its way out of the body.
class Cut {
public:
  Cut(Body::Impl &impl, const FunctionSpec &spec, Location loc)
      : impl(impl), spec(spec), loc(loc), builder(&impl.context) {}

  FailureOr<func::FuncOp> run();

private:
  void need(Value value);
  void need(Operation *op);
  LogicalResult collect();
  LogicalResult checkInputs();
  void emitHeader();
  void emitOp(Operation &op);
  void emitOps();
  void emitEffect(Operation *op);
  Value cloneAgain(Value value, IRMapping &again);
  void countStep();
  void nameResults();
  void nameArguments();
  mlir::Attribute dimsOf(llvm::ArrayRef<std::string> names);

  Body::Impl &impl;
  const FunctionSpec &spec;
  Location loc;
  OpBuilder builder;
  llvm::SetVector<Operation *> needed;
  llvm::SetVector<BlockArgument> arguments;
  SmallVector<Operation *> work;
  bool changes = false;
  /// What layers assigned so far, by the variable's read in the body.
  IRMapping assigned;
  func::FuncOp function;
  IRMapping mapping;
};
} // namespace

//===----------------------------------------------------------------------===//
// The backward slice
//===----------------------------------------------------------------------===//

void Cut::need(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == impl.top)
      arguments.insert(argument);
    return;
  }
  need(impl.top->findAncestorOpInBlock(*value.getDefiningOp()));
}

void Cut::need(Operation *op) {
  if (needed.insert(op))
    work.push_back(op);
}

/// Everything that outputs and effects depend on, with what layers attached.
LogicalResult Cut::collect() {
  for (const auto &[name, value] : spec.outputs)
    need(impl.values[value]);
  for (Id effect : spec.effects)
    need(impl.effects[effect]);
  if (spec.isInit)
    for (const VariableInfo &variable : impl.variables)
      if (variable.initial)
        need(impl.values[*variable.initial]);
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        need(operand);
    });
    for (Operation *effect : impl.attached.lookup(op))
      need(effect);
    changes |= isa<AssignOp, UpdateOp>(op);
  }
  return checkInputs();
}

LogicalResult Cut::checkInputs() {
  llvm::SetVector<Value> given;
  for (Id input : spec.inputs) {
    Value value = impl.values[input];
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != impl.top)
      return emitError(loc) << "expected the inputs of function '" << spec.name
                            << "' to be made by Program::input";
    if (!given.insert(value))
      return emitError(loc)
             << "expected input '" << impl.inputs[argument.getArgNumber()].first
             << "' of function '" << spec.name << "' to be listed once";
  }
  LogicalResult result = success();
  for (BlockArgument argument : impl.top->getArguments())
    if (arguments.contains(argument) && !given.contains(argument))
      result = emitError(loc) << "expected input '"
                              << impl.inputs[argument.getArgNumber()].first
                              << "' among the inputs of function '" << spec.name
                              << "', whose outputs and updates need it";
  return result;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void Cut::emitHeader() {
  SmallVector<Type> inputs, results;
  for (Id input : spec.inputs)
    inputs.push_back(impl.values[input].getType());
  for (const auto &[name, value] : spec.outputs)
    results.push_back(impl.values[value].getType());
  function = func::FuncOp::create(loc, spec.name,
                                  builder.getFunctionType(inputs, results));
  Block *block = function.addEntryBlock();
  for (auto [input, argument] : llvm::zip(spec.inputs, block->getArguments())) {
    Value value = impl.values[input];
    argument.setLoc(value.getLoc());
    mapping.map(value, argument);
  }
  llvm::StringRef role = spec.isInit ? "init" : changes ? "train" : "test";
  function->setAttr("tg.role", builder.getStringAttr(role));
  builder.setInsertionPointToEnd(block);
}

/// The value of the function with other values for what `again` maps; what does
/// not depend on these is there already.
Value Cut::cloneAgain(Value value, IRMapping &again) {
  if (Value known = again.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto call = dyn_cast_or_null<UnrealizedConversionCastOp>(op)) {
    again.map(value, cloneAgain(call.getOperand(0), again));
    return again.lookup(value);
  }
  bool changed = false;
  if (op && op->getNumRegions() == 0)
    for (Value operand : op->getOperands())
      changed |= cloneAgain(operand, again) != mapping.lookup(operand);
  if (changed)
    builder.clone(*op, again);
  else
    again.map(value, mapping.lookup(value));
  return again.lookup(value);
}

/// An assignment or update. Layers that stand at several places update their
/// variables once for each, and each sees what the one before gave.
void Cut::emitEffect(Operation *op) {
  auto assign = dyn_cast<AssignOp>(op);
  if (!assign || !impl.layerEffects.contains(op)) {
    builder.clone(*op, mapping);
    return;
  }
  Value read = impl.values[impl.variables[impl.variableByName.lookup(
                                              assign.getVariable())]
                               .read];
  Value next = mapping.lookup(assign.getValue());
  if (assigned.contains(read)) {
    IRMapping again;
    again.map(read, assigned.lookup(read));
    next = cloneAgain(assign.getValue(), again);
  }
  assigned.map(read, next);
  AssignOp::create(builder, op->getLoc(), assign.getVariableAttr(), next);
}

/// A call of a layer is what it gives.
void Cut::emitOp(Operation &op) {
  if (auto call = dyn_cast<UnrealizedConversionCastOp>(op))
    mapping.map(call.getResult(0), mapping.lookup(call.getOperand(0)));
  else
    builder.clone(op, mapping);
}

/// All reads, then what is computed, then all assignments; each in program
/// order. Reads see the values from before the step.
void Cut::emitOps() {
  auto emit = [&](auto wanted) {
    for (Operation &op : *impl.top)
      if (needed.contains(&op) && wanted(&op))
        emitOp(op);
  };
  auto isEffect = [](Operation *op) { return isa<AssignOp, UpdateOp>(op); };
  emit([](Operation *op) { return isa<ReadOp>(op); });
  emit([&](Operation *op) { return !isa<ReadOp>(op) && !isEffect(op); });
  for (Operation &op : *impl.top)
    if (needed.contains(&op) && isEffect(&op))
      emitEffect(&op);
  if (spec.isInit)
    for (const VariableInfo &variable : impl.variables)
      if (variable.initial)
        AssignOp::create(
            builder, impl.locate(variable.where),
            FlatSymbolRefAttr::get(&impl.context, variable.spec.name),
            mapping.lookup(impl.values[*variable.initial]));
  if (changes)
    countStep();
}

/// A function that changes variables and reads the step raises it.
void Cut::countStep() {
  for (const VariableInfo &variable : impl.variables) {
    Value step = impl.values[variable.read];
    if (variable.spec.role != "step" || !mapping.contains(step))
      continue;
    Value read = mapping.lookup(step);
    auto scalar = cast<RankedTensorType>(read.getType());
    Value one = ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(scalar, int64_t(1)));
    Value next = AddOp::create(builder, loc, scalar, read, one);
    AssignOp::create(builder, loc,
                     FlatSymbolRefAttr::get(&impl.context, variable.spec.name),
                     next);
  }
}

/// The names of dimensions as `tg.dims`; null where there are none.
mlir::Attribute Cut::dimsOf(llvm::ArrayRef<std::string> names) {
  if (llvm::all_of(names, [](const std::string &name) { return name.empty(); }))
    return {};
  SmallVector<llvm::StringRef> words(names.begin(), names.end());
  return builder.getStrArrayAttr(words);
}

void Cut::nameArguments() {
  for (auto [number, input] : llvm::enumerate(spec.inputs)) {
    auto argument = cast<BlockArgument>(impl.values[input]);
    const auto &[name, type] = impl.inputs[argument.getArgNumber()];
    function.setArgAttr(number, "tg.name", builder.getStringAttr(name));
    std::vector<std::string> names;
    for (const Extent &extent : type.shape)
      names.push_back(extent.isKnown() ? "" : extent.name);
    if (mlir::Attribute dims = dimsOf(names))
      function.setArgAttr(number, "tg.dims", dims);
  }
}

/// A result extent that equals a named extent of an input gets its name.
void Cut::nameResults() {
  std::vector<std::string> symbols;
  ExtentAnalysis analysis(&impl.context);
  for (auto [input, argument] :
       llvm::zip(spec.inputs, function.getArguments())) {
    auto original = cast<BlockArgument>(impl.values[input]);
    SmallVector<AffineExpr> extents;
    for (const Extent &extent :
         impl.inputs[original.getArgNumber()].second.shape) {
      if (extent.isKnown()) {
        extents.push_back(builder.getAffineConstantExpr(extent.value));
        continue;
      }
      auto found = llvm::find(symbols, extent.name);
      if (extent.name.empty() || found == symbols.end())
        found = symbols.insert(symbols.end(), extent.name);
      extents.push_back(builder.getAffineSymbolExpr(found - symbols.begin()));
    }
    analysis.setExtents(argument, extents);
  }
  Block &block = function.getBody().front();
  Capture ignored(&impl.context);
  bool known = succeeded(analysis.run(block, symbols.size()));
  for (auto [number, output] : llvm::enumerate(spec.outputs)) {
    function.setResultAttr(number, "tg.name",
                           builder.getStringAttr(output.first));
    Value result = mapping.lookup(impl.values[output.second]);
    std::vector<std::string> names;
    if (!known || !analysis.hasExtents(result))
      continue;
    for (auto [expr, extent] :
         llvm::zip(analysis.extentsOf(result),
                   cast<RankedTensorType>(result.getType()).getShape())) {
      auto symbol = dyn_cast<AffineSymbolExpr>(expr);
      bool isNamed = ShapedType::isDynamic(extent) && symbol &&
                     symbol.getPosition() < symbols.size();
      names.push_back(isNamed ? symbols[symbol.getPosition()] : "");
    }
    if (mlir::Attribute dims = dimsOf(names))
      function.setResultAttr(number, "tg.dims", dims);
  }
}

FailureOr<func::FuncOp> Cut::run() {
  if (failed(collect()))
    return failure();
  emitHeader();
  emitOps();
  SmallVector<Value> results;
  for (const auto &[name, value] : spec.outputs)
    results.push_back(mapping.lookup(impl.values[value]));
  nameArguments();
  nameResults();
  func::ReturnOp::create(builder, loc, results);
  return function;
}

FailureOr<func::FuncOp> Body::Impl::cut(const FunctionSpec &spec,
                                        Location loc) {
  return Cut(*this, spec, loc).run();
}

LogicalResult Body::Impl::checkFunctionName(llvm::StringRef name,
                                            Location loc) {
  if (name == kInit)
    return emitError(loc) << "expected another name for function 'init': the "
                             "program makes that one itself, of the first "
                             "values of its variables";
  Operation *other = module->lookupSymbol(name);
  if (!other)
    return success();
  auto line = other->getLoc()->findInstanceOf<FileLineColLoc>();
  return emitError(loc) << "expected another name for function '" << name
                        << "': there is a "
                        << (isa<VariableOp>(other) ? "variable" : "function")
                        << " of this name, made in line "
                        << (line ? line.getLine() : 0);
}

Result<Nothing> Body::addFunction(const FunctionSpec &spec, Place where) {
  Capture capture(&impl->context);
  Location loc = impl->locate(where);
  if (failed(impl->checkFunctionName(spec.name, loc)))
    return {{}, capture.take("")};
  FailureOr<func::FuncOp> function = impl->cut(spec, loc);
  if (failed(function))
    return {{}, capture.takeAll("expected a valid function")};
  impl->module->push_back(*function);
  for (Id input : spec.inputs)
    impl->listedInputs.insert(impl->values[input]);
  for (Id effect : spec.effects)
    impl->usedEffects.insert(impl->effects[effect]);
  return {};
}
