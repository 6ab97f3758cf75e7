//===- NetworkProgram.h - a network as text of the tg dialect -------------===//
#ifndef TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPROGRAM_H
#define TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace tg::bench {

/// Which network, and what of it.
struct NetworkProgram {
  /// The name of the workload.
  std::string name;
  /// Extents of an input behind the batch: height, width and channels of an
  /// image, or rows and their width. Of a single convolution then filters,
  /// extent of a filter, stride and groups.
  std::vector<int64_t> sizes;
  int64_t batch = 1;
  /// The step of an optimizer, which is momentum or Adam.
  bool train = false, momentum = false;
};

/// Variables, `init` and the function `train` or `test`, of images or rows
/// `x`, labels `label` or masks `mask`.
std::string networkText(const NetworkProgram &wanted);

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_NETWORKS_NETWORKPROGRAM_H
