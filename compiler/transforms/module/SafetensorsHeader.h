//===- SafetensorsHeader.h - what the header of a file says ---------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSHEADER_H
#define TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSHEADER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tg {

/// The metadata that has the hash of the data, in files of libtgrt.
inline constexpr char kDataHash[] = "tg.data_sha256";

/// A tensor of a safetensors file.
struct StoredTensor {
  /// As the format names it: F32.
  std::string dtype;
  llvm::SmallVector<uint64_t, 4> shape;
  /// Where its bytes stand behind the header.
  uint64_t begin = 0, end = 0;
};

/// The entries of a header, by name.
struct SafetensorsHeader {
  std::map<std::string, StoredTensor, std::less<>> tensors;
  std::map<std::string, std::string> metadata;
};

/// Reads the text of a header by the rules of libtgrt: each name once, types,
/// shapes and places of whole numbers, words as metadata, nothing else. Returns
/// what is wrong with it, and "" for nothing; it begins with a verb and has the
/// file as its subject.
std::string readSafetensorsHeader(llvm::StringRef text,
                                  SafetensorsHeader &header);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_SAFETENSORSHEADER_H
