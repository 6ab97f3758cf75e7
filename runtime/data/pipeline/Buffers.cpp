//===- Buffers.cpp - memory of batches, which is used again ---------------===//
#include "Buffers.h"

#include <algorithm>

using namespace tg::data;

Feature Buffers::take(tg_dtype_t dtype, std::vector<int64_t> shape) {
  // Checks the shape and counts its bytes.
  const size_t bytes = Feature(dtype, shape, nullptr, nullptr).byteCount();
  Feature buffer;
  {
    std::lock_guard lock(mutex);
    const auto found =
        std::find_if(free.begin(), free.end(), [&](const Feature &candidate) {
          return candidate.byteCount() == bytes;
        });
    if (found != free.end()) {
      buffer = std::move(*found);
      free.erase(found);
    }
  }
  if (!buffer.isDefined())
    buffer = Feature({TG_DTYPE_UINT, 8, 1}, {static_cast<int64_t>(bytes)});
  const void *first = buffer.data();
  std::shared_ptr<const void> owner(
      first, [buffer = std::move(buffer),
              list = weak_from_this()](const void *) mutable {
        if (std::shared_ptr<Buffers> alive = list.lock())
          alive->giveBack(std::move(buffer));
      });
  return {dtype, std::move(shape), std::move(owner), first};
}

void Buffers::giveBack(Feature buffer) {
  std::lock_guard lock(mutex);
  if (free.size() == limit)
    free.erase(free.begin());
  free.push_back(std::move(buffer));
}
