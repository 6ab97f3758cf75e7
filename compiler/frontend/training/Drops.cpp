//===- Drops.cpp - dropout in functions that do not train -----------------===//
#include "compiler/frontend/training/Drops.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;

Drops &Drops::of(const BodyPtr &body) {
  return extensionOf<Drops>(body, "drops");
}

void Drops::markUnchosen(size_t first) {
  for (size_t i = first; i < calls.size(); ++i)
    calls[i].isChosen = false;
}

/// Returns the index of the first source that a value depends on, or the number
/// of sources.
static size_t findReached(const Body &body, Id value,
                          const std::vector<Id> &sources) {
  std::vector<bool> reached = body.reaches(value, sources);
  return size_t(std::find(reached.begin(), reached.end(), true) -
                reached.begin());
}

void Drops::check(Body &body, const FunctionSpec &spec, Place where) const {
  std::vector<Id> values;
  std::vector<const Call *> unchosen;
  for (const Call &call : calls)
    if (!call.isChosen) {
      values.push_back(call.value);
      unchosen.push_back(&call);
    }
  if (values.empty() || !spec.effects.empty())
    return;
  for (const auto &[name, output] : spec.outputs)
    if (findReached(body, output, gradients) < gradients.size())
      return;
  for (const auto &[name, output] : spec.outputs) {
    size_t found = findReached(body, output, values);
    if (found == values.size())
      continue;
    body.warn("function '" + spec.name + "' has no updates, but layer '" +
                  unchosen[found]->layer +
                  "' drops values as in training: expected testFprop() of the "
                  "network, or trainFprop() to drop on purpose",
              where);
    return;
  }
}
