#include "ModuleParser.h"

#include <bit>
#include <cstring>

using namespace tg::ptx;

/// The most bytes of a variable, and of all initial values of a module.
static constexpr uint64_t mostBytes = 1ull << 28;

bool ModuleParser::parseSpace(Space &space) {
  if (token.isDotted("global"))
    space = Space::Global;
  else if (token.isDotted("const"))
    space = Space::Const;
  else if (token.isDotted("shared"))
    space = Space::Shared;
  else if (token.isDotted("local"))
    space = Space::Local;
  else if (token.isDotted("param"))
    space = Space::Param;
  else
    return false;
  advance();
  return true;
}

void ModuleParser::parseAttributes(Variable &variable) {
  uint64_t elements = 1;
  while (token.kind == Token::Kind::Dotted) {
    if (takeIfDotted("ptr")) {
      // States what a parameter points to, which executing does not need.
      Space pointee;
      parseSpace(pointee);
      if (takeIfDotted("align"))
        expectInteger(mostBytes);
    } else if (takeIfDotted("align")) {
      variable.alignment = expectInteger(1 << 16);
    } else if (takeIfDotted("v2")) {
      elements = 2;
    } else if (takeIfDotted("v4")) {
      elements = 4;
    } else {
      variable.type = typeOf(token.text);
      if (infoOf(variable.type).bytes == 0)
        failExpected("a type in memory");
      advance();
    }
  }
  variable.bytes = infoOf(variable.type).bytes * elements;
}

uint64_t ModuleParser::parseExtents(bool isExternal, Variable &variable) {
  uint64_t count = 1;
  while (takeIf('[')) {
    if (token.is(']') && isExternal && variable.space == Space::Shared) {
      variable.isDynamic = true;
      count = 0;
    } else {
      count *= expectInteger(mostBytes);
    }
    if (count * variable.bytes > mostBytes)
      failExpected("at most " + std::to_string(mostBytes) + " bytes");
    expect(']');
  }
  return count;
}

Variable ModuleParser::parseVariable(Space space, bool isExternal) {
  Variable variable;
  variable.line = token.line;
  variable.space = space;
  variable.type = Type::None;
  variable.alignment = 0;
  parseAttributes(variable);
  if (variable.type == Type::None)
    failExpected("a type");
  if (variable.alignment == 0)
    variable.alignment = variable.bytes;
  if (!std::has_single_bit(variable.alignment))
    throw Error{variable.line,
                "expected an alignment that is a power of two, found " +
                    std::to_string(variable.alignment)};
  variable.name = expectName();
  variable.bytes *= parseExtents(isExternal, variable);
  if (isExternal && !variable.isDynamic)
    throw Error{variable.line, "variable '" + variable.name +
                                   "' of another module is not supported"};
  if (takeIf('='))
    parseValue(variable);
  return variable;
}

void ModuleParser::parseValue(Variable &variable) {
  if (variable.space != Space::Global && variable.space != Space::Const)
    failExpected("no initial value outside of .global and .const");
  valueBytes += variable.bytes;
  if (valueBytes > mostBytes)
    failExpected("initial values of at most " + std::to_string(mostBytes) +
                 " bytes");
  variable.value.resize(variable.bytes);
  if (!takeIf('{')) {
    parseElement(variable, 0);
    return;
  }
  for (uint64_t at = 0; !takeIf('}'); at += infoOf(variable.type).bytes) {
    if (at != 0)
      expect(',');
    parseElement(variable, at);
  }
}

void ModuleParser::parseElement(Variable &variable, uint64_t at) {
  unsigned size = infoOf(variable.type).bytes;
  if (at + size > variable.bytes)
    failExpected("at most " + std::to_string(variable.bytes / size) +
                 " values");
  if (token.kind == Token::Kind::Name)
    return parseAddress(variable, at);
  Operand value = parseNumber(takeIf('-'));
  uint64_t bits = value.bits;
  if (value.kind == Operand::Kind::Float && size == 4 && !value.isSingle)
    bits = std::bit_cast<uint32_t>(
        static_cast<float>(std::bit_cast<double>(bits)));
  else if (value.isSingle && size == 8)
    bits = std::bit_cast<uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
  std::memcpy(&variable.value[at], &bits, size);
}

void ModuleParser::parseAddress(Variable &variable, uint64_t at) {
  if (infoOf(variable.type).bytes != 8)
    failExpected("a number");
  // Addresses of .global and .const variables are generic addresses.
  bool isGeneric = token.text == "generic";
  if (isGeneric) {
    advance();
    expect('(');
  }
  const Variable *target = module.findVariable(token.text);
  bool isInMemory = target && (target->space == Space::Global ||
                               target->space == Space::Const);
  if (!isInMemory)
    failExpected("a variable in memory that is declared before");
  std::string symbol(expectName());
  if (isGeneric)
    expect(')');
  variable.relocations.push_back({at, std::move(symbol), parseOffset()});
}
