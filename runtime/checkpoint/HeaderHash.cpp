/// Hashes of safetensors headers.
#include "Safetensors.h"

#include "runtime/messages/Error.h"

#include <cstring>

using namespace tg;

/// The number of digits of a hash.
static constexpr size_t digitCount = std::tuple_size_v<DigestText> - 1;

/// The offset of the digits in a header.
static constexpr size_t digitsAt = sizeof(safetensorsHeaderStart) - 1;

DigestText tg::formatDigest(const Digest &digest) {
  DigestText text = {};
  for (size_t i = 0; i < digest.size(); ++i) {
    text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

/// Returns the hash of a header and its length, for which the digits of the
/// hash count as zeros.
static DigestText hashHeader(const char *header, uint64_t bytes) {
  char zeros[digitCount];
  std::memset(zeros, '0', sizeof(zeros));
  Sha256 hash;
  hash.update(&bytes, sizeof(bytes));
  hash.update(header, digitsAt);
  hash.update(zeros, sizeof(zeros));
  const size_t done = digitsAt + sizeof(zeros);
  hash.update(header + done, bytes - done);
  return formatDigest(hash.finish());
}

void tg::writeHeaderHash(char *header, uint64_t bytes) {
  std::memcpy(header + digitsAt, hashHeader(header, bytes).data(), digitCount);
}

tg_status_t tg::checkHeaderHash(const char *header, uint64_t bytes,
                                const char *file, bool &hasHash,
                                tg_error_t *error) {
  hasHash = bytes >= digitsAt + digitCount &&
            std::memcmp(header, safetensorsHeaderStart, digitsAt) == 0;
  if (!hasHash)
    return TG_OK;
  if (std::memcmp(header + digitsAt, hashHeader(header, bytes).data(),
                  digitCount) == 0)
    return TG_OK;
  return fail(error, TG_ERROR_CORRUPT, "'%s': the hash of the header is wrong",
              file);
}
