//===- MinimumCut.cpp - the cheapest nodes that part two sides ------------===//
#include "compiler/transforms/fusion/MinimumCut.h"
#include <algorithm>

using namespace tg;
using llvm::SmallVector;

/// The vertices that all sources follow and all sinks precede.
static constexpr unsigned kSource = 0, kSink = 1;
/// The level of a vertex that cannot be reached.
static constexpr unsigned kFar = std::numeric_limits<unsigned>::max();

static unsigned entryOf(MinimumCut::Node node) { return 2 * node + 2; }
static unsigned exitOf(MinimumCut::Node node) { return 2 * node + 3; }

MinimumCut::MinimumCut() : arcsOf(2) {}

void MinimumCut::addArc(unsigned from, unsigned to, int64_t room) {
  arcsOf[from].push_back(arcs.size());
  arcs.push_back({to, room});
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

/// Numbers vertices by the fewest arcs with room that lead from them to the
/// sink. Whether the source is among them.
bool MinimumCut::findLevels() {
  levels.assign(arcsOf.size(), kFar);
  levels[kSink] = 0;
  std::vector<unsigned> queue = {kSink};
  for (size_t done = 0; done < queue.size(); ++done)
    for (unsigned arc : arcsOf[queue[done]]) {
      unsigned from = arcs[arc].to;
      if (arcs[arc ^ 1].room == 0 || levels[from] != kFar)
        continue;
      levels[from] = levels[queue[done]] + 1;
      queue.push_back(from);
    }
  return levels[kSource] != kFar;
}

/// Sends as much as one more shortest path has room for; 0 without a path.
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
    if (arcs[arc].room == 0 || levels[to] == kFar ||
        levels[to] + 1 != levels[vertex]) {
      ++next[vertex];
      continue;
    }
    path.push_back(arc);
    vertex = to;
  }
  int64_t sent = kNever;
  for (unsigned arc : path)
    sent = std::min(sent, arcs[arc].room);
  for (unsigned arc : path) {
    arcs[arc].room -= sent;
    arcs[arc ^ 1].room += sent;
  }
  return sent;
}

std::vector<MinimumCut::Node> MinimumCut::find() {
  while (findLevels()) {
    next.assign(arcsOf.size(), 0);
    while (augment() > 0) {
    }
  }
  // What still leads to the sinks is on their side.
  std::vector<Node> cut;
  for (Node node = 0; exitOf(node) < arcsOf.size(); ++node)
    if (levels[entryOf(node)] == kFar && levels[exitOf(node)] != kFar)
      cut.push_back(node);
  return cut;
}
