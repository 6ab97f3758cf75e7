//===- ConvolutionValues.cpp - values of convolutions ---------------------===//
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/ops/windows/ConvolutionOps.h"
#include "dialects/tg/ops/windows/ConvolutionSpace.h"
#include <Eigen/Core>

using namespace mlir;
using namespace tg;

/// Returns, for each position of the output and for each tap, the row-major
/// position of the input that it reads, or -1 outside.
static std::vector<int64_t> inputPositions(const Windows &windows,
                                           ArrayRef<int64_t> input,
                                           ArrayRef<int64_t> taps,
                                           ArrayRef<int64_t> output,
                                           MLIRContext *context) {
  SmallVector<int64_t> paddingsBefore;
  for (auto [axis, extent] : llvm::enumerate(input))
    paddingsBefore.push_back(*staticExtent(
        windows.paddingBefore(axis, getAffineConstantExpr(extent, context))));
  std::vector<int64_t> positions;
  for (int64_t window = 0; window < ShapedType::getNumElements(output);
       ++window) {
    SmallVector<int64_t> position = unflatten(window, output);
    for (int64_t tap = 0; tap < windows.countPositions(); ++tap) {
      SmallVector<int64_t> coordinates = unflatten(tap, taps);
      bool isInside = true;
      for (auto [axis, index] : llvm::enumerate(coordinates)) {
        index = position[axis] * windows.strideOf(axis) +
                index * windows.dilationOf(axis) - paddingsBefore[axis];
        isInside &= index >= 0 && index < input[axis];
      }
      positions.push_back(isInside ? flatten(coordinates, input) : -1);
    }
  }
  return positions;
}

namespace {
using Sums =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using Elements = Eigen::Map<
    const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Computes a convolution as products of matrices: for each group, the elements
/// that windows read, one row per window, times the group's part of the filter.
class PatchProduct {
public:
  template <typename ConvolutionOp>
  PatchProduct(ConvolutionOp op,
               const ConvolutionRoles<ArrayRef<int64_t>> &shapes)
      : positions(inputPositions(windowsOf(op), spatial(shapes.input),
                                 shapes.filter.drop_back(2),
                                 spatial(shapes.output), op.getContext())),
        taps(ShapedType::getNumElements(shapes.filter.drop_back(2))),
        channels(shapes.input.back()), filters(shapes.output.back()),
        groups(op.getGroups()),
        sampleSize(ShapedType::getNumElements(spatial(shapes.input))),
        windowCount(ShapedType::getNumElements(spatial(shapes.output))),
        windows(shapes.input[0] * windowCount) {}

  /// Calls `visit` for blocks of the windows of each group, small enough that
  /// their elements stay in the caches.
  template <typename Visit> void forEachBlock(Visit visit) const {
    int64_t blockSize =
        std::max<int64_t>(1, (1 << 16) / std::max<int64_t>(1, depth()));
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t first = 0; first < windows; first += blockSize)
        visit(group, first, std::min(blockSize, windows - first));
  }

  /// Returns the elements that the windows of a block read; 0 outside of the
  /// input.
  template <typename T>
  Sums gather(ArrayRef<T> input, int64_t group, int64_t first,
              int64_t count) const {
    Sums patches(count, depth());
    for (int64_t row = 0; row < count; ++row)
      for (int64_t tap = 0; tap < taps; ++tap) {
        int64_t from = elementOf(first + row, tap, group);
        for (int64_t i = 0; i < width(); ++i)
          patches(row, tap * width() + i) = from < 0 ? 0 : input[from + i];
      }
    return patches;
  }

  /// Adds the patches of the windows of a block to the elements of the input.
  void scatter(const Sums &patches, MutableArrayRef<double> input,
               int64_t group, int64_t first) const {
    for (int64_t row = 0; row < patches.rows(); ++row)
      for (int64_t tap = 0; tap < taps; ++tap)
        if (int64_t to = elementOf(first + row, tap, group); to >= 0)
          for (int64_t i = 0; i < width(); ++i)
            input[to + i] += patches(row, tap * width() + i);
  }

  /// Return the group's columns of the filter, and of the output for a block of
  /// windows.
  template <typename T> auto filterOf(ArrayRef<T> filter, int64_t group) const {
    return Elements<T>(filter.data(), depth(), filters)
        .middleCols(group * filters / groups, filters / groups)
        .template cast<double>();
  }
  template <typename T>
  auto outputOf(ArrayRef<T> output, int64_t group, int64_t first,
                int64_t count) const {
    return Elements<T>(output.data(), windows, filters)
        .block(first, group * filters / groups, count, filters / groups)
        .template cast<double>();
  }
  /// Return the group's columns of the sums of the filter, and of the sums of
  /// the output for a block of windows.
  auto filterSums(std::vector<double> &sums, int64_t group) const {
    return Eigen::Map<Sums>(sums.data(), depth(), filters)
        .middleCols(group * filters / groups, filters / groups);
  }
  auto outputSums(std::vector<double> &sums, int64_t group, int64_t first,
                  int64_t count) const {
    return Eigen::Map<Sums>(sums.data(), windows, filters)
        .block(first, group * filters / groups, count, filters / groups);
  }

private:
  static ArrayRef<int64_t> spatial(ArrayRef<int64_t> shape) {
    return shape.drop_front().drop_back();
  }
  /// Return the number of channels of a group of the input, and of products per
  /// output.
  int64_t width() const { return channels / groups; }
  int64_t depth() const { return taps * width(); }
  /// Returns the index of the first element of a group that a window reads at a
  /// tap, or -1 outside.
  int64_t elementOf(int64_t window, int64_t tap, int64_t group) const {
    int64_t position = positions[window % windowCount * taps + tap];
    return position < 0
               ? -1
               : (window / windowCount * sampleSize + position) * channels +
                     group * width();
  }

  /// The result of inputPositions().
  std::vector<int64_t> positions;
  int64_t taps, channels, filters, groups, sampleSize, windowCount, windows;
};
} // namespace

/// Sums products in double. `add` computes the sums of the result from the
/// elements of the operands.
template <typename Add>
static std::string sumProducts(ArrayRef<HostTensor> operands,
                               HostTensor &result, Add add) {
  visitFloatType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> sums(result.getNumElements());
    add(operands[0].values<T>(), operands[1].values<T>(), sums);
    llvm::copy(sums, result.values<T>().begin());
  });
  return {};
}

std::string ConvOp::evaluate(ArrayRef<HostTensor> operands,
                             MutableArrayRef<HostTensor> results) {
  PatchProduct product(*this, {operands[0].getShape(), operands[1].getShape(),
                               results[0].getShape()});
  return sumProducts(
      operands, results[0],
      [&](auto input, auto filter, std::vector<double> &sums) {
        product.forEachBlock([&](int64_t group, int64_t first, int64_t count) {
          product.outputSums(sums, group, first, count).noalias() =
              product.gather(input, group, first, count) *
              product.filterOf(filter, group);
        });
      });
}

std::string ConvTransposeOp::evaluate(ArrayRef<HostTensor> operands,
                                      MutableArrayRef<HostTensor> results) {
  PatchProduct product(*this, {results[0].getShape(), operands[1].getShape(),
                               operands[0].getShape()});
  return sumProducts(
      operands, results[0],
      [&](auto output, auto filter, std::vector<double> &sums) {
        product.forEachBlock([&](int64_t group, int64_t first, int64_t count) {
          Sums patches = product.outputOf(output, group, first, count) *
                         product.filterOf(filter, group).transpose();
          product.scatter(patches, sums, group, first);
        });
      });
}

std::string ConvFilterGradOp::evaluate(ArrayRef<HostTensor> operands,
                                       MutableArrayRef<HostTensor> results) {
  PatchProduct product(*this, {operands[0].getShape(), results[0].getShape(),
                               operands[1].getShape()});
  return sumProducts(
      operands, results[0],
      [&](auto input, auto output, std::vector<double> &sums) {
        product.forEachBlock([&](int64_t group, int64_t first, int64_t count) {
          product.filterSums(sums, group).noalias() +=
              product.gather(input, group, first, count).transpose() *
              product.outputOf(output, group, first, count);
        });
      });
}
