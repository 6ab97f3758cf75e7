//===- SessionVariables.cpp - the values of a session's variables ---------===//
#include "compiler/frontend/session/SessionState.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

/// Returns the index of a variable in order of declaration, or nullopt if it is
/// of another graph.
static std::optional<size_t> indexOf(const BodyPtr &body,
                                     const Variable &variable) {
  std::span<const VariableInfo> all = body->variables();
  for (size_t i = 0; i < all.size(); ++i)
    if (variable.body() == body && all[i].spec.name == variable.name())
      return i;
  return std::nullopt;
}

bool Session::isInitialized(const Variable &variable) const {
  std::optional<size_t> index = indexOf(state->body, variable);
  return index && *index < state->initialized.size() &&
         state->initialized[*index];
}

size_t Session::State::expectVariable(const Variable &variable, Place where) {
  expectGraph(body, variable, "variable", where);
  return *indexOf(body, variable);
}

void Session::State::expectNotWritten(size_t index, Place where) const {
  const std::vector<size_t> *writes =
      running ? &running->facts().writes : nullptr;
  if (writes && running->facts().parts.size() > 1 &&
      std::find(writes->begin(), writes->end(), index) != writes->end())
    throw GraphError("expected variable '" +
                         body->variables()[index].spec.name +
                         "' to be read after the run on several devices that "
                         "assigns it, found a read within the run",
                     where);
}

/// Calls a function of libtgrt on a variable; throws GraphError if it fails.
template <typename Variables>
static void access(tg_status_t (*function)(Variables *, uint32_t,
                                           const tg_tensor_t *, tg_error_t *),
                   const Memory &memory, size_t index,
                   const tg_tensor_t &tensor, Place where) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (function(memory.variables.get(), static_cast<uint32_t>(index), &tensor,
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
    table.dtype = storedType(spec.type.dtype);
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

void Session::State::recordAssignment(size_t index) {
  initialized.resize(body->variables().size());
  assignments.resize(initialized.size());
  initialized[index] = true;
  ++assignments[index];
}

Array Session::value(const Variable &variable,
                     std::source_location where) const {
  size_t index = state->expectVariable(variable, where);
  if (!isInitialized(variable))
    throw state->missingValue(index, where);
  state->expectNotWritten(index, where);
  std::vector<int64_t> shape;
  for (const Extent &extent : variable.shape())
    shape.push_back(extent.value);
  Array value(variable.dtype(), std::move(shape));
  tg_tensor_t tensor = {};
  tensor.data = value.data();
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.dtype = storedType(value.dtype());
  tensor.ndim = static_cast<int32_t>(value.rank());
  tensor.shape = const_cast<int64_t *>(value.shape().data());
  access(tg_variables_get, state->memory, index, tensor, where);
  return value;
}

void Session::setValue(const Variable &variable, const FeedValue &value,
                       std::source_location where) {
  state->expectIdle("setValue()", where);
  size_t index = state->expectVariable(variable, where);
  std::vector<Array> made;
  made.reserve(1);
  TensorType type = variable.type();
  tg_tensor_t tensor = tensorOf(state->body, Feed(variable, value, where),
                                variable.id(), type, made);
  tensor.dtype = storedType(type.dtype);
  state->declareVariables(where);
  access(tg_variables_set, state->memory, index, tensor, where);
  state->recordAssignment(index);
}

GraphError Session::State::missingValue(size_t index, Place where) const {
  const VariableInfo &variable = body->variables()[index];
  return GraphError("expected variable '" + variable.spec.name + "', made in " +
                        describeLine(variable.where, where) +
                        ", to have a value in this session, found none: run "
                        "globalVariablesInitializer() or its initializer first",
                    where);
}

void Session::State::expectValues(RunLibrary &library, Place where) {
  initialized.resize(body->variables().size());
  for (size_t index : library.facts().reads)
    if (!initialized[index])
      throw missingValue(index, where);
  library.isChecked = true;
}
