/// Suggestions in messages about a name that is not in a table of a model.
#ifndef TG_RUNTIME_MESSAGES_SUGGESTION_H
#define TG_RUNTIME_MESSAGES_SUGGESTION_H

#include <cstddef>
#include <cstdint>

namespace tg {

/// Collects the names of a table, and suggests one for a name that the table
/// lacks: a name in which up to a third of the characters differ, or a longer
/// or shorter path with the same last components ("b" and "a/b"). Allocates
/// nothing. A name longer than 64 bytes is never suggested.
class Suggestion {
public:
  explicit Suggestion(const char *given);

  void add(const char *known);
  /// Returns true if a similar name was found.
  bool hasNearest() const { return nearest != nullptr; }
  /// Returns "; did you mean 'train'?", or "; there are 'a', 'b' and 3 more" if
  /// no name is similar, or "; there is none" for an empty table.
  const char *describe();

private:
  static constexpr size_t longest = 64;

  /// Returns the number of insertions, deletions, replacements, and
  /// transpositions of adjacent characters between the names.
  size_t distanceTo(const char *known, size_t length) const;
  /// Appends a name to the list if there is room.
  void list(const char *known);

  /// The name that the table lacks.
  const char *given;
  size_t length;
  /// The nearest name so far, and the maximum distance at which a further name
  /// replaces it.
  const char *nearest = nullptr;
  size_t maxDistance;
  uint64_t count = 0, listed = 0;
  char names[88] = "";
  char text[160] = "";
};

/// Returns a suggestion for a name that is not among the entries of a table.
template <typename Entry>
Suggestion suggestFrom(const Entry *const *entries, uint32_t count,
                       const char *given) {
  Suggestion suggestion(given);
  for (uint32_t i = 0; i < count; ++i)
    suggestion.add(entries[i]->name);
  return suggestion;
}

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_SUGGESTION_H
