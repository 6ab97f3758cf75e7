/// Fetches, and structures of fetches.
#ifndef TG_GRAPH_FETCHES_H
#define TG_GRAPH_FETCHES_H

#include "../tensor/array.h"
#include "dataset.h"
#include "program.h"

#include <map>
#include <tuple>

namespace tg {

/// A result of a run: a tensor, the value of a variable, or the effects of
/// updates, which have no value. A tensor or op can also be fetched by its
/// name. Records the source location.
class Fetch {
public:
  using Place = std::source_location;

  Fetch(const Tensor &tensor, Place place = Place::current());
  Fetch(const Updates &updates, Place place = Place::current());
  /// Fetches the new value of the variable.
  Fetch(const Assignment &assignment, Place place = Place::current());
  /// Restarts an iterator before the other fetches are computed. Has no value.
  Fetch(const IteratorInitializer &initializer, Place place = Place::current());
  Fetch(const char *name, Place place = Place::current());
  Fetch(const std::string &name, Place place = Place::current());

  /// Internal: the fetched object, shared by copies.
  struct What;
  std::shared_ptr<const What> what;
  Place where;
};

/// The values that a run returned for a tree of fetches.
class ArrayTree {
public:
  using Place = std::source_location;

  ArrayTree() = default;
  explicit ArrayTree(const Array &array);

  /// Returns the value of a fetch. Throws GraphError for a list or map.
  const Array &array(Place where = Place::current()) const;
  /// Return the number of items of a list or map, and the names of the items of
  /// a map.
  size_t size() const { return items.size(); }
  const std::vector<std::string> &names() const { return keys; }
  /// Returns an item. Throws GraphError if it does not exist.
  const ArrayTree &at(size_t index, Place where = Place::current()) const;
  const ArrayTree &at(const std::string &name,
                      Place where = Place::current()) const;

private:
  friend class FetchTree;

  bool isLeaf = false;
  Array value;
  std::vector<std::string> keys;
  std::vector<ArrayTree> items;
};

/// A fetch, or a list or map of fetch trees, for structures whose branches
/// differ in depth.
///
///   FetchTree::map({{"loss", loss}, {"layers", FetchTree::list({a, b})}})
class FetchTree {
public:
  using Place = std::source_location;

  template <typename Leaf>
    requires std::convertible_to<const Leaf &, Fetch>
  FetchTree(const Leaf &fetch, Place where = Place::current())
      : leaf{Fetch(fetch, where)} {}
  static FetchTree list(std::vector<FetchTree> items);
  static FetchTree map(const std::map<std::string, FetchTree> &items);

  /// Internal: addTo() appends the fetches in order. take() reads a value for
  /// each of them from `next`, and advances it.
  void addTo(std::vector<Fetch> &fetches) const;
  ArrayTree take(const Array *&next) const;

private:
  FetchTree() = default;

  /// The fetch; empty for a list or map.
  std::vector<Fetch> leaf;
  std::vector<std::string> keys;
  std::vector<FetchTree> items;
};

namespace dsl {
/// Appends a fetch.
void addTo(std::vector<Fetch> &fetches, const Fetch &fetch);

/// Converts a structure of fetches to a list, and a list of values to the same
/// structure. Each kind of structure has a specialization.
template <typename T> struct Fetched {};

template <typename T>
concept Fetchable = requires { typename Fetched<T>::Value; };
/// The type of the values that a run returns for a structure.
template <Fetchable T> using FetchedBy = typename Fetched<T>::Value;

template <typename T>
  requires std::convertible_to<const T &, Fetch>
struct Fetched<T> {
  using Value = Array;
  static void list(const T &fetch, std::vector<Fetch> &fetches,
                   std::source_location where) {
    addTo(fetches, Fetch(fetch, where));
  }
  static Value make(const T &, const Array *&next) { return *next++; }
};

template <> struct Fetched<Fetch> {
  using Value = Array;
  static void list(const Fetch &fetch, std::vector<Fetch> &fetches,
                   std::source_location) {
    addTo(fetches, fetch);
  }
  static Value make(const Fetch &, const Array *&next) { return *next++; }
};

template <> struct Fetched<FetchTree> {
  using Value = ArrayTree;
  static void list(const FetchTree &tree, std::vector<Fetch> &fetches,
                   std::source_location) {
    tree.addTo(fetches);
  }
  static Value make(const FetchTree &tree, const Array *&next) {
    return tree.take(next);
  }
};

template <Fetchable T> struct Fetched<std::vector<T>> {
  using Value = std::vector<FetchedBy<T>>;
  static void list(const std::vector<T> &items, std::vector<Fetch> &fetches,
                   std::source_location where) {
    for (const T &item : items)
      Fetched<T>::list(item, fetches, where);
  }
  static Value make(const std::vector<T> &items, const Array *&next) {
    Value values;
    for (const T &item : items)
      values.push_back(Fetched<T>::make(item, next));
    return values;
  }
};

template <typename Key, Fetchable T> struct Fetched<std::map<Key, T>> {
  using Value = std::map<Key, FetchedBy<T>>;
  static void list(const std::map<Key, T> &items, std::vector<Fetch> &fetches,
                   std::source_location where) {
    for (const auto &[key, item] : items)
      Fetched<T>::list(item, fetches, where);
  }
  static Value make(const std::map<Key, T> &items, const Array *&next) {
    Value values;
    for (const auto &[key, item] : items)
      values.emplace(key, Fetched<T>::make(item, next));
    return values;
  }
};

template <Fetchable... T> struct Fetched<std::tuple<T...>> {
  using Value = std::tuple<FetchedBy<T>...>;
  static void list(const std::tuple<T...> &items, std::vector<Fetch> &fetches,
                   std::source_location where) {
    std::apply(
        [&](const T &...item) {
          (Fetched<T>::list(item, fetches, where), ...);
        },
        items);
  }
  static Value make(const std::tuple<T...> &items, const Array *&next) {
    // Braces evaluate from left to right.
    return std::apply(
        [&](const T &...item) {
          return Value{Fetched<T>::make(item, next)...};
        },
        items);
  }
};

template <Fetchable First, Fetchable Second>
struct Fetched<std::pair<First, Second>> {
  using Value = std::pair<FetchedBy<First>, FetchedBy<Second>>;
  static void list(const std::pair<First, Second> &items,
                   std::vector<Fetch> &fetches, std::source_location where) {
    Fetched<First>::list(items.first, fetches, where);
    Fetched<Second>::list(items.second, fetches, where);
  }
  static Value make(const std::pair<First, Second> &items, const Array *&next) {
    return Value{Fetched<First>::make(items.first, next),
                 Fetched<Second>::make(items.second, next)};
  }
};
} // namespace dsl

} // namespace tg

#endif // TG_GRAPH_FETCHES_H
