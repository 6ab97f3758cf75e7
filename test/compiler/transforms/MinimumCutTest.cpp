/// Compares the minimum vertex cut between two sides with all vertex sets of
/// small graphs.
#include "compiler/transforms/fusion/MinimumCut.h"
#include "gtest/gtest.h"
#include <random>

using namespace tg;

namespace {

using Node = MinimumCut::Node;

/// A graph whose edges lead from lower to higher node numbers.
struct Graph {
  std::vector<int64_t> costs;
  std::vector<std::pair<Node, Node>> edges;
  std::vector<Node> sources, sinks;

  std::vector<Node> findCut() const {
    MinimumCut cut;
    for (int64_t cost : costs)
      cut.addNode(cost);
    for (auto [from, to] : edges)
      cut.addEdge(from, to);
    for (Node node : sources)
      cut.addSource(node);
    for (Node node : sinks)
      cut.addSink(node);
    return cut.find();
  }

  int64_t costOf(const std::vector<Node> &nodes) const {
    int64_t sum = 0;
    for (Node node : nodes)
      sum += costs[node];
    return sum;
  }

  /// Returns true if `nodes` cuts every path from a source to a sink.
  bool parts(const std::vector<Node> &nodes) const {
    std::vector<bool> isReached(costs.size());
    auto enter = [&](Node node) {
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
        isReached[node] = true;
    };
    for (Node node : sources)
      enter(node);
    for (Node node = 0; node < costs.size(); ++node)
      for (auto [from, to] : edges)
        if (from == node && isReached[node])
          enter(to);
    return std::none_of(sinks.begin(), sinks.end(),
                        [&](Node node) { return isReached[node]; });
  }

  int64_t findLeast() const {
    int64_t least = MinimumCut::kNever;
    for (unsigned set = 0; set < 1u << costs.size(); ++set) {
      std::vector<Node> nodes;
      for (Node node = 0; node < costs.size(); ++node)
        if (set >> node & 1)
          nodes.push_back(node);
      if (parts(nodes))
        least = std::min(least, costOf(nodes));
    }
    return least;
  }
};

} // namespace

TEST(MinimumCutTest, FindsTheValueOfWhichOthersAreMade) {
  // Nodes 1 and 2 are computed from 0, and together cost more than 0.
  Graph graph{{3, 2, 2}, {{0, 1}, {0, 2}}, {0}, {1, 2}};
  EXPECT_EQ(graph.findCut(), std::vector<Node>{0});
}

TEST(MinimumCutTest, TakesTheLastOfEqualCosts) {
  Graph graph{{2, 2, 2}, {{0, 1}, {1, 2}}, {0}, {2}};
  EXPECT_EQ(graph.findCut(), std::vector<Node>{2});
}

TEST(MinimumCutTest, TakesWhatCostsNothing) {
  Graph graph{{0, 5}, {{0, 1}}, {0}, {1}};
  EXPECT_EQ(graph.findCut(), std::vector<Node>{0});
}

TEST(MinimumCutTest, IsEmptyWithoutPaths) {
  EXPECT_TRUE((Graph{{1, 1}, {{0, 1}}, {1}, {0}}).findCut().empty());
  EXPECT_TRUE((Graph{{1}, {}, {}, {0}}).findCut().empty());
}

TEST(MinimumCutTest, AgreesWithAllSets) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 300; ++round) {
    Graph graph;
    unsigned count = 2 + random() % 9;
    for (Node node = 0; node < count; ++node) {
      graph.costs.push_back(random() % 8);
      for (Node before = 0; before < node; ++before)
        if (random() % 3 == 0)
          graph.edges.push_back({before, node});
      if (random() % 3 == 0)
        graph.sources.push_back(node);
      if (random() % 3 == 0)
        graph.sinks.push_back(node);
    }
    std::vector<Node> cut = graph.findCut();
    EXPECT_TRUE(graph.parts(cut)) << round;
    EXPECT_EQ(graph.costOf(cut), graph.findLeast()) << round;
  }
}
