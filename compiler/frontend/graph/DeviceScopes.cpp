//===- DeviceScopes.cpp - device scopes, and models over several devices --===//
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/default_graph.h"
#include "tg/graph/device.h"
#include "tg/graph/variable_scope.h"
#include "tg/tensor/shapes.h"

#include <algorithm>
#include <cctype>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Returns true if all characters of a nonempty text are of one class.
static bool isAll(const std::string &text, int (*isOfClass)(int)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return isOfClass(static_cast<unsigned char>(c)) != 0;
  });
}

/// Returns the name of a device in the form of the attribute, cpu:1; "" for "".
static std::string plainName(const BodyPtr &body, const std::string &device,
                             Place where) {
  std::string name = device;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const char *prefix : {"/", "device:"})
    if (name.starts_with(prefix))
      name.erase(0, std::string_view(prefix).size());
  if (name.empty() && device.empty())
    return "";
  size_t colon = name.find(':');
  std::string type = name.substr(0, colon);
  std::string number =
      colon == std::string::npos ? "0" : name.substr(colon + 1);
  if (!isAll(type, std::isalpha) || !isAll(number, std::isdigit) ||
      number.size() > 4)
    raise("expected a device like /cpu:0 or /gpu:1, found '" + device + "'",
          body, where);
  if (type != "cpu" && type != "gpu")
    raise("expected a device of type cpu or gpu, found '" + device + "'", body,
          where);
  if (body->isEager() && type != "cpu")
    raise("expected a CPU in eager mode, which evaluates ops where they are "
          "built, found '" +
              device + "'",
          body, where);
  return type + ":" + std::to_string(std::stoi(number));
}

DeviceScope::DeviceScope(const Program &program, const std::string &device,
                         std::source_location where)
    : owner(program.body()) {
  owner->pushDevice(plainName(owner, device, where));
}

DeviceScope::DeviceScope(const Program &program, const DeviceSpec &device,
                         std::source_location where)
    : DeviceScope(program, device.type + ":" + std::to_string(device.index),
                  where) {}

DeviceScope::DeviceScope(const std::string &device, std::source_location where)
    : DeviceScope(defaultGraph(), device, where) {}

DeviceScope::~DeviceScope() { owner->popDevice(); }

ColocateGradients::ColocateGradients(const Program &program, bool colocates)
    : owner(program.body()), before(owner->colocatesGradients) {
  owner->colocatesGradients = colocates;
}

ColocateGradients::~ColocateGradients() { owner->colocatesGradients = before; }

//===----------------------------------------------------------------------===//
// Towers
//===----------------------------------------------------------------------===//

/// Returns the rows of an input that tower `tower` of `towers` receives.
static Tensor rowsOfTower(const Operand &input, int64_t tower, int64_t towers) {
  const Tensor &tensor = input.tensor();
  Place where = input.where();
  if (tensor.rank() == 0)
    raise("expected inputs of rank 1 or more to divide, found a scalar",
          tensor.body(), where);
  if (tensor.shape()[0].isKnown())
    return split(input, towers, 0)[static_cast<size_t>(tower)];
  // A run with an indivisible number of rows fails in the reshape, so the name
  // of the reshape tells the cause.
  Scope scope(tensor.body(),
              "makeParallel/rows_divided_by_" + std::to_string(towers) +
                  "_towers",
              where);
  std::vector<ReshapeEntry> entries = {towers};
  std::vector<Operand> extents = extentsOf(input);
  entries.emplace_back(extents[0] / static_cast<double>(towers));
  entries.insert(entries.end(), extents.begin() + 1, extents.end());
  return reshape(input, entries)[Index(tower, where)];
}

std::vector<Tensor> dsl::buildParallel(const RegionFunction &model,
                                       int64_t towers,
                                       const std::vector<Operand> &inputs,
                                       const ParallelOptions &options,
                                       std::source_location where) {
  BodyPtr body = bodyOf(inputs, where);
  Program program = Program::of(inputs.front().tensor(), where);
  if (towers < 1)
    raise("expected at least one tower, found " + std::to_string(towers), body,
          where);
  if (model.parameters != SIZE_MAX && model.parameters != inputs.size())
    raise("expected a model of " + std::to_string(inputs.size()) +
              " parameters, one for each of the inputs, found one of " +
              std::to_string(model.parameters),
          body, where);
  std::vector<std::vector<Operand>> outputs;
  for (int64_t tower = 0; tower < towers; ++tower) {
    DeviceScope device(program, DeviceSpec{options.deviceType, tower}, where);
    VariableScopeOptions scoped;
    if (tower > 0)
      scoped.reuse = Reuse::yes;
    VariableScope variables(program, "", scoped, where);
    std::vector<Tensor> shards;
    for (const Operand &input : inputs)
      shards.push_back(rowsOfTower(input, tower, towers));
    LoopValues results = model.run(shards);
    outputs.resize(results.size());
    for (size_t i = 0; i < results.size(); ++i) {
      expectDefined(results[i].tensor, where);
      outputs[i].emplace_back(results[i].tensor, where);
    }
  }
  std::vector<Tensor> whole;
  for (const std::vector<Operand> &parts : outputs)
    whole.push_back(towers == 1 ? parts.front().tensor()
                                : concat(parts, 0, where));
  return whole;
}

std::vector<Gradient>
tg::averageGradients(const std::vector<std::vector<Gradient>> &towers,
                     std::source_location where) {
  if (towers.empty())
    throw GraphError("expected the gradients of at least one tower, found none",
                     where);
  std::vector<Gradient> means;
  for (size_t i = 0; i < towers.front().size(); ++i) {
    const Variable &variable = towers.front()[i].variable;
    std::vector<Operand> values;
    for (const std::vector<Gradient> &tower : towers) {
      if (tower.size() != towers.front().size() ||
          tower[i].variable.name() != variable.name())
        raise("expected the gradients of all towers to be of the same "
              "variables, found others than '" +
                  variable.name() + "'",
              variable.body(), where);
      if (tower[i].value.isDefined())
        values.emplace_back(tower[i].value, where);
    }
    Tensor mean;
    if (!values.empty())
      mean = addN(values, where) * (1.0 / static_cast<double>(towers.size()));
    means.push_back({variable, mean});
  }
  return means;
}
