//===- Interpreter.cpp - evaluation of functions op by op -----------------===//
#include "dialects/tg/evaluation/Interpreter.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/OpEvaluation.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tg;

namespace {

using Environment = llvm::DenseMap<Value, HostTensor>;

/// One run of one function, and of the functions that it calls.
class Run {
public:
  Run(Interpreter &interpreter) : interpreter(interpreter) {}

  std::string runFunction(func::FuncOp function, ArrayRef<HostTensor> inputs,
                          SmallVectorImpl<HostTensor> &results);
  /// Stores the values that the run assigned in the interpreter's variables.
  void commit();

private:
  std::string runBlock(Block &block, Environment &values,
                       SmallVectorImpl<HostTensor> &results);
  std::string runOp(Operation *op, Environment &values);
  std::string dispatch(Operation *op, Environment &values);
  std::string evaluate(EvaluableOpInterface op, Environment &values);
  std::string runHost(HostOpInterface op, Environment &values);
  std::string callHost(HostOpInterface op, Environment &values);
  std::string control(RegionOpInterface op, Environment &values);
  std::string call(func::CallOp op, Environment &values);
  std::string forward(CustomGradientOp op, Environment &values);
  std::string update(UpdateOp op, Environment &values);
  std::string updateGroup(UpdateOp op, ArrayRef<FlatSymbolRefAttr> names,
                          Value input, Environment values);
  std::string read(Operation *op, StringRef name, HostTensor &content);

  Interpreter &interpreter;
  /// The values that this run assigned so far, by variable.
  std::map<std::string, HostTensor> assigned;
};

} // namespace

/// Returns the values of the operands.
static SmallVector<HostTensor> lookup(ValueRange operands,
                                      const Environment &values) {
  return llvm::map_to_vector(operands,
                             [&](Value value) { return values.at(value); });
}

std::string Run::read(Operation *op, StringRef name, HostTensor &content) {
  for (const auto *variables : {&assigned, &interpreter.variables})
    if (auto known = variables->find(name.str()); known != variables->end()) {
      content = known->second;
      return {};
    }
  auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
      op, StringAttr::get(op->getContext(), name));
  if (!variable.getSlotOf())
    return ("expected variable '" + name + "' to be assigned [R0]").str();
  auto type = cast<RankedTensorType>(variable.getType());
  content = HostTensor(type.getElementType(), type.getShape());
  return {};
}

std::string Run::evaluate(EvaluableOpInterface op, Environment &values) {
  SmallVector<HostTensor> results;
  std::string error =
      evaluateOp(op, lookup(op->getOperands(), values), results);
  for (auto [value, result] : llvm::zip(op->getResults(), results))
    values[value] = std::move(result);
  return error;
}

std::string Run::callHost(HostOpInterface op, Environment &values) {
  std::string name = op.getHostText().str();
  auto function = interpreter.hostFunctions.find(name);
  if (function == interpreter.hostFunctions.end())
    return "expected a host function '" + name +
           "', found none of that name [R1]";
  RunExtents extents;
  std::string error =
      inferRunExtents(op, lookup(op->getOperands(), values), extents);
  if (!error.empty())
    return error;
  SmallVector<HostTensor> results;
  for (const TensorExtents &result : extents.results)
    results.emplace_back(result.elementType, result.getType().getShape());
  error = function->second(lookup(op.getHostInputs(), values), results);
  if (!error.empty())
    return "host function '" + name + "' failed: " + error + " [R1]";
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
    values[value] = std::move(result);
  return {};
}

std::string Run::control(RegionOpInterface op, Environment &values) {
  auto run = [&](Block &block, ArrayRef<HostTensor> arguments,
                 SmallVectorImpl<HostTensor> &yielded) {
    for (auto [argument, value] :
         llvm::zip_equal(block.getArguments(), arguments))
      values[argument] = value;
    return runBlock(block, values, yielded);
  };
  SmallVector<HostTensor> results;
  std::string error =
      op.evaluateRegions(lookup(op->getOperands(), values), run, results);
  for (auto [value, result] : llvm::zip(op->getResults(), results))
    values[value] = std::move(result);
  return error;
}

std::string Run::call(func::CallOp op, Environment &values) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  SmallVector<HostTensor> results;
  std::string error =
      runFunction(callee, lookup(op.getOperands(), values), results);
  for (auto [value, result] : llvm::zip(op.getResults(), results))
    values[value] = std::move(result);
  return error;
}

std::string Run::forward(CustomGradientOp op, Environment &values) {
  Block &block = op.getForward().front();
  Environment inner;
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), op.getInputs()))
    inner[argument] = values.at(input);
  SmallVector<HostTensor> results;
  std::string error = runBlock(block, inner, results);
  for (auto [value, result] : llvm::zip(op.getResults(), results))
    values[value] = std::move(result);
  return error;
}

/// Returns a tensor of the given shape in which every element equals the scalar
/// `value`. Returns `value` itself if it already has this shape.
static HostTensor broadcastTo(const HostTensor &value,
                              ArrayRef<int64_t> shape) {
  if (value.getShape() == shape)
    return value;
  HostTensor result(value.getElementType(), shape);
  size_t bytes = elementBytes(value.getElementType());
  for (size_t offset = 0; offset < result.getNumBytes(); offset += bytes)
    std::copy_n(value.data(), bytes, result.data() + offset);
  return result;
}

// Runs the body, which is written for scalars, once on whole tensors. This
// gives the same elements, because its ops are elementwise.
std::string Run::updateGroup(UpdateOp op, ArrayRef<FlatSymbolRefAttr> names,
                             Value input, Environment values) {
  Block &body = op.getBody().front();
  for (auto [name, argument] : llvm::zip(names, body.getArguments())) {
    std::string error = read(op, name.getValue(), values[argument]);
    if (!error.empty())
      return error;
  }
  SmallVector<int64_t> shape(values[body.getArgument(0)].getShape());
  if (input) {
    HostTensor content = values.at(input);
    values[body.getArguments().back()] = std::move(content);
  }
  SmallVector<HostTensor> results;
  std::string error = runBlock(body, values, results);
  if (!error.empty())
    return error;
  for (auto [name, result] : llvm::zip_equal(names, results))
    assigned[name.getValue().str()] = broadcastTo(result, shape);
  return {};
}

std::string Run::update(UpdateOp op, Environment &values) {
  for (auto [index, names] : llvm::enumerate(op.getGroupSymbols())) {
    Value input = op.getInputs().empty() ? Value() : op.getInputs()[index];
    std::string error = updateGroup(op, names, input, values);
    if (!error.empty())
      return error;
  }
  return {};
}

std::string Run::runHost(HostOpInterface op, Environment &values) {
  switch (op.getHostAction()) {
  case HostAction::call:
    return callHost(op, values);
  case HostAction::print:
    if (interpreter.print)
      interpreter.print(op.getHostText(), values.at(op->getOperand(0)));
    return {};
  case HostAction::check:
    if (values.at(op->getOperand(0)).integerAt(0))
      return {};
    return ("the condition is false: " + op.getHostText() + " [R1]").str();
  }
  llvm_unreachable("all actions are above");
}

std::string Run::runOp(Operation *op, Environment &values) {
  SmallVector<HostTensor> results;
  std::optional<std::string> replaced;
  if (interpreter.replace)
    replaced =
        interpreter.replace(op, lookup(op->getOperands(), values), results);
  for (auto [value, result] : llvm::zip(op->getResults(), results))
    values[value] = std::move(result);
  std::string error = replaced ? *replaced : dispatch(op, values);
  if (error.empty() && interpreter.observe)
    interpreter.observe(op, [&](Value value) -> const HostTensor & {
      return values.find(value)->second;
    });
  return error;
}

std::string Run::dispatch(Operation *op, Environment &values) {
  if (auto read = dyn_cast<ReadOp>(op))
    return this->read(op, read.getVariable(), values[read.getResult()]);
  if (auto assign = dyn_cast<AssignOp>(op)) {
    assigned[assign.getVariable().str()] = values.at(assign.getValue());
    return {};
  }
  if (auto update = dyn_cast<UpdateOp>(op))
    return this->update(update, values);
  if (auto call = dyn_cast<func::CallOp>(op))
    return this->call(call, values);
  if (auto host = dyn_cast<HostOpInterface>(op))
    return runHost(host, values);
  if (auto custom = dyn_cast<CustomGradientOp>(op))
    return forward(custom, values);
  if (auto control = dyn_cast<RegionOpInterface>(op))
    return this->control(control, values);
  if (auto evaluable = dyn_cast<EvaluableOpInterface>(op))
    return evaluate(evaluable, values);
  return "expected an op that the interpreter can run, found " +
         op->getName().getStringRef().str();
}

std::string Run::runBlock(Block &block, Environment &values,
                          SmallVectorImpl<HostTensor> &results) {
  for (Operation &op : block.without_terminator()) {
    std::string error = runOp(&op, values);
    if (error.empty())
      continue;
    // Messages of shape rules already begin with the name of the op.
    StringRef name = op.getName().getStringRef();
    if (StringRef(error).starts_with("'"))
      return error;
    return ("'" + name + "' op " + error).str();
  }
  llvm::append_range(results,
                     lookup(block.getTerminator()->getOperands(), values));
  return {};
}

std::string Run::runFunction(func::FuncOp function, ArrayRef<HostTensor> inputs,
                             SmallVectorImpl<HostTensor> &results) {
  if (inputs.size() != function.getNumArguments())
    return "expected " + std::to_string(function.getNumArguments()) +
           " inputs, found " + std::to_string(inputs.size());
  Environment values;
  for (auto [argument, input] :
       llvm::zip_equal(function.getArguments(), inputs)) {
    auto type = cast<RankedTensorType>(argument.getType());
    if (input.getElementType() != type.getElementType() ||
        failed(verifyCompatibleShape(type.getShape(), input.getShape())))
      return "expected input " + std::to_string(argument.getArgNumber()) +
             " to fit " + llvm::to_string(type) + ", found " +
             llvm::to_string(input.getType()) + " [R0]";
    values[argument] = input;
  }
  return runBlock(function.getBody().front(), values, results);
}

void Run::commit() {
  for (auto &[name, content] : assigned)
    interpreter.variables[name] = std::move(content);
}

std::string Interpreter::run(func::FuncOp function, ArrayRef<HostTensor> inputs,
                             SmallVectorImpl<HostTensor> &results) {
  Run run(*this);
  std::string error = run.runFunction(function, inputs, results);
  if (error.empty())
    run.commit();
  return error;
}
