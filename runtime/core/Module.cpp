/// Loads, adopts and unloads models.
#include "Module.h"

#include "Variables.h"
#include "runtime/files/Trailer.h"
#include "runtime/messages/AbiError.h"
#include "runtime/messages/Error.h"
#include "runtime/messages/Suggestion.h"
#include "runtime/messages/TargetName.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <new>
#include <unistd.h>

using namespace tg;

void tg_module_t::log(int32_t level, const char *message) const {
  if (hooks.log)
    hooks.log(hooks.user, level, message);
}

/// Load options after checking and copying.
struct LoadOptions {
  uint32_t flags = 0;
  uint32_t target = TG_TARGET_BEST;
  tg_hooks_t hooks = {};
  tg_device_t device = {TG_DEVICE_CPU, 0};
};

/// The size of the first version of tg_load_options_t.
static constexpr uint64_t firstOptionsBytes =
    offsetof(tg_load_options_t, device);

static tg_status_t readOptions(const tg_load_options_t *options,
                               LoadOptions &read, tg_error_t *error) {
  if (!options)
    return TG_OK;
  const bool hasDevice = options->struct_size >= sizeof(*options);
  const uint64_t known = hasDevice ? sizeof(*options) : firstOptionsBytes;
  if (!isStructOk(options, known) || options->reserved ||
      options->flags & ~uint32_t(TG_LOAD_WITHOUT_TRAILER))
    return fail(error, TG_ERROR_STRUCT,
                "load options have a wrong struct_size or an unknown bit set");
  read.flags = options->flags;
  read.target = options->target;
  if (hasDevice && options->device.device_type)
    read.device = options->device;
  return readHooks(options->hooks, read.hooks, error);
}

/// Gets the library's table for the CPU.
static tg_status_t getTable(tg_model_get_fn *get, const LoadOptions &options,
                            const tg_model_t *&model, tg_error_t *error) {
  const tg_status_t status = get(TG_ABI_VERSION, options.target, &model);
  if (status == TG_ERROR_NOT_FOUND && options.target == TG_TARGET_BEST)
    return fail(error, status,
                "the library has no code for CPUs, expected a device that it "
                "has code for: %s",
                wordOfDevice(get));
  if (status == TG_ERROR_NOT_FOUND)
    return fail(error, status,
                "the library has no code for %s, expected another target, or "
                "TG_TARGET_BEST",
                TargetName(options.target).text());
  if (status == TG_ERROR_ABI)
    return failAbi(get, options.target, error);
  if (status != TG_OK && options.target == TG_TARGET_BEST)
    return fail(error, status,
                "the library has no code for this CPU, expected code for one "
                "of %s",
                TargetNames(usableTargets()).text());
  if (status != TG_OK)
    return fail(error, status,
                "this CPU cannot run %s of the library, expected one of %s",
                TargetName(options.target).text(),
                TargetNames(usableTargets()).text());
  if (deviceTypeOf(*model) != TG_DEVICE_CPU)
    return fail(error, TG_ERROR_DEVICE,
                "%s runs on a device of type %d, expected a target of CPUs, or "
                "this device in the options",
                TargetName(model->target).text(), deviceTypeOf(*model));
  return TG_OK;
}

/// Sets the sizes of a module from its table.
static void setSizes(tg_module_t &module) {
  const tg_model_t &model = *module.model;
  // A library may list variables that none of its functions uses.
  module.slabBytes = model.slab_bytes;
  for (uint32_t i = 0; i < model.variable_count; ++i)
    module.slabBytes = std::max(
        module.slabBytes, roundUp(endOf(*model.variables[i]), model.alignment));
  module.publishedBytes = sizeof(tg_slab_header_t);
  for (uint32_t i = 0; i < model.function_count; ++i) {
    const tg_function_t *function = model.functions[i];
    if (function->flags & TG_FUNCTION_WRITES_VARIABLES)
      continue;
    module.publishedBytes =
        std::max(module.publishedBytes, function->slab_bytes);
    module.usesPacked |= (function->flags & TG_FUNCTION_USES_PACKED) != 0;
  }
  module.publishedBytes = roundUp(module.publishedBytes, model.alignment);
}

/// Gets the library's table, opens its device, and makes a module of it.
static tg_status_t createModule(tg_model_get_fn *get,
                                const LoadOptions &options,
                                std::unique_ptr<tg_module_t> &created,
                                tg_error_t *error) {
  const tg_model_t *model = nullptr;
  std::unique_ptr<DeviceModule> device;
  const tg_status_t status =
      options.device.device_type == TG_DEVICE_CPU
          ? getTable(get, options, model, error)
          : DeviceModule::open(get, options.target, options.device, model,
                               device, error);
  if (status != TG_OK)
    return status;
  std::unique_ptr<tg_module_t> module(new (std::nothrow) tg_module_t);
  if (!module)
    return fail(error, TG_ERROR_MEMORY, "no memory for a module");
  module->model = model;
  module->hooks = options.hooks;
  module->device = std::move(device);
  setSizes(*module);
  created = std::move(module);
  return TG_OK;
}

/// The least number of a descriptor that dlopen() gets. Debuggers open the path
/// of a library even after its descriptor was closed. A number that is rarely
/// used again then names no file, and not a pipe of which they would read.
static constexpr int kLeastDescriptor = 700;

/// Writes a new path of an open file. The dynamic loader identifies a library
/// by its path, and a closed descriptor's number is reused, so each load needs
/// another path. The path encodes the number of the load in binary: "/." is a
/// 1, "/" a 0. It names the process, so that debuggers open the same file.
static void writeNewPath(const Descriptor &file, char (&path)[192]) {
  static std::atomic<uint64_t> loads = 0;
  char process[24] = "self";
  const ssize_t digits = ::readlink("/proc/self", process, sizeof(process) - 1);
  process[digits > 0 ? digits : std::strlen(process)] = 0;
  size_t length = static_cast<size_t>(
      std::snprintf(path, sizeof(path), "/proc/%s/fd", process));
  for (uint64_t number = ++loads; number; number >>= 1) {
    path[length++] = '/';
    if (number & 1)
      path[length++] = '.';
  }
  std::snprintf(path + length, sizeof(path) - length, "/%d", file.get());
}

/// Maps the checked file. On success the caller must close `library`.
static tg_status_t openLibrary(const Descriptor &file, const char *symbol,
                               void *&library, tg_model_get_fn *&get,
                               tg_error_t *error) {
  if (!file.isOpen())
    return fail(error, TG_ERROR_LOAD,
                "the system forbids executable memory files");
  const Descriptor high(::fcntl(file.get(), F_DUPFD_CLOEXEC, kLeastDescriptor));
  char name[192];
  writeNewPath(high.isOpen() ? high : file, name);
  library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return fail(error, TG_ERROR_LOAD, "dlopen: %s",
                reason ? reason : "unknown failure");
  }
  get = reinterpret_cast<tg_model_get_fn *>(dlsym(library, symbol));
  if (get)
    return TG_OK;
  dlclose(library);
  library = nullptr;
  return fail(error, TG_ERROR_LOAD, "the library has no function '%s'", symbol);
}

/// Returns true if the table matches the trailer.
static bool matches(const tg_model_t &model, const tg_trailer_t &trailer) {
  return trailer.trailer_bytes == 0 ||
         (std::memcmp(model.model_id, trailer.model_id, 16) == 0 &&
          std::memcmp(model.layout_id, trailer.layout_id, 16) == 0);
}

/// Loads a snapshot, the common part of loading from a path and from memory.
static tg_status_t load(Snapshot &snapshot, const LoadOptions &options,
                        std::unique_ptr<tg_module_t> &module,
                        tg_error_t *error) {
  tg_trailer_t trailer;
  tg_status_t status =
      checkModelFile(snapshot.data(), snapshot.size(),
                     options.flags & TG_LOAD_WITHOUT_TRAILER, trailer, error);
  if (status != TG_OK)
    return status;
  const tg_hooks_t &hooks = options.hooks;
  if (hooks.verify &&
      hooks.verify(hooks.user, snapshot.data(), snapshot.size()) != 0)
    return fail(error, TG_ERROR_HOST,
                "the host's verify hook refused the file");

  void *library;
  tg_model_get_fn *get;
  status =
      openLibrary(snapshot.executable(), trailer.symbol, library, get, error);
  if (status != TG_OK)
    return status;
  std::unique_ptr<tg_module_t> created;
  status = createModule(get, options, created, error);
  if (status == TG_OK && !matches(*created->model, trailer))
    status = fail(error, TG_ERROR_FORMAT,
                  "the trailer belongs to another model than the table");
  if (status != TG_OK) {
    created.reset();
    dlclose(library);
    return status;
  }
  created->library = library;
  if (!snapshot.isSealed())
    created->log(TG_LOG_WARNING,
                 "the system forbids executable memory files: the library is "
                 "mapped from its own file, which must not be changed");
  module = std::move(created);
  return TG_OK;
}

tg_status_t tg_module_verify(const char *path, tg_trailer_t *trailer,
                             tg_error_t *error) {
  tg_trailer_t read = {};
  Snapshot snapshot;
  tg_status_t status = snapshot.readFrom(path, checkTrailerExists, error);
  if (status == TG_OK) {
    status = checkModelFile(snapshot.data(), snapshot.size(),
                            /*isOptional=*/false, read, error);
    if (status != TG_OK)
      nameFile(error, status, path);
  }
  if (trailer)
    *trailer = status == TG_OK ? read : tg_trailer_t{};
  return status;
}

/// Makes a module by make(options, module, error). Handles the out-parameter,
/// the options and the host's error hook, the common part of the three ways to
/// make a module.
template <typename Make>
static tg_status_t makeModule(const tg_load_options_t *options,
                              tg_module_t **module, tg_error_t *error,
                              Make make) {
  if (!module)
    return fail(error, TG_ERROR_NULL, "module is null");
  *module = nullptr;
  LoadOptions read;
  const tg_status_t status = readOptions(options, read, error);
  if (status != TG_OK)
    return status;
  ErrorScope scope(read.hooks, error);
  std::unique_ptr<tg_module_t> created;
  const tg_status_t made = make(read, created, scope.get());
  *module = created.release();
  return scope.finish(made);
}

tg_status_t tg_module_load(const char *path, const tg_load_options_t *options,
                           tg_module_t **module, tg_error_t *error) {
  return makeModule(
      options, module, error,
      [&](const LoadOptions &read, std::unique_ptr<tg_module_t> &created,
          tg_error_t *failure) {
        Snapshot snapshot;
        const tg_status_t status = snapshot.readFrom(
            path,
            read.flags & TG_LOAD_WITHOUT_TRAILER ? nullptr : checkTrailerExists,
            failure);
        if (status != TG_OK)
          return status;
        const tg_status_t loaded = load(snapshot, read, created, failure);
        if (loaded == TG_OK)
          created->path = ShortPath(path);
        else
          nameFile(failure, loaded, path);
        return loaded;
      });
}

tg_status_t tg_module_load_memory(const void *file, uint64_t bytes,
                                  const tg_load_options_t *options,
                                  tg_module_t **module, tg_error_t *error) {
  return makeModule(
      options, module, error,
      [&](const LoadOptions &read, std::unique_ptr<tg_module_t> &created,
          tg_error_t *failure) {
        Snapshot snapshot;
        const tg_status_t status = snapshot.copyFrom(file, bytes, failure);
        return status == TG_OK ? load(snapshot, read, created, failure)
                               : status;
      });
}

tg_status_t tg_module_adopt(tg_model_get_fn *get,
                            const tg_load_options_t *options,
                            tg_module_t **module, tg_error_t *error) {
  return makeModule(options, module, error,
                    [&](const LoadOptions &read,
                        std::unique_ptr<tg_module_t> &created,
                        tg_error_t *failure) {
                      return get ? createModule(get, read, created, failure)
                                 : fail(failure, TG_ERROR_NULL, "get is null");
                    });
}

tg_status_t tg_module_unload(tg_module_t *module, tg_error_t *error) {
  if (!module)
    return fail(error, TG_ERROR_NULL, "module is null");
  ErrorScope scope(module->hooks, error);
  {
    std::lock_guard<std::mutex> guard(module->lock);
    if (module->contexts)
      return scope.finish(fail(scope.get(), TG_ERROR_BUSY,
                               "contexts of the module still exist"));
    sweepWeights(*module);
    freeWeights(*module, module->current.load());
  }
  void *library = module->library;
  delete module;
  if (library)
    dlclose(library);
  return TG_OK;
}

const tg_model_t *tg_module_model(const tg_module_t *module) {
  return module ? module->model : nullptr;
}

/// Looks up a name in one of a model's lists.
template <typename Entry>
static tg_status_t find(const tg_module_t *module, const Entry *const *entries,
                        uint32_t count, const char *kind, const char *name,
                        uint32_t *index, tg_error_t *error) {
  ErrorScope scope(module->hooks, error);
  if (!name || !index)
    return scope.finish(
        fail(scope.get(), TG_ERROR_NULL, "name or index is null"));
  for (*index = 0; *index < count; ++*index)
    if (std::strcmp(entries[*index]->name, name) == 0)
      return TG_OK;
  *index = 0;
  return scope.finish(fail(scope.get(), TG_ERROR_NOT_FOUND,
                           "model '%.64s' has no %s '%.128s'%s",
                           module->model->name, kind, name,
                           suggestFrom(entries, count, name).describe()));
}

tg_status_t tg_module_find_function(const tg_module_t *module, const char *name,
                                    uint32_t *index, tg_error_t *error) {
  if (!module)
    return fail(error, TG_ERROR_NULL, "module is null");
  return find(module, module->model->functions, module->model->function_count,
              "function", name, index, error);
}

tg_status_t tg_module_find_variable(const tg_module_t *module, const char *name,
                                    uint32_t *index, tg_error_t *error) {
  if (!module)
    return fail(error, TG_ERROR_NULL, "module is null");
  return find(module, module->model->variables, module->model->variable_count,
              "variable", name, index, error);
}
