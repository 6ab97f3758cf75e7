#include "Module.h"

#include <charconv>

using namespace tg::ptx;

Type Function::registerType(std::string_view name) const {
  if (auto single = registers.find(name); single != registers.end())
    return single->second;
  size_t digits = name.find_last_not_of("0123456789") + 1;
  auto range = ranges.find(name.substr(0, digits));
  if (range == ranges.end() || digits == name.size())
    return Type::None;
  uint64_t index = 0;
  const char *end = name.data() + name.size();
  auto [last, error] = std::from_chars(name.data() + digits, end, index);
  bool isDeclared = error == std::errc() && index < range->second.second;
  return isDeclared ? range->second.first : Type::None;
}

const Function *Module::findFunction(std::string_view name) const {
  const Function *found = nullptr;
  for (const Function &function : functions)
    if (function.name == name && (!found || function.isDefined))
      found = &function;
  return found;
}

const Variable *Module::findVariable(std::string_view name) const {
  for (const Variable &variable : variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}
