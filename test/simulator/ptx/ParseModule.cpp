#include "ModuleParser.h"
#include "Parser.h"

#include <algorithm>

using namespace tg::ptx;

std::variant<Module, Error> tg::ptx::parseModule(std::string_view text) {
  try {
    return ModuleParser(text).parse();
  } catch (const Error &error) {
    return error;
  }
}

void ModuleParser::failExpected(std::string_view expected) const {
  // Names may be as long as the text.
  std::string_view found = token.text.substr(0, 60);
  throw Error{token.line, "expected " + std::string(expected) + ", found '" +
                              std::string(found) + "'"};
}

bool ModuleParser::takeIf(char mark) {
  if (!token.is(mark))
    return false;
  advance();
  return true;
}

bool ModuleParser::takeIfDotted(std::string_view name) {
  if (!token.isDotted(name))
    return false;
  advance();
  return true;
}

void ModuleParser::expect(char mark) {
  if (!takeIf(mark))
    failExpected(std::string("'") + mark + "'");
}

std::string_view ModuleParser::expectName() {
  if (token.kind != Token::Kind::Name)
    failExpected("a name");
  std::string_view name = token.text;
  advance();
  return name;
}

uint64_t ModuleParser::expectInteger(uint64_t most) {
  if (token.kind != Token::Kind::Integer || token.bits > most)
    failExpected("an integer up to " + std::to_string(most));
  uint64_t value = token.bits;
  advance();
  return value;
}

void ModuleParser::skipLine() {
  int line = token.line;
  while (token.kind != Token::Kind::End && token.line == line)
    advance();
}

void ModuleParser::skipSection() {
  advance();
  while (!token.is('{')) {
    if (token.kind == Token::Kind::End)
      failExpected("'{'");
    advance();
  }
  while (!token.is('}')) {
    if (token.kind == Token::Kind::End)
      failExpected("'}'");
    advance();
  }
  advance();
}

bool ModuleParser::skipDebugDirective() {
  if (token.isDotted("loc") || token.isDotted("file"))
    skipLine();
  else if (token.isDotted("section"))
    skipSection();
  else
    return false;
  return true;
}

void ModuleParser::parseVersion() {
  // 7.0 is the token of a number in decimal notation.
  std::string_view text = token.text;
  size_t dot = text.find('.');
  bool isVersion = token.kind == Token::Kind::Float && dot == 1 &&
                   text.size() == 3 && text[0] >= '1';
  if (!isVersion)
    failExpected("a version such as 7.0");
  module.version = (text[0] - '0') * 10 + (text[2] - '0');
  advance();
}

void ModuleParser::parseTarget() {
  std::string_view name = expectName();
  std::string digits(name.substr(std::min<size_t>(3, name.size())));
  if (digits.ends_with('a') || digits.ends_with('f'))
    digits.pop_back();
  bool isNumber = !digits.empty() && digits.size() <= 3 &&
                  digits.find_first_not_of("0123456789") == digits.npos;
  if (!name.starts_with("sm_") || !isNumber)
    throw Error{token.line, "expected a target such as sm_80, found '" +
                                std::string(name.substr(0, 60)) + "'"};
  module.target = std::stoul(digits);
  while (takeIf(','))
    expectName();
}

bool ModuleParser::parseModuleDirective() {
  if (takeIfDotted("version"))
    parseVersion();
  else if (takeIfDotted("target"))
    parseTarget();
  else if (takeIfDotted("address_size")) {
    if (token.kind != Token::Kind::Integer || token.bits != 64)
      failExpected("addresses of 64 bits");
    advance();
  } else
    return false;
  return true;
}

void ModuleParser::parseDeclaration() {
  bool isExternal = false;
  while (token.isDotted("visible") || token.isDotted("extern") ||
         token.isDotted("weak") || token.isDotted("common")) {
    isExternal |= token.isDotted("extern");
    advance();
  }
  bool isEntry = token.isDotted("entry");
  if (isEntry || token.isDotted("func")) {
    advance();
    parseFunction(isEntry);
    return;
  }
  Space space;
  if (token.isDotted("local") || token.isDotted("param") || !parseSpace(space))
    failExpected("a directive of modules");
  Variable variable = parseVariable(space, isExternal);
  if (module.findVariable(variable.name))
    throw Error{variable.line,
                "variable '" + variable.name + "' is declared twice"};
  expect(';');
  module.variables.push_back(std::move(variable));
}

Module ModuleParser::parse() {
  if (!token.isDotted("version"))
    failExpected("'.version'");
  while (token.kind != Token::Kind::End)
    if (!skipDebugDirective() && !parseModuleDirective())
      parseDeclaration();
  if (module.target == 0)
    failExpected("'.target'");
  return std::move(module);
}
