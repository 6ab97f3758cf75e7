//===- SafetensorsFile.h - tensors of a file by name ----------------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSFILE_H
#define TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSFILE_H

#include "compiler/transforms/module/SafetensorsHeader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>

namespace tg {

/// An untrusted safetensors file. Its header is checked against the actual
/// bytes before it is used. The file stays open while the object lives.
class SafetensorsFile {
public:
  /// Opens a file and reads its header. Errors name the file.
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);
  SafetensorsFile(SafetensorsFile &&other);
  ~SafetensorsFile();

  const std::string &getPath() const { return path; }
  /// Returns the tensor of a name; null if the file has none.
  const StoredTensor *find(llvm::StringRef name) const;
  const std::map<std::string, StoredTensor, std::less<>> &getTensors() const {
    return header.tensors;
  }
  /// Returns the metadata of the header.
  const std::map<std::string, std::string> &getMetadata() const {
    return header.metadata;
  }
  /// Reads a tensor into memory of its size.
  llvm::Error read(const StoredTensor &tensor,
                   llvm::MutableArrayRef<char> bytes) const;
  /// Compares the data with the hash that libtgrt stores in checkpoints.
  /// Succeeds for files of other writers, which have no hash.
  llvm::Error checkHash() const;

private:
  explicit SafetensorsFile(llvm::StringRef path) : path(path) {}
  llvm::Error readHeader();
  llvm::Error checkHeader();
  /// Checks that the tensors cover the data without gap or overlap.
  llvm::Error checkCover() const;
  /// Reads bytes of the file. Fails if the file is too short.
  llvm::Error readAt(uint64_t offset, llvm::MutableArrayRef<char> bytes) const;
  llvm::Error fail(const llvm::Twine &what) const;

  std::string path;
  int descriptor = -1;
  /// The offset of the data in the file, and its length.
  uint64_t dataOffset = 0, dataBytes = 0;
  SafetensorsHeader header;
  /// The hash of the data, as lower-case hexadecimal digits.
  std::optional<std::string> hash;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSFILE_H
