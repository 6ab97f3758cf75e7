//===- Iterators.h - iterators of a graph and their places ----------------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H
#define TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H

#include "compiler/frontend/graph/Build.h"
#include "tg/graph/dataset.h"

namespace tg::data {
class Loader;
} // namespace tg::data

namespace tg::dsl {

/// Reads the elements of one pass over a data set.
class ElementReader {
public:
  /// Begins a pass. Throws GraphError, as do the functions below.
  ElementReader(const Dataset &data, int64_t pass);
  /// Continues at the position of another reader of an equal data set.
  ElementReader(const Dataset &data, const std::string &position);

  /// Reads the next element. Returns false at the end, and from then on.
  bool next(Dataset::Element &element);
  /// Returns the position after the element that next() read last, as a text.
  std::string position() const;

  /// Returns the description of a data set. Equal data sets have equal ones.
  static std::string describe(const Dataset &data);

private:
  std::shared_ptr<data::Loader> loader;
  std::source_location where;
  bool isAtEnd = false;
};

/// The place of an iterator in eager mode or in a session.
struct IteratorReading {
  /// Begins the next pass.
  void begin(const Dataset &next);

  /// Returns the place as a text. `first` is the data set of the first pass.
  std::string place(const Dataset &first) const;
  /// Returns the reading at such a place. Throws GraphError if it is not a
  /// place in an equal data set; the message begins with `subject`.
  static IteratorReading at(const std::string &place, const Dataset &data,
                            const std::string &subject,
                            std::source_location where);

  /// Null before the first pass.
  std::shared_ptr<ElementReader> reader = {};
  /// The number of passes that were begun.
  int64_t passes = 0;
  /// The data set of the reader.
  Dataset data = {};
};

/// The state of an iterator that a graph keeps. It holds no reference to the
/// graph.
struct GraphIterator {
  Dataset data;
  bool isOneShot;
  Place where;
  /// The inputs that stand for the next element.
  std::vector<Id> next = {};
  /// For an iterator made by fromHandle(): the handle, which selects the
  /// iterator to read in each run, and the types of an element.
  std::optional<Id> handle = {};
  std::vector<TensorType> elementTypes = {};

  const std::vector<TensorType> &types() const {
    return handle ? elementTypes : data.types();
  }
};

struct IteratorState {
  Program program;
  std::shared_ptr<GraphIterator> iterator;
  /// The place in eager mode.
  IteratorReading reading = {};
};

/// Returns true if the two lists of types are the same.
bool areSameTypes(const std::vector<TensorType> &lhs,
                  const std::vector<TensorType> &rhs);

/// The inputs of a graph that iterators supply, each with its component of an
/// element. Graphs own their iterators.
struct Iterators {
  struct Source {
    std::shared_ptr<GraphIterator> iterator;
    size_t component;
  };
  static Iterators &of(const BodyPtr &body);

  std::map<Id, Source> sources;
  /// The iterators by handle.
  std::vector<std::shared_ptr<GraphIterator>> all;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H
