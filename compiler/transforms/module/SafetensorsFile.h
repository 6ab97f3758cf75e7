//===- SafetensorsFile.h - tensors that a file holds by name --------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSFILE_H
#define TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSFILE_H

#include "compiler/transforms/module/SafetensorsHeader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>

namespace tg {

/// A safetensors file of anybody: what its header says is compared with the
/// bytes that are there before it is used. Stays open while the object lives.
class SafetensorsFile {
public:
  /// Opens a file and reads its header. Errors name the file.
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);
  SafetensorsFile(SafetensorsFile &&other);
  ~SafetensorsFile();

  const std::string &getPath() const { return path; }
  /// Null where the file has no tensor of the name.
  const StoredTensor *find(llvm::StringRef name) const;
  const std::map<std::string, StoredTensor, std::less<>> &getTensors() const {
    return header.tensors;
  }
  /// What else the header says, in words.
  const std::map<std::string, std::string> &getMetadata() const {
    return header.metadata;
  }
  /// Reads a tensor to memory of its size.
  llvm::Error read(const StoredTensor &tensor,
                   llvm::MutableArrayRef<char> bytes) const;
  /// Compares the data with the hash that checkpoints of libtgrt carry; files
  /// of other writers have none.
  llvm::Error checkHash() const;

private:
  explicit SafetensorsFile(llvm::StringRef path) : path(path) {}
  llvm::Error readHeader();
  llvm::Error checkHeader();
  /// The tensors cover the data without gap or overlap.
  llvm::Error checkCover() const;
  /// Reads bytes of the file; fails where it ends before.
  llvm::Error readAt(uint64_t offset, llvm::MutableArrayRef<char> bytes) const;
  llvm::Error fail(const llvm::Twine &what) const;

  std::string path;
  int descriptor = -1;
  /// Where the data begins, and its length.
  uint64_t dataAt = 0, dataBytes = 0;
  SafetensorsHeader header;
  /// Of the data, as lower-case hexadecimal digits.
  std::optional<std::string> hash;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSFILE_H
