//===- Descriptor.h - an owned file descriptor ----------------------------===//
#ifndef TG_COMPILER_LIBRARY_LINK_DESCRIPTOR_H
#define TG_COMPILER_LIBRARY_LINK_DESCRIPTOR_H

#include <string>
#include <unistd.h>
#include <utility>

namespace tg {

/// An owned file descriptor, closed by the destructor; -1 for none.
class Descriptor {
public:
  explicit Descriptor(int fd = -1) : fd(fd) {}
  Descriptor(Descriptor &&other) : fd(std::exchange(other.fd, -1)) {}
  Descriptor &operator=(Descriptor &&other) {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (fd >= 0)
      close(fd);
    fd = -1;
  }
  int get() const { return fd; }
  bool isOpen() const { return fd >= 0; }
  /// Returns a path under which this process can open the file again.
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }

private:
  int fd;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_DESCRIPTOR_H
