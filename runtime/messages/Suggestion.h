/// The words of a message about a name that a table of a model lacks.
#ifndef TG_RUNTIME_MESSAGES_SUGGESTION_H
#define TG_RUNTIME_MESSAGES_SUGGESTION_H

#include <cstddef>
#include <cstdint>

namespace tg {

/// Collects the names of a table, and says which one may be meant by a name
/// that it lacks: one in which a third of the characters differ, or of which it
/// is the last part. Takes no memory but its own; names longer than 64 bytes
/// are near to none.
class Suggestion {
public:
  explicit Suggestion(const char *wanted);

  void add(const char *known);
  /// Returns true if a name is near.
  bool hasNearest() const { return nearest != nullptr; }
  /// "; did you mean 'train'?", where no name is near "; there are 'a', 'b' and
  /// 3 more", and "; there is none" of an empty table.
  const char *describe();

private:
  static constexpr size_t longest = 64;

  /// The insertions, deletions, replacements, and exchanges of neighbouring
  /// characters between the names.
  size_t distanceTo(const char *known, size_t length) const;
  /// Appends a name to the list, if it has room.
  void list(const char *known);

  const char *wanted;
  size_t length;
  /// The nearest name, and the most characters that a nearer one differs in.
  const char *nearest = nullptr;
  size_t most;
  uint64_t count = 0, listed = 0;
  char names[88] = "";
  char text[160] = "";
};

/// A suggestion for a name that is not among the entries of a table.
template <typename Entry>
Suggestion suggestFrom(const Entry *const *entries, uint32_t count,
                       const char *wanted) {
  Suggestion suggestion(wanted);
  for (uint32_t i = 0; i < count; ++i)
    suggestion.add(entries[i]->name);
  return suggestion;
}

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_SUGGESTION_H
