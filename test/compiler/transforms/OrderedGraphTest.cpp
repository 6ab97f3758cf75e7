//===- OrderedGraphTest.cpp - paths, edges and merges ---------------------===//
#include "compiler/transforms/fusion/OrderedGraph.h"
#include "gtest/gtest.h"
#include <random>

using namespace tg;

namespace {

/// A reference graph without a topological order: each query searches all
/// edges.
struct PlainGraph {
  std::vector<std::vector<bool>> edges;
  std::vector<unsigned> whole;

  explicit PlainGraph(unsigned count)
      : edges(count, std::vector<bool>(count)), whole(count) {
    for (unsigned node = 0; node < count; ++node)
      whole[node] = node;
  }

  bool reaches(unsigned from, unsigned to) const {
    std::vector<bool> seen(edges.size());
    std::vector<unsigned> worklist = {from};
    while (!worklist.empty()) {
      unsigned node = worklist.back();
      worklist.pop_back();
      if (node == to)
        return true;
      for (unsigned next = 0; next < edges.size(); ++next)
        if (edges[node][next] && !seen[next]) {
          seen[next] = true;
          worklist.push_back(next);
        }
    }
    return false;
  }

  bool reachesThroughOthers(unsigned from, unsigned to) const {
    for (unsigned next = 0; next < edges.size(); ++next)
      if (edges[from][next] && next != to && reaches(next, to))
        return true;
    return false;
  }

  void merge(unsigned from, unsigned to) {
    for (unsigned node = 0; node < edges.size(); ++node) {
      if (edges[from][node] && node != to)
        edges[to][node] = true;
      if (edges[node][from] && node != to)
        edges[node][to] = true;
      edges[from][node] = edges[node][from] = false;
    }
    for (unsigned &node : whole)
      if (node == from)
        node = to;
  }
};

/// Compares the results of a random sequence of edges, merges and queries with
/// the reference graph.
void compareWithPlainGraph(unsigned seed, bool isIndexed) {
  constexpr unsigned kNodes = 24;
  std::mt19937 random(seed);
  auto any = [&] { return unsigned(random() % kNodes); };
  OrderedGraph graph;
  PlainGraph plain(kNodes);
  for (unsigned node = 0; node < kNodes; ++node)
    EXPECT_EQ(graph.addNode(), node);
  auto addEdge = [&](unsigned from, unsigned to) {
    unsigned a = plain.whole[from], b = plain.whole[to];
    bool isFree = !plain.reaches(b, a);
    ASSERT_EQ(graph.addEdge(from, to), isFree) << from << " " << to;
    if (isFree)
      plain.edges[a][b] = true;
  };
  for (unsigned count = 0; count < 30; ++count)
    addEdge(any(), any());
  if (isIndexed)
    graph.indexPaths();
  for (unsigned count = 0; count < 60; ++count) {
    unsigned from = any();
    unsigned to = any();
    unsigned a = plain.whole[from], b = plain.whole[to];
    ASSERT_EQ(graph.reaches(from, to), plain.reaches(a, b));
    if (count % 4 == 0)
      addEdge(from, to);
    if (a == b || !plain.edges[a][b])
      continue;
    bool isFree = !plain.reachesThroughOthers(a, b);
    ASSERT_EQ(graph.merge(from, to), isFree) << from << " " << to;
    if (isFree)
      plain.merge(a, b);
  }
}

} // namespace

TEST(OrderedGraph, RefusesCycles) {
  OrderedGraph graph;
  for (unsigned node = 0; node < 3; ++node)
    graph.addNode();
  // These edges go against the order in which the nodes were added.
  EXPECT_TRUE(graph.addEdge(2, 1));
  EXPECT_TRUE(graph.addEdge(1, 0));
  EXPECT_FALSE(graph.addEdge(0, 2));
  EXPECT_FALSE(graph.addEdge(1, 2));
  EXPECT_FALSE(graph.addEdge(1, 1));
  EXPECT_TRUE(graph.reaches(2, 0));
  EXPECT_FALSE(graph.reaches(0, 2));
}

TEST(OrderedGraph, MergesWithoutOtherPath) {
  OrderedGraph graph;
  for (unsigned node = 0; node < 3; ++node)
    graph.addNode();
  graph.addEdge(0, 1);
  graph.addEdge(1, 2);
  graph.addEdge(0, 2);
  EXPECT_FALSE(graph.merge(0, 2));
  EXPECT_TRUE(graph.merge(0, 1));
  EXPECT_TRUE(graph.merge(1, 2));
  EXPECT_TRUE(graph.reaches(2, 0));
}

TEST(OrderedGraph, AnswersAsAPlainGraph) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    compareWithPlainGraph(seed, /*isIndexed=*/seed % 2);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

/// Every insertion halves the free positions before one node.
TEST(OrderedGraph, MakesRoomInTheOrder) {
  OrderedGraph graph;
  unsigned anchor = graph.addNode();
  for (unsigned count = 0; count < 200; ++count)
    EXPECT_TRUE(graph.addEdge(graph.addNode(), anchor));
  for (unsigned node = 1; node <= 200; ++node) {
    EXPECT_TRUE(graph.reaches(node, anchor));
    EXPECT_FALSE(graph.reaches(anchor, node));
  }
}
