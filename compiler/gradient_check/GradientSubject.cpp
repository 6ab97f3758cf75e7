//===- GradientSubject.cpp - functions of a gradient request --------------===//
#include "compiler/gradient_check/GradientSubject.h"
#include "compiler/transforms/gradient/GradientExpansion.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "compiler/transforms/module/ActiveValues.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// The functions of the target and its gradients
//===----------------------------------------------------------------------===//

/// Erases the ops of a function after `last` and makes it return `returned`.
static void endAfter(func::FuncOp function, Operation *last,
                     ValueRange returned) {
  Operation *end = function.getBody().front().getTerminator();
  end->setOperands(returned);
  while (end->getPrevNode() != last)
    end->getPrevNode()->erase();
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getArgumentTypes(), returned.getTypes()));
  function.removeResAttrsAttr();
}

/// Erases dead ops, except for ops that define a requested value: a request may
/// list values that the target does not need.
static void eraseUnused(func::FuncOp function, ArrayRef<Value> requested) {
  llvm::DenseSet<Value> requestedSet(requested.begin(), requested.end());
  Operation *op = function.getBody().front().getTerminator()->getPrevNode();
  while (op) {
    Operation *previous = op->getPrevNode();
    bool isRequested = llvm::any_of(op->getResults(), [&](Value result) {
      return requestedSet.contains(result);
    });
    if (!isRequested && isOpTriviallyDead(op))
      op->erase();
    op = previous;
  }
}

/// Creates a module with the variables and a copy of the function, in which the
/// gradient requests (tg.gradient) before number `index` are expanded. Returns
/// request `index`, or null if an expansion fails.
static GradientOp copyFunction(func::FuncOp original, unsigned index,
                               OwningOpRef<ModuleOp> &module) {
  auto parent = original->getParentOfType<ModuleOp>();
  module = ModuleOp::create(parent.getLoc());
  OpBuilder builder(module->getBodyRegion());
  for (auto variable : parent.getOps<VariableOp>())
    builder.clone(*variable);
  auto function = cast<func::FuncOp>(builder.clone(*original));
  SmallVector<GradientOp> requests(function.getOps<GradientOp>());
  for (GradientOp request : ArrayRef(requests).take_front(index))
    if (failed(expandGradient(request)))
      return {};
  return requests[index];
}

/// Makes a gradient request also ask for the gradients of the results of all
/// earlier tg.custom_gradient ops in its block. Returns the request that
/// replaces it.
static GradientOp requestCustomGradients(GradientOp request) {
  llvm::SetVector<Value> values(request.getValues().begin(),
                                request.getValues().end());
  size_t count = values.size();
  for (auto custom : request->getBlock()->getOps<CustomGradientOp>())
    for (Value result : custom.getResults())
      if (custom->isBeforeInBlock(request) && hasFloatElements(result))
        values.insert(result);
  ResultRange gradients = request.getGradients();
  SmallVector<Type> types(ValueRange(values.getArrayRef()).getTypes());
  llvm::append_range(types, gradients.drop_front(count).getTypes());
  OpBuilder builder(request);
  auto extended =
      GradientOp::create(builder, request.getLoc(), types, request.getTarget(),
                         values.getArrayRef(), request.getVariablesAttr(),
                         /*allow_unconnected=*/builder.getUnitAttr());
  ResultRange found = extended.getGradients();
  for (auto [index, result] : llvm::enumerate(gradients))
    result.replaceAllUsesWith(
        found[index < count ? index : index - count + values.size()]);
  request.erase();
  return extended;
}

/// Stops gradients at the results of all tg.custom_gradient ops.
static void stopAtCustomGradients(func::FuncOp function) {
  function.walk([](CustomGradientOp custom) {
    OpBuilder builder(custom->getContext());
    builder.setInsertionPointAfter(custom);
    for (Value result : custom.getResults())
      if (hasFloatElements(result)) {
        auto stopped = StopGradientOp::create(builder, custom.getLoc(), result);
        result.replaceAllUsesExcept(stopped, stopped);
      }
  });
}

LogicalResult GradientSubject::isolate(func::FuncOp original, unsigned index) {
  GradientOp request = copyFunction(original, index, backward);
  if (!request)
    return failure();
  if (options.holdsGiven) {
    request = requestCustomGradients(request);
    stopAtCustomGradients(request->getParentOfType<func::FuncOp>());
  }
  gradient = request->getParentOfType<func::FuncOp>();
  endAfter(gradient, request, request.getGradients());
  if (failed(expandGradient(request)))
    return failure();
  request = copyFunction(original, index, forward);
  if (options.holdsGiven)
    request = requestCustomGradients(request);
  function = request->getParentOfType<func::FuncOp>();
  values = llvm::to_vector(request.getValues());
  if (ArrayAttr names = request.getVariablesAttr())
    for (auto name : names.getAsRange<FlatSymbolRefAttr>())
      variables.push_back(name.getValue().str());
  endAfter(function, request, request.getTarget());
  request.erase();
  eraseUnused(function, values);
  return success();
}

Value GradientSubject::getTargetValue() {
  return function.getBody().front().getTerminator()->getOperand(0);
}

//===----------------------------------------------------------------------===//
// The unperturbed run
//===----------------------------------------------------------------------===//

bool GradientSubject::isHeld(Operation *op) const {
  return (options.holdsStopped && isa<StopGradientOp>(op)) ||
         (options.holdsGiven && isa<CustomGradientOp>(op));
}

void GradientSubject::record(Operation *op,
                             function_ref<const HostTensor &(Value)> valueOf) {
  OpSample sample;
  for (Value value : usedValues(op))
    sample[value] = valueOf(value);
  for (Value result : op->getResults())
    sample[result] = valueOf(result);
  if (op->getParentOp() == function)
    contents.insert(sample.begin(), sample.end());
  if (isHeld(op))
    held[op].push_back(llvm::map_to_vector(
        op->getResults(), [&](Value result) { return valueOf(result); }));
  auto &recorded = samples[op];
  if (recorded.size() == 2)
    recorded.pop_back();
  recorded.push_back(std::move(sample));
}

LogicalResult GradientSubject::runOnce() {
  for (auto [argument, input] :
       llvm::zip_equal(function.getArguments(), inputs))
    contents[argument] = input;
  Interpreter interpreter = initialState;
  Operation *last = function;
  interpreter.replace = [&](Operation *op, ArrayRef<HostTensor>,
                            SmallVectorImpl<HostTensor> &) {
    last = op;
    return std::optional<std::string>();
  };
  interpreter.observe = [&](Operation *op,
                            function_ref<const HostTensor &(Value)> valueOf) {
    record(op, valueOf);
  };
  SmallVector<HostTensor> results;
  std::string error = interpreter.run(function, inputs, results);
  if (!error.empty())
    return emitError(last->getLoc())
           << "the function cannot be run on these inputs: " << error;
  target = results[0].numberAt(0);
  if (std::isfinite(target))
    return success();
  return emitError(loc) << "expected a target that is a finite number, found "
                        << std::to_string(target)
                        << ": other inputs may give one";
}

FailureOr<std::unique_ptr<GradientSubject>> GradientSubject::create(
    func::FuncOp function, unsigned index, ArrayRef<HostTensor> inputs,
    const Interpreter &initialState, const HostSignatures &host,
    const GradientCheckOptions &options) {
  auto requests = function.getOps<GradientOp>();
  GradientOp request = *std::next(requests.begin(), index);
  std::unique_ptr<GradientSubject> subject(
      new GradientSubject(request.getLoc(), host, options));
  subject->inputs.assign(inputs.begin(), inputs.end());
  subject->initialState = initialState;
  if (failed(subject->isolate(function, index)) || failed(subject->runOnce()))
    return failure();
  return subject;
}

const HostTensor &GradientSubject::contentOf(Value value) const {
  return contents.find(value)->second;
}

ArrayRef<OpSample> GradientSubject::samplesOf(Operation *op) const {
  auto found = samples.find(op);
  return found == samples.end() ? ArrayRef<OpSample>() : found->second;
}

FailureOr<SmallVector<HostTensor>>
GradientSubject::run(func::FuncOp gradients) const {
  Interpreter interpreter = initialState;
  SmallVector<HostTensor> results;
  std::string error = interpreter.run(gradients, inputs, results);
  if (!error.empty())
    return emitError(loc) << "the gradient cannot be computed on these inputs: "
                          << error;
  return results;
}

FailureOr<SmallVector<HostTensor>> GradientSubject::differentiate() {
  return run(gradient);
}

//===----------------------------------------------------------------------===//
// Gradients that pass a tg.stop_gradient
//===----------------------------------------------------------------------===//

/// Appends a request for the gradients of the returned value with respect to
/// `values` and `variables`.
static GradientOp createRequest(func::FuncOp function, ArrayRef<Value> values,
                                ArrayRef<std::string> variables) {
  Operation *end = function.getBody().front().getTerminator();
  OpBuilder builder(end);
  SmallVector<Type> types(ValueRange(values).getTypes());
  SmallVector<Attribute> names;
  for (const std::string &name : variables) {
    auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
        function, builder.getStringAttr(name));
    types.push_back(variable.getType());
    names.push_back(FlatSymbolRefAttr::get(builder.getContext(), name));
  }
  return GradientOp::create(
      builder, function.getLoc(), types, end->getOperand(0), values,
      names.empty() ? ArrayAttr() : builder.getArrayAttr(names),
      /*allow_unconnected=*/builder.getUnitAttr());
}

/// Returns true if two tensors of equal shape differ in an element by more than
/// `tolerance` times their largest magnitude.
static bool differ(const HostTensor &one, const HostTensor &other,
                   double tolerance) {
  double magnitude = 0, difference = 0;
  for (auto [a, b] : llvm::zip(one.values<double>(), other.values<double>())) {
    magnitude = std::max({magnitude, std::abs(a), std::abs(b)});
    difference = std::max(difference, std::abs(a - b));
  }
  return difference > tolerance * magnitude;
}

bool GradientSubject::isChangedBy(StopGradientOp stop) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  OpBuilder builder(module->getBodyRegion());
  for (auto variable : forward->getOps<VariableOp>())
    builder.clone(*variable);
  IRMapping mapping;
  auto copy =
      cast<func::FuncOp>(builder.clone(*function.getOperation(), mapping));
  auto copiedStop = cast<StopGradientOp>(mapping.lookup(stop.getOperation()));
  copiedStop.replaceAllUsesWith(copiedStop.getOperand());
  if (options.holdsGiven)
    stopAtCustomGradients(copy);
  auto requested = llvm::map_to_vector(
      values, [&](Value value) { return mapping.lookup(value); });
  GradientOp request = createRequest(copy, requested, variables);
  endAfter(copy, request, request.getGradients());
  if (failed(expandGradient(request)))
    return true;
  auto passed = run(copy);
  auto stopped = differentiate();
  return failed(passed) || failed(stopped) ||
         llvm::any_of(llvm::zip_equal(*passed, *stopped), [&](auto pair) {
           return differ(std::get<0>(pair), std::get<1>(pair),
                         options.tolerance);
         });
}

//===----------------------------------------------------------------------===//
// Perturbed runs
//===----------------------------------------------------------------------===//

/// Calls `visit` for each variable that an op or its regions access by ops of
/// type `Op` or by updates.
template <typename Op>
static void forEachVariable(Operation *op,
                            function_ref<void(StringRef)> visit) {
  op->walk([&](Op inner) { visit(inner.getVariable()); });
  op->walk([&](UpdateOp update) {
    for (ArrayRef<FlatSymbolRefAttr> group : update.getGroupSymbols())
      for (FlatSymbolRefAttr name : group)
        visit(name.getValue());
  });
}

llvm::DenseSet<Operation *>
GradientSubject::findDependents(Value value, StringRef variable) {
  llvm::DenseSet<Operation *> dependents;
  llvm::DenseSet<Value> changed;
  llvm::StringSet<> written;
  if (value)
    changed.insert(value);
  else
    written.insert(variable);
  for (Operation &op : function.getBody().front()) {
    bool depends = llvm::any_of(
        usedValues(&op), [&](Value used) { return changed.contains(used); });
    forEachVariable<ReadOp>(
        &op, [&](StringRef name) { depends |= written.contains(name); });
    if (!depends)
      continue;
    dependents.insert(&op);
    changed.insert_range(op.getResults());
    forEachVariable<AssignOp>(&op,
                              [&](StringRef name) { written.insert(name); });
  }
  return dependents;
}

double
GradientSubject::roundingOfAll(const llvm::DenseSet<Operation *> &ops) const {
  double rounding = std::numeric_limits<double>::epsilon();
  for (Operation *op : ops)
    rounding = std::max(rounding, roundingOf(op, host));
  return rounding;
}

std::optional<double>
GradientSubject::run(Interpreter &interpreter, ArrayRef<HostTensor> arguments,
                     Value moved, const HostTensor &content,
                     const llvm::DenseSet<Operation *> &changed) {
  llvm::DenseMap<Operation *, size_t> iterations;
  interpreter.replace =
      [&](Operation *op, ArrayRef<HostTensor>,
          SmallVectorImpl<HostTensor> &results) -> std::optional<std::string> {
    bool isMoved = moved && moved.getDefiningOp() == op;
    if (auto found = held.find(op); found != held.end() && !isMoved) {
      ArrayRef<SmallVector<HostTensor>> runs = found->second;
      results.assign(runs[std::min(iterations[op]++, runs.size() - 1)]);
      return "";
    }
    if (op->getParentOp() != function || op->getNumResults() == 0 ||
        (changed.contains(op) && !isMoved))
      return std::nullopt;
    for (Value result : op->getResults())
      results.push_back(result == moved ? content : contentOf(result));
    return "";
  };
  SmallVector<HostTensor> results;
  if (!interpreter.run(function, arguments, results).empty())
    return std::nullopt;
  double number = results[0].numberAt(0);
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> GradientSubject::evaluate(Value value,
                                                const HostTensor &content) {
  std::pair<Value, std::string> key(value, "");
  if (lastMoved != key)
    lastDependents = findDependents(value, "");
  lastMoved = key;
  SmallVector<HostTensor> arguments = inputs;
  if (auto argument = dyn_cast<BlockArgument>(value))
    arguments[argument.getArgNumber()] = content;
  Interpreter interpreter = initialState;
  return run(interpreter, arguments, value, content, lastDependents);
}

std::optional<double> GradientSubject::evaluate(const std::string &variable,
                                                const HostTensor &content) {
  std::pair<Value, std::string> key(Value(), variable);
  if (lastMoved != key)
    lastDependents = findDependents(Value(), variable);
  lastMoved = key;
  Interpreter interpreter = initialState;
  interpreter.variables[variable] = content;
  return run(interpreter, inputs, Value(), content, lastDependents);
}
