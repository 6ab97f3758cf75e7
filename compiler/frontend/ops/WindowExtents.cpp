//===- WindowExtents.cpp - extents of results of window ops ---------------===//
#include "tg/tensor/error.h"
#include "tg/tensor/windows.h"

using namespace tg;

/// Returns the number for a dimension from a list with one number for all
/// dimensions or one per dimension. Throws GraphError for other lists and for
/// numbers below 1.
static int64_t ofDimension(const std::vector<int64_t> &list, size_t axis,
                           size_t count, const char *what,
                           std::source_location where) {
  bool isRight = list.size() == 1 || list.size() == count;
  int64_t number = !isRight ? 0 : list.size() == 1 ? list.front() : list[axis];
  if (number < 1)
    throw GraphError(
        "expected " + std::string(what) + " of 1 or more, one for each of " +
            std::to_string(count) + " dimensions or one for all, found " +
            toString(Shape(list.begin(), list.end())),
        where);
  return number;
}

/// A dimension and the windows that slide over it.
namespace {
struct Slide {
  int64_t extent, reach, stride;
  Zeros zeros;
};
} // namespace

/// Returns the result of `rule` for each dimension.
template <typename Rule>
static std::vector<int64_t> forEach(const std::vector<int64_t> &extents,
                                    const PoolOptions &options,
                                    std::source_location where, Rule rule) {
  const std::vector<Zeros> &zeros = options.padding.zeros;
  size_t count = extents.size();
  if (!zeros.empty() && zeros.size() != 1 && zeros.size() != count)
    throw GraphError("expected zeros for each of " + std::to_string(count) +
                         " dimensions or for all, found those of " +
                         std::to_string(zeros.size()),
                     where);
  std::vector<int64_t> results;
  for (size_t axis = 0; axis < count; ++axis) {
    int64_t extent = ofDimension({extents[axis]}, 0, 1, "extents", where);
    int64_t window = ofDimension(options.window, axis, count, ".window", where);
    int64_t dilation =
        ofDimension(options.dilations, axis, count, ".dilations", where);
    results.push_back(rule(
        Slide{extent, (window - 1) * dilation + 1,
              ofDimension(options.strides, axis, count, ".strides", where),
              zeros.empty() ? Zeros() : zeros[zeros.size() == 1 ? 0 : axis]}));
  }
  return results;
}

std::vector<int64_t> tg::convolvedExtents(const std::vector<int64_t> &extents,
                                          const PoolOptions &options,
                                          std::source_location where) {
  bool isSame =
      options.padding.zeros.empty() && options.padding.rule == Padding::same;
  return forEach(extents, options, where, [&](const Slide &slide) {
    if (isSame)
      return (slide.extent + slide.stride - 1) / slide.stride;
    int64_t whole = slide.extent + slide.zeros.before + slide.zeros.after;
    if (whole < slide.reach)
      throw GraphError("expected windows that reach over at most " +
                           std::to_string(whole) + " elements, found " +
                           std::to_string(slide.reach),
                       where);
    return (whole - slide.reach) / slide.stride + 1;
  });
}

std::vector<int64_t> tg::transposedExtents(const std::vector<int64_t> &extents,
                                           const PoolOptions &options,
                                           TransposedSize size,
                                           std::source_location where) {
  bool isSame =
      options.padding.zeros.empty() && options.padding.rule == Padding::same;
  return forEach(extents, options, where, [&](const Slide &slide) {
    int64_t strided = slide.extent * slide.stride;
    if (isSame)
      return strided;
    int64_t more = size == TransposedSize::greatest
                       ? slide.reach - 1
                       : std::max<int64_t>(slide.reach - slide.stride, 0);
    return strided + more - slide.zeros.before - slide.zeros.after;
  });
}
