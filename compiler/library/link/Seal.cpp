//===- Seal.cpp - the trailer of a model file -----------------------------===//
#include "compiler/library/link/Seal.h"
#include "tg/abi.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/SHA256.h"
#include <cassert>
#include <cstring>

using namespace tg;

/// Writes the SHA-256 hash of `size` bytes to `result`.
static void hashTo(const void *bytes, size_t size, uint8_t *result) {
  std::array<uint8_t, 32> hash =
      llvm::SHA256::hash({static_cast<const uint8_t *>(bytes), size});
  std::memcpy(result, hash.data(), hash.size());
}

void tg::seal(llvm::SmallVectorImpl<char> &library,
              const SealedIdentity &identity) {
  tg_trailer_t trailer = {};
  std::memcpy(trailer.magic, TG_TRAILER_MAGIC, sizeof(trailer.magic));
  trailer.trailer_bytes = sizeof(trailer);
  trailer.abi_version = identity.abiVersion;
  trailer.payload_bytes = library.size();
  trailer.machine = llvm::ELF::EM_X86_64;
  trailer.targets = identity.targets;
  std::memcpy(trailer.model_id, identity.modelId.data(), 16);
  std::memcpy(trailer.layout_id, identity.layoutId.data(), 16);
  hashTo(library.data(), library.size(), trailer.payload_sha256);
  assert(identity.symbol.size() < sizeof(trailer.symbol));
  std::memcpy(trailer.symbol, identity.symbol.data(), identity.symbol.size());
  hashTo(&trailer, offsetof(tg_trailer_t, trailer_sha256),
         trailer.trailer_sha256);
  const char *bytes = reinterpret_cast<const char *>(&trailer);
  library.append(bytes, bytes + sizeof(trailer));
}
