/// Descriptions of failures, and their report to the host.
#ifndef TG_RUNTIME_MESSAGES_ERROR_H
#define TG_RUNTIME_MESSAGES_ERROR_H

#include "tg/runtime.h"

namespace tg {

/// Fills *error (which may be null or too short, then nothing is written) with
/// a status and a message as by printf; returns the status. Numbers are
/// formatted without locale as long as format uses no floating point.
__attribute__((format(printf, 3, 4))) tg_status_t
fail(tg_error_t *error, tg_status_t status, const char *format, ...);

/// The same with the offending number and the one expected.
__attribute__((format(printf, 5, 6))) tg_status_t
failNumber(tg_error_t *error, tg_status_t status, int64_t found,
           int64_t expected, const char *format, ...);

/// Names the file in the message of a failure, which does not yet; returns the
/// status.
tg_status_t nameFile(tg_error_t *error, tg_status_t status, const char *path);

/// The message for the operating system's error number; `buffer` may hold it.
const char *describeErrno(int number, char (&buffer)[128]);

/// A path, or "..." and its end where it is too long for a message.
struct ShortPath {
  ShortPath() = default;
  explicit ShortPath(const char *path);
  char text[72] = "";
};

/// Returns true if a struct of the host that begins with struct_size has the
/// `known` bytes, and zero behind them.
bool isStructOk(const void *object, uint64_t known);

/// The error struct of one call of the library: the caller's, or one of our own
/// when the caller gave none and the host has a hook that wants it.
class ErrorScope {
public:
  /// hooks must outlive the scope.
  ErrorScope(const tg_hooks_t &hooks, tg_error_t *error);

  /// Returns the error that the call fills.
  tg_error_t *get() { return error; }

  /// Ends the call: reports a failure to the host's hook. Returns status.
  tg_status_t finish(tg_status_t status);

private:
  const tg_hooks_t &hooks;
  tg_error_t *error;
  tg_error_t own;
};

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_ERROR_H
