/// Loads libraries with host functions that models call.
#include "HostLibrary.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <set>
#include <string_view>

using namespace tg;

void HostLibrary::Close::operator()(void *handle) const { ::dlclose(handle); }

/// Returns the path for the dynamic loader, which searches other directories
/// for a name without a slash.
static std::string loaderPath(const std::string &path) {
  return path.find('/') == path.npos ? "./" + path : path;
}

/// Returns true if the table is complete, with the same checks as in models.
static bool isComplete(const tg_host_t &table) {
  if (table.struct_size < sizeof(tg_host_t) ||
      (table.function_count && !table.functions))
    return false;
  for (uint32_t i = 0; i < table.function_count; ++i) {
    const tg_host_function_t *function = table.functions[i];
    if (!function || function->struct_size < sizeof(tg_host_function_t) ||
        !function->name || !function->call)
      return false;
  }
  return true;
}

/// Returns a name that two functions of the table have; null if there is none.
static const char *findDuplicateName(const tg_host_t &table) {
  std::set<std::string_view> names;
  for (uint32_t i = 0; i < table.function_count; ++i)
    if (!names.insert(table.functions[i]->name).second)
      return table.functions[i]->name;
  return nullptr;
}

/// Finds the table of the library. Returns an error, or "".
std::string HostLibrary::findTable() {
  tg_host_get_fn *get = nullptr;
  *reinterpret_cast<void **>(&get) = ::dlsym(handle.get(), TG_HOST_SYMBOL);
  if (!get)
    return "no symbol '" TG_HOST_SYMBOL "', expected a library that exports "
           "a table of functions";
  try {
    hostTable = get(TG_ABI_VERSION);
  } catch (const std::exception &thrown) {
    return "'" TG_HOST_SYMBOL "' threw: " + std::string(thrown.what());
  } catch (...) {
    return "'" TG_HOST_SYMBOL "' threw";
  }
  if (!hostTable)
    return "has no table for ABI " + std::to_string(TG_ABI_MAJOR) + "." +
           std::to_string(TG_ABI_MINOR);
  if (!isComplete(*hostTable))
    return "a struct of the table is too short, or a name, call or list in it "
           "is null";
  if (const char *name = findDuplicateName(*hostTable))
    return "two functions of the table have the name '" + std::string(name) +
           "'";
  return {};
}

std::optional<HostLibrary> HostLibrary::open(const std::string &path,
                                             std::string &error) {
  HostLibrary library(
      ::dlopen(loaderPath(path).c_str(), RTLD_NOW | RTLD_LOCAL));
  if (library.handle) {
    error = library.findTable();
  } else {
    const char *reason = ::dlerror();
    error = reason ? reason : "?";
  }
  if (error.empty())
    return library;
  error = "--host '" + path + "': " + error;
  return std::nullopt;
}
