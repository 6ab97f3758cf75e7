//===- Iterators.h - iterators of a graph ---------------------------------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H
#define TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H

#include "compiler/frontend/graph/Build.h"
#include "tg/graph/dataset.h"

namespace tg::dsl {

/// The part of an iterator that a graph keeps: nothing that keeps the graph.
struct GraphIterator {
  Dataset data;
  bool isOneShot;
  Place where;
  /// The inputs that stand for the next element.
  std::vector<Id> next = {};
  /// For an iterator that follows others: the handle that says which, and the
  /// types of their elements.
  std::optional<Id> handle = {};
  std::vector<TensorType> followed = {};

  const std::vector<TensorType> &types() const {
    return handle ? followed : data.types();
  }
};

struct IteratorState {
  Program program;
  std::shared_ptr<GraphIterator> iterator;
  /// In eager mode: where it reads, and which pass that is.
  Dataset::Reader reader = {};
  int64_t pass = 0;
};

/// Returns true if elements of these types are of those.
bool areSameTypes(const std::vector<TensorType> &lhs,
                  const std::vector<TensorType> &rhs);

/// The inputs of a graph that iterators give, and which array of an element
/// each is. Graphs keep their iterators.
struct Iterators {
  struct Source {
    std::shared_ptr<GraphIterator> iterator;
    size_t component;
  };
  static Iterators &of(const Bodies &body);

  std::map<Id, Source> sources;
  /// By their handles.
  std::vector<std::shared_ptr<GraphIterator>> all;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_ITERATORS_H
