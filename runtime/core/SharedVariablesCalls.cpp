/// The functions tg_variables_*(), on variables that several contexts share.
#include "SharedVariables.h"
#include "Variables.h"
#include "runtime/messages/Error.h"

#include <cstring>
#include <memory>
#include <new>

using namespace tg;

/// Makes a set in the memory of a device.
static tg_status_t create(tg_device_t device, uint32_t flags,
                          const tg_hooks_t &hooks, tg_variables_t *&variables,
                          tg_error_t *error) {
  std::unique_ptr<tg_variables_t> created;
  try {
    created = std::make_unique<tg_variables_t>();
  } catch (const std::bad_alloc &) {
    return fail(error, TG_ERROR_MEMORY, "no memory for variables");
  }
  created->hooks = hooks;
  created->startAtZero = flags & TG_VARIABLES_START_AT_ZERO;
  const tg_status_t status = created->memory.open(device, error);
  if (status == TG_OK)
    variables = created.release();
  return status;
}

tg_status_t tg_variables_create(uint32_t flags, const tg_hooks_t *hooks,
                                tg_variables_t **variables, tg_error_t *error) {
  return tg_variables_create_on({TG_DEVICE_CPU, 0}, flags, hooks, variables,
                                error);
}

tg_status_t tg_variables_create_on(tg_device_t device, uint32_t flags,
                                   const tg_hooks_t *hooks,
                                   tg_variables_t **variables,
                                   tg_error_t *error) {
  if (!variables)
    return fail(error, TG_ERROR_NULL, "variables is null");
  *variables = nullptr;
  if (flags & ~uint32_t(TG_VARIABLES_START_AT_ZERO))
    return fail(error, TG_ERROR_STRUCT,
                "the flags of variables have an unknown bit set");
  tg_hooks_t read = {};
  const tg_status_t status = readHooks(hooks, read, error);
  if (status != TG_OK)
    return status;
  ErrorScope scope(read, error);
  return scope.finish(create(device, flags, read, *variables, scope.get()));
}

tg_status_t tg_variables_destroy(tg_variables_t *variables, tg_error_t *error) {
  if (!variables)
    return fail(error, TG_ERROR_NULL, "variables is null");
  ErrorScope scope(variables->hooks, error);
  if (const uint32_t contexts = variables->contexts)
    return scope.finish(failNumber(scope.get(), TG_ERROR_BUSY, contexts, 0,
                                   "%u contexts still use the variables",
                                   contexts));
  delete variables;
  return TG_OK;
}

tg_status_t tg_variables_extend(tg_variables_t *variables,
                                const tg_variable_t *const *list,
                                uint32_t count, tg_error_t *error) {
  if (!variables)
    return fail(error, TG_ERROR_NULL, "variables is null");
  ErrorScope scope(variables->hooks, error);
  if (!list && count)
    return scope.finish(fail(scope.get(), TG_ERROR_NULL, "list is null"));
  return scope.finish(variables->extend(list, count, scope.get()));
}

/// Finds a variable by its index.
static tg_status_t find(const tg_variables_t &variables, uint32_t index,
                        const tg_variable_t *&found, tg_error_t *error) {
  found = variables.find(index);
  return found
             ? TG_OK
             : failNumber(error, TG_ERROR_NOT_FOUND, index, 0,
                          "variable %u, expected an index in the list", index);
}

/// Finds a variable and checks a tensor for its value.
static tg_status_t findAndCheck(const tg_variables_t &variables, uint32_t index,
                                const tg_tensor_t *value,
                                const tg_variable_t *&found,
                                tg_error_t *error) {
  const tg_status_t status = find(variables, index, found, error);
  return status == TG_OK ? checkTensor(*found, value, error) : status;
}

tg_status_t tg_variables_get(const tg_variables_t *variables, uint32_t variable,
                             const tg_tensor_t *value, tg_error_t *error) {
  if (!variables)
    return fail(error, TG_ERROR_NULL, "variables is null");
  ErrorScope scope(variables->hooks, error);
  const tg_variable_t *found;
  const tg_status_t status =
      findAndCheck(*variables, variable, value, found, scope.get());
  if (status != TG_OK)
    return scope.finish(status);
  const uint64_t end = endOf(*found);
  if (!variables->hasValues(end))
    return scope.finish(fail(scope.get(), TG_ERROR_SLAB,
                             "'%.128s' has no value yet", found->name));
  if (end <= variables->bytes)
    return scope.finish(variables->memory.get().copyOut(
        dataOf(*value), variables->slab + found->offset, found->bytes,
        scope.get()));
  std::memset(dataOf(*value), 0, found->bytes);
  return TG_OK;
}

static tg_status_t set(tg_variables_t &variables, uint32_t index,
                       const tg_tensor_t *value, tg_error_t *error) {
  const tg_variable_t *found;
  tg_status_t status = findAndCheck(variables, index, value, found, error);
  const uint64_t bytes = variables.listBytes();
  if (status == TG_OK)
    status = variables.reserve(bytes, error);
  if (status != TG_OK)
    return status;
  if (!variables.begin(/*writes=*/true, /*layoutId=*/nullptr))
    return failVariablesBusy(error);
  status = variables.setOthersToZero(bytes, error);
  if (status == TG_OK)
    status = writeVariable(variables.memory.get(), *found, dataOf(*value),
                           variables.slab, error);
  variables.markChanged();
  variables.end(/*writes=*/true);
  return status;
}

tg_status_t tg_variables_set(tg_variables_t *variables, uint32_t variable,
                             const tg_tensor_t *value, tg_error_t *error) {
  if (!variables)
    return fail(error, TG_ERROR_NULL, "variables is null");
  ErrorScope scope(variables->hooks, error);
  return scope.finish(set(*variables, variable, value, scope.get()));
}

/// Sets savedVariables, the list of the variables of the snapshot, to those at
/// `indices`. Sets `bytes` to the sum of their sizes, and `leading` to the end
/// of the last of them in the slab.
static tg_status_t choose(tg_variables_t &variables, const uint32_t *indices,
                          uint32_t count, uint64_t &bytes, uint64_t &leading,
                          tg_error_t *error) {
  variables.savedVariables.clear();
  bytes = leading = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const tg_variable_t *found;
    const tg_status_t status = find(variables, indices[i], found, error);
    if (status != TG_OK)
      return status;
    variables.savedVariables.push_back(found);
    bytes += found->bytes;
    leading = leading > endOf(*found) ? leading : endOf(*found);
  }
  return TG_OK;
}

/// Copies the variables at `indices` to the snapshot.
static tg_status_t save(tg_variables_t &variables, const uint32_t *indices,
                        uint32_t count, tg_error_t *error) {
  uint64_t bytes, leading;
  tg_status_t status = choose(variables, indices, count, bytes, leading, error);
  if (status == TG_OK)
    status = variables.reserve(leading, error);
  if (status != TG_OK)
    return status;
  status = variables.reserveSaved(bytes, error);
  if (status != TG_OK)
    return status;
  if (!variables.begin(/*writes=*/false, /*layoutId=*/nullptr))
    return failVariablesBusy(error);
  char *into = variables.saved;
  for (const tg_variable_t *variable : variables.savedVariables) {
    if (status == TG_OK)
      status = variables.memory.get().copyWithin(
          into, variables.slab + variable->offset, variable->bytes, error);
    into += variable->bytes;
  }
  variables.end(/*writes=*/false);
  return status;
}

tg_status_t tg_variables_snapshot(tg_variables_t *variables,
                                  const uint32_t *indices, uint32_t count,
                                  tg_error_t *error) {
  if (!variables)
    return fail(error, TG_ERROR_NULL, "variables is null");
  ErrorScope scope(variables->hooks, error);
  if (!indices && count)
    return scope.finish(fail(scope.get(), TG_ERROR_NULL, "indices is null"));
  tg_status_t status;
  try {
    status = save(*variables, indices, count, scope.get());
  } catch (const std::bad_alloc &) {
    status = fail(scope.get(), TG_ERROR_MEMORY,
                  "no memory for a snapshot of variables");
  }
  if (status != TG_OK)
    variables->savedVariables.clear();
  return scope.finish(status);
}

/// Copies the snapshot back.
static tg_status_t restore(tg_variables_t &variables, tg_error_t *error) {
  if (!variables.begin(/*writes=*/true, /*layoutId=*/nullptr))
    return failVariablesBusy(error);
  const char *from = variables.saved;
  tg_status_t status = TG_OK;
  for (const tg_variable_t *variable : variables.savedVariables) {
    if (status == TG_OK)
      status = variables.memory.get().copyWithin(
          variables.slab + variable->offset, from, variable->bytes, error);
    from += variable->bytes;
  }
  variables.markChanged();
  variables.end(/*writes=*/true);
  return status;
}

tg_status_t tg_variables_rollback(tg_variables_t *variables,
                                  tg_error_t *error) {
  if (!variables)
    return fail(error, TG_ERROR_NULL, "variables is null");
  ErrorScope scope(variables->hooks, error);
  if (variables->savedVariables.empty())
    return TG_OK;
  return scope.finish(restore(*variables, scope.get()));
}
