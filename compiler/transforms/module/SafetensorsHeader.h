//===- SafetensorsHeader.h - parser of safetensors headers ----------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSHEADER_H
#define TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSHEADER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tg {

/// The name of the metadata with the hash of the data, in files of libtgrt.
inline constexpr char kDataHash[] = "tg.data_sha256";

/// A tensor of a safetensors file.
struct StoredTensor {
  /// The name of the element type in the format, such as F32.
  std::string dtype;
  llvm::SmallVector<uint64_t, 4> shape;
  /// The range of the tensor's bytes, counted from the end of the header.
  uint64_t begin = 0, end = 0;
};

/// The entries of a header, by name.
struct SafetensorsHeader {
  std::map<std::string, StoredTensor, std::less<>> tensors;
  std::map<std::string, std::string> metadata;
};

/// Reads the text of a header by the rules of libtgrt: unique names, types,
/// shapes and offsets of integers, strings as metadata, and nothing else.
/// Returns the error, "" if there is none. The error begins with a verb whose
/// subject is the file.
std::string readSafetensorsHeader(llvm::StringRef text,
                                  SafetensorsHeader &header);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSHEADER_H
