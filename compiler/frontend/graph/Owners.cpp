//===- Owners.cpp - the programs of tensors, and errors about them --------===//
#include "compiler/frontend/graph/Build.h"

using namespace tg;
using namespace tg::dsl;

/// Returns the name of a program and, if known, the line that created it:
/// "'net', which line 3 made".
static std::string describeProgram(const BodyPtr &body, Place where) {
  std::string place = body->placeOf(std::nullopt, where);
  return "'" + body->name() + "'" +
         (place.empty() ? "" : ", which " + place + " made");
}

std::string dsl::describeOwner(const Tensor &tensor, Place where) {
  std::string place = tensor.body()->placeOf(tensor.id(), where);
  return (place.empty() ? "one of " : "one that " + place + " made, of ") +
         describeProgram(tensor.body(), where);
}

/// Throws an error for tensors of two programs. The message contains the lines
/// that created the tensors and the programs, if they are known.
[[noreturn]] static void raiseTwoPrograms(const Tensor &first,
                                          const Tensor &second, Place where) {
  const BodyPtr &body = first.body();
  const BodyPtr &other = second.body();
  Place place = body->effectivePlace(where);
  std::string text = "expected tensors of one program, found those of '" +
                     body->name() + "' and '" + other->name() + "'";
  std::string a = body->placeOf(first.id(), place);
  std::string b = other->placeOf(second.id(), place);
  if (!a.empty() && !b.empty())
    text += ", made in " + a + " and in " + b;
  a = body->placeOf(std::nullopt, place);
  b = other->placeOf(std::nullopt, place);
  if (!a.empty() && !b.empty())
    text += "; the programs were made in " + a + " and in " + b;
  raise(text, body, where);
}

BodyPtr dsl::bodyOf(const std::vector<Operand> &operands, Place where) {
  BodyPtr body;
  const Tensor *first = nullptr;
  for (const Operand &operand : operands) {
    if (operand.isNumber())
      continue;
    const BodyPtr &other = operand.tensor().body();
    if (body && other != body)
      raiseTwoPrograms(*first, operand.tensor(), operand.where());
    body = other;
    first = &operand.tensor();
  }
  if (operands.empty())
    throw GraphError("expected at least one tensor, found none", where);
  if (!body)
    throw GraphError("expected a tensor among the operands, found numbers "
                     "alone: Program::constant makes a tensor of one",
                     operands.front().where());
  return body;
}

std::string dsl::suggestVariable(const BodyPtr &body, const std::string &name) {
  std::vector<std::string> names;
  for (const VariableInfo &info : body->variables())
    names.push_back(info.spec.name);
  return suggestOf(name, names);
}
