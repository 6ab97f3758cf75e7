//===- BodyFunctions.cpp - extracts functions from a body -----------------===//
#include "compiler/frontend/body/Cut.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void Cut::emitHeader() {
  SmallVector<Type> inputTypes, results;
  auto number = RankedTensorType::get({}, builder.getI64Type());
  for (Value input : inputs)
    inputTypes.push_back(input.getType());
  inputTypes.append(int(!seeds.empty()) + int(takesSample), number);
  for (const auto &[name, value] : spec.outputs)
    results.push_back(impl.values[value].getType());
  function = func::FuncOp::create(loc, spec.name,
                                  builder.getFunctionType(inputTypes, results));
  Block *block = function.addEntryBlock();
  for (auto [input, argument] : llvm::zip(inputs, block->getArguments())) {
    argument.setLoc(input.getLoc());
    mapping.map(input, argument);
  }
  for (Value value : seeds)
    mapping.map(value, block->getArgument(inputs.size()));
  if (takesSample)
    mapping.map(impl.values[*impl.sampleNumber], block->getArguments().back());
  llvm::StringRef role = spec.isInit        ? "init"
                         : changesVariables ? "train"
                                            : "test";
  function->setAttr("tg.role", builder.getStringAttr(role));
  builder.setInsertionPointToEnd(block);
}

/// Returns the location of an op; with the op's own name if the spec demands
/// it.
Location Cut::locationOf(Operation *op) {
  if (!spec.namesOps)
    return op->getLoc();
  auto name = impl.opNames.find(op);
  if (name == impl.opNames.end())
    return op->getLoc();
  auto scoped = dyn_cast<NameLoc>(op->getLoc());
  return NameLoc::get(builder.getStringAttr(name->second),
                      scoped ? scoped.getChildLoc() : op->getLoc());
}

/// Removes from a cloned op with regions the aliases of layer calls, and the
/// effects that the function does not contain.
void Cut::eraseUnneeded(Operation &op, Operation *made) {
  if (op.getNumRegions() == 0)
    return;
  SmallVector<Operation *> originals, copies;
  op.walk([&](Operation *inner) { originals.push_back(inner); });
  made->walk([&](Operation *inner) { copies.push_back(inner); });
  for (auto [original, inner] : llvm::zip_equal(originals, copies)) {
    if (auto call = dyn_cast<UnrealizedConversionCastOp>(inner)) {
      call.getResult(0).replaceAllUsesWith(call.getOperand(0));
      call.erase();
    } else if (llvm::is_contained(impl.effects, original) &&
               !effects.contains(original)) {
      inner->erase();
    }
  }
}

Operation *Cut::clone(Operation &op) {
  Operation *made = builder.clone(op, mapping);
  eraseUnneeded(op, made);
  made->setLoc(locationOf(&op));
  // A fed value replaces the result if the op is needed for another result.
  for (Value result : op.getResults())
    if (auto input = llvm::find(inputs, result); input != inputs.end())
      mapping.map(result, function.getArgument(input - inputs.begin()));
  return made;
}

/// Returns `value` recomputed with the replacements in `replacements`. Ops that
/// do not depend on a replaced value are reused.
Value Cut::recompute(Value value, IRMapping &replacements) {
  if (Value known = replacements.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto call = dyn_cast_or_null<UnrealizedConversionCastOp>(op)) {
    replacements.map(value, recompute(call.getOperand(0), replacements));
    return replacements.lookup(value);
  }
  bool changed = false;
  if (op && op->getNumRegions() == 0)
    for (Value operand : op->getOperands())
      changed |= recompute(operand, replacements) != mapping.lookup(operand);
  if (changed)
    builder.clone(*op, replacements);
  else
    replacements.map(value, mapping.lookup(value));
  return replacements.lookup(value);
}

/// Clones an assignment or update. A layer that is called several times updates
/// its variables once per call, and each update starts from the result of the
/// previous one.
void Cut::emitEffect(Operation *op) {
  auto assign = dyn_cast<AssignOp>(op);
  if (!assign || !impl.layerEffects.contains(op)) {
    clone(*op);
    return;
  }
  Value read = impl.values[impl.variables[impl.variableByName.lookup(
                                              assign.getVariable())]
                               .read];
  Value next = mapping.lookup(assign.getValue());
  if (assigned.contains(read)) {
    IRMapping replacements;
    replacements.map(read, assigned.lookup(read));
    next = recompute(assign.getValue(), replacements);
  }
  assigned.map(read, next);
  AssignOp::create(builder, locationOf(op), assign.getVariableAttr(), next);
}

/// Clones an op; an alias of a layer's call becomes its value.
void Cut::emitOp(Operation &op) {
  if (auto call = dyn_cast<UnrealizedConversionCastOp>(op))
    mapping.map(call.getResult(0), mapping.lookup(call.getOperand(0)));
  else if (assignsVariables(&op))
    emitEffect(&op);
  else
    clone(op);
}

/// Emits all reads, then the computation, then all assignments, each in program
/// order, so that reads see the values from before the step. If a read must see
/// an earlier assignment, everything is emitted in program order. The other
/// reads are then at the declarations of their variables, before every
/// assignment.
void Cut::emitOps() {
  auto emit = [&](auto isIncluded) {
    for (Operation &op : *impl.top)
      if (needed.contains(&op) && isIncluded(&op))
        emitOp(op);
  };
  if (isOrdered) {
    emit([](Operation *) { return true; });
  } else {
    emit([](Operation *op) { return isa<ReadOp>(op); });
    emit([&](Operation *op) {
      return !isa<ReadOp>(op) && !assignsVariables(op);
    });
    emit(assignsVariables);
  }
  if (spec.isInit)
    for (const VariableInfo &variable : impl.variables)
      if (variable.initial &&
          !spec.excludedVariables.contains(variable.spec.name))
        AssignOp::create(
            builder, impl.locate(variable.where),
            FlatSymbolRefAttr::get(&impl.context, variable.spec.name),
            mapping.lookup(impl.values[*variable.initial]));
  if (changesVariables)
    countStep();
}

/// Increments the step in a function that changes variables and reads
/// the step.
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

FailureOr<func::FuncOp> Cut::run() {
  if (spec.namesOps)
    impl.nameOps();
  if (failed(collect()) || (!spec.isFetch && failed(checkNames())))
    return failure();
  emitHeader();
  emitOps();
  SmallVector<Value> results;
  for (const auto &[name, value] : spec.outputs)
    results.push_back(mapping.lookup(impl.values[value]));
  nameArguments();
  nameResults();
  func::ReturnOp::create(builder, loc, results);
  if (!spec.isFetch && !spec.isInit)
    impl.functionOps.insert_range(needed);
  return function;
}

FailureOr<func::FuncOp> Body::Impl::cut(const FunctionSpec &spec,
                                        Location loc) {
  return Cut(*this, spec, loc).run();
}

LogicalResult Body::Impl::checkFunctionName(llvm::StringRef name,
                                            Location loc) {
  if (name == kInit)
    return emitError(loc) << "expected another name for function '" << kInit
                          << "': the program makes a function of this name "
                             "itself, which sets the initial values of its "
                             "variables";
  // Variables have a name space of their own.
  auto functions = module->getOps<func::FuncOp>();
  auto other = llvm::find_if(functions, [&](func::FuncOp function) {
    return function.getSymName() == name;
  });
  if (other == functions.end())
    return success();
  auto line = (*other).getLoc()->findInstanceOf<FileLineColLoc>();
  return emitError(loc) << "expected another name for function '" << name
                        << "': there is a function of this name, made in line "
                        << (line ? line.getLine() : 0);
}

Result<Nothing> Body::addFunction(const FunctionSpec &spec, Place where) {
  if (impl->evaluator)
    return {{}, impl->needsGraph("function '" + spec.name + "'", where)};
  if (auto error = impl->needsTop("functions", where))
    return {{}, std::move(error)};
  Capture capture(&impl->context);
  Location loc = impl->locate(where);
  for (const auto &[name, value] : spec.outputs)
    if (auto error = impl->checkVisible({&value, 1}, where))
      return {{}, std::move(error)};
  if (llvm::any_of(spec.effects,
                   [&](Id effect) { return !impl->effects[effect]; }))
    return {{},
            makeError("expected updates whose branches and loops are complete, "
                      "found one in a branch or loop that failed",
                      where)};
  if (failed(impl->checkFunctionName(spec.name, loc)))
    return {{}, capture.take("another name")};
  FailureOr<func::FuncOp> function = impl->cut(spec, loc);
  if (failed(function))
    return {{}, capture.takeAll("a valid function")};
  impl->module->push_back(*function);
  for (Id input : spec.inputs)
    impl->listedInputs.insert(impl->values[input]);
  for (Id effect : spec.effects)
    impl->usedEffects.insert(impl->effects[effect]);
  return {};
}
