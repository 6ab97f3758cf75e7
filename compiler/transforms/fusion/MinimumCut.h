//===- MinimumCut.h - the cheapest nodes that part two sides --------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_MINIMUMCUT_H
#define TG_COMPILER_TRANSFORMS_FUSION_MINIMUMCUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <vector>

namespace tg {

/// A directed graph whose nodes cost something, and the cheapest set of them
/// that no path from a source to a sink goes around. By Dinic's algorithm for
/// the largest flow, O(nodes^2 edges) at worst; of several cheapest sets that
/// next to the sinks.
class MinimumCut {
public:
  using Node = unsigned;
  /// The cost of a node that cannot be in the set.
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;

  MinimumCut();
  /// Nodes are numbered from 0. Costs are 0 or more.
  Node addNode(int64_t cost);
  void addEdge(Node from, Node to);
  void addSource(Node node);
  void addSink(Node node);

  /// Ascending; nothing may be added after that. Not meant for graphs with a
  /// path from a source to a sink on which no node can be in the set.
  std::vector<Node> find();

private:
  /// One direction of an edge; the other one is the next or the last in the
  /// list, which has even numbers for edges that were added.
  struct Arc {
    unsigned to;
    int64_t room;
  };

  void addArc(unsigned from, unsigned to, int64_t room);
  bool findLevels();
  int64_t augment();

  std::vector<Arc> arcs;
  /// The arcs out of each vertex: each node is an entry and an exit, behind the
  /// two that join all sources and all sinks.
  std::vector<llvm::SmallVector<unsigned, 4>> arcsOf;
  std::vector<unsigned> levels, next;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_MINIMUMCUT_H
