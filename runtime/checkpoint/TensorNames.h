/// Which variables the tensors of a file fill.
#ifndef TG_RUNTIME_CHECKPOINT_TENSORNAMES_H
#define TG_RUNTIME_CHECKPOINT_TENSORNAMES_H

#include "tg/runtime.h"

#include <string_view>
#include <vector>

namespace tg {

/// A variable that a tensor fills.
struct TensorTarget {
  uint32_t variable;
  bool isTransposed; // the file has rows and columns exchanged
};

/// The names of a model's variables and what they are called in a file.
class TensorNames {
public:
  /// Checks the options, which may be null and must outlive this, as the model.
  /// TG_ERROR_STRUCT, TG_ERROR_NULL, TG_ERROR_NOT_FOUND, TG_ERROR_COUNT,
  /// TG_ERROR_RANK, TG_ERROR_MEMORY.
  tg_status_t read(const tg_model_t &model,
                   const tg_variables_options_t *options,
                   tg_error_t *error) noexcept;

  /// Adds the variables that a tensor fills; none if it is no variable. Throws
  /// for want of memory.
  void find(std::string_view tensor, std::vector<TensorTarget> &into) const;

  /// The name under which a variable was looked for, where the options rename
  /// it; else null.
  const char *renamed(uint32_t variable) const {
    return sources[variable] ? sources[variable]->tensor : nullptr;
  }

  bool ignoresOthers() const { return isLenient; }

private:
  /// Returns true if there is a variable of that name; *index is its place.
  bool findVariable(std::string_view name, uint32_t &index) const;
  tg_status_t readRename(const tg_rename_t &rename, tg_error_t *error);

  const tg_model_t *model = nullptr;
  bool isLenient = false;
  std::string_view strip, add;
  std::vector<uint32_t> order;              // variables by name
  std::vector<const tg_rename_t *> renames; // by tensor
  std::vector<const tg_rename_t *> sources; // of each variable; null: none
};

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_TENSORNAMES_H
