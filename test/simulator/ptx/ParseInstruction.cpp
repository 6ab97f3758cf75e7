#include "ModuleParser.h"

#include <bit>

using namespace tg::ptx;

void ModuleParser::parseInstruction() {
  Instruction instruction;
  instruction.line = token.line;
  if (takeIf('@')) {
    instruction.isGuardNegated = takeIf('!');
    instruction.guard = resolve(expectName());
    if (function.registerType(instruction.guard) != Type::Pred)
      throw Error{instruction.line, "expected a predicate register, found '" +
                                        instruction.guard + "'"};
  }
  std::string_view name = expectName();
  bool isLabel = instruction.guard.empty() && token.is(':');
  if (!isLabel)
    return parseNamedInstruction(std::move(instruction), name);
  advance();
  if (takeIfDotted("branchtargets"))
    parseBranchTargets(std::string(name));
  else
    addLabel(name);
}

void ModuleParser::parseNamedInstruction(Instruction instruction,
                                         std::string_view name) {
  instruction.mnemonic = name;
  for (; token.kind == Token::Kind::Dotted; advance())
    instruction.modifiers.emplace_back(token.text);
  while (!takeIf(';')) {
    if (token.is('}') || token.kind == Token::Kind::End)
      failExpected("';'");
    if (!instruction.operands.empty())
      expect(',');
    Operand operand = parseOperand();
    if (takeIf('|')) {
      Operand pair;
      pair.kind = Operand::Kind::Pair;
      pair.elements = {std::move(operand), parseOperand()};
      operand = std::move(pair);
    }
    instruction.operands.push_back(std::move(operand));
  }
  function.instructions.push_back(std::move(instruction));
}

int64_t ModuleParser::parseOffset() {
  bool isNegative = token.is('-');
  if (!isNegative && !token.is('+'))
    return 0;
  advance();
  // LLVM prints [%rd1+-8].
  isNegative ^= takeIf('-');
  int64_t offset = expectInteger(INT64_MAX);
  return isNegative ? -offset : offset;
}

Operand ModuleParser::parseNumber(bool isNegative) {
  Operand operand;
  bool isFloat = token.kind == Token::Kind::Float;
  if (!isFloat && token.kind != Token::Kind::Integer)
    failExpected("a number");
  operand.kind = isFloat ? Operand::Kind::Float : Operand::Kind::Integer;
  operand.isSingle = token.isSingle;
  operand.bits = token.bits;
  if (isNegative && isFloat)
    operand.bits ^= 1ull << (token.isSingle ? 31 : 63);
  else if (isNegative)
    operand.bits = -operand.bits;
  advance();
  return operand;
}

Operand ModuleParser::parseNamedOperand() {
  Operand operand;
  operand.name = resolve(expectName());
  if (operand.name == "_") {
    operand.kind = Operand::Kind::Sink;
    return operand;
  }
  if (function.registerType(operand.name) != Type::None) {
    operand.kind = Operand::Kind::Register;
    return operand;
  }
  if (operand.name.starts_with('%')) {
    operand.kind = Operand::Kind::Special;
    if (token.kind == Token::Kind::Dotted) {
      operand.name += "." + std::string(token.text);
      advance();
    }
    return operand;
  }
  operand.kind = Operand::Kind::Symbol;
  operand.offset = parseOffset();
  return operand;
}

Operand ModuleParser::parseAddressOperand() {
  Operand operand;
  if (token.kind == Token::Kind::Name) {
    operand = parseNamedOperand();
    bool isBase = operand.kind == Operand::Kind::Register ||
                  operand.kind == Operand::Kind::Symbol;
    if (!isBase)
      throw Error{token.line, "expected a register or a variable, found '" +
                                  operand.name + "'"};
    if (operand.kind == Operand::Kind::Register)
      operand.offset = parseOffset();
  } else {
    operand.offset = parseNumber(takeIf('-')).bits;
  }
  operand.kind = Operand::Kind::Address;
  expect(']');
  return operand;
}

Operand ModuleParser::parseElements(Operand::Kind kind, char close) {
  Operand operand;
  operand.kind = kind;
  while (!takeIf(close)) {
    if (!operand.elements.empty())
      expect(',');
    operand.elements.push_back(token.kind == Token::Kind::Name
                                   ? parseNamedOperand()
                                   : parseNumber(takeIf('-')));
  }
  return operand;
}

Operand ModuleParser::parseOperand() {
  if (takeIf('{'))
    return parseElements(Operand::Kind::Vector, '}');
  if (takeIf('('))
    return parseElements(Operand::Kind::List, ')');
  if (takeIf('['))
    return parseAddressOperand();
  bool isNegated = takeIf('!');
  if (!isNegated && token.kind != Token::Kind::Name)
    return parseNumber(takeIf('-'));
  Operand operand = parseNamedOperand();
  operand.isNegated = isNegated;
  return operand;
}
