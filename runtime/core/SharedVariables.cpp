/// Lists, memory and uses of variables that several contexts share.
#include "SharedVariables.h"

#include "Context.h"
#include "Variables.h"
#include "runtime/messages/Error.h"

#include "tg/dtypes.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

using namespace tg;

ListedVariable::ListedVariable(const tg_variable_t &other)
    : name(other.name), dims(other.dims, other.dims + other.rank), table{} {
  table.struct_size = sizeof(table);
  table.dtype = other.dtype;
  table.name = name.c_str();
  table.dims = dims.data();
  table.rank = other.rank;
  table.owner = -1;
  table.offset = other.offset;
  table.bytes = other.bytes;
}

tg_variables_t::~tg_variables_t() {
  memory.get().release(slab, bytes);
  memory.get().release(saved, savedBytes);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

bool tg_variables_t::begin(bool writes, const uint8_t *layoutId) {
  enter();
  bool isFree = !isWritten && !(writes && readers);
  if (isFree && layoutId) {
    uint8_t (&id)[16] = header().layout_id;
    const bool isSame = std::memcmp(id, layoutId, sizeof(id)) == 0;
    isFree = isSame || !readers;
    if (isFree && !isSame)
      std::memcpy(id, layoutId, sizeof(id));
  }
  if (isFree && writes)
    isWritten = true;
  else if (isFree)
    ++readers;
  leave();
  return isFree;
}

void tg_variables_t::end(bool writes) {
  enter();
  if (writes)
    isWritten = false;
  else
    --readers;
  leave();
}

tg_status_t tg::failVariablesBusy(tg_error_t *error) {
  return fail(error, TG_ERROR_BUSY,
              "found another context that uses the variables, expected to wait "
              "until its call returns");
}

tg_status_t tg_variables_t::setOthersToZero(uint64_t leading,
                                            tg_error_t *error) {
  if (hasValues(leading))
    return TG_OK;
  // A failed init may have left arbitrary bytes.
  const uint64_t first = std::max(valuedBytes, uint64_t(sizeof(header())));
  const tg_status_t status =
      memory.get().fill(slab + first, 0, leading - first, error);
  if (status == TG_OK)
    markSet(leading);
  return status;
}

//===----------------------------------------------------------------------===//
// Lists and memory
//===----------------------------------------------------------------------===//

/// Returns the type and the offset of a variable: "f32[2, 3] at byte 64".
static std::string describe(const tg_variable_t &variable) {
  std::string text = tg_dtype_name(variable.dtype);
  for (uint32_t i = 0; i < variable.rank && i < 8; ++i)
    text += (i ? ", " : "[") + std::to_string(variable.dims[i]);
  text += variable.rank > 8 ? ", ...]" : variable.rank ? "]" : "";
  return text + " at byte " + std::to_string(variable.offset);
}

/// Returns true if two variables have the same name, type and place in memory.
/// Lists of variables that share memory must agree in this at each index.
static bool isSame(const tg_variable_t &one, const tg_variable_t &other) {
  return std::strcmp(one.name, other.name) == 0 &&
         std::memcmp(&one.dtype, &other.dtype, sizeof(one.dtype)) == 0 &&
         one.offset == other.offset && one.bytes == other.bytes &&
         std::equal(one.dims, one.dims + one.rank, other.dims,
                    other.dims + other.rank);
}

static tg_status_t failConflict(uint32_t index, const tg_variable_t &found,
                                const tg_variable_t &expected,
                                tg_error_t *error) {
  return fail(error, TG_ERROR_SLAB,
              "variable %u is '%.48s', %.48s; expected '%.48s', %.48s, as the "
              "shared variables have it",
              index, found.name, describe(found).c_str(), expected.name,
              describe(expected).c_str());
}

/// Appends the entries of `longer` after the end of `list`, if there are any.
/// Fails unless the shorter list is a prefix of the longer one and each added
/// variable lies after the variables before it.
static tg_status_t append(std::deque<ListedVariable> &list,
                          const tg_variable_t *const *longer, uint32_t count,
                          tg_error_t *error) {
  for (uint32_t i = 0; i < std::min<size_t>(count, list.size()); ++i)
    if (!isSame(list[i].table, *longer[i]))
      return failConflict(i, *longer[i], list[i].table, error);
  for (size_t i = list.size(); i < count; ++i) {
    const tg_variable_t &added = *longer[i];
    const uint64_t last =
        list.empty() ? sizeof(tg_slab_header_t) : endOf(list.back().table);
    if (added.offset < last || endOf(added) < added.offset)
      return failNumber(
          error, TG_ERROR_SLAB, static_cast<int64_t>(added.offset),
          static_cast<int64_t>(last),
          "variable '%.128s' is at byte %llu, expected at least "
          "%llu, after the variables before it",
          added.name, static_cast<unsigned long long>(added.offset),
          static_cast<unsigned long long>(last));
    list.emplace_back(added);
  }
  return TG_OK;
}

tg_status_t tg_variables_t::extend(const tg_variable_t *const *longer,
                                   uint32_t count, tg_error_t *error) {
  std::lock_guard<std::mutex> guard(lock);
  const size_t known = list.size();
  tg_status_t status;
  try {
    status = append(list, longer, count, error);
  } catch (const std::bad_alloc &) {
    status = fail(error, TG_ERROR_MEMORY, "no memory for a list of variables");
  }
  while (status != TG_OK && list.size() > known)
    list.pop_back();
  return status;
}

tg_status_t tg_variables_t::moveTo(char *block, uint64_t needed,
                                   tg_error_t *error) {
  tg_status_t status = memory.get().copyWithin(block, slab, bytes, error);
  if (status == TG_OK)
    status = memory.get().fill(block + bytes, 0, needed - bytes, error);
  if (status != TG_OK)
    return status;
  memory.get().release(slab, bytes);
  slab = block;
  bytes = needed;
  markChanged(); // packed weights depend on the address
  return TG_OK;
}

tg_status_t tg_variables_t::reserve(uint64_t leading, tg_error_t *error) {
  std::lock_guard<std::mutex> guard(lock);
  if (leading <= bytes)
    return TG_OK;
  if (!begin(/*writes=*/true, /*layoutId=*/nullptr))
    return failVariablesBusy(error);
  leading = roundUp(leading, memory.alignment());
  char *grown;
  tg_status_t status = allocateBlock(memory.get(), leading, memory.alignment(),
                                     "variables", grown, error);
  if (status == TG_OK)
    status = moveTo(grown, leading, error);
  if (status != TG_OK)
    memory.get().release(grown, leading);
  end(/*writes=*/true);
  return status;
}

tg_status_t tg_variables_t::reserveSaved(uint64_t needed, tg_error_t *error) {
  if (needed <= savedBytes)
    return TG_OK;
  needed = roundUp(needed, memory.alignment());
  char *grown;
  const tg_status_t status =
      allocateBlock(memory.get(), needed, memory.alignment(),
                    "a snapshot of variables", grown, error);
  if (status != TG_OK)
    return status;
  memory.get().release(saved, savedBytes);
  saved = grown;
  savedBytes = needed;
  return TG_OK;
}

uint64_t tg_variables_t::listBytes() const {
  std::lock_guard<std::mutex> guard(lock);
  return list.empty() ? 0 : roundUp(endOf(list.back().table), slabAlignment);
}

const tg_variable_t *tg_variables_t::find(uint32_t index) const {
  std::lock_guard<std::mutex> guard(lock);
  return index < list.size() ? &list[index].table : nullptr;
}

tg_status_t tg::attachVariables(tg_context_t &context,
                                tg_variables_t &variables, tg_error_t *error) {
  const tg_model_t &model = context.model();
  tg_status_t status =
      variables.extend(model.variables, model.variable_count, error);
  if (status == TG_OK)
    status = variables.reserve(model.slab_bytes, error);
  if (status != TG_OK)
    return status;
  context.variables = &variables;
  ++variables.contexts;
  return TG_OK;
}
