/// Small networks on which all optimization levels must agree. Together they
/// contain every layer, merge, cost and optimizer of the C++ frontend and the
/// programs of examples/mlir.
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
  /// The upper bound of integer inputs, exclusive; the lower bound is 0.
  int64_t classes = 2;
  /// The maximum difference between optimization levels after some steps,
  /// relative to max(1, largest element of the tensor).
  double tolerance = 2e-5;
};

/// Prints the name in messages of GoogleTest.
void PrintTo(const Network &network, std::ostream *stream);

/// Returns all networks in a fixed order.
std::vector<Network> makeNetworks();

/// Append the networks of one file each: sequential layers, merge modes, other
/// layers and operations, losses and metrics, positions and sparse rows,
/// sequences and loops, networks of the examples.
void addClassifiers(std::vector<Network> &networks);
void addMerges(std::vector<Network> &networks);
void addLayers(std::vector<Network> &networks);
void addLosses(std::vector<Network> &networks);
void addSequences(std::vector<Network> &networks);
void addRecurrent(std::vector<Network> &networks);
void addExamples(std::vector<Network> &networks);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_NETWORKS_H
