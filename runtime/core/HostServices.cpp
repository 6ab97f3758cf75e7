/// Host functions that models call by name, and the prints of models.
#include "HostServices.h"
#include "Context.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

using namespace tg;

void HostTable::add(const char *name, tg_host_fn *call, void *user) {
  const auto known =
      std::find_if(entries.begin(), entries.end(),
                   [&](const Entry &entry) { return entry.name == name; });
  if (known != entries.end() && call) {
    known->function.call = call;
    known->function.user = user;
    return;
  }
  if (known != entries.end()) {
    std::erase(functions, &known->function);
    entries.erase(known);
  }
  if (!call)
    return;
  functions.reserve(functions.size() + 1);
  Entry &entry = entries.emplace_back(Entry{name, {}});
  entry.function = {sizeof(tg_host_function_t), 0, entry.name.c_str(), call,
                    user};
  functions.push_back(&entry.function);
}

void HostTable::setPrint(tg_print_fn *print, void *user) {
  this->print = print;
  this->user = user;
}

/// The print handler of a context for which none was set. Writes the label and
/// the value to the host's log, as one line.
static void printToLog(void *user, const char *label,
                       const tg_tensor_t *value) {
  char line[1024];
  const int length = std::snprintf(line, 512, "%s: ", label);
  const auto used = static_cast<size_t>(std::min(length, 511));
  tg_tensor_describe(value, line + used, sizeof(line) - used);
  static_cast<const tg_module_t *>(user)->log(TG_LOG_INFO, line);
}

tg_host_t HostTable::make(const tg_module_t &module) const {
  tg_host_t made = {};
  made.struct_size = sizeof(made);
  made.function_count = static_cast<uint32_t>(functions.size());
  made.functions = functions.data();
  made.print = print ? print : module.hooks.log ? printToLog : nullptr;
  made.user = print ? user : const_cast<tg_module_t *>(&module);
  return made;
}

/// Returns true if the name is valid in tables: 1 to 255 bytes, no control
/// characters.
static bool isName(const char *name) {
  const size_t length = std::strlen(name);
  return length > 0 && length <= 255 &&
         std::none_of(name, name + length,
                      [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

tg_status_t tg_context_register_host(tg_context_t *context, const char *name,
                                     tg_host_fn *call, void *user,
                                     tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  if (const tg_status_t status = requireIdle(*context, scope.get());
      status != TG_OK)
    return scope.finish(status);
  if (!name)
    return scope.finish(
        fail(scope.get(), TG_ERROR_NULL, "the name of a function is null"));
  if (!isName(name))
    return scope.finish(fail(scope.get(), TG_ERROR_NOT_FOUND,
                             "'%.100s' is no name of a function, expected 1 to "
                             "255 bytes without control characters",
                             name));
  try {
    context->host.add(name, call, user);
  } catch (const std::bad_alloc &) {
    return scope.finish(fail(scope.get(), TG_ERROR_MEMORY,
                             "no memory to register a host function"));
  }
  return TG_OK;
}

tg_status_t tg_context_set_print(tg_context_t *context, tg_print_fn *print,
                                 void *user, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_status_t status = requireIdle(*context, scope.get());
  if (status == TG_OK)
    context->host.setPrint(print, user);
  return scope.finish(status);
}
