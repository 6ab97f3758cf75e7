//===- Seal.h - the trailer of a model file -------------------------------===//
#ifndef TG_COMPILER_LIBRARY_LINK_SEAL_H
#define TG_COMPILER_LIBRARY_LINK_SEAL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace tg {

/// The fields of the trailer that repeat data of the model's tables.
struct SealedIdentity {
  uint32_t abiVersion, targets;
  std::array<uint8_t, 16> modelId, layoutId;
  /// The exported function; its name is shorter than 96 bytes.
  llvm::StringRef symbol;
};

/// Appends the tg_trailer_t with the hashes of all bytes before it.
void seal(llvm::SmallVectorImpl<char> &library, const SealedIdentity &identity);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_SEAL_H
