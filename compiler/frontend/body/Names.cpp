//===- Names.cpp - the names of layers and nodes of a scope ---------------===//
#include "compiler/frontend/body/Names.h"
#include "tg/tensor/error.h"

#include <string_view>

using namespace tg;
using namespace tg::dsl;

std::string dsl::joinPath(const std::string &scope, const std::string &name) {
  return scope.empty() || name.empty() ? scope + name : scope + "/" + name;
}

std::string dsl::describeLine(std::source_location line,
                              std::source_location from) {
  bool isSame = std::string_view(line.file_name()) == from.file_name();
  return isSame ? "line " + std::to_string(line.line())
                : std::string(line.file_name()) + ":" +
                      std::to_string(line.line());
}

std::string Names::give(const std::string &scope, const std::string &given,
                        const std::string &className,
                        std::source_location where) {
  std::string name = given;
  if (name.empty())
    name =
        className + "_" + std::to_string(++counts[joinPath(scope, className)]);
  auto [found, isNew] = taken.try_emplace(joinPath(scope, name), where);
  if (!isNew)
    throw GraphError("expected a name that no other layer or node has here, "
                     "found '" +
                         found->first + "', which " +
                         describeLine(found->second, where) + " gave",
                     where);
  return name;
}
