/// The safetensors format: a JSON header of names, types, shapes and offsets,
/// then the data without gaps.
#ifndef TG_RUNTIME_CHECKPOINT_SAFETENSORS_H
#define TG_RUNTIME_CHECKPOINT_SAFETENSORS_H

#include "tg/runtime.h"

#include "TensorNames.h"
#include "runtime/files/Sha256.h"

namespace tg {

/// The upper bound of a header's length in bytes. A longer one is refused
/// before it is read.
constexpr uint64_t safetensorsHeaderLimit = 32u << 20;

/// The metadata keys of files that tg writes: the model's name, the hash of all
/// data in file order, the hash of the header, and the list of the hashes.
inline constexpr char safetensorsModelKey[] = "tg.model";
inline constexpr char safetensorsDigestKey[] = "tg.data_sha256";
inline constexpr char safetensorsHeaderKey[] = "tg.header_sha256";
inline constexpr char safetensorsHashesKey[] = "tg.hashes";

/// The beginning of a header with a hash of itself, up to the digits.
inline constexpr char safetensorsHeaderStart[] =
    "{\"__metadata__\":{\"tg.header_sha256\":\"";

/// A tensor of a file: its bytes [begin, end), counted from the end of the
/// header, and the variables that it fills, SafetensorsInfo::targets[first ..
/// last).
struct TensorSpan {
  uint64_t begin = 0, end = 0;
  uint32_t first = 0, last = 0;
};

/// The contents of a header.
struct SafetensorsInfo {
  std::vector<TensorSpan> spans; // cover all data, in file order
  std::vector<TensorTarget> targets;
  bool hasHeaderHash = false; // which was compared
  bool hasDigest = false;
  Digest digest; // of the data; only if hasDigest (files that tg writes)
};

/// The file and the model of a load, for messages.
struct LoadSubject {
  const char *file;    // its shortened path
  const char *library; // the model's shortened path; "": none
  const tg_model_t &model;
  const TensorNames &names;
};

/// Reads a header and checks it against a model's variables. Every variable
/// must occur once. Other tensors are an error, unless `subject.names` was read
/// with TG_VARIABLES_IGNORE_OTHERS.
/// The tensors must cover `dataBytes` exactly. Fails with TG_ERROR_FORMAT,
/// TG_ERROR_NOT_FOUND, TG_ERROR_DTYPE, TG_ERROR_DIM or TG_ERROR_MEMORY. Throws
/// nothing.
tg_status_t readSafetensorsHeader(const char *header, uint64_t headerBytes,
                                  uint64_t dataBytes,
                                  const LoadSubject &subject,
                                  SafetensorsInfo &info,
                                  tg_error_t *error) noexcept;

/// Writes the header of a model's variables, whose data follows in the order of
/// `order` (indices of all variables). `entries` is what writeEntries() wrote.
/// Returns the header's length, a multiple of 8. `into` may be null: then only
/// the length is computed.
uint64_t writeSafetensorsHeader(const tg_model_t &model, const uint32_t *order,
                                const Digest &digest, const char *entries,
                                char *into);

/// Writes the hash of a header that writeSafetensorsHeader() wrote into it.
void writeHeaderHash(char *header, uint64_t bytes);

/// Compares the hash of a header with the one in it, if it begins with one.
/// Fails with TG_ERROR_CORRUPT.
tg_status_t checkHeaderHash(const char *header, uint64_t bytes,
                            const char *file, bool &hasHash, tg_error_t *error);

/// The digits of a hash, and a terminating zero.
using DigestText = std::array<char, 2 * std::tuple_size_v<Digest> + 1>;

/// Formats a hash with lower-case hexadecimal digits.
DigestText formatDigest(const Digest &digest);

/// Returns the name of an element type in this format, null if it has none.
const char *safetensorsDtype(tg_dtype_t dtype);

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_SAFETENSORS_H
