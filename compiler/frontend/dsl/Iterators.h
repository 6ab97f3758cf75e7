//===- Iterators.h - iterators of a graph ---------------------------------===//
#ifndef TG_COMPILER_FRONTEND_DSL_ITERATORS_H
#define TG_COMPILER_FRONTEND_DSL_ITERATORS_H

#include "compiler/frontend/dsl/Build.h"
#include "tg/dataset.h"

namespace tg::dsl {

struct IteratorState {
  Program program;
  Dataset data;
  bool isOneShot;
  Place where;
  /// In a graph: the inputs that stand for the next element.
  std::vector<Tensor> next = {};
  /// In eager mode: where it reads, and which pass that is.
  Dataset::Reader reader = {};
  int64_t pass = 0;
  /// Of one that follows others: what says which, and what their elements are.
  Tensor handle = {};
  std::vector<TensorType> followed = {};

  const std::vector<TensorType> &types() const {
    return handle.isDefined() ? followed : data.types();
  }
};

/// Whether elements of these types are of those.
bool areSameTypes(const std::vector<TensorType> &lhs,
                  const std::vector<TensorType> &rhs);

/// The inputs of a graph that iterators give, and which array of an element
/// each is. Graphs keep their iterators.
struct Iterators {
  struct Source {
    std::shared_ptr<IteratorState> iterator;
    size_t component;
  };
  static Iterators &of(const Bodies &body);

  std::map<Id, Source> sources;
  /// By their handles.
  std::vector<std::shared_ptr<IteratorState>> all;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_DSL_ITERATORS_H
