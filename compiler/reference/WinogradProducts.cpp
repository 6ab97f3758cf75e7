//===- WinogradProducts.cpp - convolutions by Winograd's algorithm --------===//
#include "compiler/reference/WinogradProducts.h"
#include "compiler/reference/FusedProducts.h"
#include "compiler/reference/NestedChains.h"
#include "compiler/reference/WinogradTransforms.h"
#include "dialects/tg/ops/windows/WinogradRules.h"

using namespace mlir;
using namespace tg;

namespace {

/// An operand [images, rows, columns, channels].
struct Images {
  explicit Images(const HostTensor &tensor)
      : data(tensor.values<float>().data()), shape(tensor.getShape()) {}

  /// Returns an element, or 0 outside of the image.
  float at(int64_t image, int64_t row, int64_t column, int64_t channel) const {
    if (row < 0 || row >= shape[1] || column < 0 || column >= shape[2])
      return 0;
    int64_t position = (image * shape[1] + row) * shape[2] + column;
    return data[position * shape[3] + channel];
  }

  const float *data;
  ArrayRef<int64_t> shape;
};

/// A tile, by its image and its first position.
struct Tile {
  int64_t image, row, column;
};

/// Computes sums of products of transformed tiles. Factors and products are
/// arrays [number in the tile, channel], [number, channel, column] or [number,
/// column].
class TileProducts {
public:
  TileProducts(const Contraction &space, OrderAttr order,
               ArrayRef<HostTensor> factors, HostTensor &result);

  /// Compute a convolution or the gradient of its input, and the gradient of a
  /// filter.
  void convolve();
  void sumOverTiles();

private:
  using Numbers = std::vector<float>;
  using Transform =
      llvm::function_ref<WinogradTransforms::Matrix(ArrayRef<float> elements)>;
  void forEachTile(ArrayRef<int64_t> shape,
                   llvm::function_ref<void(const Tile &tile)> visit) const;
  Numbers factorsOf(const Images &images, const Tile &elements, int64_t size,
                    Transform transform) const;
  Numbers factorsOfInput(const Tile &tile) const;
  Numbers factorsOfFilter() const;
  void storeTile(const Tile &tile, ArrayRef<float> products) const;
  void addTile(const Tile &tile, Numbers &products) const;
  Numbers tapsOf(ArrayRef<float> products) const;

  ArrayRef<int64_t> blocks;
  int64_t positions, productCount;
  WinogradTransforms transforms;
  Images lhs;
  const HostTensor &rhs;
  float *target;
  ArrayRef<int64_t> targetShape;
  int64_t channels, columns;
  /// The distance of the first element under a tile from its first position,
  /// along each axis.
  int64_t offsets[2];
  /// True if the taps run against the positions. The filter then has columns
  /// before channels.
  bool isAdjoint;
};

} // namespace

TileProducts::TileProducts(const Contraction &space, OrderAttr order,
                           ArrayRef<HostTensor> factors, HostTensor &result)
    : blocks(order.getBlocks()), positions(order.getWinograd()),
      productCount((positions + 2) * (positions + 2)), transforms(positions),
      lhs(factors[0]), rhs(factors[1]), target(result.values<float>().data()),
      targetShape(result.getShape()), channels(factors[0].getShape().back()),
      columns(targetShape.back()) {
  WindowedLhs windows = *space.findWindows();
  isAdjoint = windows.axes[0].dilation < 0;
  for (auto [offset, axis] : llvm::zip_equal(offsets, windows.axes)) {
    offset = axis.offset ? *staticExtent(axis.offset) : 0;
    if (isAdjoint)
      offset -= winograd::kTaps - 1;
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Visits the tiles of images of the shape in row-major order.
void TileProducts::forEachTile(
    ArrayRef<int64_t> shape,
    llvm::function_ref<void(const Tile &tile)> visit) const {
  for (int64_t image = 0; image < shape[0]; ++image)
    for (int64_t row = 0; row < shape[1]; row += positions)
      for (int64_t column = 0; column < shape[2]; column += positions)
        visit({image, row, column});
}

/// Returns the factors of a square of elements for each channel.
std::vector<float> TileProducts::factorsOf(const Images &images,
                                           const Tile &elements, int64_t size,
                                           Transform transform) const {
  int64_t channelCount = images.shape[3];
  Numbers factors(productCount * channelCount);
  for (int64_t channel = 0; channel < channelCount; ++channel) {
    Numbers square;
    for (int64_t y = 0; y < size; ++y)
      for (int64_t x = 0; x < size; ++x)
        square.push_back(images.at(elements.image, elements.row + y,
                                   elements.column + x, channel));
    for (auto [number, factor] : llvm::enumerate(transform(square)))
      factors[number * channelCount + channel] = factor;
  }
  return factors;
}

/// Returns the factors of the elements under a tile.
std::vector<float> TileProducts::factorsOfInput(const Tile &tile) const {
  Tile elements{tile.image, tile.row + offsets[0], tile.column + offsets[1]};
  return factorsOf(lhs, elements, positions + 2, [&](ArrayRef<float> square) {
    return transforms.ofInput(square);
  });
}

//===----------------------------------------------------------------------===//
// Convolutions and gradients of inputs
//===----------------------------------------------------------------------===//

std::vector<float> TileProducts::factorsOfFilter() const {
  ArrayRef<float> filter = rhs.values<float>();
  constexpr int64_t kCount = winograd::kTaps * winograd::kTaps;
  Numbers factors(productCount * channels * columns);
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t column = 0; column < columns; ++column) {
      float taps[kCount];
      for (int64_t tap = 0; tap < kCount; ++tap)
        taps[tap] =
            isAdjoint
                ? filter[((kCount - 1 - tap) * columns + column) * channels +
                         channel]
                : filter[(tap * channels + channel) * columns + column];
      for (auto [number, factor] : llvm::enumerate(transforms.ofFilter(taps)))
        factors[(number * channels + channel) * columns + column] = factor;
    }
  return factors;
}

/// Stores the results of a tile that lie inside of the image.
void TileProducts::storeTile(const Tile &tile, ArrayRef<float> products) const {
  for (int64_t column = 0; column < columns; ++column) {
    Numbers square;
    for (int64_t number = 0; number < productCount; ++number)
      square.push_back(products[number * columns + column]);
    for (auto [position, value] :
         llvm::enumerate(transforms.ofOutput(square))) {
      int64_t row = tile.row + int64_t(position) / positions;
      int64_t x = tile.column + int64_t(position) % positions;
      if (row < targetShape[1] && x < targetShape[2])
        target[((tile.image * targetShape[1] + row) * targetShape[2] + x) *
                   columns +
               column] = value;
    }
  }
}

void TileProducts::convolve() {
  Numbers filter = factorsOfFilter();
  forEachTile(targetShape, [&](const Tile &tile) {
    Numbers input = factorsOfInput(tile), products(productCount * columns);
    for (int64_t number = 0; number < productCount; ++number)
      for (int64_t channel = 0; channel < channels; ++channel) {
        int64_t row = number * channels + channel;
        addProducts(&input[row], 0, &filter[row * columns], 1,
                    &products[number * columns], columns);
      }
    storeTile(tile, products);
  });
}

//===----------------------------------------------------------------------===//
// Gradients of filters
//===----------------------------------------------------------------------===//

/// Adds the products of a tile to those of its block.
void TileProducts::addTile(const Tile &tile, Numbers &products) const {
  Numbers input = factorsOfInput(tile);
  Numbers gradient =
      factorsOf(Images(rhs), tile, positions, [&](ArrayRef<float> square) {
        return transforms.ofGradient(square);
      });
  for (int64_t number = 0; number < productCount; ++number)
    for (int64_t channel = 0; channel < channels; ++channel) {
      int64_t row = number * channels + channel;
      addProducts(&input[row], 0, &gradient[number * columns], 1,
                  &products[row * columns], columns);
    }
}

/// Returns the taps of the products of a block.
std::vector<float> TileProducts::tapsOf(ArrayRef<float> products) const {
  int64_t pairs = channels * columns;
  Numbers taps(winograd::kTaps * winograd::kTaps * pairs);
  for (int64_t pair = 0; pair < pairs; ++pair) {
    Numbers square;
    for (int64_t number = 0; number < productCount; ++number)
      square.push_back(products[number * pairs + pair]);
    for (auto [tap, value] : llvm::enumerate(transforms.ofWindow(square)))
      taps[tap * pairs + pair] = value;
  }
  return taps;
}

void TileProducts::sumOverTiles() {
  int64_t pairs = channels * columns;
  ColumnSums<float> chain{winograd::kTaps * winograd::kTaps * pairs};
  NestedChains<Numbers, ColumnSums<float>> sums(
      blocks.drop_front(std::min<size_t>(blocks.size(), 1)), chain);
  Numbers products(productCount * pairs);
  int64_t count = 0;
  auto endBlock = [&] {
    sums.add(tapsOf(products));
    llvm::fill(products, 0.0f);
    count = 0;
  };
  forEachTile(rhs.getShape(), [&](const Tile &tile) {
    addTile(tile, products);
    if (++count == (blocks.empty() ? INT64_MAX : blocks[0]))
      endBlock();
  });
  if (count)
    endBlock();
  llvm::copy(sums.finish(), target);
}

void tg::multiplyTiles(const Contraction &space, OrderAttr order,
                       ArrayRef<HostTensor> factors, HostTensor &result) {
  TileProducts products(space, order, factors, result);
  if (winograd::isFilterGradient(space))
    products.sumOverTiles();
  else
    products.convolve();
}
