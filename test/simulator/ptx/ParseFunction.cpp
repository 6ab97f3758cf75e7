#include "ModuleParser.h"

using namespace tg::ptx;

void ModuleParser::parseFunction(bool isEntry) {
  function = Function();
  function.isEntry = isEntry;
  if (!isEntry && token.is('('))
    function.results = parseParameters();
  function.line = token.line;
  function.name = expectName();
  if (token.is('('))
    function.parameters = parseParameters();
  parseFunctionDirectives();
  const Function *known = module.findFunction(function.name);
  if (takeIf(';')) {
    module.functions.push_back(std::move(function));
    return;
  }
  if (known && known->isDefined)
    throw Error{function.line,
                "function '" + function.name + "' is defined twice"};
  function.isDefined = true;
  parseBody();
  checkLabels();
  module.functions.push_back(std::move(function));
}

std::vector<Variable> ModuleParser::parseParameters() {
  std::vector<Variable> parameters;
  expect('(');
  while (!takeIf(')')) {
    if (!parameters.empty())
      expect(',');
    if (!takeIfDotted("param"))
      failExpected("'.param'");
    parameters.push_back(parseVariable(Space::Param, /*isExternal=*/false));
  }
  return parameters;
}

std::array<uint32_t, 3> ModuleParser::parseThreads() {
  std::array<uint32_t, 3> threads = {1, 1, 1};
  for (size_t i = 0; i < threads.size(); ++i) {
    if (i != 0 && !takeIf(','))
      break;
    threads[i] = expectInteger(UINT32_MAX);
  }
  return threads;
}

void ModuleParser::parseFunctionDirectives() {
  while (token.kind == Token::Kind::Dotted) {
    if (takeIfDotted("maxntid"))
      function.maxThreads = parseThreads();
    else if (takeIfDotted("reqntid"))
      function.requiredThreads = parseThreads();
    else if (takeIfDotted("minnctapersm") || takeIfDotted("maxnreg"))
      expectInteger(UINT32_MAX);
    else if (!takeIfDotted("noreturn"))
      failExpected("a directive of functions");
  }
}

void ModuleParser::parseBody() {
  expect('{');
  scopes.assign(1, {});
  while (!scopes.empty()) {
    if (takeIf('{'))
      scopes.emplace_back();
    else if (takeIf('}'))
      scopes.pop_back();
    else
      parseBodyItem();
  }
}

void ModuleParser::parseBodyItem() {
  if (token.kind == Token::Kind::Dotted)
    parseBodyDirective();
  else if (token.kind == Token::Kind::Name || token.is('@'))
    parseInstruction();
  else
    failExpected("an instruction");
}

void ModuleParser::parseBodyDirective() {
  if (skipDebugDirective())
    return;
  if (takeIfDotted("pragma")) {
    while (!takeIf(';')) {
      if (token.kind != Token::Kind::String && !token.is(','))
        failExpected("a string");
      advance();
    }
    return;
  }
  if (takeIfDotted("reg"))
    return parseRegisters();
  Space space;
  if (token.isDotted("global") || token.isDotted("const") || !parseSpace(space))
    failExpected("a directive of function bodies");
  Variable variable = parseVariable(space, /*isExternal=*/false);
  variable.name = declare(variable.name);
  expect(';');
  function.variables.push_back(std::move(variable));
}

void ModuleParser::parseRegisters() {
  Type type =
      token.kind == Token::Kind::Dotted ? typeOf(token.text) : Type::None;
  if (type == Type::None || infoOf(type).bytes == 1)
    failExpected("a type of registers");
  advance();
  do {
    // Ranges are not renamed, hence they are not declared in inner braces.
    std::string_view name = expectName();
    if (takeIf('<')) {
      uint64_t count = expectInteger(1 << 20);
      expect('>');
      if (scopes.size() != 1)
        failExpected("no range of registers in inner braces");
      function.ranges[std::string(name)] = {type, count};
    } else {
      function.registers[declare(name)] = type;
    }
  } while (takeIf(','));
  expect(';');
}

std::string ModuleParser::declare(std::string_view name) {
  // The first declaration keeps its name.
  std::string unique(name);
  if (scopes.size() > 1)
    unique += "#" + std::to_string(++uniqueCount);
  if (!scopes.back().emplace(name, unique).second)
    throw Error{token.line, "'" + std::string(name) + "' is declared twice"};
  return unique;
}

std::string ModuleParser::resolve(std::string_view name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return found->second;
  return std::string(name);
}

void ModuleParser::addLabel(std::string_view name) {
  size_t index = function.instructions.size();
  if (!function.labels.emplace(name, index).second)
    throw Error{token.line,
                "label '" + std::string(name) + "' is defined twice"};
}

void ModuleParser::parseBranchTargets(std::string label) {
  std::vector<std::string> &targets = function.branchTargets[label];
  if (!targets.empty())
    throw Error{token.line, "list '" + label + "' is defined twice"};
  do
    targets.emplace_back(expectName());
  while (takeIf(','));
  expect(';');
}

void ModuleParser::checkLabels() const {
  for (const auto &[list, targets] : function.branchTargets)
    for (const std::string &target : targets)
      if (!function.labels.contains(target))
        throw Error{function.line, "branch target '" + target + "' of list '" +
                                       list + "' is not defined"};
}
