//===- OrderedGraph.cpp - a directed acyclic graph kept in order ----------===//
#include "compiler/transforms/fusion/OrderedGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace tg;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

/// The distance between the ranks of neighbours when ranks are spread evenly.
static constexpr int64_t kRankGap = int64_t(1) << 32;

OrderedGraph::Node OrderedGraph::addNode() {
  Node node = nodes.size();
  Data &data = nodes.emplace_back();
  data.mergedInto = node;
  data.previous = last;
  data.rank = last ? nodes[*last].rank + kRankGap : 0;
  (last ? nodes[*last].next : first) = node;
  last = node;
  return node;
}

OrderedGraph::Node OrderedGraph::find(Node node) {
  while (nodes[node].mergedInto != node)
    node = nodes[node].mergedInto = nodes[nodes[node].mergedInto].mergedInto;
  return node;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// A bidirectional search for a path between two nodes.
class OrderedGraph::Search {
public:
  Search(OrderedGraph &graph, Node from, Node to)
      : graph(graph), forward{from, {}, 0, 0, graph.searches + 1},
        backward{to, {}, 0, 0, graph.searches + 2} {
    graph.searches += 2;
    addReached(forward, from);
    addReached(backward, to);
  }

  /// Returns true if there is a path other than a direct edge.
  bool run() {
    if (graph.nodes[forward.start].rank > graph.nodes[backward.start].rank)
      return false;
    while (true) {
      for (Side *side : {&forward, &backward}) {
        std::optional<Node> next = advance(*side);
        if (!next)
          return false;
        if (visitEdge(*side, *next))
          return true;
      }
    }
  }

  /// Returns true if a direct edge connects the two nodes. Only valid after an
  /// unsuccessful search.
  bool hasEdge() const { return isAdjacent; }
  /// Returns true if the search saw all successors of `from`; else it saw all
  /// predecessors of `to`. Only nodes between the two in the order count,
  /// without the two themselves. Only valid after an unsuccessful search.
  bool isForwardDone() const { return isDone(forward); }
  MutableArrayRef<Node> getForward() {
    return MutableArrayRef(forward.reached).drop_front();
  }
  MutableArrayRef<Node> getBackward() {
    return MutableArrayRef(backward.reached).drop_front();
  }

private:
  /// One end of the search, the nodes reached from it, and the next edge to
  /// visit.
  struct Side {
    Node start;
    SmallVector<Node> reached;
    size_t node, edge;
    uint64_t mark;
  };

  void addReached(Side &side, Node node) {
    graph.nodes[node].seen = side.mark;
    side.reached.push_back(node);
  }

  ArrayRef<Node> edgesOf(const Side &side, Node node) const {
    const Data &data = graph.nodes[node];
    return &side == &forward ? data.successors : data.predecessors;
  }

  bool isDone(const Side &side) const {
    return side.node == side.reached.size();
  }

  /// Returns the far end of the next edge; none if all edges were visited.
  std::optional<Node> advance(Side &side) {
    while (!isDone(side)) {
      ArrayRef<Node> edges = edgesOf(side, side.reached[side.node]);
      if (side.edge < edges.size())
        return edges[side.edge++];
      ++side.node;
      side.edge = 0;
    }
    return std::nullopt;
  }

  /// Returns true if an edge to `next` completes a path.
  bool visitEdge(Side &side, Node next) {
    const Side &other = &side == &forward ? backward : forward;
    Node node = graph.find(next);
    if (graph.nodes[node].seen == side.mark)
      return false;
    if (side.node == 0 && node == other.start) {
      isAdjacent = true;
      return false;
    }
    if (graph.nodes[node].seen == other.mark)
      return true;
    int64_t rank = graph.nodes[node].rank;
    if (rank < graph.nodes[forward.start].rank ||
        rank > graph.nodes[backward.start].rank)
      return false;
    if (&side == &forward && graph.isAncestor(next, backward.start))
      return true;
    addReached(side, node);
    return false;
  }

  OrderedGraph &graph;
  Side forward, backward;
  bool isAdjacent = false;
};

bool OrderedGraph::reaches(Node from, Node to) {
  from = find(from);
  to = find(to);
  if (from == to)
    return true;
  Search search(*this, from, to);
  return search.run() || search.hasEdge();
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

void OrderedGraph::unlink(Node node) {
  Data &data = nodes[node];
  (data.previous ? nodes[*data.previous].next : first) = data.next;
  (data.next ? nodes[*data.next].previous : last) = data.previous;
}

void OrderedGraph::spreadRanks() {
  int64_t rank = 0;
  for (std::optional<Node> node = first; node; node = nodes[*node].next)
    nodes[*node].rank = rank += kRankGap;
}

void OrderedGraph::moveNextTo(MutableArrayRef<Node> moved, Node anchor,
                              bool isAfter) {
  if (moved.empty())
    return;
  llvm::sort(moved,
             [&](Node a, Node b) { return nodes[a].rank < nodes[b].rank; });
  for (Node node : moved)
    unlink(node);
  std::optional<Node> before = isAfter ? anchor : nodes[anchor].previous;
  std::optional<Node> after = isAfter ? nodes[anchor].next : anchor;
  for (Node node : moved) {
    nodes[node].previous = before;
    (before ? nodes[*before].next : first) = node;
    before = node;
  }
  nodes[*before].next = after;
  (after ? nodes[*after].previous : last) = before;
  // The ranks lie between those of the neighbours, if there is room.
  std::optional<Node> lower = nodes[moved.front()].previous;
  int64_t count = moved.size() + 1;
  int64_t low =
      lower ? nodes[*lower].rank : nodes[*after].rank - kRankGap * count;
  int64_t high = after ? nodes[*after].rank : low + kRankGap * count;
  int64_t step = (high - low) / count;
  if (step == 0)
    return spreadRanks();
  for (Node node : moved)
    nodes[node].rank = low += step;
}

bool OrderedGraph::addEdge(Node from, Node to) {
  from = find(from);
  to = find(to);
  if (from == to)
    return false;
  if (nodes[from].rank > nodes[to].rank) {
    Search search(*this, to, from);
    if (search.run() || search.hasEdge())
      return false;
    SmallVector<Node> moved;
    if (search.isForwardDone()) {
      moved.push_back(to);
      llvm::append_range(moved, search.getForward());
      moveNextTo(moved, from, /*isAfter=*/true);
    } else {
      moved.push_back(from);
      llvm::append_range(moved, search.getBackward());
      moveNextTo(moved, to, /*isAfter=*/false);
    }
  }
  nodes[from].successors.push_back(to);
  nodes[to].predecessors.push_back(from);
  return true;
}

/// Appends the shorter list to the longer one. The result is in `list`.
template <typename List> static void appendTo(List &list, List &other) {
  if (list.size() < other.size())
    std::swap(list, other);
  llvm::append_range(list, other);
  other.clear();
}

bool OrderedGraph::merge(Node from, Node to) {
  from = find(from);
  to = find(to);
  Search search(*this, from, to);
  if (search.run())
    return false;
  // The merged node takes the position of the node whose side of the search is
  // complete.
  if (search.isForwardDone()) {
    moveNextTo(search.getForward(), to, /*isAfter=*/true);
  } else {
    moveNextTo(search.getBackward(), from, /*isAfter=*/false);
    moveNextTo(to, from, /*isAfter=*/true);
  }
  unlink(from);
  Data &source = nodes[from], &target = nodes[to];
  source.mergedInto = to;
  appendTo(target.successors, source.successors);
  appendTo(target.predecessors, source.predecessors);
  appendTo(target.preorders, source.preorders);
  llvm::sort(target.preorders);
  return true;
}

//===----------------------------------------------------------------------===//
// The index
//===----------------------------------------------------------------------===//

void OrderedGraph::indexPaths() {
  unsigned count = 0;
  /// The path to the current node, with the next edge of each node.
  SmallVector<std::pair<Node, size_t>> path;
  auto enter = [&](Node node) {
    if (!nodes[node].preorders.empty())
      return;
    nodes[node].preorder = count;
    nodes[node].preorders.push_back(count++);
    path.push_back({node, 0});
  };
  for (Node root = 0; root < nodes.size(); ++root) {
    enter(root);
    while (!path.empty()) {
      auto &[node, edge] = path.back();
      if (edge < nodes[node].successors.size()) {
        enter(nodes[node].successors[edge++]);
        continue;
      }
      nodes[node].lastPreorder = count - 1;
      path.pop_back();
    }
  }
}

bool OrderedGraph::isAncestor(Node node, Node target) const {
  const Data &data = nodes[node];
  ArrayRef<unsigned> preorders = nodes[target].preorders;
  const unsigned *found = llvm::lower_bound(preorders, data.preorder);
  return found != preorders.end() && *found <= data.lastPreorder;
}
