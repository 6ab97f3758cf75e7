//===- SavedTensors.h - tensors in files, by name -------------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_SAVEDTENSORS_H
#define TG_COMPILER_FRONTEND_BODY_SAVEDTENSORS_H

#include "compiler/frontend/body/Body.h"

namespace tg::dsl {

/// The contents of a safetensors file.
struct SavedTensors {
  std::map<std::string, SavedTensor> tensors;
  /// For an object-based file: the name of the variable by the name of the
  /// tensor.
  std::map<std::string, std::string> objects;
  /// For a session's file: the number of its runs that drew random samples.
  std::optional<int64_t> draws = {};
};

/// Writes a file that contexts of compiled models load, too: beside the path,
/// then renamed. `model` is the name of the program.
Result<Nothing> writeTensors(const std::string &path, const std::string &model,
                             const SavedTensors &content);
/// Reads such a file, or one of another writer of the format. Tensors of types
/// that programs do not have are an error.
Result<SavedTensors> readTensors(const std::string &path);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_SAVEDTENSORS_H
