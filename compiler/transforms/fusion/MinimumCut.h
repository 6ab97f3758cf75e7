//===- MinimumCut.h - the cheapest cut of a graph -------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_MINIMUMCUT_H
#define TG_COMPILER_TRANSFORMS_FUSION_MINIMUMCUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <vector>

namespace tg {

/// A directed graph whose nodes have costs. Finds the cheapest set of nodes
/// such that each path from a source to a sink contains one of them, by Dinic's
/// maximum flow algorithm in O(nodes^2 edges). Among several cheapest sets it
/// returns the one next to the sinks.
class MinimumCut {
public:
  using Node = unsigned;
  /// The cost of a node that cannot be in the set.
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;

  MinimumCut();
  /// Adds a node and returns its id. Ids count up from 0. Costs are 0 or more.
  Node addNode(int64_t cost);
  void addEdge(Node from, Node to);
  void addSource(Node node);
  void addSink(Node node);

  /// Returns the set in ascending order. Nothing may be added afterwards. The
  /// graph must have no path from a source to a sink on which no node can be in
  /// the set.
  std::vector<Node> find();

private:
  /// An arc of the residual graph, with its residual capacity. The two arcs of
  /// an edge have consecutive indices: the arc along the edge has the even
  /// index, its reverse the odd one.
  struct Arc {
    unsigned to;
    int64_t residual;
  };

  void addArc(unsigned from, unsigned to, int64_t residual);
  bool findLevels();
  int64_t augment();

  std::vector<Arc> arcs;
  /// The arcs out of each vertex. Vertex 0 is the common source and vertex 1
  /// the common sink. They are followed by an entry and an exit vertex for each
  /// node.
  std::vector<llvm::SmallVector<unsigned, 4>> arcsOf;
  /// For each vertex, its distance to the sink in the residual graph, and the
  /// index in `arcsOf` of the next arc to try.
  std::vector<unsigned> levels, next;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_MINIMUMCUT_H
