/// Shortens names and lists of them.
#include "NameList.h"

using namespace tg;

std::string tg::quote(const std::string &name) {
  constexpr size_t limit = 48;
  if (name.size() <= limit)
    return "'" + name + "'";
  return "'..." + name.substr(name.size() - (limit - 3)) + "'";
}

std::string NameList::describe(size_t room) const {
  constexpr size_t rest = sizeof(" and 18446744073709551615 more");
  std::string text;
  size_t shown = 0;
  for (const std::string &name : names) {
    const std::string next = (shown ? ", " : "") + quote(name);
    if (shown && text.size() + next.size() + rest > room)
      break;
    text += next;
    ++shown;
  }
  if (shown < count)
    text += " and " + std::to_string(count - shown) + " more";
  return text;
}
