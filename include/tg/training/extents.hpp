/// Extents of the results of windows: convolutions, pooling and their
/// transposed forms.
#ifndef TG_TRAINING_EXTENTS_HPP
#define TG_TRAINING_EXTENTS_HPP

#include "../cxx20.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tg {

/// A window along one dimension.
struct Window {
  int64_t kernel = 1, stride = 1, dilation = 1;

  /// Returns the number of elements from the first to the last one of a window.
  int64_t span() const { return (kernel - 1) * dilation + 1; }
};

namespace detail {
inline void expectWindow(int64_t extent, const Window &window) {
  if (extent < 0 || window.kernel < 1 || window.stride < 1 ||
      window.dilation < 1)
    throw std::invalid_argument(
        "expected an extent of 0 or more and windows of 1 or more, found " +
        std::to_string(extent) + ", kernel " + std::to_string(window.kernel) +
        ", stride " + std::to_string(window.stride) + " and dilation " +
        std::to_string(window.dilation));
}

template <typename Function>
std::vector<int64_t> forEach(const std::vector<int64_t> &extents,
                             const std::vector<Window> &windows,
                             Function function) {
  if (extents.size() != windows.size())
    throw std::invalid_argument(
        "expected a window for each of " + std::to_string(extents.size()) +
        " extents, found " + std::to_string(windows.size()));
  std::vector<int64_t> results;
  for (size_t i = 0; i < extents.size(); ++i)
    results.push_back(function(extents[i], windows[i]));
  return results;
}
} // namespace detail

/// Returns the extent of a result with padding "SAME": the quotient of the
/// extent and the stride, rounded up. Throws std::invalid_argument for numbers
/// out of range, as do the functions below.
inline int64_t sameExtent(int64_t extent, const Window &window) {
  detail::expectWindow(extent, window);
  return (extent + window.stride - 1) / window.stride;
}
/// Returns the extent of a result without padding, "VALID": the number of
/// windows that lie in the extent.
inline int64_t validExtent(int64_t extent, const Window &window) {
  detail::expectWindow(extent, window);
  return std::max<int64_t>(0, (extent - window.span() + window.stride) /
                                  window.stride);
}
/// Returns the extent of the result of a transposed convolution "SAME".
inline int64_t desameExtent(int64_t extent, const Window &window) {
  detail::expectWindow(extent, window);
  return extent * window.stride;
}
/// Returns the extent of the result of a transposed convolution "VALID".
inline int64_t devalidExtent(int64_t extent, const Window &window) {
  detail::expectWindow(extent, window);
  return extent * window.stride +
         std::max<int64_t>(0, window.span() - window.stride);
}

/// Return the extents of several dimensions.
inline std::vector<int64_t> sameExtents(const std::vector<int64_t> &extents,
                                        const std::vector<Window> &windows) {
  return detail::forEach(extents, windows, sameExtent);
}
inline std::vector<int64_t> validExtents(const std::vector<int64_t> &extents,
                                         const std::vector<Window> &windows) {
  return detail::forEach(extents, windows, validExtent);
}
inline std::vector<int64_t> desameExtents(const std::vector<int64_t> &extents,
                                          const std::vector<Window> &windows) {
  return detail::forEach(extents, windows, desameExtent);
}
inline std::vector<int64_t> devalidExtents(const std::vector<int64_t> &extents,
                                           const std::vector<Window> &windows) {
  return detail::forEach(extents, windows, devalidExtent);
}

} // namespace tg

#endif // TG_TRAINING_EXTENTS_HPP
