//===- Contraction.cpp - iteration spaces of sums of products -------------===//
#include "dialects/tg/ops/structured/Contraction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::optional<unsigned> ContractionIndex::getDimension() const {
  if (terms.size() != 1 || terms[0].factor != 1 || offset || divisor != 1 ||
      isPartial)
    return std::nullopt;
  return terms[0].dimension;
}

bool ContractionTensor::varies(unsigned dimension) const {
  return llvm::any_of(indices, [&](const ContractionIndex &index) {
    return llvm::any_of(index.terms, [&](const ContractionIndex::Term &term) {
      return term.dimension == dimension;
    });
  });
}

std::optional<unsigned> ContractionTensor::axisOf(unsigned dimension) const {
  for (auto [axis, index] : llvm::enumerate(indices))
    if (index.getDimension() == dimension)
      return axis;
  return std::nullopt;
}

AffineExpr ContractionTensor::strideOf(unsigned dimension) const {
  MLIRContext *context = extents.front().getContext();
  AffineExpr stride = getAffineConstantExpr(0, context);
  for (auto [axis, index] : llvm::enumerate(indices))
    for (const ContractionIndex::Term &term : index.terms)
      if (term.dimension == dimension)
        stride = stride +
                 productOf(ArrayRef(extents).drop_front(axis + 1), context) *
                     term.factor;
  return stride;
}

bool ContractionTensor::joins(unsigned outer, unsigned inner) const {
  std::optional<unsigned> first = axisOf(outer);
  std::optional<unsigned> last = axisOf(inner);
  if (!first || !last || *first >= *last)
    return false;
  ArrayRef<AffineExpr> between =
      ArrayRef(extents).slice(*first + 1, *last - *first - 1);
  return llvm::all_of(
      between, [](AffineExpr extent) { return staticExtent(extent) == 1; });
}

bool ContractionTensor::isPlain() const {
  return llvm::all_of(indices, [](const ContractionIndex &index) {
    return index.getDimension() || (index.terms.empty() && !index.offset);
  });
}

ContractionTensor
tg::plainTensor(Value value, ArrayRef<AffineExpr> extents,
                ArrayRef<std::optional<unsigned>> dimensions) {
  ContractionTensor tensor{value, llvm::to_vector(extents), {}};
  for (std::optional<unsigned> dimension : dimensions) {
    ContractionIndex &index = tensor.indices.emplace_back();
    if (dimension)
      index.terms.push_back({*dimension});
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

SmallVector<unsigned> Contraction::dimensionsOf(DimensionKind kind) const {
  SmallVector<unsigned> found;
  for (auto [index, dimension] : llvm::enumerate(dimensions))
    if (dimension.kind == kind)
      found.push_back(index);
  return found;
}

AffineExpr Contraction::getFlops() const {
  AffineExpr flops =
      getAffineConstantExpr(2, dimensions.front().extent.getContext());
  for (const IterationDimension &dimension : dimensions)
    flops = flops * dimension.extent;
  // An index with a divisor has elements only at positions at which the
  // division leaves no remainder.
  for (const ContractionIndex &index : lhs.indices)
    flops = flops.ceilDiv(index.divisor);
  return flops;
}

bool Contraction::hasRowsOfLhs() const {
  unsigned rank = result.indices.size();
  if (lhs.indices.size() != rank || lhs.axisOf(rank) != rank - 1)
    return false;
  return llvm::all_of(llvm::seq(rank - 1), [&](unsigned axis) {
    return lhs.indices[axis].getDimension() == axis;
  });
}

unsigned Contraction::findFirstRowDimension() const {
  unsigned axis = result.indices.size() - 2;
  unsigned inner = axis;
  while (axis > 0) {
    const IterationDimension &dimension = dimensions[axis - 1];
    if (staticExtent(dimension.extent) != 1) {
      if (dimension.kind != DimensionKind::row || !lhs.joins(axis - 1, inner))
        break;
      inner = axis - 1;
    }
    --axis;
  }
  return axis;
}

bool Contraction::hasPlainResult() const {
  SmallVector<unsigned> columns = dimensionsOf(DimensionKind::column);
  unsigned rank = result.indices.size();
  for (auto [axis, index] : llvm::enumerate(result.indices))
    if (index.getDimension() != axis)
      return false;
  return rank >= 2 && columns.size() == 1 && columns[0] == rank - 1 &&
         dimensions[rank - 2].kind == DimensionKind::row;
}

bool Contraction::isMatrixProduct() const {
  unsigned rank = result.indices.size();
  return lhs.isPlain() && rhs.isPlain() && hasPlainResult() &&
         dimensions.size() == rank + 1 &&
         dimensions[rank].kind == DimensionKind::reduced;
}

/// Returns the window that an index describes, or none if the index is not that
/// of a window.
static std::optional<WindowAxis> windowOf(const ContractionIndex &index) {
  if (index.terms.size() != 2)
    return std::nullopt;
  const ContractionIndex::Term &position = index.terms[0],
                               &tap = index.terms[1];
  return WindowAxis{position.dimension, tap.dimension, position.factor,
                    tap.factor,         index.offset,  index.divisor};
}

/// The upper bound on the number of elements per channel that the window of one
/// position spans. Code that copies windows relies on it.
constexpr uint64_t kMaxReach = uint64_t(1) << 16;
/// The upper bound on strides and divisors. Transposed convolutions of audio
/// have strides of hundreds.
constexpr int64_t kMaxStride = 1024;
/// If the extents of the axes of the lhs are static, a window may span
/// kLeastReach elements, or kReachesOfLhs times their product if that is more.
constexpr uint64_t kLeastReach = uint64_t(1) << 14;
constexpr uint64_t kReachesOfLhs = 16;

/// Returns true if no window spans too many elements in comparison to the lhs.
/// Windows whose taps are far apart, or mostly lie in the border, do.
static bool areCompact(const Contraction &contraction,
                       ArrayRef<WindowAxis> axes) {
  uint64_t reach = 1;
  std::optional<uint64_t> elements = 1;
  for (auto [index, axis] : llvm::enumerate(axes)) {
    uint64_t taps = *staticExtent(contraction.dimensions[axis.tap].extent);
    if (axis.stride > kMaxStride || axis.divisor > kMaxStride)
      return false;
    uint64_t span = llvm::SaturatingMultiply<uint64_t>(
                        taps ? taps - 1 : 0, std::abs(axis.dilation)) /
                    axis.divisor;
    reach = llvm::SaturatingMultiply<uint64_t>(reach, span + 1);
    std::optional<int64_t> extent =
        staticExtent(contraction.lhs.extents[index + 1]);
    elements = elements && extent ? std::optional(llvm::SaturatingMultiply(
                                        *elements, uint64_t(*extent)))
                                  : std::nullopt;
  }
  uint64_t limit = kMaxReach;
  if (elements)
    limit = std::max(kLeastReach,
                     llvm::SaturatingMultiply(*elements, kReachesOfLhs));
  return reach <= limit;
}

/// Returns the windows of the lhs [outer, axes..., channels], or none if it has
/// another form or the windows are not compact. Does not check the last index.
static std::optional<WindowedLhs> windowsOf(const Contraction &contraction,
                                            unsigned channel) {
  const ContractionTensor &lhs = contraction.lhs;
  unsigned rank = lhs.indices.size();
  if (rank < 3)
    return std::nullopt;
  std::optional<unsigned> outer = lhs.indices.front().getDimension();
  if (!outer)
    return std::nullopt;
  WindowedLhs windows{*outer, channel, {}};
  for (const ContractionIndex &index :
       ArrayRef(lhs.indices).slice(1, rank - 2)) {
    std::optional<WindowAxis> axis = windowOf(index);
    if (!axis)
      return std::nullopt;
    windows.axes.push_back(*axis);
  }
  if (!areCompact(contraction, windows.axes))
    return std::nullopt;
  return windows;
}

std::optional<WindowedLhs> Contraction::findWindows() const {
  if (!rhs.isPlain() || !hasPlainResult() ||
      !dimensionsOf(DimensionKind::batch).empty())
    return std::nullopt;
  std::optional<unsigned> channel = lhs.indices.back().getDimension();
  return channel ? windowsOf(*this, *channel) : std::nullopt;
}

/// Returns true if an index is `outer` times the extent of `inner`, plus
/// `inner`, or `outer` alone if that extent is 1.
static bool isNested(const ContractionIndex &index, unsigned outer,
                     unsigned inner, int64_t extent) {
  if (extent == 1)
    return index.getDimension() == outer;
  auto isTerm = [&](unsigned termIndex, unsigned dimension, int64_t factor) {
    const ContractionIndex::Term &term = index.terms[termIndex];
    return term.dimension == dimension && term.factor == factor;
  };
  return index.terms.size() == 2 && !index.offset && index.divisor == 1 &&
         !index.isPartial && isTerm(0, outer, extent) && isTerm(1, inner, 1);
}

std::optional<GroupedWindows> Contraction::findGroupedWindows() const {
  SmallVector<unsigned> batch = dimensionsOf(DimensionKind::batch);
  SmallVector<unsigned> columns = dimensionsOf(DimensionKind::column);
  std::optional<WindowedLhs> windows = windowsOf(*this, /*channel=*/0);
  if (batch.size() != 1 || columns.size() != 1 || !windows)
    return std::nullopt;
  // The remaining dimension counts the channels of a group.
  llvm::SmallBitVector others(dimensions.size(), true);
  others.reset(batch[0]);
  others.reset(columns[0]);
  others.reset(windows->outer);
  for (const WindowAxis &axis : windows->axes) {
    others.reset(axis.position);
    others.reset(axis.tap);
  }
  if (others.count() != 1)
    return std::nullopt;
  windows->channel = others.find_first();
  std::optional<int64_t> channelExtent =
                             staticExtent(dimensions[windows->channel].extent),
                         columnExtent =
                             staticExtent(dimensions[columns[0]].extent);
  auto isPlain = [](const ContractionIndex &index) {
    return index.getDimension().has_value();
  };
  if (!channelExtent || !columnExtent ||
      !isNested(lhs.indices.back(), batch[0], windows->channel,
                *channelExtent) ||
      !isNested(result.indices.back(), batch[0], columns[0], *columnExtent) ||
      !(isNested(rhs.indices.back(), batch[0], windows->channel,
                 *channelExtent) ||
        isNested(rhs.indices.back(), batch[0], columns[0], *columnExtent)) ||
      !llvm::all_of(ArrayRef(rhs.indices).drop_back(), isPlain) ||
      !llvm::all_of(ArrayRef(result.indices).drop_back(), isPlain))
    return std::nullopt;
  return GroupedWindows{*windows, batch[0], columns[0], *channelExtent,
                        *columnExtent};
}
