//===- Networks.h - the networks whose kernels are archived ---------------===//
#ifndef TG_TOOLS_TGC_ARCHIVE_NETWORKS_H
#define TG_TOOLS_TGC_ARCHIVE_NETWORKS_H

#include <string>
#include <tg/tg.h>
#include <vector>

namespace tg::archive {

/// A network as users train it: a batch of any size of square images with three
/// channels.
struct Network {
  std::string name;
  Layer (*make)();
  /// The height and width of an image.
  int64_t extent;
};

/// Returns the networks in the order in which they are compiled.
const std::vector<Network> &getNetworks();

/// Adds the functions `train`, a training step with Adam, and `test` to a
/// program.
void defineNetwork(Program &program, const Network &network);

} // namespace tg::archive

#endif // TG_TOOLS_TGC_ARCHIVE_NETWORKS_H
