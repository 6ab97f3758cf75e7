//===- SessionVariables.cpp - the values of a session's variables ---------===//
#include "compiler/frontend/session/SessionState.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

/// The number of a variable of the graph, in order of declaration.
static std::optional<size_t> numberOf(const Bodies &body,
                                      const Variable &variable) {
  std::span<const VariableInfo> all = body->variables();
  for (size_t i = 0; i < all.size(); ++i)
    if (variable.body() == body && all[i].spec.name == variable.name())
      return i;
  return std::nullopt;
}

bool Session::isInitialized(const Variable &variable) const {
  std::optional<size_t> number = numberOf(state->body, variable);
  return number && *number < state->initialized.size() &&
         state->initialized[*number];
}

size_t Session::State::expectVariable(const Variable &variable, Place where) {
  expectGraph(body, variable, "variable", where);
  return *numberOf(body, variable);
}

void Session::State::expectStill(size_t number, Place where) const {
  const std::vector<size_t> *writes =
      running ? &running->facts().writes : nullptr;
  if (writes && running->facts().parts.size() > 1 &&
      std::find(writes->begin(), writes->end(), number) != writes->end())
    throw GraphError("expected variable '" +
                         body->variables()[number].spec.name +
                         "' after the run of several devices that assigns it, "
                         "found it within the run",
                     where);
}

/// Calls a function of libtgrt on a variable; throws GraphError if it fails.
template <typename Variables>
static void access(tg_status_t (*function)(Variables *, uint32_t,
                                           const tg_tensor_t *, tg_error_t *),
                   const Memory &memory, size_t number,
                   const tg_tensor_t &tensor, Place where) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (function(memory.variables.get(), static_cast<uint32_t>(number), &tensor,
               &error) != TG_OK)
    throw GraphError(error.message, where);
}

void Session::State::declareVariables(Place where) {
  std::span<const VariableInfo> all = body->variables();
  if (declared == all.size())
    return;
  std::vector<SlabPlace> places = take(body->slabPlaces());
  std::vector<std::vector<int64_t>> dims(all.size());
  std::vector<tg_variable_t> tables(all.size());
  std::vector<const tg_variable_t *> list;
  for (size_t i = 0; i < all.size(); ++i) {
    const VariableSpec &spec = all[i].spec;
    for (const Extent &extent : spec.type.shape)
      dims[i].push_back(extent.value);
    tg_variable_t &table = tables[i];
    table.struct_size = sizeof(table);
    table.dtype = session::dtypeOf(spec.type.dtype);
    table.name = spec.name.c_str();
    table.dims = dims[i].data();
    table.rank = static_cast<uint32_t>(dims[i].size());
    table.offset = places[i].offset;
    table.bytes = places[i].bytes;
    list.push_back(&table);
  }
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (tg_variables_extend(memory.variables.get(), list.data(),
                          static_cast<uint32_t>(list.size()), &error) != TG_OK)
    throw GraphError(error.message, where);
  declared = all.size();
}

void Session::State::noteValue(size_t number) {
  initialized.resize(body->variables().size());
  assignments.resize(initialized.size());
  initialized[number] = true;
  ++assignments[number];
}

Array Session::value(const Variable &variable,
                     std::source_location where) const {
  size_t number = state->expectVariable(variable, where);
  if (!isInitialized(variable))
    throw state->hasNoValue(number, where);
  state->expectStill(number, where);
  std::vector<int64_t> shape;
  for (const Extent &extent : variable.shape())
    shape.push_back(extent.value);
  Array value(variable.dtype(), std::move(shape));
  tg_tensor_t tensor = {};
  tensor.data = value.data();
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.dtype = session::dtypeOf(value.dtype());
  tensor.ndim = static_cast<int32_t>(value.rank());
  tensor.shape = const_cast<int64_t *>(value.shape().data());
  access(tg_variables_get, state->memory, number, tensor, where);
  return value;
}

void Session::setValue(const Variable &variable, const FeedValue &value,
                       std::source_location where) {
  state->expectIdle("setValue()", where);
  size_t number = state->expectVariable(variable, where);
  std::vector<Array> made;
  made.reserve(1);
  TensorType type = variable.type();
  tg_tensor_t tensor = tensorOf(state->body, Feed(variable, value, where),
                                variable.id(), type, made);
  tensor.dtype = session::dtypeOf(type.dtype);
  state->declareVariables(where);
  access(tg_variables_set, state->memory, number, tensor, where);
  state->noteValue(number);
}

GraphError Session::State::hasNoValue(size_t number, Place where) const {
  const VariableInfo &variable = body->variables()[number];
  return GraphError("expected variable '" + variable.spec.name + "', made in " +
                        describeLine(variable.where, where) +
                        ", to have a value in this session, found none: run "
                        "globalVariablesInitializer() or its initializer first",
                    where);
}

/// Throws where a variable is read that has no value.
void Session::State::expectValues(RunLibrary &library, Place where) {
  initialized.resize(body->variables().size());
  for (size_t number : library.facts().reads)
    if (!initialized[number])
      throw hasNoValue(number, where);
  library.isChecked = true;
}
