/// Opens safetensors files and reads their headers.
#include "HeaderFile.h"

#include "Safetensors.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <new>

using namespace tg;

/// Checks the length of a header that a file of `size` bytes states.
static tg_status_t checkLength(uint64_t length, uint64_t size, const char *file,
                               tg_error_t *error) {
  const uint64_t limit =
      std::min<uint64_t>(size - sizeof(length), safetensorsHeaderLimit);
  if (length <= limit)
    return TG_OK;
  return failNumber(error, TG_ERROR_FORMAT, static_cast<int64_t>(length),
                    static_cast<int64_t>(limit),
                    "'%s' is no safetensors file, or is cut short: a header "
                    "of %llu bytes, expected at most %llu",
                    file, static_cast<unsigned long long>(length),
                    static_cast<unsigned long long>(limit));
}

tg_status_t HeaderFile::open(const char *opened, tg_error_t *error) {
  path = opened;
  const ShortPath name(path);
  uint64_t size;
  tg_status_t status = openFile(path, file, size, error);
  if (status != TG_OK)
    return status;
  if (size < sizeof(headerBytes))
    return failNumber(error, TG_ERROR_FORMAT, static_cast<int64_t>(size),
                      sizeof(headerBytes),
                      "'%s' has %llu bytes, too few for safetensors", name.text,
                      static_cast<unsigned long long>(size));
  status = readFully(file, &headerBytes, sizeof(headerBytes), 0, path, error);
  if (status == TG_OK)
    status = checkLength(headerBytes, size, name.text, error);
  if (status != TG_OK)
    return status;
  header.reset(new (std::nothrow) char[headerBytes + 1]);
  if (!header)
    return fail(error, TG_ERROR_MEMORY, "no memory to read the header of '%s'",
                name.text);
  dataOffset = sizeof(headerBytes) + headerBytes;
  dataBytes = size - dataOffset;
  return readFully(file, header.get(), headerBytes, sizeof(headerBytes), path,
                   error);
}

tg_status_t HeaderFile::hashData(uint64_t begin, uint64_t end, Sha256 &hash,
                                 tg_error_t *error) const {
  alignas(64) char chunk[32768];
  for (uint64_t at = begin; at < end;) {
    const uint64_t count = std::min<uint64_t>(end - at, sizeof(chunk));
    const tg_status_t status =
        readFully(file, chunk, count, dataOffset + at, path, error);
    if (status != TG_OK)
      return status;
    hash.update(chunk, count);
    at += count;
  }
  return TG_OK;
}
