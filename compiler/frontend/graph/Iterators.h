//===- Iterators.h - iterators of a graph ---------------------------------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H
#define TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H

#include "compiler/frontend/graph/Build.h"
#include "tg/graph/dataset.h"

namespace tg::dsl {

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
  /// In eager mode: the reader and the index of the current pass.
  Dataset::Reader reader = {};
  int64_t pass = 0;
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
