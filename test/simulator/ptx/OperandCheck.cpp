#include "OperandCheck.h"
#include "semantics/SpecialRegisters.h"

using namespace tg::ptx;

using Kind = Operand::Kind;

const Variable *tg::ptx::findVariable(const Module &module,
                                      const Function &function,
                                      std::string_view name) {
  for (const auto *list :
       {&function.variables, &function.parameters, &function.results})
    for (const Variable &variable : *list)
      if (variable.name == name)
        return &variable;
  return module.findVariable(name);
}

/// Returns true if a register of one type holds values of another type.
static bool holds(Type registerType, Type type, bool mayBeWider) {
  const TypeInfo &holder = infoOf(registerType), &held = infoOf(type);
  bool isPredicate = type == Type::Pred || registerType == Type::Pred;
  if (isPredicate)
    return type == registerType;
  if (mayBeWider ? holder.bytes < held.bytes : holder.bytes != held.bytes)
    return false;
  return holder.kind == held.kind || holder.kind == TypeClass::Untyped ||
         held.kind == TypeClass::Untyped;
}

std::string OperandCheck::check() const {
  std::string_view letters = match.row->operands;
  if (letters == "F")
    return checkCall();
  if (std::string error = checkCount(letters); !error.empty())
    return error;
  if (letters == "Mm")
    return checkMove();
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand &operand = instruction.operands[i];
    if (operand.isNegated && letters[i] != 'p')
      return "expected an operand without '!', found '" + operand.name + "'";
    std::string error = checkOperand(letters[i], operand);
    if (!error.empty())
      return error;
  }
  return "";
}

std::string OperandCheck::checkCount(std::string_view letters) const {
  size_t found = instruction.operands.size();
  bool mayLackOne = letters.ends_with('o');
  if (found == letters.size() || (mayLackOne && found + 1 == letters.size()))
    return "";
  return "expected " + std::to_string(letters.size()) + " operands, found " +
         std::to_string(found);
}

std::string OperandCheck::checkOperand(char letter,
                                       const Operand &operand) const {
  Type type = match.variant->type, source = match.variant->source;
  Type wide = unsignedOf(2 * infoOf(type).bytes);
  bool isLabel = operand.kind == Kind::Symbol && operand.offset == 0;
  switch (letter) {
  case 'D':
    return checkRegister(operand, type, /*mayBeWider=*/false);
  case 'E':
    return checkRegister(operand, type, /*mayBeWider=*/true);
  case 'W':
    return checkRegister(operand, wide, /*mayBeWider=*/false);
  case 'R':
    return checkRegister(operand, Type::U32, /*mayBeWider=*/false);
  case 'P':
    return checkRegister(operand, Type::Pred, /*mayBeWider=*/false);
  case 't':
    return checkValue(operand, type, /*mayBeWider=*/false);
  case 'w':
    return checkValue(operand, wide, /*mayBeWider=*/false);
  case 'S':
    return checkShuffled(operand);
  case 'k':
  case 'o':
  case 'u':
    return checkValue(operand, Type::U32, /*mayBeWider=*/false);
  case 'c':
    return checkValue(operand, source, /*mayBeWider=*/false);
  case 'C':
    return checkValue(operand, source, /*mayBeWider=*/true);
  case 'p':
    return checkPredicate(operand);
  case 'A':
    return checkAddress(operand, match.space);
  case 'H':
    return checkAddress(operand, Space::Shared);
  case 'V':
    return checkElements(operand, /*isResult=*/true);
  case 'v':
    return checkElements(operand, /*isResult=*/false);
  case 'b':
    return checkBarrier(operand);
  case 'L':
    return isLabel && function.labels.contains(operand.name)
               ? ""
               : "label '" + operand.name + "' is not defined";
  case 'T':
    return isLabel && function.branchTargets.contains(operand.name)
               ? ""
               : "list of branch targets '" + operand.name + "' is not defined";
  default:
    return checkMatrixOperand(letter, operand);
  }
}

std::string OperandCheck::checkRegister(const Operand &operand, Type type,
                                        bool mayBeWider) const {
  std::string wanted =
      "expected a register for ." + std::string(infoOf(type).name) + ", found ";
  if (operand.kind == Kind::Special)
    return "register '" + operand.name + "' is not declared";
  if (operand.kind != Kind::Register)
    return wanted +
           (operand.name.empty() ? "no register" : "'" + operand.name + "'");
  Type found = function.registerType(operand.name);
  if (holds(found, type, mayBeWider))
    return "";
  return wanted + "." + std::string(infoOf(found).name) + " '" + operand.name +
         "'";
}

std::string OperandCheck::checkValue(const Operand &operand, Type type,
                                     bool mayBeWider) const {
  TypeClass kind = infoOf(type).kind;
  bool isInteger = operand.kind == Kind::Integer;
  bool isFloat = operand.kind == Kind::Float;
  if (!isInteger && !isFloat)
    return checkRegister(operand, type, mayBeWider);
  bool fits = kind == TypeClass::Untyped ||
              (isInteger && kind == TypeClass::Integer) ||
              (isFloat && kind == TypeClass::Float);
  if (fits && (!isFloat || infoOf(type).bytes >= 4))
    return "";
  return "expected a value of ." + std::string(infoOf(type).name) +
         ", found a number of another kind";
}

std::string OperandCheck::checkPredicate(const Operand &operand) const {
  return checkRegister(operand, Type::Pred, /*mayBeWider=*/false);
}

std::string OperandCheck::checkShuffled(const Operand &operand) const {
  Type type = match.variant->type;
  if (operand.kind != Kind::Pair)
    return checkRegister(operand, type, /*mayBeWider=*/false);
  for (const Operand &element : operand.elements)
    if (element.isNegated)
      return "expected an operand without '!', found '" + element.name + "'";
  std::string error =
      checkRegister(operand.elements[0], type, /*mayBeWider=*/false);
  return error.empty() ? checkPredicate(operand.elements[1]) : error;
}

std::string OperandCheck::checkElements(const Operand &operand,
                                        bool isResult) const {
  bool isVector = operand.kind == Kind::Vector;
  size_t found = isVector ? operand.elements.size() : 1;
  if (isVector != (match.count > 1) || found != match.count)
    return "expected " + std::to_string(match.count) + " elements, found " +
           std::to_string(found);
  for (unsigned i = 0; i < match.count; ++i) {
    const Operand &element = isVector ? operand.elements[i] : operand;
    bool isSink = isResult && isVector && element.kind == Kind::Sink;
    std::string error;
    if (isResult && !isSink)
      error = checkRegister(element, match.variant->type, /*mayBeWider=*/true);
    else if (!isResult)
      error = checkValue(element, match.variant->type, /*mayBeWider=*/true);
    if (!error.empty())
      return error;
  }
  return "";
}

std::string OperandCheck::checkAddress(const Operand &operand,
                                       Space space) const {
  if (operand.kind != Kind::Address)
    return "expected an address in '[' and ']', found another operand";
  Type base = function.registerType(operand.name);
  if (base != Type::None)
    return holds(base, Type::U64, /*mayBeWider=*/false)
               ? ""
               : "expected an address of 64 bits, found ." +
                     std::string(infoOf(base).name);
  if (operand.name.empty())
    return "";
  const Variable *variable = findVariable(module, function, operand.name);
  if (!variable)
    return "variable '" + operand.name + "' is not declared";
  bool isFlat =
      variable->space == Space::Global || variable->space == Space::Const;
  if (variable->space == space || (space == Space::Generic && isFlat))
    return "";
  return "variable '" + operand.name + "' lies in another space";
}

std::string OperandCheck::checkBarrier(const Operand &operand) const {
  if (operand.kind == Kind::Integer && operand.bits >= 16)
    return "expected a barrier below 16, found " + std::to_string(operand.bits);
  return checkValue(operand, Type::U32, /*mayBeWider=*/false);
}

/// Checks the sides of a move that packs or unpacks.
std::string OperandCheck::checkParts(const Operand &parts,
                                     const Operand &whole) const {
  unsigned bytes = infoOf(match.variant->type).bytes;
  size_t count = parts.elements.size();
  if ((count != 2 && count != 4) || bytes / count < 2)
    return "expected 2 or 4 elements of at least 16 bits, found " +
           std::to_string(count);
  for (const Operand &element : parts.elements) {
    if (element.kind == Kind::Sink)
      continue;
    std::string error =
        checkValue(element, unsignedOf(bytes / count), /*mayBeWider=*/false);
    if (!error.empty())
      return error;
  }
  return checkValue(whole, match.variant->type, /*mayBeWider=*/false);
}

std::string OperandCheck::checkMove() const {
  const Operand &result = instruction.operands[0];
  const Operand &value = instruction.operands[1];
  Type type = match.variant->type;
  if (result.kind == Kind::Vector)
    return checkParts(result, value);
  std::string error = checkRegister(result, type, /*mayBeWider=*/false);
  if (!error.empty() || value.kind == Kind::Register)
    return error.empty() ? checkValue(value, type, /*mayBeWider=*/false)
                         : error;
  if (value.kind == Kind::Vector)
    return checkParts(value, result);
  if (value.kind == Kind::Integer && type == Type::Pred)
    return "";
  uint32_t special = findSpecialRegister(value.name);
  if (special != std::size(specialRegisters))
    return specialRegisters[special].bytes == infoOf(type).bytes
               ? ""
               : "expected " + std::to_string(infoOf(type).bytes) +
                     " bytes, found '" + value.name + "'";
  if (value.kind != Kind::Symbol)
    return checkValue(value, type, /*mayBeWider=*/false);
  if (!findVariable(module, function, value.name))
    return "variable '" + value.name + "' is not declared";
  return infoOf(type).bytes == 8
             ? ""
             : "expected a type of 64 bits for an address, found ." +
                   std::string(infoOf(type).name);
}
