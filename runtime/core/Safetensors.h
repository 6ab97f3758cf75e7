/// The safetensors format: a JSON header of names, types, shapes and offsets,
/// then the data without gaps.
#ifndef TG_RUNTIME_CORE_SAFETENSORS_H
#define TG_RUNTIME_CORE_SAFETENSORS_H

#include "tg/runtime.h"

#include "Sha256.h"

namespace tg {

/// A header that claims to be longer is refused before it is read.
constexpr uint64_t safetensorsHeaderLimit = 32u << 20;

/// The metadata of our own files: the hash of all data in the file's order.
inline constexpr char safetensorsDigestKey[] = "tg.data_sha256";

/// Where a variable's bytes stand behind the header.
struct TensorSpan {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool seen = false;
};

/// What the header says of the file as a whole.
struct SafetensorsInfo {
  bool hasDigest = false;
  Digest digest; // of the data, as we write it; other writers do not
};

/// Reads a header against a model's variables. Every variable must occur once,
/// nothing else may, and spans[0 .. variable_count) must cover dataBytes
/// exactly. TG_ERROR_FORMAT, TG_ERROR_NOT_FOUND, TG_ERROR_DTYPE, TG_ERROR_DIM,
/// TG_ERROR_MEMORY. Throws nothing.
tg_status_t readSafetensorsHeader(const char *header, uint64_t headerBytes,
                                  uint64_t dataBytes, const tg_model_t &model,
                                  TensorSpan *spans, SafetensorsInfo &info,
                                  tg_error_t *error) noexcept;

/// Writes the header of a model's variables, whose data follows in the order
/// of `order` (indices of all variables), and returns its length, a multiple of
/// 8. into may be null: then only the length is computed.
uint64_t writeSafetensorsHeader(const tg_model_t &model, const uint32_t *order,
                                const Digest &digest, char *into);

/// The name of an element type in this format; null if it has none.
const char *safetensorsDtype(tg_dtype_t dtype);

} // namespace tg

#endif // TG_RUNTIME_CORE_SAFETENSORS_H
