/// The mapping of tensors of a file to variables.
#ifndef TG_RUNTIME_CHECKPOINT_TENSORNAMES_H
#define TG_RUNTIME_CHECKPOINT_TENSORNAMES_H

#include "tg/runtime.h"

#include <string_view>
#include <vector>

namespace tg {

/// A variable that a tensor fills.
struct TensorTarget {
  uint32_t variable;
  bool isTransposed; // the file has the transpose
};

/// The names of a model's variables, and their names in a file.
class TensorNames {
public:
  /// Checks the options, which may be null. The options and the model must
  /// outlive this object. Fails with TG_ERROR_STRUCT, TG_ERROR_NULL,
  /// TG_ERROR_NOT_FOUND, TG_ERROR_COUNT, TG_ERROR_RANK or TG_ERROR_MEMORY.
  tg_status_t read(const tg_model_t &model,
                   const tg_variables_options_t *options,
                   tg_error_t *error) noexcept;

  /// Appends the variables that a tensor fills; none if the tensor matches no
  /// variable. Throws std::bad_alloc.
  void find(std::string_view tensor, std::vector<TensorTarget> &into) const;

  /// Returns the name of the tensor that fills a variable if the options rename
  /// it, otherwise null.
  const char *renamed(uint32_t variable) const {
    return sources[variable] ? sources[variable]->tensor : nullptr;
  }

  bool ignoresOthers() const { return isLenient; }

private:
  /// Finds the variable of a name. Stores its index in *index and returns true
  /// if it exists.
  bool findVariable(std::string_view name, uint32_t &index) const;
  tg_status_t readRename(const tg_rename_t &rename, tg_error_t *error);

  const tg_model_t *model = nullptr;
  bool isLenient = false;
  std::string_view strip, add;
  std::vector<uint32_t> order;              // variables, sorted by name
  std::vector<const tg_rename_t *> renames; // sorted by tensor
  std::vector<const tg_rename_t *> sources; // of each variable; null: none
};

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_TENSORNAMES_H
