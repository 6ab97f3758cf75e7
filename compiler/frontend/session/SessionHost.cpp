//===- SessionHost.cpp - calls host functions with arrays -----------------===//
#include "compiler/frontend/session/SessionHost.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

using namespace tg;
using namespace tg::session;

static std::vector<int64_t> shapeOf(const tg_tensor_t &tensor) {
  return std::vector<int64_t>(tensor.shape, tensor.shape + tensor.ndim);
}

static Array arrayOf(const tg_tensor_t &tensor) {
  Array array(dsl::elementTypeOf(tensor.dtype), shapeOf(tensor));
  if (array.byteCount())
    std::memcpy(array.data(), tensor.data, array.byteCount());
  return array;
}

/// Calls the function. Throws if the results do not have the declared types.
static void run(const ArrayFunction &function, const tg_host_call_t &call) {
  std::vector<Array> inputs;
  for (uint32_t i = 0; i < call.input_count; ++i)
    inputs.push_back(arrayOf(call.inputs[i]));
  std::vector<TensorType> results;
  for (uint32_t i = 0; i < call.output_count; ++i) {
    std::vector<int64_t> shape = shapeOf(call.outputs[i]);
    results.push_back({dsl::elementTypeOf(call.outputs[i].dtype),
                       Shape(shape.begin(), shape.end())});
  }
  std::vector<Array> outputs = dsl::runHost(function, inputs, results);
  for (uint32_t i = 0; i < call.output_count; ++i)
    if (outputs[i].byteCount())
      std::memcpy(call.outputs[i].data, outputs[i].data(),
                  outputs[i].byteCount());
}

/// Calls a host function for a library. Exceptions become error messages,
/// because they must not pass through the library.
static tg_status_t callHost(void *user, const tg_host_call_t *call) {
  std::string message;
  try {
    run(*static_cast<const ArrayFunction *>(user), *call);
    return TG_OK;
  } catch (const std::exception &error) {
    message = error.what();
  } catch (...) {
    message = "it threw something other than a std::exception";
  }
  if (call->message_bytes) {
    size_t length = std::min<size_t>(message.size(), call->message_bytes - 1);
    std::memcpy(call->message, message.data(), length);
    call->message[length] = '\0';
  }
  return TG_ERROR_HOST;
}

// A print cannot end a run. rethrowPrint() throws its exception after the run.
void SessionHost::callPrint(void *user, const char *label,
                            const tg_tensor_t *value) {
  auto &host = *static_cast<SessionHost *>(user);
  try {
    if (host.print)
      host.print(label, arrayOf(*value));
  } catch (...) {
    std::lock_guard lock(host.mutex);
    if (!host.thrown)
      host.thrown = std::current_exception();
  }
}

void SessionHost::rethrowPrint(dsl::Place where) {
  std::exception_ptr found = std::exchange(thrown, nullptr);
  if (!found)
    return;
  try {
    std::rethrow_exception(found);
  } catch (const GraphError &) {
    throw;
  } catch (const std::exception &error) {
    throw GraphError(
        "the handler of prints failed: " + std::string(error.what()), where);
  }
}

SessionHost::SessionHost() { print = dsl::printLine; }

void SessionHost::add(const std::string &name, ArrayFunction function,
                      bool isFromGraph) {
  auto [found, isNew] = entries.try_emplace(name);
  Entry &entry = found->second;
  if (!isNew && isFromGraph && !entry.isFromGraph)
    return;
  entry.isFromGraph = isFromGraph;
  entry.function = std::move(function);
  if (isNew)
    rows.push_back(&*found);
}

void SessionHost::registerWith(tg_context_t *context, size_t first) const {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  for (size_t i = first; i < rows.size(); ++i) {
    const auto &[name, entry] = *rows[i];
    const tg_status_t status = tg_context_register_host(
        context, name.c_str(), callHost,
        const_cast<ArrayFunction *>(&entry.function), &error);
    // A graph calls no function whose name is invalid.
    if (status != TG_OK && status != TG_ERROR_NOT_FOUND)
      throw std::runtime_error(error.message);
  }
}

void SessionHost::setPrintHandlerOf(tg_context_t *context) {
  tg_context_set_print(context, callPrint, this, nullptr);
}

void SessionHost::addFunctionsOf(const dsl::HostFunctions &host) {
  if (host.changes == addedChanges)
    return;
  addedChanges = host.changes;
  for (const auto &[name, function] : host.functions)
    add(name, function, /*isFromGraph=*/true);
}
