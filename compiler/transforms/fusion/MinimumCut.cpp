//===- MinimumCut.cpp - the cheapest cut of a graph -----------------------===//
#include "compiler/transforms/fusion/MinimumCut.h"
#include <algorithm>

using namespace tg;
using llvm::SmallVector;

/// The vertices that precede all sources and follow all sinks.
static constexpr unsigned kSource = 0, kSink = 1;
/// The level of an unreachable vertex.
static constexpr unsigned kUnreachable = std::numeric_limits<unsigned>::max();

static unsigned entryOf(MinimumCut::Node node) { return 2 * node + 2; }
static unsigned exitOf(MinimumCut::Node node) { return 2 * node + 3; }

MinimumCut::MinimumCut() : arcsOf(2) {}

void MinimumCut::addArc(unsigned from, unsigned to, int64_t residual) {
  arcsOf[from].push_back(arcs.size());
  arcs.push_back({to, residual});
  arcsOf[to].push_back(arcs.size());
  arcs.push_back({from, 0});
}

MinimumCut::Node MinimumCut::addNode(int64_t cost) {
  Node node = (arcsOf.size() - 2) / 2;
  arcsOf.resize(arcsOf.size() + 2);
  addArc(entryOf(node), exitOf(node), cost);
  return node;
}

void MinimumCut::addEdge(Node from, Node to) {
  addArc(exitOf(from), entryOf(to), kNever);
}

void MinimumCut::addSource(Node node) {
  addArc(kSource, entryOf(node), kNever);
}

void MinimumCut::addSink(Node node) { addArc(exitOf(node), kSink, kNever); }

/// Sets the level of each vertex: the smallest number of arcs with residual
/// capacity on a path to the sink. Returns true if the source has a level.
bool MinimumCut::findLevels() {
  levels.assign(arcsOf.size(), kUnreachable);
  levels[kSink] = 0;
  std::vector<unsigned> queue = {kSink};
  for (size_t done = 0; done < queue.size(); ++done)
    for (unsigned arc : arcsOf[queue[done]]) {
      unsigned from = arcs[arc].to;
      if (arcs[arc ^ 1].residual == 0 || levels[from] != kUnreachable)
        continue;
      levels[from] = levels[queue[done]] + 1;
      queue.push_back(from);
    }
  return levels[kSource] != kUnreachable;
}

/// Sends as much flow as possible along one more shortest path. Returns the
/// flow, 0 if there is no path.
int64_t MinimumCut::augment() {
  SmallVector<unsigned> path;
  unsigned vertex = kSource;
  while (vertex != kSink) {
    if (next[vertex] == arcsOf[vertex].size()) {
      if (path.empty())
        return 0;
      vertex = arcs[path.pop_back_val() ^ 1].to;
      ++next[vertex];
      continue;
    }
    unsigned arc = arcsOf[vertex][next[vertex]];
    unsigned to = arcs[arc].to;
    if (arcs[arc].residual == 0 || levels[to] == kUnreachable ||
        levels[to] + 1 != levels[vertex]) {
      ++next[vertex];
      continue;
    }
    path.push_back(arc);
    vertex = to;
  }
  int64_t sent = kNever;
  for (unsigned arc : path)
    sent = std::min(sent, arcs[arc].residual);
  for (unsigned arc : path) {
    arcs[arc].residual -= sent;
    arcs[arc ^ 1].residual += sent;
  }
  return sent;
}

std::vector<MinimumCut::Node> MinimumCut::find() {
  while (findLevels()) {
    next.assign(arcsOf.size(), 0);
    while (augment() > 0) {
    }
  }
  // Vertices that still lead to a sink are on the side of the sinks.
  std::vector<Node> cut;
  for (Node node = 0; exitOf(node) < arcsOf.size(); ++node)
    if (levels[entryOf(node)] == kUnreachable &&
        levels[exitOf(node)] != kUnreachable)
      cut.push_back(node);
  return cut;
}
