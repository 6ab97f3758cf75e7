#include "Check.h"
#include "OperandCheck.h"

#include <algorithm>

using namespace tg::ptx;

/// Returns an instruction without its operands.
static std::string nameOf(const Instruction &instruction) {
  std::string name = instruction.mnemonic;
  for (const std::string &modifier : instruction.modifiers)
    name += "." + modifier;
  return name;
}

/// Returns a message about an instruction that the table does not have.
static std::string explainMissing(const Instruction &instruction) {
  std::string name = "'" + nameOf(instruction) + "'";
  const auto &modifiers = instruction.modifiers;
  for (std::string_view inexact : {"approx", "full", "ftz"})
    if (std::ranges::find(modifiers, inexact) != modifiers.end())
      return "expected exact arithmetic, found ." + std::string(inexact) +
             " in " + name;
  bool isFloat = std::ranges::find(modifiers, "f32") != modifiers.end() ||
                 std::ranges::find(modifiers, "f64") != modifiers.end();
  bool isContracted = instruction.mnemonic == "add" ||
                      instruction.mnemonic == "sub" ||
                      instruction.mnemonic == "mul";
  if (isFloat && isContracted)
    return "expected .rn, without which operations may be contracted, found " +
           name;
  return "instruction " + name + " is not supported";
}

/// Returns the fault of an instruction, or an empty message.
static std::string checkInstruction(const Module &module,
                                    const Function &function,
                                    const Instruction &instruction) {
  std::optional<Match> match = findInstruction(instruction);
  if (!match)
    return explainMissing(instruction);
  const Row &row = *match->row;
  if (row.version > module.version)
    return "expected PTX " + std::to_string(row.version / 10) + "." +
           std::to_string(row.version % 10) + " for '" + nameOf(instruction) +
           "', found " + std::to_string(module.version / 10) + "." +
           std::to_string(module.version % 10);
  if (row.target > module.target)
    return "expected sm_" + std::to_string(row.target) + " for '" +
           nameOf(instruction) + "', found sm_" + std::to_string(module.target);
  std::string error =
      OperandCheck(module, function, instruction, *match).check();
  return error.empty() ? "" : error + " in '" + nameOf(instruction) + "'";
}

std::vector<Error> tg::ptx::findUnsupported(const Module &module) {
  std::vector<Error> errors;
  for (const Function &function : module.functions)
    for (const Instruction &instruction : function.instructions) {
      std::string error = checkInstruction(module, function, instruction);
      if (!error.empty())
        errors.push_back({instruction.line, std::move(error)});
    }
  return errors;
}
