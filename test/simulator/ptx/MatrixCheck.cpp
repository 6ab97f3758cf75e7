#include "OperandCheck.h"

#include <algorithm>

using namespace tg::ptx;

using Kind = Operand::Kind;

/// Checks registers in braces.
std::string OperandCheck::checkVector(const Operand &operand, unsigned count,
                                      Type type) const {
  size_t found = operand.kind == Kind::Vector ? operand.elements.size() : 0;
  if (found != count)
    return "expected " + std::to_string(count) +
           " registers in braces, found " + std::to_string(found);
  for (const Operand &element : operand.elements) {
    std::string error = checkRegister(element, type, /*mayBeWider=*/false);
    if (!error.empty())
      return error;
  }
  return "";
}

/// Checks the number of bytes of a copy.
std::string OperandCheck::checkCopySize(const Operand &operand) const {
  const auto &modifiers = instruction.modifiers;
  bool isWhole = std::ranges::find(modifiers, "cg") != modifiers.end();
  bool isSize = operand.kind == Kind::Integer &&
                (operand.bits == 16 ||
                 (!isWhole && (operand.bits == 4 || operand.bits == 8)));
  return isSize    ? ""
         : isWhole ? "expected a copy of 16 bytes"
                   : "expected a copy of 4, 8 or 16 bytes";
}

/// Checks an operand of an instruction on matrices or of a copy.
std::string OperandCheck::checkMatrixOperand(char letter,
                                             const Operand &operand) const {
  switch (letter) {
  case 'X':
    return checkVector(operand, match.count, Type::B32);
  case 'Q':
  case 'q':
    return checkVector(operand, 4, Type::F32);
  case 'z':
    return checkCopySize(operand);
  case 'g':
    return operand.kind == Kind::Integer && operand.bits < 1024
               ? ""
               : "expected a number of groups below 1024";
  default: // '1', '2', '4'
    return checkVector(operand, letter - '0', Type::B32);
  }
}
