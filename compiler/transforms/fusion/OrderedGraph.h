//===- OrderedGraph.h - a graph without cycles, kept in order -------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_ORDEREDGRAPH_H
#define TG_COMPILER_TRANSFORMS_FUSION_ORDEREDGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace tg {

/// A directed graph without cycles, kept in a topological order while edges are
/// added and nodes are merged. A search for a path looks at what stands between
/// its ends alone, from both ends by turns, and stops with the side that is
/// done first; that side is all that moves when the order has to change (the
/// incremental orders of Pearce and Kelly, and of Bender, Fineman, Gilbert and
/// Tarjan). Long paths that were there before `indexPaths` are found at once.
class OrderedGraph {
public:
  using Node = unsigned;

  /// A node after all others. Nodes are numbered from 0.
  Node addNode();
  /// Adds an edge; false, and nothing changed, if it would close a cycle.
  bool addEdge(Node from, Node to);
  /// Remembers a spanning forest of the edges so far, in the order in which
  /// they were added. Once, before nodes are merged.
  void indexPaths();

  /// Whether a path leads from one node to another.
  bool reaches(Node from, Node to);
  /// Lets `from` become a part of `to`; false, and nothing changed, if a path
  /// leads from one to the other through further nodes. An edge must lead from
  /// one to the other.
  bool merge(Node from, Node to);

  /// The nodes to which edges lead, some of them maybe twice.
  llvm::ArrayRef<Node> getSuccessors(Node node) const {
    return nodes[node].successors;
  }

private:
  struct Data {
    /// By the numbers that the nodes had when the edge was added.
    llvm::SmallVector<Node, 4> successors, predecessors;
    /// What this node became a part of; itself as long as it exists.
    Node whole;
    /// Neighbours in the order, and a number that grows along it.
    std::optional<Node> before, after;
    int64_t rank;
    /// Numbers in the forest of this node, and of the last one below it; none
    /// without index.
    unsigned number = 1, lastNumber = 0;
    /// `number` of all nodes that became one, ascending; empty without index.
    llvm::SmallVector<unsigned, 1> numbers;
    /// The search that saw the node last.
    uint64_t seen = 0;
  };
  class Search;

  Node find(Node node);
  void unlink(Node node);
  /// Puts nodes, in their order, directly before or after `place`.
  void moveBeside(llvm::MutableArrayRef<Node> moved, Node place, bool isAfter);
  void spreadRanks();
  /// Whether a path of the index leads from `node` to a part of `target`.
  bool isAbove(Node node, Node target) const;

  std::vector<Data> nodes;
  std::optional<Node> first, last;
  uint64_t searches = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_ORDEREDGRAPH_H
