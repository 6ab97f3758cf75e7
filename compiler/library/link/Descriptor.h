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
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (number >= 0)
      close(number);
    number = -1;
  }
  int get() const { return number; }
  bool isOpen() const { return number >= 0; }
  /// Returns a path under which this process can open the file again.
  std::string path() const { return "/proc/self/fd/" + std::to_string(number); }

private:
  int number;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_DESCRIPTOR_H
