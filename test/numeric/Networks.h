/// Small networks that together have every layer, merge, cost and optimizer of
/// the C++ front, and the programs of examples/mlir: what the levels of
/// optimization must agree on.
#ifndef TG_TEST_NUMERIC_NETWORKS_H
#define TG_TEST_NUMERIC_NETWORKS_H

#include "tg/tg.h"

#include <functional>
#include <string>
#include <vector>

namespace tg::test {

/// A model and how to run it.
struct Network {
  std::string name;
  /// The text of the model, in the tg dialect.
  std::function<std::string()> text;
  /// Whole numbers given to it are at least 0 and below this.
  int64_t classes = 2;
  /// The upper bound of the distance between levels after some steps, relative
  /// to the greatest number of a tensor or 1.
  double tolerance = 2e-5;
};

/// Prints the name in messages of GoogleTest.
void PrintTo(const Network &network, std::ostream *stream);

/// All of them, in a fixed order.
std::vector<Network> makeNetworks();

/// Add the networks of one file each: layers one after the other, merge modes,
/// other layers and operations, losses and measures, positions and sparse rows,
/// sequences and loops, networks of examples.
void addClassifiers(std::vector<Network> &networks);
void addMerges(std::vector<Network> &networks);
void addLayers(std::vector<Network> &networks);
void addLosses(std::vector<Network> &networks);
void addSequences(std::vector<Network> &networks);
void addRecurrent(std::vector<Network> &networks);
void addExamples(std::vector<Network> &networks);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_NETWORKS_H
