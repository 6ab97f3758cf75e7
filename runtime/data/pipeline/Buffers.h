/// Memory of batches, which is used again.
#ifndef TG_RUNTIME_DATA_PIPELINE_BUFFERS_H
#define TG_RUNTIME_DATA_PIPELINE_BUFFERS_H

#include "tg/data/feature.hpp"

#include <mutex>

namespace tg::data {

/// Features whose memory returns to a list of free buffers once nobody uses it.
/// Thread-safe.
class Buffers : public std::enable_shared_from_this<Buffers> {
public:
  /// Returns a feature with undefined elements.
  Feature take(tg_dtype_t dtype, std::vector<int64_t> shape);

private:
  /// The upper bound of the number of free buffers.
  static constexpr size_t limit = 64;

  void giveBack(Feature buffer);

  std::mutex mutex;
  std::vector<Feature> free; // vectors of bytes
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_PIPELINE_BUFFERS_H
