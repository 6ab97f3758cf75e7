//===- NetworkProgram.h - a network as text of the tg dialect -------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPROGRAM_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace tg::bench {

/// The network and function to build.
struct NetworkProgram {
  /// The name of the workload.
  std::string name;
  /// The extents of an input after the batch: height, width and channels of an
  /// image, or the number of rows and their width. For a single convolution,
  /// the number of filters, the filter size, the stride and the number of
  /// groups follow.
  std::vector<int64_t> sizes;
  int64_t batch = 1;
  /// True for a step of an optimizer, which is momentum or Adam.
  bool train = false, momentum = false;
};

/// Returns the text of a module: the variables, `init`, and the function
/// `train` or `test` with inputs `x` (images or rows) and `label` (labels) or
/// `mask` (masks).
std::string networkText(const NetworkProgram &request);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPROGRAM_H
