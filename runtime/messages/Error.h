/// Descriptions of failures, and their delivery to the host.
#ifndef TG_RUNTIME_MESSAGES_ERROR_H
#define TG_RUNTIME_MESSAGES_ERROR_H

#include "tg/runtime.h"

namespace tg {

/// Fills *error with a status and a message formatted as by printf, and returns
/// the status. Writes nothing if `error` is null or its struct_size is too
/// small. Numbers are formatted without locale as long as `format` uses no
/// floating point.
__attribute__((format(printf, 3, 4))) tg_status_t
fail(tg_error_t *error, tg_status_t status, const char *format, ...);

/// Does the same, and also stores the number found and the number expected.
__attribute__((format(printf, 5, 6))) tg_status_t
failNumber(tg_error_t *error, tg_status_t status, int64_t found,
           int64_t expected, const char *format, ...);

/// Adds the file to the message of a failure that does not name it yet. Returns
/// the status.
tg_status_t nameFile(tg_error_t *error, tg_status_t status, const char *path);

/// Returns the message for the operating system's error number. The result may
/// be in `buffer`.
const char *describeErrno(int number, char (&buffer)[128]);

/// A path, or "..." and the end of a path that is too long for a message.
struct ShortPath {
  ShortPath() = default;
  explicit ShortPath(const char *path);
  char text[72] = "";
};

/// Returns true if a struct of the host that begins with struct_size has at
/// least the `known` bytes, at most 4096 bytes, and zeros in any bytes after
/// the known ones.
bool isStructOk(const void *object, uint64_t known);

/// The error struct of one call of the library: the caller's, or an internal
/// one if the caller passed none and the host has an error hook.
class ErrorScope {
public:
  /// `hooks` must outlive the scope.
  ErrorScope(const tg_hooks_t &hooks, tg_error_t *error);

  /// Returns the error struct for the call to fill.
  tg_error_t *get() { return error; }

  /// Ends the call: reports a failure to the host's error hook. Returns
  /// `status`.
  tg_status_t finish(tg_status_t status);

private:
  const tg_hooks_t &hooks;
  tg_error_t *error;
  tg_error_t own;
};

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_ERROR_H
