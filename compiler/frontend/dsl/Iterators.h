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
  /// In eager mode: where it reads.
  Dataset::Reader reader = {};
};

/// The inputs of a graph that iterators give, and which array of an element
/// each is. Graphs keep their iterators.
struct Iterators {
  struct Source {
    std::shared_ptr<IteratorState> iterator;
    size_t component;
  };
  static Iterators &of(const Bodies &body);

  std::map<Id, Source> sources;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_DSL_ITERATORS_H
