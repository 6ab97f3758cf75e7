//===- SavedTensors.h - tensors in files, by name -------------------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_SAVEDTENSORS_H
#define TG_COMPILER_FRONTEND_BODY_SAVEDTENSORS_H

#include "compiler/frontend/body/Body.h"

namespace tg::dsl {

/// The contents of a safetensors file.
struct SavedTensors {
  std::map<std::string, SavedTensor> tensors;
  /// For an object-based file: maps the name of a tensor to the name of its
  /// variable.
  std::map<std::string, std::string> objects;
  /// For a session's file: the number of its runs that took random samples.
  std::optional<int64_t> sampleCounter = {};
  /// The places of iterators by name, as texts.
  std::map<std::string, std::string> iterators = {};
};

/// Writes a file that contexts of compiled models can load. The file is written
/// under a temporary name and renamed. `model` is the name of the program.
Result<Nothing> writeTensors(const std::string &path, const std::string &model,
                             const SavedTensors &content);
/// Reads a file of writeTensors(), or a safetensors file of another writer. A
/// tensor of an element type that programs do not have is an error.
Result<SavedTensors> readTensors(const std::string &path);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_SAVEDTENSORS_H
