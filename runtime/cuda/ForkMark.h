/// A mark of the process that uses the driver.
#ifndef TG_RUNTIME_CUDA_FORKMARK_H
#define TG_RUNTIME_CUDA_FORKMARK_H

#include "tg/runtime.h"

#include <unistd.h>

namespace tg {

/// A page of memory that is not 0 in the process that has set it, and 0 in
/// every process that was forked from it. Any thread, except for set().
class ForkMark {
public:
  ForkMark() = default;
  ForkMark(const ForkMark &) = delete;
  ~ForkMark();

  /// Marks the calling process.
  tg_status_t set(tg_error_t *error);

  /// Returns true in a process that was forked from the marked one. Makes no
  /// system call in the marked process, if its kernel is of Linux 4.14 or
  /// newer.
  bool isInChild() const { return page && !*page && ::getpid() != process; }

private:
  volatile char *page = nullptr;
  pid_t process = 0; // that was marked
};

} // namespace tg

#endif // TG_RUNTIME_CUDA_FORKMARK_H
