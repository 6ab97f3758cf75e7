/// Marks the process by memory that forked processes get as zeros.
#include "ForkMark.h"

#include "runtime/messages/Error.h"

#include <sys/mman.h>

using namespace tg;

/// The bytes of the mark: the smallest page of a system.
static constexpr size_t pageBytes = 4096;

ForkMark::~ForkMark() {
  if (page)
    ::munmap(const_cast<char *>(page), pageBytes);
}

tg_status_t ForkMark::set(tg_error_t *error) {
  void *mapped = ::mmap(nullptr, pageBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return fail(error, TG_ERROR_MEMORY, "no memory for a device");
  page = static_cast<char *>(mapped);
  process = ::getpid();
  // Without this the page stays 0, and each question asks for the process.
  if (::madvise(mapped, pageBytes, MADV_WIPEONFORK) == 0)
    *page = 1;
  return TG_OK;
}
