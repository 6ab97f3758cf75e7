/// Loads all variables of a context from a safetensors file.
#include "HeaderFile.h"
#include "Safetensors.h"
#include "runtime/core/Context.h"
#include "runtime/core/Variables.h"
#include "runtime/messages/Error.h"

#include <cstring>
#include <memory>
#include <new>

using namespace tg;

namespace {

/// The state of reading a checkpoint.
struct Reading {
  const char *path;
  LoadSubject subject;
  HeaderFile file;
  SafetensorsInfo info;
};

} // namespace

/// Opens the file, and checks its header against the model.
static tg_status_t readHeader(Reading &reading, tg_error_t *error) {
  HeaderFile &file = reading.file;
  const char *name = reading.subject.file;
  tg_status_t status = file.open(reading.path, error);
  if (status == TG_OK)
    status = checkHeaderHash(file.header.get(), file.headerBytes, name,
                             reading.info.hasHeaderHash, error);
  return status == TG_OK
             ? readSafetensorsHeader(file.header.get(), file.headerBytes,
                                     file.dataBytes, reading.subject,
                                     reading.info, error)
             : status;
}

/// Transposes the data of a variable of dims [rows, columns], which the file
/// has column by column.
static tg_status_t transpose(const tg_variable_t &variable, char *data,
                             const char *file, tg_error_t *error) {
  const auto rows = static_cast<uint64_t>(variable.dims[0]);
  const auto columns = static_cast<uint64_t>(variable.dims[1]);
  const uint64_t bytes = variable.dtype.bits / 8;
  std::unique_ptr<char[]> copy(new (std::nothrow) char[variable.bytes + 1]);
  if (!copy)
    return fail(error, TG_ERROR_MEMORY, "no memory for the variables of '%s'",
                file);
  std::memcpy(copy.get(), data, variable.bytes);
  for (uint64_t row = 0; row < rows; ++row)
    for (uint64_t column = 0; column < columns; ++column)
      std::memcpy(data + (row * columns + column) * bytes,
                  copy.get() + (column * rows + row) * bytes, bytes);
  return TG_OK;
}

/// Reads a tensor into all variables that it fills.
static tg_status_t readTensor(const Reading &reading, const TensorSpan &span,
                              char *slab, Sha256 &hash, tg_error_t *error) {
  const TensorTarget *targets = reading.info.targets.data();
  const auto variableOf = [&](uint32_t target) -> const tg_variable_t & {
    return *reading.subject.model.variables[targets[target].variable];
  };
  char *first = slab + variableOf(span.first).offset;
  const uint64_t bytes = span.end - span.begin;
  tg_status_t status =
      readFully(reading.file.file, first, bytes,
                reading.file.dataOffset + span.begin, reading.path, error);
  if (status != TG_OK)
    return status;
  if (reading.info.hasDigest)
    hash.update(first, bytes);
  for (uint32_t i = span.first + 1; i < span.last; ++i)
    std::memcpy(slab + variableOf(i).offset, first, bytes);
  for (uint32_t i = span.first; status == TG_OK && i < span.last; ++i) {
    normalizeBooleans(variableOf(i), slab);
    if (targets[i].isTransposed)
      status = transpose(variableOf(i), slab + variableOf(i).offset,
                         reading.subject.file, error);
  }
  return status;
}

/// Reads the data into a slab, and compares its hash if the file has one.
static tg_status_t readData(const Reading &reading, char *slab,
                            tg_error_t *error) {
  Sha256 hash;
  for (const TensorSpan &span : reading.info.spans) {
    tg_status_t status = TG_OK;
    if (span.first != span.last)
      status = readTensor(reading, span, slab, hash, error);
    else if (reading.info.hasDigest)
      status = reading.file.hashData(span.begin, span.end, hash, error);
    if (status != TG_OK)
      return status;
  }
  if (reading.info.hasDigest && hash.finish() != reading.info.digest)
    return fail(error, TG_ERROR_CORRUPT, "'%s': the hash of the data is wrong",
                reading.subject.file);
  return TG_OK;
}

/// Copies the variables of `slab` to the device and lets them replace those of
/// the context. A failure changes nothing.
static tg_status_t adoptOnDevice(tg_context_t &context, const char *slab,
                                 tg_error_t *error) {
  constexpr size_t header = sizeof(tg_slab_header_t);
  const uint64_t bytes = context.module->slabBytes;
  char *fresh;
  tg_status_t status =
      allocateBlock(context.memory(), bytes, context.model().alignment,
                    "variables", fresh, error);
  if (status == TG_OK)
    status = context.memory().copyIn(fresh + header, slab + header,
                                     bytes - header, error);
  if (status == TG_OK)
    std::swap(context.ownSlab, fresh);
  context.memory().release(fresh, bytes);
  return status;
}

/// Makes the contents of `slab` the variables of a context. If the context
/// shares its variables or has them on a device, copies them. Otherwise swaps
/// the slabs: `slab` then holds the old variables.
static tg_status_t adoptVariables(tg_context_t &context, char *&slab,
                                  tg_error_t *error) {
  constexpr size_t header = sizeof(tg_slab_header_t);
  const uint64_t generation = context.header()->generation + 1;
  tg_status_t status = TG_OK;
  if (context.variables)
    std::memcpy(context.slab() + header, slab + header,
                context.module->slabBytes - header);
  else if (context.device)
    status = adoptOnDevice(context, slab, error);
  else
    std::swap(context.ownSlab, slab);
  if (status != TG_OK)
    return status;
  context.markSet();
  context.header()->generation = generation;
  return TG_OK;
}

static tg_status_t load(tg_context_t &context, const char *path,
                        const tg_variables_options_t *options,
                        tg_error_t *error) {
  const tg_model_t &model = context.model();
  VariablesUse use;
  tg_status_t status =
      use.beginWriting(context, context.module->slabBytes, error);
  if (status == TG_OK && !path)
    status = fail(error, TG_ERROR_NULL, "path is null");
  if (status != TG_OK)
    return status;
  const tg_module_t &module = *context.module;
  TensorNames names;
  status = names.read(model, options, error);
  if (status != TG_OK)
    return status;
  const ShortPath file(path);
  Reading reading = {path, {file.text, module.path.text, model, names}, {}, {}};
  status = readHeader(reading, error);
  if (status != TG_OK || !model.slab_bytes)
    return status;
  // Reads into separate memory, so that a failure changes nothing.
  void *block;
  status = module.hostMemory.allocate(module.slabBytes, model.alignment, block,
                                      error);
  if (status != TG_OK)
    return failNumber(error, status, 0, static_cast<int64_t>(module.slabBytes),
                      "no memory for the variables of '%s'", file.text);
  char *slab = static_cast<char *>(block);
  std::memset(slab, 0, module.slabBytes);
  status = readData(reading, slab, error);
  if (status == TG_OK)
    status = adoptVariables(context, slab, error);
  module.hostMemory.release(slab, module.slabBytes);
  return status;
}

tg_status_t tg_context_load_variables(tg_context_t *context, const char *path,
                                      tg_error_t *error) {
  return tg_context_load_variables_with(context, path, nullptr, error);
}

tg_status_t
tg_context_load_variables_with(tg_context_t *context, const char *path,
                               const tg_variables_options_t *options,
                               tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  return scope.finish(load(*context, path, options, scope.get()));
}
