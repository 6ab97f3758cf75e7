/// Fills tg_error_t and names status codes.
#include "Error.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace tg;

/// Returns the number of bytes of the UTF-8 character at `at`, or 0 if it is
/// incomplete or invalid. The text ends in a zero byte. Surrogates, and
/// overlong forms of three or four bytes, are not detected.
static size_t characterBytes(const char *at) {
  const auto lead = static_cast<unsigned char>(*at);
  const size_t bytes = lead < 0x80                   ? 1
                       : lead >= 0xc2 && lead < 0xe0 ? 2
                       : lead >= 0xe0 && lead < 0xf0 ? 3
                       : lead >= 0xf0 && lead < 0xf5 ? 4
                                                     : 0;
  for (size_t i = 1; i < bytes; ++i)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  return bytes;
}

/// Makes a message one line of UTF-8. Names may be truncated within a
/// character, and paths may contain any bytes.
static void tidy(char *message) {
  for (char *at = message; *at;) {
    const size_t bytes = characterBytes(at);
    if (!bytes || static_cast<unsigned char>(*at) < ' ' || *at == 0x7f)
      *at = '?';
    at += bytes ? bytes : 1;
  }
}

static tg_status_t fill(tg_error_t *error, tg_status_t status, int64_t found,
                        int64_t expected, const char *format,
                        va_list arguments) {
  if (!error || error->struct_size < sizeof(tg_error_t))
    return status;
  error->status = status;
  error->argument = error->location = -1;
  error->element = -1;
  error->found = found;
  error->expected = expected;
  error->variables_changed = error->reserved = 0;
  std::vsnprintf(error->message, sizeof(error->message), format, arguments);
  tidy(error->message);
  return status;
}

tg_status_t tg::fail(tg_error_t *error, tg_status_t status, const char *format,
                     ...) {
  va_list arguments;
  va_start(arguments, format);
  fill(error, status, 0, 0, format, arguments);
  va_end(arguments);
  return status;
}

tg_status_t tg::failNumber(tg_error_t *error, tg_status_t status, int64_t found,
                           int64_t expected, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fill(error, status, found, expected, format, arguments);
  va_end(arguments);
  return status;
}

tg_status_t tg::nameFile(tg_error_t *error, tg_status_t status,
                         const char *path) {
  if (!error || error->struct_size < sizeof(tg_error_t))
    return status;
  char sentence[sizeof(error->message)];
  std::memcpy(sentence, error->message, sizeof(sentence));
  std::snprintf(error->message, sizeof(error->message), "'%s': %s",
                ShortPath(path).text, sentence);
  tidy(error->message);
  return status;
}

const char *tg::describeErrno(int number, char (&buffer)[128]) {
  return strerror_r(number, buffer, sizeof(buffer));
}

ShortPath::ShortPath(const char *path) {
  constexpr size_t limit = sizeof(text) - 1;
  const size_t length = std::strlen(path);
  if (length <= limit)
    std::memcpy(text, path, length + 1);
  else
    std::snprintf(text, sizeof(text), "...%s", path + length - (limit - 3));
}

bool tg::isStructOk(const void *object, uint64_t known) {
  uint32_t size;
  std::memcpy(&size, object, sizeof(size));
  if (size < known || size > 4096)
    return false;
  const char *bytes = static_cast<const char *>(object);
  for (uint64_t i = known; i < size; ++i)
    if (bytes[i])
      return false;
  return true;
}

ErrorScope::ErrorScope(const tg_hooks_t &hooks, tg_error_t *error)
    : hooks(hooks), error(error) {
  const bool isUsable = error && error->struct_size >= sizeof(tg_error_t);
  if (!isUsable && hooks.error) {
    std::memset(&own, 0, sizeof(own));
    own.struct_size = sizeof(own);
    this->error = &own;
  }
}

tg_status_t ErrorScope::finish(tg_status_t status) {
  if (status != TG_OK && hooks.error)
    hooks.error(hooks.user, error);
  return status;
}

uint32_t tg_runtime_abi(void) { return TG_ABI_VERSION; }

const char *tg_status_name(tg_status_t status) {
#define NAME(code)                                                             \
  case code:                                                                   \
    return #code
  switch (status) {
    NAME(TG_OK);
    NAME(TG_ERROR_NULL);
    NAME(TG_ERROR_STRUCT);
    NAME(TG_ERROR_NOT_FOUND);
    NAME(TG_ERROR_COUNT);
    NAME(TG_ERROR_DTYPE);
    NAME(TG_ERROR_RANK);
    NAME(TG_ERROR_DIM);
    NAME(TG_ERROR_STRIDES);
    NAME(TG_ERROR_DEVICE);
    NAME(TG_ERROR_ALIGNMENT);
    NAME(TG_ERROR_OVERLAP);
    NAME(TG_ERROR_SIZE);
    NAME(TG_ERROR_SLAB);
    NAME(TG_ERROR_PACKED);
    NAME(TG_ERROR_BUSY);
    NAME(TG_ERROR_INDEX);
    NAME(TG_ERROR_DIVIDE);
    NAME(TG_ERROR_NAN);
    NAME(TG_ERROR_ASSERT);
    NAME(TG_ERROR_FORMAT);
    NAME(TG_ERROR_CORRUPT);
    NAME(TG_ERROR_ABI);
    NAME(TG_ERROR_TARGET);
    NAME(TG_ERROR_MEMORY);
    NAME(TG_ERROR_IO);
    NAME(TG_ERROR_LOAD);
    NAME(TG_ERROR_HOST);
    NAME(TG_ERROR_NO_DRIVER);
    NAME(TG_ERROR_OLD_DRIVER);
    NAME(TG_ERROR_DEVICE_LOST);
    NAME(TG_ERROR_LAUNCH);
  default:
    return "unknown";
  }
#undef NAME
}
