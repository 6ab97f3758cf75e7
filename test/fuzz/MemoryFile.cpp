#include "MemoryFile.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace tg;

void fuzz::expect(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "expected %s\n", what);
  std::abort();
}

const char *fuzz::memoryFile(const uint8_t *bytes, size_t size) {
  static const int file = memfd_create("input", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  expect(ftruncate(file, 0) == 0, "an empty file");
  expect(pwrite(file, bytes, size, 0) == static_cast<ssize_t>(size),
         "room for the file");
  return path.c_str();
}
