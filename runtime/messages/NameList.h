/// Names in messages. Long names and long lists are shortened.
#ifndef TG_RUNTIME_MESSAGES_NAMELIST_H
#define TG_RUNTIME_MESSAGES_NAMELIST_H

#include <cstdint>
#include <string>
#include <vector>

namespace tg {

/// Returns a name in quotes, or only its end if it is too long for a message.
std::string quote(const std::string &name);

/// The first names of a list, and their total number. Throws std::bad_alloc.
class NameList {
public:
  void add(std::string name) {
    if (names.size() < maxNames)
      names.push_back(std::move(name));
    ++count;
  }
  bool isEmpty() const { return count == 0; }
  /// Returns a text such as "'a', 'b' and 3 more" with at least one name, and
  /// more if they fit in `room` bytes.
  std::string describe(size_t room) const;

private:
  static constexpr size_t maxNames = 8;

  std::vector<std::string> names;
  uint64_t count = 0;
};

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_NAMELIST_H
