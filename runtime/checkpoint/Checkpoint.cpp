/// Saves and loads all variables of a context as a safetensors file.
#include "Safetensors.h"
#include "runtime/core/Context.h"
#include "runtime/core/Variables.h"
#include "runtime/files/AtomicFile.h"
#include "runtime/files/Files.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

using namespace tg;

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
static tg_status_t visitData(const tg_context_t &context, const uint32_t *order,
                             tg_error_t *error, Visit visit) {
  tg_status_t status = TG_OK;
  const tg_model_t &model = context.model();
  for (uint32_t i = 0; status == TG_OK && i < model.variable_count; ++i) {
    const tg_variable_t &variable = *model.variables[order[i]];
    status = visitPieces(context.memory(), context.slab() + variable.offset,
                         variable.bytes, error, visit);
  }
  return status;
}

static tg_status_t save(const tg_context_t &context, const char *path,
                        tg_error_t *error) {
  const tg_model_t &model = context.model();
  VariablesUse use;
  tg_status_t status =
      use.beginReading(context, context.module->slabBytes, error);
  std::unique_ptr<uint32_t[]> order;
  if (status == TG_OK)
    status = orderForWriting(model, order, error);
  if (status != TG_OK)
    return status;
  Sha256 hash;
  status = visitData(context, order.get(), error,
                     [&](const char *data, uint64_t count) {
                       hash.update(data, count);
                       return TG_OK;
                     });
  if (status != TG_OK)
    return status;
  const Digest digest = hash.finish();
  const uint64_t bytes =
      writeSafetensorsHeader(model, order.get(), digest, nullptr);
  std::unique_ptr<char[]> header(new (std::nothrow) char[8 + bytes]);
  if (!header)
    return fail(error, TG_ERROR_MEMORY, "no memory to write a header");
  std::memcpy(header.get(), &bytes, 8);
  writeSafetensorsHeader(model, order.get(), digest, header.get() + 8);

  AtomicFile file(path);
  status = file.open(error);
  if (status == TG_OK)
    status = file.write(header.get(), 8 + bytes, error);
  if (status == TG_OK)
    status = visitData(context, order.get(), error,
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
  return scope.finish(save(*context, path, scope.get()));
}

namespace {

/// The state of reading a checkpoint.
struct Reading {
  const char *path;
  LoadSubject subject;
  Descriptor file;
  uint64_t dataOffset = 0; // in the file
  uint64_t dataBytes = 0;  // from dataOffset to the end of the file
  SafetensorsInfo info;
};

} // namespace

/// Opens the file and reads its header. Sizes are compared with the file before
/// they are used.
static tg_status_t readHeader(Reading &reading, tg_error_t *error) {
  uint64_t size, length;
  const char *file = reading.subject.file;
  tg_status_t status = openFile(reading.path, reading.file, size, error);
  if (status != TG_OK)
    return status;
  if (size < sizeof(length))
    return failNumber(error, TG_ERROR_FORMAT, static_cast<int64_t>(size),
                      sizeof(length),
                      "'%s' has %llu bytes, too few for safetensors", file,
                      static_cast<unsigned long long>(size));
  status =
      readFully(reading.file, &length, sizeof(length), 0, reading.path, error);
  if (status != TG_OK)
    return status;
  const uint64_t limit =
      std::min<uint64_t>(size - sizeof(length), safetensorsHeaderLimit);
  if (length > limit)
    return failNumber(error, TG_ERROR_FORMAT, static_cast<int64_t>(length),
                      static_cast<int64_t>(limit),
                      "'%s' is no safetensors file, or is cut short: a header "
                      "of %llu bytes, expected at most %llu",
                      file, static_cast<unsigned long long>(length),
                      static_cast<unsigned long long>(limit));
  std::unique_ptr<char[]> header(new (std::nothrow) char[length + 1]);
  if (!header)
    return fail(error, TG_ERROR_MEMORY, "no memory to read the header of '%s'",
                file);
  status = readFully(reading.file, header.get(), length, sizeof(length),
                     reading.path, error);
  if (status != TG_OK)
    return status;
  reading.dataOffset = sizeof(length) + length;
  reading.dataBytes = size - reading.dataOffset;
  return readSafetensorsHeader(header.get(), length, reading.dataBytes,
                               reading.subject, reading.info, error);
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

/// Adds the bytes of a tensor that fills no variable to the hash.
static tg_status_t hashOther(const Reading &reading, const TensorSpan &span,
                             Sha256 &hash, tg_error_t *error) {
  alignas(64) char chunk[32768];
  for (uint64_t at = span.begin; at < span.end;) {
    const uint64_t count = std::min<uint64_t>(span.end - at, sizeof(chunk));
    const tg_status_t status =
        readFully(reading.file, chunk, count, reading.dataOffset + at,
                  reading.path, error);
    if (status != TG_OK)
      return status;
    hash.update(chunk, count);
    at += count;
  }
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
      readFully(reading.file, first, bytes, reading.dataOffset + span.begin,
                reading.path, error);
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
      status = hashOther(reading, span, hash, error);
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
  Reading reading = {
      path, {file.text, module.path.text, model, names}, {}, 0, 0, {}};
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
