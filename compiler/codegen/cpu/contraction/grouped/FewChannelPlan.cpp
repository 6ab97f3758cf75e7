//===- FewChannelPlan.cpp - convolutions with positions as lanes ----------===//
#include "compiler/codegen/cpu/contraction/grouped/FewChannelPlan.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"
#include "dialects/tgx/Tgx.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tg;

/// Returns the argument that is the rhs, or that holds its panels.
static BlockArgument argumentOf(Value rhs) {
  if (auto unpack = rhs.getDefiningOp<tgx::UnpackOp>())
    return dyn_cast<BlockArgument>(unpack.getInput());
  return dyn_cast<BlockArgument>(rhs);
}

/// Returns the number of lines of a ring buffer: all lhs lines from the first
/// to the last that a line of the result reads with the taps of the last but
/// one axis.
static int64_t countRingLines(ArrayRef<WindowAxis> axes,
                              ArrayRef<int64_t> taps) {
  if (axes.size() < 2)
    return 1;
  const WindowAxis &axis = axes[axes.size() - 2];
  int64_t common = std::gcd(axis.divisor, axis.dilation);
  int64_t tapsPerPhase =
      llvm::divideCeil(taps[axes.size() - 2], axis.divisor / common);
  return (tapsPerPhase - 1) * std::abs(axis.dilation / common) + 1;
}

/// Computes the origin and the row stride of the copies of lines. Returns false
/// if the borders are not static. A tap of position x reads element (x + offset
/// + tap * dilation) / divisor.
static bool findCopies(const TargetDescription &target,
                       FewChannelSizes &sizes) {
  const WindowAxis &axis = sizes.lineAxis();
  std::optional<int64_t> offset =
      axis.offset ? staticExtent(axis.offset) : std::optional<int64_t>(0);
  if (!offset || axis.stride != 1)
    return false;
  int64_t lastTapOffset = (sizes.taps.back() - 1) * axis.dilation;
  int64_t lastDividend = sizes.linePositions - 1 + *offset;
  sizes.origin = llvm::divideFloorSigned(
      *offset + std::min<int64_t>(lastTapOffset, 0), axis.divisor);
  int64_t end =
      llvm::divideCeilSigned(lastDividend + std::max<int64_t>(lastTapOffset, 0),
                             axis.divisor) +
      1;
  int64_t positions = llvm::divideCeil(sizes.linePositions, axis.divisor);
  int64_t overrun = sizes.vectorsOf(target, positions) * int64_t(sizes.lanes);
  sizes.rowStride =
      llvm::alignTo(end - sizes.origin + overrun + 1, sizes.lanes);
  // Channels a multiple of 4 KiB apart would share cache sets.
  if (sizes.rowStride % (4 * sizes.lanes) == 0)
    sizes.rowStride += sizes.lanes;
  return true;
}

std::optional<FewChannelSizes>
FewChannelSizes::find(const Contraction &contraction,
                      const TargetDescription &target) {
  std::optional<WindowedLhs> windows = contraction.findWindows();
  if (!target.usesVectors || !windows || contraction.isMatrixProduct())
    return std::nullopt;
  auto dimensionOf = [&](unsigned dimension) {
    return contraction.dimensions[dimension];
  };
  if (dimensionOf(windows->outer).kind == DimensionKind::reduced)
    return std::nullopt;
  std::optional<int64_t> elements =
      staticExtent(*(contraction.lhs.extents.end() - 2));
  std::optional<int64_t> positions =
      staticExtent(*(contraction.result.extents.end() - 2));
  std::optional<int64_t> columns =
      staticExtent(contraction.result.extents.back());
  std::optional<int64_t> channels =
      staticExtent(dimensionOf(windows->channel).extent);
  if (!elements || !positions || !columns || !channels)
    return std::nullopt;
  FewChannelSizes sizes{
      *windows,   target.lanes(elementBytes(contraction.accumulator)),
      {},         *channels,
      *columns,   *elements,
      *positions, 0,
      0,          0,
      0};
  for (const WindowAxis &axis : windows->axes)
    sizes.taps.push_back(*staticExtent(dimensionOf(axis.tap).extent));
  int64_t phasePositions = *positions / sizes.lineAxis().divisor;
  if (*columns < 1 || *columns * 2 > sizes.lanes ||
      phasePositions * 2 < sizes.lanes || *elements < 1 ||
      sizes.taps.back() > tuning::kMaxFewChannelTaps ||
      !findCopies(target, sizes))
    return std::nullopt;
  sizes.ringLines = countRingLines(windows->axes, sizes.taps);
  sizes.copiedLines = sizes.ringLines;
  for (int64_t taps :
       ArrayRef(sizes.taps).drop_back(std::min<size_t>(2, sizes.taps.size())))
    sizes.copiedLines *= taps;
  int64_t bytes = sizes.copiedLines * sizes.copiedLineElements() *
                  elementBytes(contraction.accumulator);
  if (bytes > tuning::kMaxFewChannelBytes)
    return std::nullopt;
  return sizes;
}

int64_t FewChannelSizes::paddedLineLength() const {
  return llvm::alignTo(linePositions, lanes) +
         int64_t(tuning::kMaxFewChannelVectors) * lanes;
}

/// Registers hold `columns` vectors of sums and one vector of the lhs for each
/// of the returned vectors, and one factor.
unsigned FewChannelSizes::vectorsOf(const TargetDescription &target,
                                    int64_t positions) const {
  int64_t maxVectors = (int64_t(target.vectorRegisters) - 1) / (columns + 1);
  maxVectors =
      std::clamp<int64_t>(maxVectors, 1, tuning::kMaxFewChannelVectors);
  int64_t needed = std::max<int64_t>(1, llvm::divideCeil(positions, lanes));
  return llvm::divideCeil(needed, llvm::divideCeil(needed, maxVectors));
}

FewChannelPlan::FewChannelPlan(KernelFrame &frame, Contraction product)
    : frame(frame), contraction(std::move(product)),
      sizes(*FewChannelSizes::find(contraction, frame.target)),
      type(contraction.accumulator), ops(frame.builder, frame.loc),
      filter(frame.argument(argumentOf(contraction.rhs.value))) {
  const ContractionTensor &rhs = contraction.rhs;
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  auto unpack = rhs.value.getDefiningOp<tgx::UnpackOp>();
  if (!unpack) {
    for (const WindowAxis &axis : sizes.windows.axes)
      tapStrides.push_back(frame.extent(rhs.strideOf(axis.tap)));
    channelStride = frame.extent(rhs.strideOf(sizes.windows.channel));
    columnStride = frame.extent(rhs.strideOf(column));
    return;
  }
  // The rows of a panel are taps and channels in order.
  int64_t stride = panelsOf(unpack).getWidth();
  channelStride = ops.constant(stride);
  columnStride = ops.constant(1);
  stride *= sizes.channels;
  tapStrides.resize(sizes.taps.size());
  for (size_t axis = sizes.taps.size(); axis-- > 0; stride *= sizes.taps[axis])
    tapStrides[axis] = ops.constant(stride);
}

Value FewChannelPlan::strideOfLhs(unsigned axis) const {
  return frame.extent(frame.strideOf(contraction.lhs.value, axis));
}

/// Gives each launch tile enough lines that only a small share of the lhs lines
/// is copied by two tiles.
FewChannelCounts::FewChannelCounts(const FewChannelPlan &plan,
                                   EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  const FewChannelSizes &sizes = plan.sizes;
  Value one = ops.constant(1);
  Value workers = entry.workers();
  lines = entry.get(productOf(lineExtentsOf(plan.contraction.result),
                              plan.type.getContext()));
  int64_t minLines = std::max(
      tuning::kFewChannelTileRings * sizes.ringLines,
      tuning::kGroupedTileElements /
          (sizes.linePositions * std::max(sizes.columns, sizes.channels)));
  Value desired =
      ops.mul(workers, ops.min(workers, ops.constant(tuning::kTilesPerWorker)));
  tiles =
      ops.max(one, ops.min(ops.div(lines, ops.constant(minLines)), desired));
}
