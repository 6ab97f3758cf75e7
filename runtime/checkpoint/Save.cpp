/// Saves all variables of a context, or of a copy, as a safetensors file.
#include "Entries.h"
#include "Safetensors.h"
#include "runtime/core/Context.h"
#include "runtime/core/Variables.h"
#include "runtime/files/AtomicFile.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

using namespace tg;

namespace {

/// The variables of a model in a slab.
struct Source {
  const tg_model_t &model;
  const Memory &memory;
  const char *slab;
};

} // namespace

/// Computes the order in which data is written: wider elements first, so that
/// every tensor is aligned to its elements. Ties keep the order of the table.
static tg_status_t orderForWriting(const tg_model_t &model,
                                   std::unique_ptr<uint32_t[]> &order,
                                   tg_error_t *error) {
  const uint32_t count = model.variable_count;
  order.reset(new (std::nothrow) uint32_t[count + 1]);
  if (!order)
    return fail(error, TG_ERROR_MEMORY, "no memory to write a header");
  for (uint32_t i = 0; i < count; ++i) {
    order[i] = i;
    if (!safetensorsDtype(model.variables[i]->dtype))
      return fail(error, TG_ERROR_DTYPE,
                  "'%.200s' has an element type that safetensors does not have",
                  model.variables[i]->name);
  }
  // Not stable_sort, which allocates; the index breaks ties.
  std::sort(order.get(), order.get() + count, [&](uint32_t a, uint32_t b) {
    const uint8_t bitsOfA = model.variables[a]->dtype.bits;
    const uint8_t bitsOfB = model.variables[b]->dtype.bits;
    return bitsOfA != bitsOfB ? bitsOfA > bitsOfB : a < b;
  });
  return TG_OK;
}

/// Calls visit(data, count) for all data in the order of writing, until a call
/// does not return TG_OK.
template <typename Visit>
static tg_status_t visitData(const Source &source, const uint32_t *order,
                             tg_error_t *error, Visit visit) {
  tg_status_t status = TG_OK;
  const tg_model_t &model = source.model;
  for (uint32_t i = 0; status == TG_OK && i < model.variable_count; ++i) {
    const tg_variable_t &variable = *model.variables[order[i]];
    status = visitPieces(source.memory, source.slab + variable.offset,
                         variable.bytes, error, visit);
  }
  return status;
}

/// Writes the length of a header and the header to `header`.
static tg_status_t makeHeader(const tg_model_t &model, const uint32_t *order,
                              const Digest &digest, const char *entries,
                              std::unique_ptr<char[]> &header, uint64_t &bytes,
                              tg_error_t *error) {
  bytes = writeSafetensorsHeader(model, order, digest, entries, nullptr);
  if (bytes > safetensorsHeaderLimit)
    return failNumber(error, TG_ERROR_SIZE, static_cast<int64_t>(bytes),
                      safetensorsHeaderLimit,
                      "a header of %llu bytes, expected at most %llu",
                      static_cast<unsigned long long>(bytes),
                      static_cast<unsigned long long>(safetensorsHeaderLimit));
  header.reset(new (std::nothrow) char[sizeof(bytes) + bytes]);
  if (!header)
    return fail(error, TG_ERROR_MEMORY, "no memory to write a header");
  char *text = header.get() + sizeof(bytes);
  std::memcpy(header.get(), &bytes, sizeof(bytes));
  writeSafetensorsHeader(model, order, digest, entries, text);
  writeHeaderHash(text, bytes);
  return TG_OK;
}

/// Saves variables with the entries that writeEntries() wrote.
static tg_status_t save(const Source &source, const char *entries,
                        const char *path, tg_error_t *error) {
  std::unique_ptr<uint32_t[]> order;
  tg_status_t status = orderForWriting(source.model, order, error);
  Sha256 hash;
  if (status == TG_OK)
    status = visitData(source, order.get(), error,
                       [&](const char *data, uint64_t count) {
                         hash.update(data, count);
                         return TG_OK;
                       });
  std::unique_ptr<char[]> header;
  uint64_t bytes = 0;
  if (status == TG_OK)
    status = makeHeader(source.model, order.get(), hash.finish(), entries,
                        header, bytes, error);
  if (status != TG_OK)
    return status;

  AtomicFile file(path);
  status = file.open(error);
  if (status == TG_OK)
    status = file.write(header.get(), sizeof(bytes) + bytes, error);
  if (status == TG_OK)
    status = visitData(source, order.get(), error,
                       [&](const char *data, uint64_t count) {
                         return file.write(data, count, error);
                       });
  return status == TG_OK ? file.commit(error) : status;
}

tg_status_t tg_context_save_variables(const tg_context_t *context,
                                      const char *path, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  VariablesUse use;
  tg_status_t status =
      use.beginReading(*context, context->module->slabBytes, scope.get());
  if (status == TG_OK)
    status = save({context->model(), context->memory(), context->slab()}, "",
                  path, scope.get());
  return scope.finish(status);
}

static tg_status_t saveBlock(const tg_module_t &module, const void *block,
                             uint64_t bytes, const tg_entry_t *entries,
                             uint32_t count, const char *path,
                             tg_error_t *error) {
  tg_status_t status = checkBlock(*module.model, block, bytes, error);
  if (status == TG_OK && bytes < module.slabBytes)
    status = fail(error, TG_ERROR_SLAB,
                  "a block lacks the variables that the model shares");
  std::string text;
  if (status == TG_OK)
    status = writeEntries(entries, count, text, error);
  return status == TG_OK ? save({*module.model, module.hostMemory,
                                 static_cast<const char *>(block)},
                                text.c_str(), path, error)
                         : status;
}

tg_status_t tg_module_save_block(const tg_module_t *module, const void *block,
                                 uint64_t bytes, const tg_entry_t *entries,
                                 uint32_t count, const char *path,
                                 tg_error_t *error) {
  if (!module)
    return fail(error, TG_ERROR_NULL, "module is null");
  ErrorScope scope(module->hooks, error);
  return scope.finish(
      saveBlock(*module, block, bytes, entries, count, path, scope.get()));
}
