//===- OrderedGraph.h - a directed acyclic graph kept in order ------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_ORDEREDGRAPH_H
#define TG_COMPILER_TRANSFORMS_FUSION_ORDEREDGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace tg {

/// A directed acyclic graph that is kept in a topological order while edges are
/// added and nodes are merged. A search for a path visits only nodes that lie
/// between its two ends in the order. It alternates between a search from each
/// end, and stops when one of the two is exhausted. If the order has to change,
/// only the nodes that the exhausted search visited move (the incremental
/// orders of Pearce and Kelly, and of Bender, Fineman, Gilbert and Tarjan).
/// Paths along the forest that `indexPaths` stores are found at once.
class OrderedGraph {
public:
  using Node = unsigned;

  /// Adds a node after all others and returns its id. Ids count up from 0.
  Node addNode();
  /// Adds an edge. Returns false, and changes nothing, if it would close a
  /// cycle.
  bool addEdge(Node from, Node to);
  /// Stores a spanning forest of the current edges, in the order in which they
  /// were added. Must be called once, before nodes are merged.
  void indexPaths();

  /// Returns true if a path leads from one node to another.
  bool reaches(Node from, Node to);
  /// Merges `from` into `to`. Returns false, and changes nothing, if a path
  /// through further nodes connects them. An edge must connect them.
  bool merge(Node from, Node to);

  /// Returns the targets of edges from a node, possibly with duplicates.
  llvm::ArrayRef<Node> getSuccessors(Node node) const {
    return nodes[node].successors;
  }

private:
  struct Data {
    /// Neighbours, by the ids that the nodes had when the edge was added.
    llvm::SmallVector<Node, 4> successors, predecessors;
    /// The node that this one was merged into; itself while it exists.
    Node mergedInto;
    /// The previous and the next node of the order, and a rank that increases
    /// along it.
    std::optional<Node> previous, next;
    int64_t rank;
    /// The preorder numbers, in the forest, of this node and of its last
    /// descendant; lastNumber < number if the node is not in the index.
    unsigned preorder = 1, lastPreorder = 0;
    /// `preorder` of all nodes that were merged into this one, ascending; empty
    /// without an index.
    llvm::SmallVector<unsigned, 1> preorders;
    /// The last search that saw the node.
    uint64_t seen = 0;
  };
  class Search;

  Node find(Node node);
  void unlink(Node node);
  /// Puts nodes, in their order, directly before or after `anchor`.
  void moveNextTo(llvm::MutableArrayRef<Node> moved, Node anchor, bool isAfter);
  void spreadRanks();
  /// Returns true if a path of the index leads from `node` to a node that was
  /// merged into `target`.
  bool isAncestor(Node node, Node target) const;

  std::vector<Data> nodes;
  std::optional<Node> first, last;
  uint64_t searches = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_ORDEREDGRAPH_H
