//===- WindowNest.cpp - the sum of a convolution as nested dimensions -----===//
#include "compiler/codegen/cpu/contraction/window/WindowNest.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tg;

// In an adjoint, whose dilation is negative, tap `tap` of position x reads
// element
//   (x + offset + tap * dilation) / divisor,
// if the division is exact. The next tap that reads an element for the same
// phase of x is divisor / gcd taps further, and its element is |dilation| / gcd
// elements before.
LineAxis::LineAxis(const WindowAxis &window, int64_t extent)
    : window(window), positionStep(window.stride), tapStep(window.dilation),
      sourceStep(1), tapExtent(extent), taps(extent),
      reversed(window.dilation < 0) {
  if (reversed) {
    int64_t common = std::gcd(window.divisor, window.dilation);
    taps = llvm::divideCeil(extent, window.divisor / common);
    tapStep = -window.dilation / common;
    return;
  }
  // With one tap, elements between positions are not read.
  if (taps == 1) {
    sourceStep = positionStep;
    positionStep = 1;
  }
}

WindowNest::WindowNest(const Contraction &contraction,
                       const WindowedLhs &windows, int64_t maxKBlock)
    : windows(windows) {
  auto extentOf = [&](unsigned dimension) {
    return contraction.dimensions[dimension].extent;
  };
  for (const WindowAxis &axis : windows.axes)
    axes.emplace_back(axis, *staticExtent(extentOf(axis.tap)));
  channels = *staticExtent(extentOf(windows.channel));
  reducesPositions =
      contraction.dimensions[windows.outer].kind == DimensionKind::reduced;
  reducesPositions ? addPositions(contraction) : addTaps(contraction);
  chooseBlocks(maxKBlock);
}

/// Images and planes form one dimension of the nest, because they are
/// contiguous in the copy. Lines and columns have dimensions of their own,
/// because there are borders between them.
void WindowNest::addPositions(const Contraction &contraction) {
  auto extentOf = [&](unsigned dimension) {
    return contraction.dimensions[dimension].extent;
  };
  nest.push_back({{windows.outer}, extentOf(windows.outer)});
  for (auto [axisIndex, axis] : llvm::enumerate(windows.axes)) {
    if (axisIndex + 2 < windows.axes.size()) {
      nest.front().dimensions.push_back(axis.position);
      nest.front().extent = nest.front().extent * extentOf(axis.position);
      continue;
    }
    nest.push_back({{axis.position}, extentOf(axis.position)});
  }
}

/// The taps along a line and the channels form one dimension of the nest if
/// they are contiguous in the copy and in the rhs. This requires that the taps
/// run in the same direction in both.
void WindowNest::addTaps(const Contraction &contraction) {
  MLIRContext *context = contraction.accumulator.getContext();
  for (const LineAxis &axis : axes)
    nest.push_back(
        {{axis.window.tap}, getAffineConstantExpr(axis.taps, context)});
  AffineExpr run = getAffineConstantExpr(channels, context);
  const LineAxis &last = axes.back();
  if (last.reversed || last.tapStep != 1) {
    nest.push_back({{windows.channel}, run});
    return;
  }
  nest.back().dimensions.push_back(windows.channel);
  nest.back().extent = nest.back().extent * run;
}

/// Adds whole dimensions to a block, from the innermost one outwards, as long
/// as the block has at most `maxKBlock` steps. Then divides the next dimension
/// into chunks.
void WindowNest::chooseBlocks(int64_t maxKBlock) {
  for (splitDimension = nest.size(); splitDimension-- > 0;) {
    std::optional<int64_t> extent = staticExtent(nest[splitDimension].extent);
    if (extent && blockSize * *extent <= maxKBlock && splitDimension > 0) {
      blockSize *= std::max<int64_t>(1, *extent);
      continue;
    }
    int64_t room = std::max<int64_t>(1, maxKBlock / blockSize);
    chunk = room;
    if (extent) {
      int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(*extent, room));
      chunk = std::max<int64_t>(1, llvm::divideCeil(*extent, blocks));
      if (blocks > 1 && splitDimension + 1 == nest.size())
        chunk = llvm::alignTo(chunk, tuning::kBlockUnit);
    }
    blockSize *= chunk;
    return;
  }
}

std::optional<int64_t> WindowNest::stepsOf(unsigned dimension) const {
  if (dimension < splitDimension)
    return 1;
  return dimension == splitDimension ? chunk
                                     : staticExtent(nest[dimension].extent);
}

int64_t WindowNest::countPhases() const {
  int64_t count = 1;
  for (const LineAxis &axis : axes)
    count *= axis.window.divisor;
  return count;
}
