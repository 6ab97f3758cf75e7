/// Names in messages, where there may be too many or too long ones.
#ifndef TG_RUNTIME_MESSAGES_NAMELIST_H
#define TG_RUNTIME_MESSAGES_NAMELIST_H

#include <cstdint>
#include <string>
#include <vector>

namespace tg {

/// A name in quotes, or its end where it is too long for a message.
std::string quote(const std::string &name);

/// The first of many names, and how many there are. Throws for want of memory.
class NameList {
public:
  void add(std::string name) {
    if (names.size() < kept)
      names.push_back(std::move(name));
    ++count;
  }
  bool isEmpty() const { return count == 0; }
  /// "'a', 'b' and 3 more": as many as `room` bytes hold, but one at least.
  std::string describe(size_t room) const;

private:
  static constexpr size_t kept = 8;

  std::vector<std::string> names;
  uint64_t count = 0;
};

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_NAMELIST_H
