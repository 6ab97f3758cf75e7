/// Variables as tensors of a host.
#ifndef TG_RUNTIME_CORE_VARIABLES_H
#define TG_RUNTIME_CORE_VARIABLES_H

#include "Memory.h"

namespace tg {

/// Checks that a tensor has a variable's dtype and dims and is compact.
tg_status_t checkTensor(const tg_variable_t &variable,
                        const tg_tensor_t *tensor, tg_error_t *error);

/// Returns the first byte of a tensor.
inline char *dataOf(const tg_tensor_t &tensor) {
  return static_cast<char *>(tensor.data) + tensor.byte_offset;
}

/// Returns the offset of the end of a variable in a slab.
inline uint64_t endOf(const tg_variable_t &variable) {
  return variable.offset + variable.bytes;
}

/// Normalizes the elements of a boolean variable to 0 or 1 after a host wrote
/// it, since code that copies elements preserves their bytes. The slab is host
/// memory.
void normalizeBooleans(const tg_variable_t &variable, char *slab);

/// Copies a value to a variable in a slab. Booleans become 0 or 1.
tg_status_t writeVariable(const Memory &memory, const tg_variable_t &variable,
                          const char *value, char *slab, tg_error_t *error);

/// Checks the size of a block of all variables against the model's slab.
tg_status_t checkBlockSize(const tg_model_t &model, const void *block,
                           uint64_t bytes, tg_error_t *error);

/// Checks the size of a block that has variables, and that they are those of
/// the model. Fails with TG_ERROR_NULL, TG_ERROR_SIZE or TG_ERROR_SLAB.
tg_status_t checkBlock(const tg_model_t &model, const void *block,
                       uint64_t bytes, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CORE_VARIABLES_H
