/// Checks the operands of one instruction.
#ifndef TG_TEST_SIMULATOR_PTX_OPERANDCHECK_H
#define TG_TEST_SIMULATOR_PTX_OPERANDCHECK_H

#include "Table.h"

namespace tg::ptx {

/// Checks the operands of one instruction of a function. An error is a message;
/// no message says that the operands fit.
class OperandCheck {
public:
  OperandCheck(const Module &module, const Function &function,
               const Instruction &instruction, const Match &match)
      : module(module), function(function), instruction(instruction),
        match(match) {}

  /// Returns the first error, or an empty message.
  std::string check() const;

private:
  std::string checkCount(std::string_view letters) const;
  std::string checkOperand(char letter, const Operand &operand) const;
  std::string checkRegister(const Operand &operand, Type type,
                            bool mayBeWider) const;
  std::string checkValue(const Operand &operand, Type type,
                         bool mayBeWider) const;
  std::string checkShuffled(const Operand &operand) const;
  std::string checkElements(const Operand &operand, bool isResult) const;
  std::string checkAddress(const Operand &operand, Space space) const;
  std::string checkMatrixOperand(char letter, const Operand &operand) const;
  std::string checkVector(const Operand &operand, unsigned count,
                          Type type) const;
  std::string checkCopySize(const Operand &operand) const;
  std::string checkPredicate(const Operand &operand) const;
  std::string checkBarrier(const Operand &operand) const;
  std::string checkMove() const;
  std::string checkParts(const Operand &parts, const Operand &whole) const;
  std::string checkCall() const;
  std::string checkArguments(const std::vector<Operand> &arguments,
                             const std::vector<Variable> &expected) const;

  const Module &module;
  const Function &function;
  const Instruction &instruction;
  const Match &match;
};

/// Returns the variable that a name in a function denotes: one of the body, a
/// parameter, a result or a variable of the module; or null.
const Variable *findVariable(const Module &module, const Function &function,
                             std::string_view name);

/// The operands of a call.
struct CallOperands {
  std::vector<Operand> results;
  std::string callee;
  std::vector<Operand> arguments;
};

/// Returns the operands of a call, or nothing if they do not form one.
std::optional<CallOperands> splitCall(const Instruction &instruction);

} // namespace tg::ptx

#endif
