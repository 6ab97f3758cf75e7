#include "OperandCheck.h"

using namespace tg::ptx;

using Kind = Operand::Kind;

std::optional<CallOperands> tg::ptx::splitCall(const Instruction &instruction) {
  CallOperands call;
  const std::vector<Operand> &operands = instruction.operands;
  size_t at = 0;
  if (at < operands.size() && operands[at].kind == Kind::List)
    call.results = operands[at++].elements;
  if (at == operands.size() || operands[at].kind != Kind::Symbol)
    return std::nullopt;
  call.callee = operands[at++].name;
  if (at < operands.size() && operands[at].kind == Kind::List)
    call.arguments = operands[at++].elements;
  if (at != operands.size())
    return std::nullopt;
  return call;
}

std::string
OperandCheck::checkArguments(const std::vector<Operand> &arguments,
                             const std::vector<Variable> &expected) const {
  if (arguments.size() != expected.size())
    return "expected " + std::to_string(expected.size()) +
           " .param variables, found " + std::to_string(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Variable *given = findVariable(module, function, arguments[i].name);
    if (!given || given->space != Space::Param)
      return "expected a .param variable, found '" + arguments[i].name + "'";
    if (given->bytes != expected[i].bytes)
      return "expected " + std::to_string(expected[i].bytes) + " bytes in '" +
             given->name + "', found " + std::to_string(given->bytes);
    if (given->alignment != expected[i].alignment)
      return "expected an alignment of " +
             std::to_string(expected[i].alignment) + " for '" + given->name +
             "', found " + std::to_string(given->alignment);
  }
  return "";
}

std::string OperandCheck::checkCall() const {
  std::optional<CallOperands> call = splitCall(instruction);
  if (!call)
    return "expected a call of a function by its name, found another one";
  const Function *callee = module.findFunction(call->callee);
  if (!callee || !callee->isDefined || callee->isEntry)
    return "function '" + call->callee + "' is not defined";
  std::string error = checkArguments(call->results, callee->results);
  return error.empty() ? checkArguments(call->arguments, callee->parameters)
                       : error;
}
